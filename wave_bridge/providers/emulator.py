"""The terminal without its parser: modes, character sets, the two screens, printing and the one-byte controls.

Follows xterm.js 6, the terminal of VS Code, in its oddities as well: they are what the user sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wave_bridge.providers import cells
from wave_bridge.providers.grid import Charset, Grid
from wave_bridge.providers.widths import NULL, TAIL, has_zero_width, is_narrow, split_marks, width, with_tails

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.providers.cells import Row

CHARSET_SLOTS = 4


class Emulator:
    """`sink` gets the rows that leave the normal screen; `forget` is called when the scrollback is dropped."""

    def __init__(self, cols: int, rows: int, sink: Callable[[Row, bool], None], forget: Callable[[], None]) -> None:
        self.cols = cols
        self.height = rows
        self.sink = sink
        self.forget = forget
        self.newline_mode = False  # survives every reset, as the terminal keeps it among its options
        self._start()

    def _start(self) -> None:
        self.normal = Grid(self.cols, self.height, self.sink)
        self.alternate = Grid(self.cols, self.height, None)
        self.grid = self.normal
        self.joinable = 0
        """Cells of the character that a combining mark would join; 0 after any control."""
        self.reset_modes()

    def reset_modes(self) -> None:
        """Set the modes and character sets that both resets share."""
        self.insert_mode = False
        self.autowrap = True
        self.origin_mode = False
        self.reverse_wrap = False
        self.charset: Charset = {}
        self.charset_slots: list[Charset] = [{}] * CHARSET_SLOTS
        self.active_slot = 0

    def reset(self) -> None:
        """RIS: begin anew, scrollback included."""
        self._start()
        self.forget()

    @property
    def overwrites_plainly(self) -> bool:
        """Tell whether text that fits replaces what it covers, with no mode that changes it."""
        return self.autowrap and not (self.insert_mode or self.charset)

    @property
    def appends_plainly(self) -> bool:
        """Tell whether lines just append: nothing stands in the cursor's row and below."""
        grid = self.grid
        return grid is self.normal and grid.x == 0 and self.overwrites_plainly and grid.is_fresh()

    def scroll_away(self, lines: int) -> None:
        """Hand the rows above the cursor to the sink, because more than a screen follows; `lines` of that are gone.

        The rows that those take are not counted: they scroll far more than what was saved of the cursor can matter.
        """
        grid = self.grid
        for y in range(grid.y):
            self.sink(grid.rows[y], grid.wrapped[y])
        grid.base += grid.y + lines
        for y in range(grid.height):
            grid.blank_row(y)
        grid.y = 0

    def overlay(self, redraws: list[str]) -> None:
        """Show texts written one over the other from column 0 on, all of them narrow and fitting the row."""
        shown = last = redraws[-1]
        for redraw in reversed(redraws):
            if len(redraw) > len(shown):
                shown += redraw[len(shown) :]
        if shown:
            self.grid.write(shown)
        self.grid.x = len(last)
        self.joinable = 1 if last else 0

    # -- printing

    def print(self, text: str) -> None:
        """Print a run without controls."""
        if text.isascii() and not self.charset and not self.insert_mode and self.grid.x + len(text) <= self.cols:
            self.grid.write(text)  # nearly always
            self.joinable = 1
            return
        if self.charset:
            text = text.translate(self.charset)
        if is_narrow(text):
            self._put(text)
            self.joinable = 1
        elif has_zero_width(text):
            self._print_marked(text)
        else:
            self._put(with_tails(text))
            self.joinable = width(text[-1])

    def _print_marked(self, text: str) -> None:
        for index, piece in enumerate(split_marks(text)):
            if index % 2:
                self._print_mark(piece)
            elif piece:
                self._put(with_tails(piece))
                self.joinable = width(piece[-1])

    def _print_mark(self, mark: str) -> None:
        grid = self.grid
        if not self.joinable:
            self._print_lone_mark(mark)
        elif grid.x:
            row = grid.rows[grid.y]
            back = 2 if cells.cell(row, grid.x - 1) == TAIL else 1
            grid.rows[grid.y] = cells.combine(row, grid.x - back, mark)

    def _print_lone_mark(self, mark: str) -> None:
        """Give a mark with nothing to join a cell of its own; past the last column it vanishes."""
        grid = self.grid
        if grid.x > self.cols:
            self._leave_full_row()
        if grid.x < self.cols:
            grid.write(mark)
        else:
            grid.x += 1

    def _leave_full_row(self) -> None:
        if self.autowrap:
            self.grid.wrap()
        else:
            self.grid.x = self.cols - 1

    def _put(self, text: str) -> None:
        """Write cells, over as many rows as they need."""
        grid = self.grid
        if self.insert_mode or not (self.autowrap or grid.x + len(text) <= self.cols):
            self._put_singly(text)
            return
        start, left = 0, len(text)
        while left > (room := self.cols - grid.x):
            if room > 0:
                cut = room - (text[start + room] == TAIL)
                if cut:
                    grid.write(text[start : start + cut])
                if cut < room:
                    grid.cut_at_cursor()
                start += cut
                left -= cut
            grid.wrap()
        grid.write(text[start:] if start else text)

    def _put_singly(self, text: str) -> None:
        """Write cells with insert mode on or wrapping off."""
        grid = self.grid
        for char in text:
            if char == TAIL:
                continue
            cells_needed = width(char) or 1
            if grid.x + cells_needed > self.cols:
                if self.autowrap:
                    grid.cut_at_cursor()
                self._leave_full_row()
                if not self.autowrap and cells_needed == 2:
                    continue
            if self.insert_mode:
                grid.insert(cells_needed)
            grid.write(char + TAIL * (cells_needed - 1))

    def repeat(self, count: int) -> None:
        """REP: print the last character again, marks included, if nothing came between."""
        if self.joinable:
            grid = self.grid
            content = cells.cell(grid.rows[grid.y], grid.x - self.joinable)
            if content not in {NULL, TAIL}:
                self.print(content * count)

    # -- one-byte controls

    def line_feed(self) -> None:
        """LF, VT, FF: an explicit move onto a row ends its being a continuation."""
        grid = self.grid
        if self.newline_mode:
            grid.x = 0
        y = grid.y + 1
        if y == grid.bottom + 1:
            grid.scroll()
        elif y < grid.height:
            grid.y = y
            grid.wrapped[y] = False
        if grid.x >= grid.cols:
            grid.x -= 1

    def carriage_return(self) -> None:
        """CR."""
        self.grid.x = 0

    def begin_line(self) -> None:
        """CR LF."""
        self.grid.x = 0
        self.line_feed()

    def backspace(self) -> None:
        """BS: one column to the left, with reverse wrap also back over a soft wrap."""
        grid = self.grid
        if not self.reverse_wrap:
            self.clamp()
            grid.x = max(grid.x - 1, 0)
            return
        self.clamp(self.cols)
        if grid.x:
            grid.x -= 1
        elif grid.top < grid.y <= grid.bottom and grid.wrapped[grid.y]:
            grid.wrapped[grid.y] = False
            grid.y -= 1
            grid.x = self.cols - 1 - (cells.cell(grid.rows[grid.y], self.cols - 1) == NULL)
        self.clamp()

    def tab(self) -> None:
        """HT; nothing happens before a pending wrap."""
        if self.grid.x < self.cols:
            self.grid.x = self.grid.next_stop()

    def shift_out(self) -> None:
        """SO: the character set of slot 1."""
        self.use_slot(1)

    def shift_in(self) -> None:
        """SI: the character set of slot 0."""
        self.use_slot(0)

    def use_slot(self, slot: int) -> None:
        """Print through the character set of a slot from now on."""
        self.active_slot = slot
        self.charset = self.charset_slots[slot]

    def designate(self, slot: int, charset: Charset) -> None:
        """Put a character set into a slot."""
        self.charset_slots = [*self.charset_slots[:slot], charset, *self.charset_slots[slot + 1 :]]
        if slot == self.active_slot:
            self.charset = charset

    def index(self) -> None:
        """IND: down, scrolling at the margin; the row stays a continuation if it was one."""
        self.clamp()
        grid = self.grid
        if grid.y == grid.bottom:
            grid.scroll()
        else:
            grid.y += 1
        self.clamp()

    def next_line(self) -> None:
        """NEL."""
        self.grid.x = 0
        self.index()

    def tab_set(self) -> None:
        """HTS."""
        self.grid.set_stop()

    def clamp(self, last_column: int | None = None) -> None:
        """Bring the cursor back onto the screen, or between the margins in origin mode."""
        grid = self.grid
        last = grid.cols - 1 if last_column is None else last_column
        if not 0 <= grid.x <= last:
            grid.x = min(last, max(0, grid.x))
        low, high = (grid.top, grid.bottom) if self.origin_mode else (0, grid.height - 1)
        if not low <= grid.y <= high:
            grid.y = min(high, max(low, grid.y))
