"""What is written of a conversation: events as they come, messages of a history. Text in, text out.

Whatever a model or a command has said is shown without what acts on a terminal.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.messages import text
from wave_bridge.store.titles import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wave_bridge.messages import Locale

RESULT_LINES: Final = 10  # of a tool's result; the rest is counted
ARGUMENTS: Final = 200  # characters of a call's parameters

_MARKS: Final = {"completed": "[x]", "in_progress": "[~]"}


class Stream:
    """Turns events into text. Chunks are given as they come; where the next begins, a line is ended first."""

    def __init__(self, locale: Locale) -> None:
        self._locale = locale
        self._in_line = False

    def heard(self, method: str, params: dict[str, Any]) -> str:
        """Give what is to be written for an event; nothing for most."""
        match method:
            case "assistantContentUpdated":
                return self._chunk(params)
            case "toolBlockUpdated" if params.get("stage") == "end":
                return self._line(tool_lines(params, self._locale))
            case "errorBlockAdded":
                return self._line([f"! {params.get('error')}"])
            case "refused":
                return self._line([f"! {params['message']}"])
            case "compactBlockAdded":
                return self._line([text("talk.compacted", self._locale)])
            case "tasksChange":
                return self._line(todo_lines(params.get("tasks") or []))
            case "notificationMessageAdded":
                return self._line(message_lines(params.get("message") or {}, self._locale))
            case "permissionRequest":
                return self._line([question(params.get("context") or {}, self._locale)])
            case "loadingChange" if not params.get("loading"):
                return self._line([])
        return ""

    def _chunk(self, params: dict[str, Any]) -> str:
        chunk = plain(str(params.get("chunk") or ""))
        if chunk:
            self._in_line = not chunk.endswith("\n")
        return chunk if params.get("stage") != "end" else chunk + self._line([])

    def _line(self, lines: Sequence[str]) -> str:
        ended, self._in_line = ("\n" if self._in_line else ""), False
        return ended + "".join(plain(line) + "\n" for line in lines)


def history_lines(messages: Sequence[dict[str, Any]], locale: Locale) -> list[str]:
    """Give a whole conversation, from before compactions too; messages for the model alone are left out."""
    return [line for each in messages if not each.get("isMeta") for line in message_lines(each, locale)]


def message_lines(message: dict[str, Any], locale: Locale) -> list[str]:
    """Give one message: what the user wrote behind a `>`, what was answered, each call in short."""
    lines: list[str] = []
    for block in message.get("blocks") or []:
        content = str(block.get("content") or "")
        match block.get("type"):
            case "text" if message.get("role") == "user":
                lines += [f"> {line}" for line in content.splitlines()]
            case "text" | "error":
                lines += content.splitlines()
            case "tool":
                lines += tool_lines(block, locale)
            case "compact":
                lines.append(text("talk.compacted", locale))
    return [plain(line) for line in lines]


def tool_lines(block: dict[str, Any], locale: Locale) -> list[str]:
    """Give a call that has ended: its name and parameters, then the beginning of its result."""
    shown = harmless(str(block.get("compactParams") or block.get("parameters") or ""))[:ARGUMENTS]
    head = f"* {block.get('name') or ''} {shown}".rstrip()
    has_failed = block.get("success") is False
    result = str(block.get("result") or (block.get("error") if has_failed else "") or "")
    lines = result.strip().splitlines()
    more = len(lines) - RESULT_LINES
    rest = [text("talk.moreLines", locale, count=more)] if more > 0 else []
    return [head] * bool(block.get("name")) + [f"  {line}" for line in [*lines[:RESULT_LINES], *rest]]


def todo_lines(tasks: Sequence[dict[str, Any]]) -> list[str]:
    """Give the task list, a line each."""
    marked = ((_MARKS.get(str(each.get("status")), "[ ]"), str(each.get("subject") or "")) for each in tasks)
    return [f"{mark} {harmless(subject)}" for mark, subject in marked]


def question(context: dict[str, Any], locale: Locale) -> str:
    """Say what waits for approval."""
    arguments = context.get("toolInput") or {}
    shown = arguments.get("command") or arguments.get("file_path") or context.get("planContent") or arguments
    return text("talk.allow", locale, tool=context.get("toolName", ""), what=harmless(str(shown))[:ARGUMENTS])


def plain(shown: str) -> str:
    """Give `shown` without control characters but line breaks and tabs."""
    return "".join(char for char in shown if char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs"})
