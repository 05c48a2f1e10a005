"""How long the @problems block takes: CPU milliseconds. Wanted: 10,000 entries in 50 ms.

    python benchmarks/problems.py [--rounds N] [--quick]

Exits with 1 when the wanted figure is missed.
"""

from __future__ import annotations

import time

from rows import Result, Row, at_most, run_alone

from wave_bridge.providers.problems import problems_block, read_facts

WANTED_MS = 50.0
ENTRIES = 10_000


def plain(i):
    return f"'name{i}' is declared but its value is never read."


def multiline(i):
    return (
        f"Type '{{ a{i}: string }}' is not assignable.\r\n  Types of property 'a{i}' are incompatible.\r\n\tSee above."
    )


SHAPES = {
    "plain": lambda i: (plain(i), {}),
    "doubled by two servers": lambda i: (plain(i // 2), {"source": ("ts", "eslint")[i % 2]}),
    "multi-line": lambda i: (multiline(i), {}),
    "coloured": lambda i: (f"\x1b[31m{plain(i)}\x1b[0m", {}),
}


def facts(shape, entries):
    diagnostics = []
    for i in range(entries):
        message, members = shape(i)
        place = i // 2 if members else i
        start = {"line": place * 7919 % 5000, "character": place % 80}
        span = {"start": start, "end": start}
        diagnostics.append(
            {"range": span, "message": message, "severity": 1 + place % 4, "source": "ts", "code": 6133, **members}
        )
    return {"uri": "file:///w/src/app.ts", "root": "/w", "diagnostics": diagnostics}


def taken(value):
    begin = time.process_time()
    problems_block(read_facts(value), "en")
    return (time.process_time() - begin) * 1000


def measure(rounds: int, quick: bool) -> Result:
    result = Result()
    for name, shape in SHAPES.items():
        value = facts(shape, ENTRIES // 10 if quick else ENTRIES)
        row = Row("One @problems block", name, "CPU of 10,000 entries", "ms", [taken(value) for _ in range(3 * rounds)])
        result.rows.append(row)
        result.wishes.append(at_most(f"A block of 10,000 problems, {name}", row, WANTED_MS))
    return result


if __name__ == "__main__":
    raise SystemExit(run_alone(measure, __doc__))
