"""The two ends of a session file, which is all that a list reads: bounded however long the file is.

Pure: the bytes come through `read(offset, length)`. Each line goes through `entries.parse_line`, so reserved entries
count neither as messages nor for time and tokens (S12.4).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from wave_bridge.store import titles
from wave_bridge.store.entries import Body, Damage, Entry, Header, Message, first_text, parse_line
from wave_bridge.store.limits import FIRST_MESSAGE, HEAD_LINES, HEAD_MOST, HEAD_WINDOW, TAIL_MOST, TAIL_WINDOW
from wave_bridge.store.lines import NEWLINE, backwards, forwards
from wave_bridge.store.times import Moment, moment
from wave_bridge.store.transcript import tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = Callable[[int, int], bytes]

GROWTH: Final = 4  # a window that holds no whole line of use is made so many times larger

# The text of a first message whose line does not end within reach; the escapes are undone by `parse`.
_TEXT_BEGINS: Final = re.compile(rb'"type":"text","content":"((?:[^"\\]|\\.)*)')


class Ends(Struct, frozen=True, gc=False):
    """What the ends say. `last` is None without a message in reach; `title` None outside the tail window (SB14).

    `damaged`: something within reach can't be read (other readers will refuse the file).
    """

    header: Header | None
    first_message: str | None
    title: str | None
    last: Moment | None
    tokens: int
    damaged: bool


class _Tail(Struct):
    last: Moment | None = None
    tokens: int = 0
    damaged: bool = False
    readable: bool = False


class _Head(Struct):
    header: Header | None = None
    first_message: str | None = None
    damaged: bool = False
    lines: int = 0


def read_ends(read: Read, size: int) -> Ends | None:
    """Give what the ends of a file of `size` bytes say; None when not one entry in reach can be read (S2.2)."""
    if size <= TAIL_WINDOW:
        whole = read(0, size)
        read = lambda offset, length: whole[offset : offset + length]  # noqa: E731  one read serves both ends
    tail, title = _read_tail(read, size)
    head = _read_head(read, size)
    if size and not tail.readable and head.header is None and head.first_message is None:
        return None
    return Ends(head.header, head.first_message, title, tail.last, tail.tokens, tail.damaged or head.damaged)


def _read_tail(read: Read, size: int) -> tuple[_Tail, str | None]:
    """Look for the last message in a window at the end that grows as long as it holds none; the title's does not."""
    window = TAIL_WINDOW
    data = _last_lines(read, size, window)
    title = titles.latest(data)
    while True:
        tail = _scan_backwards(data)
        if tail.last or window >= min(size, TAIL_MOST):
            return tail, title
        window *= GROWTH
        data = _last_lines(read, size, window)


def _last_lines(read: Read, size: int, window: int) -> bytes:
    """Give the lines that begin within the window."""
    if window >= size:
        return read(0, size)
    start = size - window - 1  # one more, to see whether the window begins with a line
    return read(start, size - start).partition(NEWLINE)[2]


def _scan_backwards(data: bytes) -> _Tail:
    tail = _Tail(damaged=b"\0" in data)
    for line in backwards(data):
        for entry in reversed(parse_line(line)):
            match entry:
                case Message(body):
                    tail.last = tail.last or _note_last(tail, body)
                case Damage():
                    tail.damaged = True
                case _:
                    tail.readable = True
        if tail.last:
            break
    return tail


def _note_last(tail: _Tail, body: Body) -> Moment | None:
    found = moment(body["timestamp"])
    tail.readable = True
    tail.damaged |= found is None
    if found:
        tail.tokens = tokens_of(body)
    return found


def _read_head(read: Read, size: int) -> _Head:
    """Look for header and first message in the first lines, in a window that grows while it may hold more."""
    window = HEAD_WINDOW
    while True:
        data = read(0, min(window, size))
        whole = len(data) if window >= size else data.rfind(NEWLINE) + 1
        head = _scan_forwards(data[:whole])
        if head.first_message is not None or head.lines == HEAD_LINES or window >= min(size, HEAD_MOST):
            break
        window *= GROWTH
    if head.first_message is None and head.lines < HEAD_LINES:
        head.first_message = _beginning_of_text(data[whole:])
    return head


def _scan_forwards(data: bytes) -> _Head:
    head = _Head()
    for line in forwards(data):
        entries = parse_line(line)
        head.lines += bool(entries)
        for entry in entries:
            _note_first(head, entry)
        if head.first_message is not None or head.lines == HEAD_LINES:
            break
    return head


def _note_first(head: _Head, entry: Entry) -> None:
    match entry:
        case Header():
            head.header = head.header or entry
        case Message(body) if not entry.is_meta and head.first_message is None:
            head.first_message = (first_text(body) or "")[:FIRST_MESSAGE] or None
        case Damage():
            head.damaged = True
        case _:
            pass


def _beginning_of_text(line: bytes) -> str | None:
    """Give the beginning of the text of a message whose line is longer than what is read."""
    found = _TEXT_BEGINS.search(line)
    if found is None:
        return None
    text = found[1][: FIRST_MESSAGE * 6]  # six bytes are the longest escape of one character
    for end in range(len(text), max(0, len(text) - 12), -1):  # the cut may be inside an escape or a character
        entries = parse_line(b'{"timestamp":"","role":"user","blocks":[{"type":"text","content":"%b"}]}' % text[:end])
        if len(entries) == 1 and isinstance(entries[0], Message):
            return (first_text(entries[0].body) or "")[:FIRST_MESSAGE] or None
    return None
