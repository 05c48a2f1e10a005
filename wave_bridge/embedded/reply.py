"""One model call becomes blocks of one assistant message: pure deltas out (T10), the whole in memory.

The message is added with the first token; an empty reply adds none. A block ends with an empty chunk and stage `end`
(T10.3) before the next one begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wave_bridge.embedded.blocks import ABORTED, Block, Message, now_ms
from wave_bridge.embedded.models.events import Event, Finish, Reasoning, Text, ToolArguments, ToolStart, Usage

if TYPE_CHECKING:
    from wave_bridge.embedded.thread import Thread

_UPDATES = {"text": "assistantContentUpdated", "reasoning": "assistantReasoningUpdated"}


class Call(NamedTuple):
    """A tool call that the model made; `parameters` is the JSON text, perhaps cut."""

    id: str
    name: str
    parameters: str


class Reply:
    """Collects the events of one call."""

    def __init__(self, thread: Thread) -> None:
        self._thread = thread
        self._generation = thread.generation
        self._message: Message | None = None
        self._open: Block | None = None
        self._tools: list[Block] = []
        self.usage: Usage | None = None
        self.finish = "stop"

    @property
    def message(self) -> Message | None:
        """The assistant message; None as long as the model said nothing."""
        return self._message

    @property
    def calls(self) -> list[Call]:
        """The tool calls, in order."""
        return [Call(block["id"], block["name"], block["parameters"]) for block in self._tools]

    def feed(self, event: Event) -> None:
        """Take one event."""
        match event:
            case Text(chunk):
                self._grow("text", chunk)
            case Reasoning(chunk):
                self._grow("reasoning", chunk)
            case ToolStart(tool_id, name):
                self._start_tool(tool_id, name)
            case ToolArguments(chunk):
                self._grow_arguments(chunk)
            case Usage():
                self.usage = event
            case Finish(reason):
                self.finish = reason

    def close(self) -> None:
        """End the open text or reasoning block."""
        self._thread.settle()
        block, self._open = self._open, None
        if block is None:
            return
        block["stage"] = "end"
        if block["type"] == "reasoning":
            block["endTime"] = now_ms()
        self._announce(block, "")

    def abort(self) -> None:
        """End what is open: text as it is, tool calls as failed; their last chunk stays, as with the real CLI."""
        self.close()
        for block in [] if self._replaced else self._tools:
            self._thread.update_tool(
                block["id"],
                block["name"],
                "end",
                parameters=block["parameters"],
                parametersChunk=block.get("parametersChunk", ""),
                success=False,
                error=ABORTED,
            )

    def _grow(self, kind: str, chunk: str) -> None:
        if not chunk:
            return
        block = self._open
        if block is None or block["type"] != kind:
            self.close()
            block = self._open = {"type": kind, "content": "", "stage": "streaming"}
            if kind == "reasoning":
                block["startTime"] = now_ms()
            self._started()["blocks"].append(block)
        self._thread.grow(block, "content", chunk)
        self._announce(block, chunk)

    def _start_tool(self, tool_id: str, name: str) -> None:
        self.close()
        self._started()
        block = self._thread.update_tool(tool_id, name, "start", parameters="", parametersChunk="")
        self._tools.append(block)

    def _grow_arguments(self, chunk: str) -> None:
        block = self._tools[-1]
        self._thread.grow(block, "parameters", chunk)
        self._thread.update_tool(block["id"], block["name"], "streaming", parametersChunk=chunk)

    def _started(self) -> Message:
        if self._message is None:
            self._message = self._thread.reply()
        return self._message

    def _announce(self, block: Block, chunk: str) -> None:
        """Send a delta of this reply's message, also when another has begun meanwhile: a stopped turn's last words.

        A conversation that was replaced hears nothing.
        """
        if self._replaced or self._message is None:
            return
        params = {"messageId": self._message["id"], "chunk": chunk, "stage": block["stage"]}
        self._thread.emit(_UPDATES[block["type"]], params)

    @property
    def _replaced(self) -> bool:
        return self._thread.generation != self._generation
