"""Erasing, inserting, deleting, scrolling, repeating: control sequences that change cells.

Every function takes the emulator and the sequence's parameters (at least one; 0 where none was given). Counts are
bounded by the screen first: a parameter may be two thousand million.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wave_bridge.providers import cells
from wave_bridge.providers.motions import Params, move_to

if TYPE_CHECKING:
    from wave_bridge.providers.emulator import Emulator

MAX_REPEAT = 1 << 16
"""Characters that one REP prints at most; programs ask for a row or two."""


def erase_in_line(em: Emulator, params: Params) -> None:
    """EL: to the end, from the start, all."""
    em.clamp(em.cols)
    grid = em.grid
    match params[0]:
        case 0:
            _erase_to_end(em)
        case 1:
            grid.erase(grid.y, 0, grid.x + 1)
        case 2:
            grid.blank_row(grid.y)


def _erase_to_end(em: Emulator) -> None:
    grid = em.grid
    if grid.x == 0:
        grid.blank_row(grid.y)
    else:
        grid.erase(grid.y, grid.x, em.cols)


def erase_in_display(em: Emulator, params: Params) -> None:
    """ED: below, above, the screen into the scrollback, the scrollback."""
    em.clamp(em.cols)
    grid = em.grid
    match params[0]:
        case 0:
            _erase_to_end(em)
            for y in range(grid.y + 1, em.height):
                grid.blank_row(y)
        case 1:
            _erase_above(em)
        case 2:
            last = next((y for y in reversed(range(em.height)) if cells.has_content(grid.rows[y])), -1)
            for _ in range(last + 1):
                grid.scroll()
        case 3:
            if grid.sink is not None:
                grid.base = 0
                em.forget()


def _erase_above(em: Emulator) -> None:
    grid = em.grid
    grid.erase(grid.y, 0, grid.x + 1)
    grid.wrapped[grid.y] = False
    if grid.x + 1 >= em.cols:
        grid.end_wrap_at(grid.y + 1)
    for y in range(grid.y):
        grid.blank_row(y)


def erase_characters(em: Emulator, params: Params) -> None:
    """ECH."""
    em.clamp()
    grid = em.grid
    grid.erase(grid.y, grid.x, grid.x + min(params[0] or 1, em.cols))


def insert_characters(em: Emulator, params: Params) -> None:
    """ICH."""
    em.clamp()
    em.grid.insert(params[0] or 1)


def delete_characters(em: Emulator, params: Params) -> None:
    """DCH."""
    em.clamp()
    em.grid.delete(params[0] or 1)


def insert_lines(em: Emulator, params: Params) -> None:
    """IL."""
    em.clamp()
    grid = em.grid
    if grid.in_region():
        for _ in range(min(params[0] or 1, em.height)):
            grid.open_row(grid.y)
        grid.x = 0


def delete_lines(em: Emulator, params: Params) -> None:
    """DL."""
    em.clamp()
    grid = em.grid
    if grid.in_region():
        for _ in range(min(params[0] or 1, em.height)):
            grid.cut_row(grid.y)
        grid.x = 0


def scroll_up(em: Emulator, params: Params) -> None:
    """SU: what leaves at the top is lost, not scrolled back."""
    for _ in range(min(params[0] or 1, em.height)):
        em.grid.cut_row(em.grid.top)


def scroll_down(em: Emulator, params: Params) -> None:
    """SD."""
    for _ in range(min(params[0] or 1, em.height)):
        em.grid.open_row(em.grid.top)


def scroll_left(em: Emulator, params: Params) -> None:
    """SL."""
    em.grid.shift_region(lambda row: cells.delete(row, 0, params[0] or 1))


def scroll_right(em: Emulator, params: Params) -> None:
    """SR."""
    em.grid.shift_region(lambda row: cells.insert(row, 0, params[0] or 1, em.cols))


def insert_columns(em: Emulator, params: Params) -> None:
    """DECIC."""
    at = em.grid.x % em.cols
    em.grid.shift_region(lambda row: cells.insert(row, at, params[0] or 1, em.cols))


def delete_columns(em: Emulator, params: Params) -> None:
    """DECDC."""
    at = em.grid.x % em.cols
    em.grid.shift_region(lambda row: cells.delete(row, at, params[0] or 1))


def repeat(em: Emulator, params: Params) -> None:
    """REP."""
    em.repeat(min(params[0] or 1, MAX_REPEAT))


def reverse_index(em: Emulator, _params: Params) -> None:
    """RI: up, scrolling down at the upper margin."""
    em.clamp()
    grid = em.grid
    if grid.y == grid.top:
        grid.open_row(grid.y)
    else:
        grid.y -= 1
        em.clamp()


def fill_with_e(em: Emulator, _params: Params) -> None:
    """DECALN, the alignment pattern."""
    grid = em.grid
    move_to(em, 0, 0)
    for y in range(grid.y, em.height):
        grid.rows[y] = "E" * em.cols
        grid.wrapped[y] = False
    move_to(em, 0, 0)
