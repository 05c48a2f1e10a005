"""One line of a session file to entries and back. Pure: bytes in, values out, no file, no clock.

Every line but a message is a reserved entry. `RESERVED` is the one registry of their types and `parse_line` the one
way in, so that no reader can take an entry for a message (S12.4). What can't be understood becomes a `Damage`; the
whole records around it are kept.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec
from msgspec import Struct

from wave_bridge.errors import InvalidParams

Body = dict[str, Any]
"""A message as it stands in the file: `{timestamp, id, role, blocks, usage?, isMeta?, …}`, unknown members kept."""


class Header(Struct, frozen=True, gc=False, tag_field="type", tag="metadata", rename="camel", omit_defaults=True):
    """The first line of a file (S11.1), written once. Older files have none, or lack `createdAt` (ISO 8601)."""

    workdir: str | None = None
    created_at: str | None = None
    git_branch: str | None = None


class CustomTitle(Struct, frozen=True, tag_field="type", tag="custom-title", rename="camel"):
    """The title that a user gave (S12.1); the last one in the file holds."""

    custom_title: str
    session_id: str = ""


class Unknown(Struct, frozen=True):
    """A reserved entry of a type that this version does not know: no message, kept as it is."""

    kind: str


class Message(Struct, frozen=True):
    """A message. `body` has at least `timestamp`, `role` and `blocks`."""

    body: Body

    @property
    def id(self) -> str | None:
        """The id, if it has one; it repeats after a compaction."""
        found = self.body.get("id")
        return found if isinstance(found, str) else None

    @property
    def is_meta(self) -> bool:
        """Whether the message is context that was injected, not part of the conversation."""
        return self.body.get("isMeta") is True

    @property
    def is_compact(self) -> bool:
        """Whether a compaction begins here: what is before it is history only."""
        return any(isinstance(block, dict) and block.get("type") == "compact" for block in self.body["blocks"])


class Damage(Struct, frozen=True):
    """Bytes of a line that are no entry, or a line that other readers can't read; `reason` is for people."""

    reason: str


Entry = Header | CustomTitle | Unknown | Message | Damage

RESERVED: Final[dict[str, type[Header | CustomTitle]]] = {"metadata": Header, "custom-title": CustomTitle}

_SAYS: Final = {"text": "content", "bang": "command", "compact": "content"}  # block type to member, best first
_BLANK: Final = b" \t\r\n\v\f"
_BOM: Final = b"\xef\xbb\xbf"
_NULS: Final = re.compile(rb"\0+")
# Unescaped quotes can't occur inside a JSON string, so this is a record's beginning even behind a torn one.
_BEGINNING: Final = re.compile(rf'\{{"timestamp":"|\{{"type":"(?:{"|".join(RESERVED)})"')
_SEPARATORS: Final = ((b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029"))


def parse_line(line: bytes) -> list[Entry]:
    """Give the entries of one line (cut at 0x0A): one as a rule, none for a blank line, several where it is damaged."""
    text = line.strip(_BLANK).removeprefix(_BOM)
    if not text:
        return []
    try:
        return [_interpret(msgspec.json.decode(text))]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _salvage(text)


def dump(entry: Header | CustomTitle | Message) -> bytes:
    """Give the line of an entry with its newline: compact, a message's `timestamp` first, U+2028/2029 escaped.

    Some versions of Node split lines at those two; a lone surrogate is escaped like JavaScript does.
    """
    value: Any = entry
    if isinstance(entry, Message):
        value = {"timestamp": entry.body["timestamp"], **entry.body}
    try:
        line = msgspec.json.encode(value)
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        line = text.encode("utf-8", "backslashreplace")
    for raw, escaped in _SEPARATORS:
        line = line.replace(raw, escaped)
    return line + b"\n"


def message(body: Body) -> Message:
    """Give `body` as a message that may be written; InvalidParams says what it lacks."""
    match _interpret(body):
        case Message() as found if found.id is not None:
            return found
        case Damage(reason):
            raise InvalidParams(f"not a message: {reason}")
        case _:
            raise InvalidParams("not a message: it has no id, no timestamp, or a reserved type")


def first_text(body: Body) -> str | None:
    """Give what a message says: its first text, else "!" and its shell command, else a compaction's text."""
    found: dict[str, str] = {}
    for block in body["blocks"]:
        if isinstance(block, dict):
            for kind, member in _SAYS.items():
                said = block.get(member)
                if block.get("type") == kind and isinstance(said, str) and said:
                    found.setdefault(kind, said)
    if "bang" in found:
        found["bang"] = "!" + found["bang"]
    return next((found[kind] for kind in _SAYS if kind in found), None)


def _interpret(value: Any) -> Entry:
    if not isinstance(value, dict):
        return Damage("not an object")
    kind = value.get("type")
    reserved = RESERVED.get(kind) if isinstance(kind, str) else None
    if reserved is not None:
        try:
            return msgspec.convert(value, reserved)
        except msgspec.ValidationError as fault:
            return Damage(f"{kind}: {fault}")
    if "timestamp" not in value:
        return Unknown(kind if isinstance(kind, str) else "")
    if not isinstance(value["timestamp"], str):
        return Damage("timestamp is not a string")
    if not isinstance(value.get("role"), str) or not isinstance(value.get("blocks"), list):
        return Damage("neither a reserved entry nor a message")
    return Message(value)


def _salvage(line: bytes) -> list[Entry]:
    """Take the whole records out of a line that is not one JSON value: NUL blocks, glued records, torn ones."""
    pieces = [piece.decode("utf-8", "replace") for piece in _NULS.split(line) if piece.strip(_BLANK)]
    entries = [entry for piece in pieces for entry in _records(piece)]
    if b"\0" in line:
        return [*entries, Damage("NUL bytes")]
    if len(entries) > 1 and not any(isinstance(entry, Damage) for entry in entries):
        return [*entries, Damage("records glued together")]
    return entries


def _records(text: str) -> list[Entry]:
    entries: list[Entry] = []
    at = 0
    while at < len(text):
        try:
            value, at = _decoder.raw_decode(text, at)
            entries.append(_interpret(_without_lone_surrogates(value)))
        except (ValueError, RecursionError) as fault:
            entries.append(Damage(f"not JSON: {fault}"))
            found = _BEGINNING.search(text, at + 1)
            at = found.start() if found else len(text)
        while text[at : at + 1].isspace():
            at += 1
    return entries


def _without_lone_surrogates(value: Any) -> Any:
    """Give `value` with each lone surrogate as U+FFFD, so that it can be sent on as UTF-8."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace"))


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_decoder: Final = json.JSONDecoder(parse_constant=_refuse)
