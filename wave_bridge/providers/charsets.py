"""The 7-bit character sets that ESC ( and its kin designate, by their final byte, as `str.translate` tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wave_bridge.providers.grid import Charset


def _charset(ascii_chars: str, shown: str) -> Charset:
    return dict(zip(map(ord, ascii_chars), shown, strict=True))


_NATIONAL = "#@[\\]^_`{|}~"  # where a national set may differ; a set below repeats what it leaves alone

_FINNISH = _charset(_NATIONAL, "#@ÄÖÅÜ_éäöåü")
_NORWEGIAN = _charset(_NATIONAL, "#ÄÆØÅÜ_äæøåü")
_SWEDISH = _charset(_NATIONAL, "#ÉÄÖÅÜ_éäöåü")

# The Dutch set has the letter ij at [, of which the terminal shows the first half.
CHARSETS: dict[str, Charset] = {
    "0": _charset("`abcdefghijklmnopqrstuvwxyz{|}~", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"),
    "A": _charset(_NATIONAL, "£@[\\]^_`{|}~"),
    "B": {},
    "4": _charset(_NATIONAL, "£¾i½|^_`¨f¼´"),
    "C": _FINNISH,
    "5": _FINNISH,
    "R": _charset(_NATIONAL, "£à°ç§^_`éùè¨"),
    "Q": _charset(_NATIONAL, "#àâçêî_ôéùèû"),
    "K": _charset(_NATIONAL, "#§ÄÖÜ^_`äöüß"),
    "Y": _charset(_NATIONAL, "£§°çé^_ùàòèì"),
    "E": _NORWEGIAN,
    "6": _NORWEGIAN,
    "Z": _charset(_NATIONAL, "£§¡Ñ¿^_`°ñç~"),
    "H": _SWEDISH,
    "7": _SWEDISH,
    "=": _charset(_NATIONAL, "ùàéçêîèôäöüû"),
}
