"""Random terminal streams of our own grammar: what commands write, and what they should not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

WORDS = [
    *("alpha", "be ta", "x", "  ", "=====", "a" * 30, "0123456789" * 9),
    *("中文", "é", "e\u0301", "\u0301", "😀", "→█", "👩\u200d💻", "✔\ufe0f", "한글", "\u0e01\u0e47"),
    *("\u00ad", "\ufeff", "\u200b", "\u1100\u1161", "\u0300\u0301z"),
]
NUMBERS = ["", "0", "1", "2", "3", "5", "7", "10", "999", "4000", "1;2", "3;", "4:2"]
CONTROLS = ["\r\n", "\r\n", "\r\n\r\n", "\r", "\n", "\b", "\t", "\v", "\f", "\0", "\x7f", "\a", "\x0e", "\x0f"]
MODES = ["4", "20", "?6", "?7", "?45", "?1049", "?47", "?1047", "?1048", "?25", "?2004", "?2"]
ESCAPES = [f"\x1b{final}" for final in "78DEMHc=>nNo|}~"] + [
    f"\x1b{slot}{s}" for slot in "()*+-." for s in "0AB4CRQKYEZH=X"
]
STRINGS = ["\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x9d", "\x90", "\x9f", "\x98"]
STRING_ENDS = ["\x07", "\x1b\\", "\x9c", "\x18", "\x1a", "\x1b", ""]
BAD_BYTES = bytes.fromhex("80c2e4f09fffeda0c0f49041efbbbf")

# What the known exceptions are about: ED 1 at the edge, and wide characters at the edge with wrapping off.
WITHOUT_WRAP = "\x1b[?7l"
EXCEPTED = re.compile(r"\x1b\[\??0*1([;:]\d*)*J")


def stream(random: Random) -> bytes:
    """Make one stream of up to sixty pieces."""
    kinds = random.choice([_command, _everything, _broken])
    text = "".join(kinds(random) for _ in range(random.randint(1, 60)))
    data = EXCEPTED.sub("", text).encode(*(("ascii", "replace") if WITHOUT_WRAP in text else ()))
    return _with_bad_bytes(random, data) if WITHOUT_WRAP not in text and random.random() < 0.2 else data


def _number(random: Random) -> str:
    return random.choice([*NUMBERS, str(random.randint(0, 30))])


def _csi(random: Random, finals: str) -> str:
    return f"\x1b[{_number(random)}{random.choice(finals)}"


def _command(random: Random) -> str:
    return random.choices(
        [
            lambda: random.choice(WORDS) * random.randint(1, 3),
            lambda: random.choice(CONTROLS[:7]),
            lambda: _csi(random, "m"),
            lambda: _csi(random, "KKJGABCD"),
            lambda: random.choice(
                ["\x1b]0;t\x07", "\x1b]8;;x:y\x1b\\", "\x1b[?25l", "\x1b[?1049h", "\x1b[?1049l", "\x1b(B"]
            ),
        ],
        [8, 5, 3, 6, 1],
    )[0]()


def _everything(random: Random) -> str:
    return random.choices(
        [
            lambda: _command(random),
            lambda: _csi(random, "@ABCDEFGHIJKLMPSTXZ`abdefgrsu"),
            lambda: f"\x1b[{random.randint(1, 12)};{random.randint(1, 40)}{random.choice('HHfr')}",
            lambda: f"\x1b[{random.choice(MODES)}{random.choice('hl')}",
            lambda: random.choice(ESCAPES),
            lambda: random.choice(CONTROLS),
            lambda: f"\x1b[{_number(random)}" + random.choice([" @", " A", "'}", "'~", "!p", " q", "$p"]),
            lambda: random.choice(
                ["\x1b[H\x1b[2J", "\x1b[3J", "\x1b#8", "\x84", "\x85", "\x88", "\x8d", "\x9c", "\x9b2C"]
            ),
        ],
        [12, 5, 2, 2, 2, 2, 1, 1],
    )[0]()


def _broken(random: Random) -> str:
    return random.choices(
        [
            lambda: _everything(random),
            lambda: "".join(chr(random.choice([random.randint(0, 0x9F), 0x1B])) for _ in range(random.randint(1, 6))),
            lambda: (
                random.choice(STRINGS)
                + random.choice(["0;t", "q12", "é", "1$q", "\x7f", "\n", ""])
                + random.choice(STRING_ENDS)
            ),
        ],
        [12, 2, 2],
    )[0]()


def _with_bad_bytes(random: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 10)):
        at = random.randint(0, len(changed))
        changed[at : at + random.randint(0, 2)] = bytes(random.choices(BAD_BYTES, k=random.randint(0, 3)))
    return bytes(changed)
