"""Messages as Markdown, line by line. Whatever a message holds, no line of it is the marker of the draft."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.messages import text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wave_bridge.chat.thread import Block, Message
    from wave_bridge.messages import Locale

MARKER: Final = "<!-- wave: draft -->"  # what is below it belongs to the user
RESULT_LINES: Final = 20  # of a tool's result that are shown
LINE_CHARACTERS: Final = 400  # of one line of a result
_BREAK: Final = re.compile(r"\r\n|\r|\n")


def message_lines(message: Message, locale: Locale) -> list[str]:
    """Give a message's lines, a heading first and an empty line last; none for what is not for display."""
    blocks = message.get("blocks") or []
    if message.get("isMeta"):
        blocks = [block for block in blocks if block.get("type") == "task_notification"]
    body = [line for block in blocks for line in _block(block, locale)]
    if not body:
        return []
    who = text("chat.you" if message.get("role") == "user" else "chat.wave", locale)
    return [f"## {who}", "", *map(_unmarked, body)]


def split(content: str) -> list[str]:
    """Give the lines of a text, whatever ends them."""
    return _BREAK.split(content)


def fenced(content: str, language: str = "") -> list[str]:
    """Give a text as a code block; the fence is longer than any in the text."""
    longest = max((len(run) for run in re.findall("`+", content)), default=0)
    fence = "`" * max(3, longest + 1)
    return [fence + language, *split(content), fence]


def tool_summary(block: dict[str, Any]) -> str:
    """Say in one line what a tool is asked to do."""
    short = block.get("compactParams")
    if not isinstance(short, str) or not short:
        short = _short(block.get("parameters"))
    return " ".join(short.split())[:LINE_CHARACTERS]


def _block(block: Block, locale: Locale) -> Iterator[str]:
    content = str(block.get("content") or "")
    match block.get("type"):
        case "text":
            yield from [*split(content), ""] if content.strip() else []
        case "reasoning":
            yield from [*(f"> {line}".rstrip() for line in split(content)), ""] if content.strip() else []
        case "error":
            yield from (f"**{text('chat.error', locale)}** {split(content)[0]}", *split(content)[1:], "")
        case "tool":
            yield from _tool(block, locale)
        case "bang":
            yield from _command(block)
        case "image":
            yield from (text("chat.image", locale), "")
        case "compact":
            yield from (f"*{text('chat.compacted', locale)}*", "", *split(content), "")
        case "task_notification":
            yield from (f"*{' '.join(str(block.get('summary') or '').split())}*", "")
        case _:  # bookkeeping, or of a later CLI
            return


def _tool(block: Block, locale: Locale) -> Iterator[str]:
    state = "chat.running"
    if block.get("stage") == "end":
        state = "chat.done" if block.get("success") else "chat.failed"
    yield f"**{block.get('name', '')}** {_code(tool_summary(block))} — {text(state, locale)}"
    result = str(block.get("error") or block.get("result") or "").strip()
    yield from _result(result)
    yield ""


def _command(block: Block) -> Iterator[str]:
    yield _code(f"!{block.get('command', '')}")
    yield from _result(str(block.get("output") or "").strip())
    if block.get("exitCode"):
        yield f"[{block['exitCode']}]"
    yield ""


def _result(result: str) -> list[str]:
    """Give the end of a result, which is where a command says what became of it."""
    if not result:
        return []
    lines = split(result)
    cut = ["…"] if len(lines) > RESULT_LINES else []
    return fenced("\n".join([*cut, *(line[:LINE_CHARACTERS] for line in lines[-RESULT_LINES:])]))


def _code(content: str) -> str:
    """Give a text as inline code; backticks inside ask for a longer fence."""
    flat = " ".join(content.split())
    if not flat:
        return ""
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {flat} {fence}" if longest else f"`{flat}`"


def _short(parameters: object) -> str:
    """Give the first member that is a text; parameters that were cut do not parse."""
    try:
        found = json.loads(parameters) if isinstance(parameters, str) else parameters
    except ValueError:
        return ""
    values = found.values() if isinstance(found, dict) else ()
    return next((value for value in values if isinstance(value, str)), "")


def _unmarked(line: str) -> str:
    return line.replace(MARKER, MARKER.replace("<!--", "< !--"))
