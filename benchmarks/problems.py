"""How long the @problems block takes: CPU milliseconds, the median of several runs. Wanted: 10,000 entries in 50 ms.

    python benchmarks/problems.py [--entries N]

Exits with 1 when the wanted figure is missed.
"""

from __future__ import annotations

import argparse
import statistics
import time

from wave_bridge.providers.problems import problems_block, read_facts

WANTED_MS = 50.0
RUNS = 9


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


def measure(value):
    begin = time.process_time()
    problems_block(read_facts(value), "en")
    return (time.process_time() - begin) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=10_000)
    entries = parser.parse_args().entries
    slowest = 0.0
    for name, shape in SHAPES.items():
        value = facts(shape, entries)
        taken = statistics.median(measure(value) for _ in range(RUNS))
        slowest = max(slowest, taken)
        print(f"{name:24} {entries:9,} entries {taken:8.1f} ms")
    return int(slowest > WANTED_MS)


if __name__ == "__main__":
    raise SystemExit(main())
