"""One screen buffer: rows of cells, cursor, scroll region, tab stops, and what has been saved of them.

Nothing here knows a control sequence. Columns and rows count from 0; `x == cols` is the state after a character in the
last column, before the wrap (a mark without a cell to join may even make it `cols + 1`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from wave_bridge.providers import cells
from wave_bridge.providers.widths import FIRST_WIDE

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.providers.cells import Row

TAB_WIDTH = 8

Charset = dict[int, str]
"""A translation of ASCII, as `str.translate` takes it; empty for ASCII itself."""


class Grid:
    """The normal screen has a sink, which gets each row that leaves at the top and whether it continues a row."""

    def __init__(self, cols: int, rows: int, sink: Callable[[Row, bool], None] | None) -> None:
        self.cols = cols
        self.height = rows
        self.sink = sink
        self.saved_x = 0
        self.saved_y = 0
        self.saved_charset: Charset = {}
        self.base = 0
        self.clear()

    def clear(self) -> None:
        """Blank the screen and forget region and tab stops; what was saved stays."""
        self.rows: list[Row] = [""] * self.height
        self.wrapped = [False] * self.height
        self.x = 0
        self.y = 0
        self.top = 0
        self.bottom = self.height - 1
        self.stops: list[int] | range = range(0, self.cols, TAB_WIDTH)

    # -- rows

    def scroll(self, *, wrapped: bool = False) -> None:
        """Move the region up by one row; a region that starts at the top feeds the scrollback."""
        if self.top == 0 and self.sink is not None:
            self.sink(self.rows[0], self.wrapped[0])
            self.base += 1
        self.cut_row(self.top)
        self.wrapped[self.bottom] = wrapped

    def cut_row(self, y: int) -> None:
        """Take a row of the region out; a blank one comes in at the region's end."""
        del self.rows[y], self.wrapped[y]
        self.rows.insert(self.bottom, "")
        self.wrapped.insert(self.bottom, False)

    def open_row(self, y: int) -> None:
        """Put a blank row in; the region's last one is lost."""
        del self.rows[self.bottom], self.wrapped[self.bottom]
        self.rows.insert(y, "")
        self.wrapped.insert(y, False)

    def wrap(self) -> None:
        """Go on in the next row, which becomes a continuation."""
        self.x = 0
        self.y += 1
        if self.y == self.bottom + 1:
            self.y -= 1
            self.scroll(wrapped=True)
        else:
            self.y = min(self.y, self.height - 1)
            self.wrapped[self.y] = True

    def in_region(self) -> bool:
        """Tell whether the cursor is between the margins."""
        return self.top <= self.y <= self.bottom

    def is_fresh(self) -> bool:
        """Tell whether nothing stands in the cursor's row and below, and the whole screen scrolls."""
        below = self.y
        return (
            self.top == 0
            and self.bottom == self.height - 1
            and not any(self.rows[below:])
            and not any(self.wrapped[below:])
        )

    # -- cells of the cursor's row

    def write(self, text: str) -> None:
        """Put text, a character a cell, at the cursor and move behind it; it must fit."""
        row = self.rows[self.y]
        x = self.x
        if x == len(row) and isinstance(row, str) and (x == 0 or row[-1] < FIRST_WIDE):
            self.rows[self.y] = row + text
        else:
            self.rows[self.y] = cells.write(row, x, text)
        self.x = x + len(text)

    def cut_at_cursor(self) -> None:
        """Drop what stands from the cursor on: the cell at the edge into which a wide character does not fit."""
        self.rows[self.y] = cells.erase(self.rows[self.y], self.x, self.cols)

    def erase(self, y: int, start: int, stop: int) -> None:
        """Erase some cells of any row."""
        if self.rows[y]:
            self.rows[y] = cells.erase(self.rows[y], start, stop)

    def insert(self, count: int) -> None:
        """Shift the cursor's row to the right from the cursor on."""
        self.rows[self.y] = cells.insert(self.rows[self.y], self.x, count, self.cols)

    def delete(self, count: int) -> None:
        """Shift the cursor's row to the left onto the cursor."""
        self.rows[self.y] = cells.delete(self.rows[self.y], self.x, count)

    def shift_region(self, shift: Callable[[Row], Row]) -> None:
        """Shift every row of the region sideways, if the cursor is in it."""
        if not self.in_region():
            return
        for y in range(self.top, self.bottom + 1):
            self.rows[y] = shift(self.rows[y])
            self.wrapped[y] = False

    def blank_row(self, y: int) -> None:
        """Empty a row; it no longer continues another."""
        self.rows[y] = ""
        self.wrapped[y] = False

    def end_wrap_at(self, index: int) -> None:
        """End that a row is a continuation. The terminal counts it from the start of the scrollback, by mistake.

        So the row meant is found only as long as nothing has scrolled; one inside of the scrollback is left alone.
        """
        y = index - self.base
        if 0 <= y < self.height:
            self.wrapped[y] = False

    # -- tab stops

    def next_stop(self) -> int:
        """Give the column that a tab goes to."""
        index = bisect_right(self.stops, self.x)
        return min(self.stops[index] if index < len(self.stops) else self.cols, self.cols - 1)

    def previous_stop(self) -> int:
        """Give the column that a backward tab goes to."""
        index = bisect_left(self.stops, self.x)
        return self.stops[index - 1] if index else 0

    def set_stop(self) -> None:
        """Make the cursor's column a tab stop."""
        if isinstance(self.stops, range):
            self.stops = list(self.stops)
        index = bisect_left(self.stops, self.x)
        if self.stops[index : index + 1] != [self.x]:
            self.stops.insert(index, self.x)

    def clear_stop(self) -> None:
        """Unset the cursor's column as a tab stop."""
        if self.x in self.stops:
            self.stops = [stop for stop in self.stops if stop != self.x]
