"""The directives in a user's text that say what the scripted model does. Pure.

A directive is a JSON object in double brackets, one a model call, in order:

    look at it [[{"text": "I read it.", "tool": {"name": "Read", "args": {"file_path": "a.py"}}}]][[{"text": "Done."}]]

A subagent's prompt lies inside such an object; there double angle brackets do the same: `<<{"text": "report"}>>`.
docs/EMBEDDED.md lists the members. Text in brackets that is no JSON object is plain text.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal

import msgspec

from wave_bridge.embedded.failure import ModelFailed

Raw = dict[str, Any]


class ToolDirective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tool call: `args` is sent as JSON text, or `raw` as it is (cut arguments)."""

    name: str
    id: str | None = None
    args: dict[str, Any] = {}
    raw: str | None = None


class Directive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the model does in one call. Times are seconds; every text is cut into `chunks` pieces."""

    text: str = ""
    reasoning: str = ""
    tool: ToolDirective | None = None
    tools: list[ToolDirective] = []
    chunks: int = 3
    delay: float = 0.0  # after each piece
    first: float = 0.0  # before the first piece
    prompt_tokens: int = 100
    completion_tokens: int = 20
    finish: str | None = None  # `length`: the reply was cut
    drop: bool = False  # the connection breaks after half of the pieces
    status: int | None = None  # an HTTP failure instead of a reply
    body: Any = ""
    retry_after: float | None = None
    fault: Literal["exit", "kill", "hang", "stderr", "line", "junk"] | None = None
    after: int | None = None  # pieces before the fault; without it, all
    code: int = 0
    bytes: int | None = None
    lines: list[str] | None = None
    message: str | None = None  # written to stderr before an exit
    on: str | None = None  # the occasion, where the environment asks for the fault


_BRACKETS: Final = (("[[", "]]"), ("<<", ">>"))
_DECODER: Final = json.JSONDecoder()


def parse(text: str) -> list[Raw]:
    """Give the directives of `text`, in order. Those in double brackets win over those in angle brackets."""
    for opening, closing in _BRACKETS:
        if found := _find(text, opening, closing):
            return found
    return []


def checked(raw: Raw) -> Directive:
    """Give the directive as its Struct.

    Raises ModelFailed with the member's name if it is none: the user sees why.
    """
    try:
        return msgspec.convert(raw, Directive)
    except msgspec.ValidationError as error:
        raise ModelFailed(f"Bad directive: {error}") from error


def without(text: str) -> str:
    """Give `text` without its directives, blanks trimmed: what a person would have meant."""
    for opening, closing in _BRACKETS:
        if _find(text, opening, closing):
            return text[: text.index(opening + "{")].strip()
    return text.strip()


def _find(text: str, opening: str, closing: str) -> list[Raw]:
    found: list[Raw] = []
    position = text.find(opening)
    while position >= 0:
        directive, end = _decode(text, position + len(opening))
        if directive is not None and text.startswith(closing, end):
            found.append(directive)
            position = text.find(opening, end + len(closing))
        else:
            position = text.find(opening, position + len(opening))
    return found


def _decode(text: str, position: int) -> tuple[Raw | None, int]:
    try:
        value, end = _DECODER.raw_decode(text, position)
    except ValueError:
        return None, position
    return (value, end) if isinstance(value, dict) else (None, position)


def pieces(text: str, chunks: int) -> list[str]:
    """Cut `text` into at most `chunks` pieces of the same size, the last perhaps shorter."""
    size = max(1, -(-len(text) // max(1, chunks)))
    return [text[start : start + size] for start in range(0, len(text), size)]
