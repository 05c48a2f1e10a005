"""The scrollback as text: rows in, whole lines out, of which the last are kept and all are counted.

A row that continues another is joined to it. Blank lines count once something follows them.
"""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING

from wave_bridge.providers import cells
from wave_bridge.providers.long_line import LongLine, cut_line, last_bytes, size

if TYPE_CHECKING:
    from wave_bridge.providers.cells import Row

LINE_END = "\r\n"


class Tail:
    """The last lines of the text so far.

    `keep_lines` and `keep_bytes` (UTF-8, a line counts its bytes and one) bound what is kept: the last whole lines, or
    the end of the last one if that alone is too long. A line over `line_chars` characters becomes its first ones and
    `...[+N chars]`, and is counted as that.
    """

    def __init__(self, cols: int, keep_lines: int | None, keep_bytes: int | None, line_chars: int | None) -> None:
        self.cols = cols
        self.keep_lines = sys.maxsize if keep_lines is None else max(keep_lines, 1)
        self.keep_bytes = sys.maxsize if keep_bytes is None else max(keep_bytes, 1)
        self.line_chars = sys.maxsize if line_chars is None else max(line_chars, 1)
        self.clear()

    def clear(self) -> None:
        """Forget everything, counts included."""
        self._kept: deque[tuple[str, int, int]] = deque()
        self._kept_lines = 0
        self.total_lines = 0
        self.total_bytes = 0
        self._kept_bytes = 0
        self._blank = 0
        self._row: Row | None = None
        self._begun: LongLine | None = None

    # -- rows of the screen

    def push_row(self, row: Row, wrapped: bool) -> None:  # noqa: FBT001 - a grid's sink, called for every row
        """Take the next row; `wrapped` says that it continues the one before."""
        before = self._row
        if before is not None:
            if wrapped:
                if self._begun is None:
                    self._begun = LongLine(self.line_chars, self.keep_bytes)
                self._begun.add(cells.show_full(before, self.cols, row))
            else:
                self._end_line(before)
        self._row = row

    def end_row(self) -> None:
        """Close the text: the last row does not go on."""
        if self._row is not None:
            self._end_line(self._row)
            self._row = None

    def _end_line(self, last: Row) -> None:
        if self._begun is None:
            self.push_line(cells.show(last))
            return
        line, line_size = self._begun.end(cells.show(last))
        self._begun = None
        self._push(line, line_size)

    # -- lines

    def push_line(self, line: str) -> None:
        """Take one whole line, right-trimmed."""
        if len(line) > self.line_chars:
            line = cut_line(line[: self.line_chars], len(line) - self.line_chars)
        self._push(line, size(line))

    def _push(self, line: str, line_size: int) -> None:
        """Take a line and its full size; of a huge line only the end may be there."""
        if not line:
            self._blank += 1
            return
        if self._blank:
            self._flush_blank()
        self.total_lines += 1
        self.total_bytes += line_size
        self._keep(line, 1, line_size)

    def _flush_blank(self) -> None:
        self.total_lines += self._blank
        self.total_bytes += self._blank
        for _ in range(min(self._blank, self.keep_lines, self.keep_bytes)):
            self._keep("", 1, 1)
        self._blank = 0

    def _keep(self, text: str, lines: int, text_size: int) -> None:
        """Keep one or more lines, and drop from the front what they make superfluous whole."""
        self._kept.append((text, lines, text_size))
        self._kept_lines += lines
        self._kept_bytes += text_size
        if self._kept_lines > self.keep_lines or self._kept_bytes > self.keep_bytes:
            self._drop_superfluous()

    def _drop_superfluous(self) -> None:
        while True:
            _, lines, text_size = self._kept[0]
            if self._kept_lines - lines < self.keep_lines and self._kept_bytes - text_size < self.keep_bytes:
                return
            self._kept.popleft()
            self._kept_lines -= lines
            self._kept_bytes -= text_size

    def last_lines(self) -> tuple[str, ...]:
        """Give the lines that the bounds leave."""
        lines = [line for text, _, _ in self._kept for line in text.split(LINE_END)][-self.keep_lines :]
        room = self.keep_bytes
        first = len(lines)
        while first and (room := room - size(lines[first - 1])) >= 0:
            first -= 1
        if lines and first == len(lines):
            return (last_bytes(lines[-1], self.keep_bytes - 1),)
        return tuple(lines[first:])

    # -- blocks of lines that have never been on the screen

    def push_block(self, block: str) -> None:
        """Take whole lines, each ended by CR LF, without any other control."""
        if " \r" in block or not self._has_short_lines(block):
            for line in block.removesuffix(LINE_END).split(LINE_END):
                self.push_line(line.rstrip(" "))
            return
        text = block.rstrip(LINE_END)
        blank = block.count("\n", len(text)) - bool(text)
        if text:
            self._flush_blank()
            self._take_block(text)
        self._blank += blank

    def _has_short_lines(self, block: str) -> bool:
        """Tell whether no line is to be cut, in strides of the greatest length."""
        start = 0
        while len(block) - start > self.line_chars:
            end = block.rfind("\n", start, start + self.line_chars)
            if end < 0:
                return False
            start = end + 1
        return True

    def _take_block(self, text: str) -> None:
        """Count all lines, keep no more of them than can last; a character takes at least a byte."""
        ends = text.count("\n")
        self.total_lines += ends + 1
        self.total_bytes += size(text) - ends
        if len(text) > self.keep_bytes:
            text = text[text.rfind("\n", 0, len(text) - self.keep_bytes) + 1 :]
            ends = text.count("\n")
        self._keep(text, ends + 1, size(text) - ends)
