"""The text that a terminal shows for one command's output (M1.3), as a stream: bytes in, lines out."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from wave_bridge.providers import bulk
from wave_bridge.providers.emulator import Emulator
from wave_bridge.providers.parser import Parser
from wave_bridge.providers.tail import Tail

UNWRAPPED_COLS = 1 << 16
"""Columns of a terminal whose width nobody knows: so many that lines do not wrap."""
MIN_COLS = 2
MAX_ROWS = 1000
BLOCK = 1 << 18
"""Bytes that are looked at for plain lines at a time."""
SLICE = 1 << 14
"""Bytes that the parser gets at a time; an irregular sequence costs a copy of what follows it in there."""


@dataclass(frozen=True, slots=True)
class ScreenText:
    """What a terminal shows: the kept tail, and how much there was in all.

    Lines are joined over soft wraps and right-trimmed; blank lines at the end are dropped. `total_bytes` is UTF-8, each
    line counting one more than its bytes.
    """

    lines: tuple[str, ...]
    total_lines: int
    total_bytes: int
    alternate_active: bool


class Screen:
    """A terminal of `cols` (None or less than 1: unknown, nothing wraps) by `rows`, seen through its text."""

    def __init__(
        self,
        cols: int | None = 80,
        rows: int = 24,
        *,
        keep_lines: int | None = None,
        keep_bytes: int | None = None,
        line_chars: int | None = None,
    ) -> None:
        width = min(max(cols, MIN_COLS), UNWRAPPED_COLS) if cols is not None and cols > 0 else UNWRAPPED_COLS
        self._tail = Tail(width, keep_lines, keep_bytes, line_chars)
        self._emulator = Emulator(width, min(max(rows, 1), MAX_ROWS), self._tail.push_row, self._tail.clear)
        self._parser = Parser(self._emulator)
        self._held = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the output, cut anywhere."""
        for start in range(0, len(data), BLOCK):
            block = self._held + data[start : start + BLOCK]
            self._held = b""
            self._feed_block(block)

    def _feed_block(self, data: bytes) -> None:
        """Feed lines in bulk, if a few screenfuls of plain ones are there; what is before and after them as usual."""
        first, last = data.find(b"\n") + 1, data.rfind(b"\n") + 1
        rows = self._emulator.height
        if data.count(b"\n") <= rows * bulk.MIN_SCREENS or (text := bulk.plain_lines(data[first:last])) is None:
            self._feed_slices(data)
            return
        self._feed_slices(data[:first])
        if not self._is_at_fresh_line():
            self._feed_slices(data[first:])
            return
        cut = len(text)
        for _ in range(rows + 1):
            cut = text.rindex("\n", 0, cut)
        self._emulator.scroll_away(text.count("\n", 0, cut + 1))
        self._tail.end_row()
        self._tail.push_block(text[: cut + 1])
        self._hold(text[cut + 1 :].encode() + data[last:])

    def _hold(self, data: bytes) -> None:
        """Leave a screenful of plain lines for later: most likely the next bytes scroll them away as well."""
        if len(data) <= SLICE:
            self._held = data
        else:
            self._feed_slices(data)

    def _is_at_fresh_line(self) -> bool:
        return self._parser.is_idle and self._emulator.appends_plainly

    def _feed_slices(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            chunk = data[start : start + SLICE]
            plain = self._parser.is_idle and bulk.only_line_controls(chunk)
            text = self._decoder.decode(chunk)
            if not text.isascii():
                text = text.replace("\ufeff", "")
                plain = plain and bulk.has_no_c1(text)
            if plain:
                bulk.feed_lines(self._emulator, text)
            else:
                self._parser.feed(text)

    def finish(self) -> ScreenText:
        """End the stream and give its text. To be called once."""
        self._feed_slices(self._held)
        self._parser.feed(self._decoder.decode(b"", final=True))
        normal = self._emulator.normal
        for row, wrapped in zip(normal.rows, normal.wrapped, strict=True):
            self._tail.push_row(row, wrapped)
        self._tail.end_row()
        tail = self._tail
        return ScreenText(
            tail.last_lines(), tail.total_lines, tail.total_bytes, self._emulator.grid is self._emulator.alternate
        )


def render(data: bytes, cols: int | None = 80, rows: int = 24) -> str:
    """Give the whole text that a terminal shows for an output."""
    screen = Screen(cols, rows)
    screen.feed(data)
    return "\n".join(screen.finish().lines)
