"""Output that needs no screen: whole lines of plain text, with colours or without, and lines redrawn after CR.

Recognising it costs a few passes at the speed of memory; everything else goes through the parser. The tests hold both
ways to the same text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wave_bridge.providers.widths import HAZARD, LINE_HAZARD, is_narrow

if TYPE_CHECKING:
    from wave_bridge.providers.emulator import Emulator

_TEXT = bytes(range(0x20, 0x7F)) + bytes(range(0x80, 0x100))
_LINE_CONTROLS = b"\r\n"
_COLOURS = re.compile(r"\x1b\[(?:[0-9;:]*m|0?[JK])")
"""SGR, and erasing to the right of and below fresh text, where nothing is yet."""
_C1 = re.compile(r"[\x80-\x9f]")
MIN_SCREENS = 3
"""Screenfuls of lines from which on a block is worth its fixed cost, and has surely scrolled a whole screen away."""


def plain_lines(chunk: bytes) -> str | None:
    """Give the text of whole lines, each ended by CR LF, if they hold nothing else but colours; None if they do."""
    controls = chunk.translate(None, _TEXT)
    hazard = LINE_HAZARD
    if b"\x1b" in controls:
        hazard = HAZARD
        # Decoded before: without the colours, halves of a character might become a whole one.
        chunk = _COLOURS.sub("", chunk.decode(errors="replace")).encode()
        controls = chunk.translate(None, _TEXT)
    ends = len(controls) // 2
    if controls != _LINE_CONTROLS * ends or chunk.count(_LINE_CONTROLS) != ends:
        return None
    text = chunk.decode(errors="replace")
    return None if not text.isascii() and hazard.search(text) else text


def only_line_controls(chunk: bytes) -> bool:
    """Tell whether a chunk has no control but CR and LF."""
    return not chunk.translate(None, _TEXT).strip(_LINE_CONTROLS)


def has_no_c1(text: str) -> bool:
    """Tell whether text beyond ASCII has no 8-bit control, which as UTF-8 hides from a look at the bytes."""
    return _C1.search(text) is None


def feed_lines(em: Emulator, text: str) -> None:
    """Feed text that has no control but CR and LF."""
    lines = text.split("\n")
    last = lines.pop()
    for line in lines:
        if line:
            _feed_redraws(em, line)
        em.line_feed()
        em.joinable = 0
    if last:
        _feed_redraws(em, last)


def _feed_redraws(em: Emulator, line: str) -> None:
    """Feed a line that CR may have begun again and again."""
    first, *redraws = line.split("\r")
    if first:
        em.print(first)
    if not redraws:
        return
    em.carriage_return()
    em.joinable = 0
    if len(redraws) > 1:
        if max(map(len, redraws)) <= em.cols and em.overwrites_plainly and is_narrow(line):
            em.overlay(redraws)
            return
        for redraw in redraws[:-1]:
            if redraw:
                em.print(redraw)
            em.carriage_return()
            em.joinable = 0
    if redraws[-1]:
        em.print(redraws[-1])
