"""The messages of one session, kept up to date by the CLI's events, for clients that can't do so themselves."""

from __future__ import annotations

from typing import Any, Final

STREAMING: Final = "streaming"
_DELTAS: Final = {"assistantContentUpdated": "text", "assistantReasoningUpdated": "reasoning"}

Message = dict[str, Any]
Block = dict[str, Any]


class Thread:
    """Messages in the CLI's own shape, oldest first. An event that names what is not here changes nothing."""

    def __init__(self, messages: list[Message] | None = None) -> None:
        self.messages: list[Message] = list(messages or [])

    def apply(self, method: str, params: dict[str, Any]) -> int | None:
        """Take one event; gives the index of the first message that changed, None when none did."""
        match method:
            case "userMessageAdded" | "assistantMessageAdded" | "notificationMessageAdded":
                return self._add(params.get("message"))
            case "assistantContentUpdated" | "assistantReasoningUpdated":
                return self._append(_DELTAS[method], params)
            case "toolBlockUpdated":
                return self._update_tool(params)
            case "errorBlockAdded":
                return self._add_error(str(params.get("error", "")))
            case "bangMessageAdded":
                block = {"type": "bang", "command": params.get("command", ""), "output": "", "stage": "running"}
                return self._add({"id": params.get("messageId"), "role": "user", "blocks": [block]})
            case "bangMessageUpdated" | "bangMessageCompleted":
                return self._update_bang(params, ended=method == "bangMessageCompleted")
            case "messagesChange":
                self.messages = list(params.get("messages") or [])
                return 0
            case _:
                return None

    def _find(self, message_id: object) -> int | None:
        places = range(len(self.messages) - 1, -1, -1)  # what changes is at the end
        return next((place for place in places if self.messages[place].get("id") == message_id), None)

    def _add(self, message: object) -> int | None:
        if not isinstance(message, dict):
            return None
        message = {**message, "blocks": [dict(block) for block in message.get("blocks") or []]}
        place = self._find(message.get("id"))
        if place is None:
            self.messages.append(message)
            return len(self.messages) - 1
        self.messages[place] = message
        return place

    def _append(self, kind: str, params: dict[str, Any]) -> int | None:
        place = self._find(params.get("messageId"))
        if place is None:
            return None
        blocks: list[Block] = self.messages[place]["blocks"]
        # Not the last block: the error of a turn that was stopped may stand behind the one that still grows.
        grows = next((block for block in reversed(blocks) if block.get("type") == kind), None)
        if grows is None or grows.get("stage") != STREAMING:
            grows = {"type": kind, "content": "", "stage": STREAMING}
            blocks.append(grows)
        grows["content"] += params.get("chunk") or ""
        grows["stage"] = params.get("stage")
        return place

    def _update_tool(self, params: dict[str, Any]) -> int | None:
        """Find by the tool's id first: a late update may name a wrong message."""
        for place in range(len(self.messages) - 1, -1, -1):
            for block in self.messages[place].get("blocks") or []:
                if block.get("id") == params.get("id") and block.get("type") == "tool":
                    _merge(block, params)
                    return place
        found = self._find(params.get("messageId"))
        if found is not None:
            block = {"type": "tool", "parameters": ""}
            _merge(block, params)
            self.messages[found]["blocks"].append(block)
        return found

    def _add_error(self, error: str) -> int:
        if not self.messages or self.messages[-1].get("role") != "assistant":
            self.messages.append({"id": None, "role": "assistant", "blocks": []})
        self.messages[-1]["blocks"].append({"type": "error", "content": error})
        return len(self.messages) - 1

    def _update_bang(self, params: dict[str, Any], *, ended: bool) -> int | None:
        place = self._find(params.get("messageId"))
        if place is not None:
            block = {name: params[name] for name in ("command", "output", "exitCode") if name in params}
            self.messages[place]["blocks"] = [{"type": "bang", **block, "stage": "end" if ended else "running"}]
        return place


def _merge(block: Block, update: dict[str, Any]) -> None:
    """Take an update's members; in the stage `streaming` the parameters come in pieces."""
    chunk = update.get("parametersChunk") if update.get("stage") == STREAMING else None
    block.update({name: value for name, value in update.items() if name not in {"messageId", "parametersChunk"}})
    if chunk:
        block["parameters"] = block.get("parameters", "") + chunk
