"""How many cells a character takes: 0, 1 or 2, by Unicode 12.1 as VS Code's terminal counts by default.

Rows of the screen are strings with one character a cell. Two control characters, which no terminal ever prints, stand
for cells without a character of their own: NULL for a cell never written, TAIL for the second half of a wide character.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import chain

from wave_bridge.providers.width_table import WIDE, ZERO_WIDTH

NULL = "\0"
TAIL = "\x01"
FIRST_WIDE = "\u1100"
"""No character before it is wide, so most questions are answered by one comparison."""
FIRST_ZERO = "\u0300"


def _ranges(table: str) -> tuple[tuple[int, int], ...]:
    spans = (span.partition("-") for span in table.split())
    return tuple((int(first, 16), int(last or first, 16)) for first, _, last in spans)


def _members(ranges: tuple[tuple[int, int], ...], *, astral: bool) -> str:
    """Spell the ranges inside or outside of the basic plane as members of a regular expression's character class."""
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in ranges if (a > 0xFFFF) is astral)


_ZERO = _ranges(ZERO_WIDTH)
_WIDE = _ranges(WIDE)
_WIDTHS = sorted(chain(((*r, 0) for r in _ZERO), ((*r, 2) for r in _WIDE)))
_STARTS = [first for first, _, _ in _WIDTHS]

# A class is one table look-up for the basic plane and a walk through every range beyond it, so the first look asks
# only whether there is anything beyond it at all.
_SUSPECT = re.compile(f"[{_members(_ZERO, astral=False)}{_members(_WIDE, astral=False)}\U00010000-\U0010ffff]")
_UNUSUAL = re.compile(f"[{''.join(_members(r, astral=a) for a in (False, True) for r in (_ZERO, _WIDE))}]")
_ZERO_CLASS = _members(_ZERO, astral=False) + _members(_ZERO, astral=True)
_ZERO_ROUGHLY = _members(_ZERO, astral=False) + "\U000101fd-\U0001e94a\U000e0001-\U000e01ef"
HAZARD = re.compile(f"[\\x80-\\x9f{_ZERO_ROUGHLY}]")
"""C1 controls and characters without a cell: text without them is shown as it is, however it wraps."""
LINE_HAZARD = re.compile(f"[\\x80-\\x9f\\ufeff]|(?:\\A|\\n)[{_ZERO_ROUGHLY}]")
"""The same where nothing comes between a mark and what it joins, as long as no line begins with one."""
_ZERO_ANY = re.compile(f"[{_ZERO_CLASS}]")
_ZERO_SPLIT = re.compile(f"([{_ZERO_CLASS}])")
_WIDE_BASIC = re.compile(f"([{_members(_WIDE, astral=False)}])")
_WIDE_ASTRAL = re.compile(f"([{_members(_WIDE, astral=True)}])")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_WIDE_PAIR = re.compile(f"([{_members(_WIDE, astral=False)}{_members(_WIDE, astral=True)}]).", re.DOTALL)


@lru_cache(maxsize=4096)
def width(char: str) -> int:
    """Give the cells of one printable character."""
    code = ord(char)
    index = bisect_right(_STARTS, code) - 1
    return _WIDTHS[index][2] if index >= 0 and code <= _WIDTHS[index][1] else 1


def is_wide(cell: str) -> bool:
    """Tell whether a cell, a character with or without combining marks, is the first half of a wide one."""
    return cell >= FIRST_WIDE and width(cell[0]) == 2


def is_narrow(text: str) -> bool:
    """Tell whether every character takes exactly one cell."""
    if text.isascii():
        return True
    suspect = _SUSPECT.search(text)
    if suspect is None:
        return True
    return suspect[0] > "\uffff" and _UNUSUAL.search(text, suspect.start()) is None


def has_zero_width(text: str) -> bool:
    """Tell whether a character joins the cell before it."""
    return _ZERO_ANY.search(text) is not None


def split_marks(text: str) -> list[str]:
    """Cut at characters of no width: text, mark, text, mark, …, text; texts may be empty."""
    return _ZERO_SPLIT.split(text)


def with_tails(text: str) -> str:
    """Put TAIL after every wide character, which makes the text one character a cell."""
    text = _WIDE_BASIC.sub(rf"\1{TAIL}", text)
    return _WIDE_ASTRAL.sub(rf"\1{TAIL}", text) if _ASTRAL.search(text) else text


def without_tails(cells: str) -> str:
    """Undo `with_tails`; whatever cell follows a wide character is hidden, and a half left alone shows as a blank."""
    return _WIDE_PAIR.sub(r"\1", cells).replace(TAIL, " ")
