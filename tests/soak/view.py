"""What a panel shows: the messages of one session, from one snapshot and the events behind it, and nothing else.

A reducer as a user interface has one, here to be compared with the CLI's own list: at any moment the two must be
the same, unless the view was told that it is stale.
"""

from __future__ import annotations

from collections import deque
from typing import Any

Message = dict[str, Any]
Block = dict[str, Any]

SHOWN = {
    "text": ("content", "stage"),
    "reasoning": ("content", "stage"),
    "tool": ("id", "name", "parameters", "result", "stage", "success", "error"),
    "error": ("content",),
    "compact": ("content",),
    "task_notification": ("taskId", "status", "summary"),
}
TRACED = 40
GROWN = {"assistantContentUpdated": "text", "assistantReasoningUpdated": "reasoning"}


class View:
    """One panel's copy. `faults` are breaches of the protocol's promises; `stale` means that a snapshot is due."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.seq = 0
        self.epoch = ""
        self.stale = True
        self.compacting = False
        self.faults: list[str] = []
        self.trace: deque[tuple[int, str]] = deque(maxlen=TRACED)  # the last events, to explain a difference

    def replace(self, snapshot: dict[str, Any]) -> None:
        """Show a snapshot."""
        self.messages = snapshot["messages"]
        self.seq, self.epoch = snapshot["seq"], snapshot["epoch"]
        self.compacting = snapshot["state"]["compacting"]
        self.stale = False

    def compare(self, snapshot: dict[str, Any]) -> bool:
        """Say that a snapshot differs from what is shown; False when there was nothing to compare."""
        if self.stale or self.compacting or snapshot["state"]["compacting"] or snapshot["epoch"] != self.epoch:
            return False
        if snapshot["seq"] != self.seq:
            self.faults.append(f"the snapshot is of {snapshot['seq']}, the events that came went to {self.seq}")
        mine, its = list(map(shown, self.messages)), list(map(shown, snapshot["messages"]))
        if mine != its:
            events = "\n".join(f"    {seq} {event}" for seq, event in self.trace)
            self.faults.append(f"{_difference(mine, its)}\n  the last events:\n{events}")
        return True

    def number(self, seq: int, from_seq: int | None) -> None:
        """Take an event's number."""
        if not self.stale and (from_seq or seq) != self.seq + 1:
            self.faults.append(f"event {from_seq or seq} came behind {self.seq}")
        self.seq = seq

    def event(self, method: str, params: dict[str, Any]) -> None:
        """Show an event of the CLI."""
        match method:
            case "userMessageAdded" | "assistantMessageAdded" | "notificationMessageAdded":
                self.messages.append(params["message"])
            case "assistantContentUpdated" | "assistantReasoningUpdated":
                self._grow(GROWN[method], params)
            case "toolBlockUpdated":
                self._tool(params)
            case "errorBlockAdded":
                if self.messages and self.messages[-1]["role"] == "assistant":
                    self.messages[-1]["blocks"].append({"type": "error", "content": params["error"]})
            case "messagesChange":
                self.messages = params["messages"]
            case "compactionStateChange":
                self.compacting = params["isCompacting"]

    def _grow(self, kind: str, params: dict[str, Any]) -> None:
        blocks = self._message(params["messageId"])["blocks"]
        block = next((block for block in reversed(blocks) if block["type"] == kind), None)
        if block is None or block.get("stage") == "end":
            blocks.append(block := {"type": kind, "content": ""})
        block["content"] += params["chunk"]
        block["stage"] = params["stage"]

    def _tool(self, params: dict[str, Any]) -> None:
        block = self._find_tool(params["id"])
        if block is None:
            block = {"type": "tool", "id": params["id"], "parameters": "", "result": ""}
            self._message(params["messageId"])["blocks"].append(block)
        whole = block["parameters"]
        block.update({name: value for name, value in params.items() if name != "messageId"})
        if params["stage"] == "streaming":
            block["parameters"] = whole + params["parametersChunk"]

    def _message(self, message_id: str) -> Message:
        """Give the message; a reply that nobody announced appears with its first update."""
        for message in reversed(self.messages):
            if message["id"] == message_id:
                return message
        self.messages.append({"id": message_id, "role": "assistant", "blocks": []})
        return self.messages[-1]

    def _find_tool(self, tool_id: str) -> Block | None:
        for message in reversed(self.messages):
            for block in message["blocks"]:
                if block["type"] == "tool" and block["id"] == tool_id:
                    return block
        return None


def shown(message: Message) -> dict[str, Any]:
    """Give of a message what a user sees."""
    blocks = [
        {"type": block["type"]} | {name: block[name] for name in SHOWN[block["type"]] if block.get(name)}
        for block in message["blocks"]
        if block["type"] in SHOWN
    ]
    return {"id": message["id"], "role": message["role"], "blocks": blocks}


def _difference(mine: list[Message], its: list[Message]) -> str:
    at = next((n for n, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b), min(len(mine), len(its)))
    return (
        f"{len(mine)} messages are shown, the CLI has {len(its)}; first difference in message {at}:\n"
        f"  shown   {str(mine[at : at + 1])[:1500]}\n  the CLI {str(its[at : at + 1])[:1500]}"
    )
