"""The scrollback as text: rows in, whole lines out, of which the last are kept and all are counted.

A row that continues another is joined to it. Blank lines count once something follows them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from wave_bridge.providers import cells

if TYPE_CHECKING:
    from wave_bridge.providers.cells import Row

BLOCK_MARGIN = 4096


class Tail:
    """The last lines of the text so far.

    `keep_lines` and `keep_bytes` (UTF-8, a line counts its bytes and one) bound what is kept: the last whole lines, or
    the end of the last one if that alone is too long. A line over `line_chars` characters becomes its first ones and
    `...[+N chars]`, and is counted as that.
    """

    def __init__(self, cols: int, keep_lines: int | None, keep_bytes: int | None, line_chars: int | None) -> None:
        self.cols = cols
        self.keep_lines = keep_lines
        self.keep_bytes = keep_bytes
        self.line_chars = line_chars
        self.clear()

    def clear(self) -> None:
        """Forget everything, counts included."""
        self.lines: deque[str] = deque()
        self.total_lines = 0
        self.total_bytes = 0
        self._kept_bytes = 0
        self._blank = 0
        self._row: Row | None = None
        self._begun: list[str] = []
        self._begun_chars = 0

    # -- rows of the screen

    def push_row(self, row: Row, wrapped: bool) -> None:  # noqa: FBT001 - the sink of a grid, called a million times
        """Take the next row; `wrapped` says that it continues the one before."""
        before = self._row
        if before is not None:
            if wrapped:
                self._begin(cells.show_full(before, self.cols, row))
            else:
                self._end_line(before)
        self._row = row

    def end_row(self) -> None:
        """Close the text: no further row goes on in the last one."""
        if self._row is not None:
            self._end_line(self._row)
            self._row = None

    def _begin(self, part: str) -> None:
        self._begun.append(part)
        self._begun_chars += len(part)

    def _end_line(self, last: Row) -> None:
        text = cells.show(last)
        if self._begun:
            text = "".join([*self._begun, text]).rstrip(" ")
            self._begun = []
        self.push_line(text)

    # -- lines

    def push_line(self, line: str) -> None:
        """Take one whole line, right-trimmed."""
        if not line:
            self._blank += 1
            return
        while self._blank:
            self._blank -= 1
            self._keep("")
        self._keep(line)

    def _keep(self, line: str) -> None:
        size = (len(line) if line.isascii() else len(line.encode())) + 1
        self.total_lines += 1
        self.total_bytes += size
        self._kept_bytes += size
        self.lines.append(line)
