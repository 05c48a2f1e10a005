"""Which control does what: the tables that the parser looks up. What is in none of them changes nothing on screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wave_bridge.providers import edits, motions
from wave_bridge.providers.charsets import CHARSETS
from wave_bridge.providers.emulator import Emulator
from wave_bridge.providers.motions import Params

if TYPE_CHECKING:
    from wave_bridge.providers.grid import Charset

Control = Callable[[Emulator, Params], None]


def ignore(_em: Emulator, _params: Params) -> None:
    """Colours, titles, reports, unknown sequences: nothing to do."""


def _plain(method: Callable[[Emulator], None]) -> Control:
    def control(em: Emulator, _params: Params) -> None:
        method(em)

    return control


def _slot(slot: int) -> Control:
    def control(em: Emulator, _params: Params) -> None:
        em.use_slot(slot)

    return control


def _designate(slot: int, charset: Charset) -> Control:
    def control(em: Emulator, _params: Params) -> None:
        em.designate(slot, charset)

    return control


def _default_charset(em: Emulator, _params: Params) -> None:
    em.use_slot(0)
    em.designate(0, {})


EXECUTE: dict[str, Control] = {
    "\b": _plain(Emulator.backspace),
    "\t": _plain(Emulator.tab),
    "\n": _plain(Emulator.line_feed),
    "\v": _plain(Emulator.line_feed),
    "\f": _plain(Emulator.line_feed),
    "\r\n": _plain(Emulator.begin_line),
    "\r": _plain(Emulator.carriage_return),
    "\x0e": _plain(Emulator.shift_out),
    "\x0f": _plain(Emulator.shift_in),
    "\x84": _plain(Emulator.index),
    "\x85": _plain(Emulator.next_line),
    "\x88": _plain(Emulator.tab_set),
}
"""C0 and C1, as code points, and the one pair that is worth a step of its own.

8-bit RI is not among them, as the terminal does not know it either.
"""

_SLOTS = {"(": 0, ")": 1, "*": 2, "+": 3, "-": 1, ".": 2}

ESCAPE: dict[str, Control] = {
    "7": motions.save,
    "8": motions.restore,
    "D": _plain(Emulator.index),
    "E": _plain(Emulator.next_line),
    "H": _plain(Emulator.tab_set),
    "M": edits.reverse_index,
    "c": _plain(Emulator.reset),
    "n": _slot(2),
    "o": _slot(3),
    "|": _slot(3),
    "}": _slot(2),
    "~": _slot(1),
    "%@": _default_charset,
    "%G": _default_charset,
    "#8": edits.fill_with_e,
    **{
        intermediate + final: _designate(slot, charset)
        for intermediate, slot in _SLOTS.items()
        for final, charset in CHARSETS.items()
    },
}
"""By intermediate bytes and final byte."""

CSI: dict[str, Control] = {
    "@": edits.insert_characters,
    " @": edits.scroll_left,
    "A": motions.up,
    " A": edits.scroll_right,
    "B": motions.down,
    "C": motions.forward,
    "D": motions.backward,
    "E": motions.next_line,
    "F": motions.previous_line,
    "G": motions.to_column,
    "H": motions.to_position,
    "I": motions.tab_forward,
    "J": edits.erase_in_display,
    "?J": edits.erase_in_display,
    "K": edits.erase_in_line,
    "?K": edits.erase_in_line,
    "L": edits.insert_lines,
    "M": edits.delete_lines,
    "P": edits.delete_characters,
    "S": edits.scroll_up,
    "T": edits.scroll_down,
    "X": edits.erase_characters,
    "Z": motions.tab_backward,
    "`": motions.to_column,
    "a": motions.forward,
    "b": edits.repeat,
    "d": motions.to_row,
    "e": motions.down_unbounded,
    "f": motions.to_position,
    "g": motions.clear_tabs,
    "h": motions.set_modes,
    "?h": motions.set_private_modes,
    "l": motions.reset_modes,
    "?l": motions.reset_private_modes,
    "!p": motions.soft_reset,
    "r": motions.set_margins,
    "s": motions.save,
    "u": motions.restore,
    "'}": edits.insert_columns,
    "'~": edits.delete_columns,
}
"""By prefix, intermediate bytes and final byte."""
