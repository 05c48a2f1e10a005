# /// script
# requires-python = ">=3.11"
# dependencies = ["wcwidth==0.2.6"]
# ///
"""Print wave_bridge/providers/width_table.py: `uv run scripts/generate_widths.py > …/width_table.py`.

Source: wcwidth 0.2.6, the last release whose tables are kept by Unicode version and hold nonspacing and enclosing marks
only (later ones count spacing marks as zero cells, and the newest know Unicode 18 alone). VS Code's default widths,
named "Unicode 11", are in fact those of Unicode 12.1 plus format characters and the medial Hangul jamo.
"""

from __future__ import annotations

import textwrap
import unicodedata
from itertools import groupby

from wcwidth.table_wide import WIDE_EASTASIAN
from wcwidth.table_zero import ZERO_WIDTH

UNICODE = "12.1.0"
SOFT_HYPHEN = 0xAD
HANGUL_MEDIALS = range(0x1160, 0x1200)
ASSIGNED_LATER = {0x890, 0x891}  # format characters of Unicode 14


def expand(ranges: tuple[tuple[int, int], ...]) -> set[int]:
    """Give the code points of a table of ranges."""
    return {code for first, last in ranges for code in range(first, last + 1)}


def spell(codes: set[int]) -> str:
    """Write code points as hexadecimal ranges."""
    runs = groupby(enumerate(sorted(codes)), key=lambda pair: pair[1] - pair[0])
    spans = [[code for _, code in run] for _, run in runs]
    return " ".join(f"{s[0]:x}" if len(s) == 1 else f"{s[0]:x}-{s[-1]:x}" for s in spans)


def literal(name: str, codes: set[int]) -> str:
    """Write the assignment of one table."""
    lines = textwrap.wrap(spell(codes), 110)
    return f"{name} = (\n" + "\n".join(f'    "{line} "' for line in lines) + "\n)"


def main() -> None:
    """Print the module."""
    formats = {c for c in range(SOFT_HYPHEN + 1, 0x110000) if unicodedata.category(chr(c)) == "Cf"} - ASSIGNED_LATER
    zero = expand(ZERO_WIDTH[UNICODE]) | formats | set(HANGUL_MEDIALS)
    wide = expand(WIDE_EASTASIAN[UNICODE]) - zero
    print('"""Cell widths of Unicode 12.1 as hexadecimal ranges; made by scripts/generate_widths.py, do not edit."""\n')
    print(literal("ZERO_WIDTH", {c for c in zero if c >= 0xA0}) + "\n")
    print(literal("WIDE", wide))


if __name__ == "__main__":
    main()
