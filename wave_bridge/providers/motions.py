"""Cursor movement, tabs, margins, save and restore, modes: control sequences that write no cell.

Every function takes the emulator and the sequence's parameters (at least one; 0 where none was given).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wave_bridge.providers.emulator import Emulator

Params = tuple[int, ...]


def move_to(em: Emulator, x: int, y: int) -> None:
    """Place the cursor; in origin mode the row counts from the upper margin."""
    grid = em.grid
    grid.x = x
    grid.y = y + grid.top if em.origin_mode else y
    em.clamp()


def move_by(em: Emulator, dx: int, dy: int) -> None:
    """Move the cursor. In origin mode the terminal adds the upper margin here too."""
    grid = em.grid
    if em.origin_mode or grid.x >= em.cols:
        em.clamp()
    move_to(em, grid.x + dx, grid.y + dy)


def up(em: Emulator, params: Params) -> None:
    """CUU stops at the upper margin, unless the cursor is above it already."""
    room = em.grid.y - em.grid.top
    count = params[0] or 1
    move_by(em, 0, -(min(room, count) if room >= 0 else count))


def down(em: Emulator, params: Params) -> None:
    """CUD stops at the lower margin, unless the cursor is below it already."""
    room = em.grid.bottom - em.grid.y
    count = params[0] or 1
    move_by(em, 0, min(room, count) if room >= 0 else count)


def forward(em: Emulator, params: Params) -> None:
    """CUF, HPR."""
    move_by(em, params[0] or 1, 0)


def backward(em: Emulator, params: Params) -> None:
    """CUB."""
    move_by(em, -(params[0] or 1), 0)


def next_line(em: Emulator, params: Params) -> None:
    """CNL."""
    down(em, params)
    em.grid.x = 0


def previous_line(em: Emulator, params: Params) -> None:
    """CPL."""
    up(em, params)
    em.grid.x = 0


def to_column(em: Emulator, params: Params) -> None:
    """CHA, HPA."""
    move_to(em, (params[0] or 1) - 1, em.grid.y)


def to_row(em: Emulator, params: Params) -> None:
    """VPA."""
    move_to(em, em.grid.x, (params[0] or 1) - 1)


def down_unbounded(em: Emulator, params: Params) -> None:
    """VPR heeds no margin."""
    move_by(em, 0, params[0] or 1)


def to_position(em: Emulator, params: Params) -> None:
    """CUP, HVP."""
    move_to(em, (params[1] or 1) - 1 if len(params) > 1 else 0, (params[0] or 1) - 1)


def tab_forward(em: Emulator, params: Params) -> None:
    """CHT."""
    for _ in range(min(params[0] or 1, em.cols)):
        em.tab()


def tab_backward(em: Emulator, params: Params) -> None:
    """CBT."""
    grid = em.grid
    if grid.x < em.cols:
        for _ in range(min(params[0] or 1, em.cols)):
            grid.x = grid.previous_stop()


def clear_tabs(em: Emulator, params: Params) -> None:
    """TBC: the stop at the cursor, or all."""
    if params[0] == 0:
        em.grid.clear_stop()
    elif params[0] == 3:
        em.grid.stops = []


def set_margins(em: Emulator, params: Params) -> None:
    """DECSTBM; a region of one row or none is refused."""
    top = params[0] or 1
    bottom = params[1] if len(params) > 1 else 0
    if bottom == 0 or bottom > em.height:
        bottom = em.height
    if bottom > top:
        em.grid.top, em.grid.bottom = top - 1, bottom - 1
        move_to(em, 0, 0)


def save(em: Emulator, _params: Params = ()) -> None:
    """DECSC, SCOSC. The row is kept in terms of the scrollback, so it scrolls with the text."""
    grid = em.grid
    grid.saved_x, grid.saved_y, grid.saved_charset = grid.x, grid.base + grid.y, em.charset


def restore(em: Emulator, _params: Params = ()) -> None:
    """DECRC, SCORC."""
    grid = em.grid
    grid.x, grid.y, em.charset = grid.saved_x, max(grid.saved_y - grid.base, 0), grid.saved_charset
    em.clamp()


def soft_reset(em: Emulator, _params: Params) -> None:
    """DECSTR."""
    grid = em.grid
    grid.top, grid.bottom = 0, em.height - 1
    em.reset_modes()
    grid.saved_x, grid.saved_y, grid.saved_charset = 0, grid.base, em.charset


def set_modes(em: Emulator, params: Params) -> None:
    """SM."""
    _ansi_modes(em, params, on=True)


def reset_modes(em: Emulator, params: Params) -> None:
    """RM."""
    _ansi_modes(em, params, on=False)


def _ansi_modes(em: Emulator, params: Params, *, on: bool) -> None:
    for mode in params:
        if mode == 4:
            em.insert_mode = on
        elif mode == 20:
            em.newline_mode = on


def set_private_modes(em: Emulator, params: Params) -> None:
    """DECSET."""
    for mode in params:
        match mode:
            case 2:
                for slot in range(len(em.charset_slots)):
                    em.designate(slot, {})
            case 1048:
                save(em)
            case 47 | 1047:
                _enter_alternate(em)
            case 1049:
                save(em)
                _enter_alternate(em)
            case _:
                _private_mode(em, mode, on=True)


def reset_private_modes(em: Emulator, params: Params) -> None:
    """DECRST."""
    for mode in params:
        match mode:
            case 1048:
                restore(em)
            case 47 | 1047:
                _leave_alternate(em)
            case 1049:
                _leave_alternate(em)
                restore(em)
            case _:
                _private_mode(em, mode, on=False)


def _private_mode(em: Emulator, mode: int, *, on: bool) -> None:
    if mode == 6:
        em.origin_mode = on
        move_to(em, 0, 0)
    elif mode == 7:
        em.autowrap = on
    elif mode == 45:
        em.reverse_wrap = on


def _enter_alternate(em: Emulator) -> None:
    if em.grid is em.normal:
        em.alternate.x, em.alternate.y = em.normal.x, em.normal.y
        em.grid = em.alternate


def _leave_alternate(em: Emulator) -> None:
    """Leave the cursor where the full-screen program had it; a restore may follow."""
    if em.grid is em.alternate:
        em.normal.x, em.normal.y = em.alternate.x, em.alternate.y
        em.alternate.clear()
        em.grid = em.normal
