"""A whole session file to what it says, and the two rewritings of it. Pure over bytes but for `load`.

Reading never fails as a whole: what is damaged is listed with its line, what is whole is there. A file that grows or
is replaced while it is read counts as it was at the moment of opening, and a last line under way is damage of that
moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from wave_bridge.errors import InvalidParams, SessionUnreadable
from wave_bridge.store import files
from wave_bridge.store.entries import Body, CustomTitle, Damage, Entry, Header, Message, Unknown, dump, parse_line
from wave_bridge.store.lines import forwards

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

NAMED_LINES: Final = 5  # damaged lines that an error message names; all are in its data


class DamagedLine(Struct, frozen=True):
    """A line (from 1) that the CLI can't read, at `offset` bytes; whole records in it were kept."""

    number: int
    offset: int
    reason: str


class Loaded(Struct, frozen=True):
    """What a session file says. `header` and `title` are None where it has none.

    `messages` is what the model sees: from the last compaction on. `thread` is everything for display (S9.3). In both a
    repeated id (compaction appends the last rounds again) stands once, where it stood last.
    """

    header: Header | None
    title: str | None
    messages: list[Body]
    thread: list[Body]
    damage: list[DamagedLine]

    @property
    def tokens(self) -> int:
        """The token count of a restored session: the last message's `usage.total_tokens`, else 0."""
        return tokens_of(self.messages[-1]) if self.messages else 0

    def require_whole(self) -> Loaded:
        """Give self, or raise SessionUnreadable with the damaged lines: the CLI would not load this file (SB2)."""
        if self.damage:
            shown = ", ".join(str(line.number) for line in self.damage[:NAMED_LINES])
            lines = [{"line": line.number, "offset": line.offset, "reason": line.reason} for line in self.damage]
            raise SessionUnreadable(f"the session file is damaged (line {shown})", lines=lines)
        return self


def load(path: Path) -> Loaded:
    """Read the whole file at `path`. SessionNotFound without a file; SessionUnreadable for what is no plain file."""
    return read(files.read_whole(path))


def read(data: bytes) -> Loaded:
    """Give what the bytes of a session file say."""
    header: Header | None = None
    title: str | None = None
    messages: list[Message] = []
    damage: list[DamagedLine] = []
    for number, offset, _line, entries in _lines(data):
        for entry in entries:
            match entry:
                case Message():
                    messages.append(entry)
                case Header():
                    header = header or entry
                case CustomTitle():
                    title = entry.custom_title
                case Damage(reason):
                    if not damage or damage[-1].number != number:  # one reason a line is enough
                        damage.append(DamagedLine(number, offset, reason))
                case Unknown():
                    pass  # kept in the file, no part of the conversation
    thread = _last_occurrences(messages)
    return Loaded(header, title, _from_last_compaction(thread), [each.body for each in thread], damage)


def rewound(data: bytes, message_id: str) -> tuple[bytes, list[Body]]:
    """Drop the message and all after it in the thread: the remaining bytes and the dropped messages, in order.

    Works line by line (SB12): header, titles, unknown entries and damaged lines stay byte for byte. InvalidParams
    when no message has the id.
    """
    thread = read(data).thread
    ids = [body.get("id") for body in thread]
    if message_id not in ids:
        raise InvalidParams(f"no message {message_id} in this session", member="messageId")
    dropped = thread[ids.index(message_id) :]
    gone = {body.get("id") for body in dropped}
    kept = (_without(line, entries, gone) for _number, _offset, line, entries in _lines(data))
    return b"".join(kept), dropped


def repaired(data: bytes) -> bytes:
    """Give the file with every whole record in its order and nothing else; undamaged lines stay byte for byte."""
    kept = []
    for _number, _offset, line, entries in _lines(data):
        harmed = any(isinstance(entry, Damage) for entry in entries)
        kept.append(_written(entries) if harmed else _ended(line) if entries else b"")
    return b"".join(kept)


def tokens_of(body: Body) -> int:
    """Give a message's `usage.total_tokens`; 0 where it has no usage (user, bang and error messages)."""
    usage = body.get("usage")
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) else 0


def _lines(data: bytes) -> Iterator[tuple[int, int, bytes, list[Entry]]]:
    """Give number, offset, bytes (with newline) and entries of each line."""
    offset = 0
    for number, line in enumerate(forwards(data), 1):
        yield number, offset, line, parse_line(line)
        offset += len(line)


def _ended(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"


def _without(line: bytes, entries: list[Entry], gone: set[object]) -> bytes:
    kept = [entry for entry in entries if not (isinstance(entry, Message) and entry.id in gone)]
    return line if len(kept) == len(entries) else _written(kept)


def _written(entries: Iterable[Entry]) -> bytes:
    return b"".join(dump(entry) for entry in entries if isinstance(entry, (Header, CustomTitle, Message)))


def _last_occurrences(messages: list[Message]) -> list[Message]:
    last = {message.id: at for at, message in enumerate(messages)}
    return [message for at, message in enumerate(messages) if message.id is None or last[message.id] == at]


def _from_last_compaction(thread: list[Message]) -> list[Body]:
    start = max((at for at, message in enumerate(thread) if message.is_compact), default=0)
    return [message.body for message in thread[start:]]
