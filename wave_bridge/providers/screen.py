"""The text that a terminal shows for one command's output (M1.3), as a stream: bytes in, lines out."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from wave_bridge.providers.emulator import Emulator
from wave_bridge.providers.parser import Parser
from wave_bridge.providers.tail import Tail

UNWRAPPED_COLS = 1 << 16
"""Columns of a terminal whose width nobody knows: so many that lines do not wrap."""
MIN_COLS = 2
MAX_ROWS = 1000
SLICE = 1 << 14


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
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the output, cut anywhere."""
        for start in range(0, len(data), SLICE):
            self._parser.feed(self._decoder.decode(data[start : start + SLICE]).replace("\ufeff", ""))

    def finish(self) -> ScreenText:
        """End the stream and give its text. To be called once."""
        self._parser.feed(self._decoder.decode(b"", final=True))
        normal = self._emulator.normal
        for row, wrapped in zip(normal.rows, normal.wrapped, strict=True):
            self._tail.push_row(row, wrapped)
        self._tail.end_row()
        tail = self._tail
        return ScreenText(
            tuple(tail.lines), tail.total_lines, tail.total_bytes, self._emulator.grid is self._emulator.alternate
        )


def render(data: bytes, cols: int | None = 80, rows: int = 24) -> str:
    """Give the whole text that a terminal shows for an output."""
    screen = Screen(cols, rows)
    screen.feed(data)
    return "\n".join(screen.finish().lines)
