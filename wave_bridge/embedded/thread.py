"""One conversation, the session's own or a subagent's: its messages, each change announced as it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wave_bridge.embedded.blocks import Block, Message, new_message, now_ms, text_block, tool_block

Emit = Callable[[str, dict[str, Any]], None]


class Thread:
    """The messages since the last compaction. Changes go to `emit` as (notification, params)."""

    def __init__(self, emit: Emit) -> None:
        self._messages: list[Message] = []
        self._growing: tuple[Block, str] | None = None
        self._pieces: list[str] = []
        self.generation = 0
        self.emit = emit

    @property
    def messages(self) -> list[Message]:
        """The messages, complete up to this moment."""
        self.settle()
        return self._messages

    def grow(self, block: Block, member: str, chunk: str) -> None:
        """Append to a text of a block. Pieces are joined when somebody reads: the cost is that of the length alone."""
        if self._growing is None or self._growing[0] is not block:
            self.settle()
            self._growing = (block, member)
        self._pieces.append(chunk)

    def settle(self) -> None:
        """Join what has grown."""
        if self._growing is not None:
            block, member = self._growing
            block[member] += "".join(self._pieces)
            self._growing = None
            self._pieces.clear()

    def replace(self, messages: list[Message]) -> None:
        """Go on with other messages: a restored session, or none. A reply under way has lost its place."""
        self._messages = messages
        self.generation += 1

    def say(self, blocks: list[Block], *, meta: bool = False) -> Message:
        """Add a user message."""
        message = new_message("user", blocks, meta=meta)
        self._messages.append(message)
        self.emit("userMessageAdded", {"message": message})
        return message

    def say_meta(self, text: str) -> None:
        """Add a hidden user message: a reminder for the model."""
        self.say([text_block(text)], meta=True)

    def reply(self) -> Message:
        """Add an assistant message without blocks."""
        message = new_message("assistant", [])
        self._messages.append(message)
        self.emit("assistantMessageAdded", {"message": message})
        return message

    def newest_reply(self) -> Message:
        """Give the last assistant message; add one, unannounced as the real CLI does it, where there is none."""
        for message in reversed(self._messages):
            if message["role"] == "assistant":
                return message
        return self._add_silently()

    def fail(self, error: str) -> None:
        """Add an error block to the last message, or to a new assistant message if that one is a user's."""
        last = self._messages[-1] if self._messages else None
        message = last if last and last["role"] == "assistant" else self._add_silently()
        message["blocks"].append({"type": "error", "content": error})
        self.emit("errorBlockAdded", {"error": error})

    def update_tool(self, tool_id: str, name: str, stage: str, **changed: object) -> Block:
        """Change a tool block and announce what changed. The message named is always the newest reply.

        After a late permission answer that is another message than the call's own, as with the real CLI: consumers
        find tool blocks by their id.
        """
        message = self.newest_reply()
        block = _find_tool(message, tool_id)
        if block is None:
            block = tool_block(tool_id, name)
            message["blocks"].append(block)
        block.update(changed, stage=stage)
        update = {"id": tool_id, "name": name, "stage": stage, **changed, "messageId": message["id"]}
        if stage == "end":
            update["timestamp"] = now_ms()
        self.emit("toolBlockUpdated", update)
        return block

    def amend_tool(self, tool_id: str, result: str) -> None:
        """Change the result of a call that has ended already: a second `end`, with nothing else in it."""
        message = self.newest_reply()
        block = _find_tool(message, tool_id)
        if block is not None:
            block["result"] = result
        update = {"id": tool_id, "result": result, "stage": "end", "messageId": message["id"]}
        self.emit("toolBlockUpdated", update)

    def _add_silently(self) -> Message:
        message = new_message("assistant", [])
        self._messages.append(message)
        return message


def _find_tool(message: Message, tool_id: str) -> Block | None:
    for block in message["blocks"]:
        if block.get("type") == "tool" and block["id"] == tool_id:
            found: Block = block
            return found
    return None
