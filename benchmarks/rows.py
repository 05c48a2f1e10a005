"""The one form in which every benchmark gives its figures, and the tables that are made of it."""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

OURS = "wave-bridge"


@dataclass(frozen=True)
class Row:
    """One figure: who was measured, in what, once a round. Rows of one section make one table."""

    section: str
    name: str
    measure: str
    unit: str
    values: list[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)


@dataclass(frozen=True)
class Wish:
    """What is wanted of a figure, and what it is."""

    what: str
    wanted: str
    found: str
    reached: bool


@dataclass
class Result:
    """What one benchmark found. `plots` are SVG texts by the name of their file, `notes` say how to read it."""

    rows: list[Row] = field(default_factory=list)
    wishes: list[Wish] = field(default_factory=list)
    plots: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __iadd__(self, other: Result) -> Self:
        self.rows += other.rows
        self.wishes += other.wishes
        self.plots |= other.plots
        self.notes += other.notes
        return self


Measure = Callable[[int, bool], Result]  # how many rounds, and whether it shall only be seen to run


def ratio(what: str, ours: Row, theirs: Row | None, most: float) -> Wish:
    """Wish for a figure of ours that is at most such a part of a peer's in the same run."""
    if theirs is None:
        return Wish(what, f"1/{1 / most:.0f}", "not measured", reached=True)
    part = ours.median / theirs.median
    return Wish(what, f"1/{1 / most:.0f}", f"1/{1 / part:.1f}", part <= most)


def at_most(what: str, row: Row, bound: float) -> Wish:
    """Wish for a figure of at most so much."""
    return Wish(what, f"≤ {bound:g} {row.unit}", f"{shown(row.median)} {row.unit}", row.median <= bound)


def find(rows: list[Row], name: str, measure: str, section: str = "") -> Row | None:
    """Give the figure of that name, if it was measured."""
    fits = (row for row in rows if (row.name, row.measure) == (name, measure) and section in {"", row.section})
    return next(fits, None)


def tables(rows: list[Row]) -> dict[str, str]:
    """Give a table in Markdown for each section: names down, measures across."""
    sections = dict.fromkeys(row.section for row in rows)
    return {section: _table([row for row in rows if row.section == section]) for section in sections}


def wishes_table(wishes: list[Wish]) -> str:
    """Give what was wanted and what was found."""
    lines = ["| | wanted | found | reached |", "|---|---|---|---|"]
    lines += [
        f"| {wish.what} | {wish.wanted} | {wish.found} | {'yes' if wish.reached else '**no**'} |" for wish in wishes
    ]
    return "\n".join(lines)


def shown(value: float) -> str:
    """Give a figure with three digits that mean something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _table(rows: list[Row]) -> str:
    measures = list(dict.fromkeys((row.measure, row.unit) for row in rows))
    head = ["", *(f"{measure}{f', {unit}' if unit else ''}" for measure, unit in measures)]
    lines = [head, ["---"] * len(head)]
    for name in dict.fromkeys(row.name for row in rows):
        cells = (next((r for r in rows if (r.name, r.measure, r.unit) == (name, *column)), None) for column in measures)
        lines.append([name, *("" if row is None else _cell(row, rows) for row in cells)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(row: Row, rows: list[Row]) -> str:
    """Give the median, the range where there are rounds, and the multiple of ours where we are in the table."""
    text = shown(row.median)
    if len(row.values) > 1:
        text += f" ({shown(min(row.values))}–{shown(max(row.values))})"
    ours = next((other for other in rows if (other.name, other.measure) == (OURS, row.measure)), None)
    if ours is not None and row.name != OURS and ours.median:
        text += f" [{row.median / ours.median:.2f}×]"
    return text


def run_alone(measure: Measure, doc: str | None, rounds: int = 3) -> int:
    """Run one benchmark from the command line: its tables on stdout; 1 when something wanted was not reached."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--quick", action="store_true", help="one round of little: does it run?")
    options = parser.parse_args()
    result = measure(1 if options.quick else options.rounds, options.quick)
    for section, table in tables(result.rows).items():
        print(f"## {section}\n\n{table}\n")
    print("\n".join(result.notes))
    print(wishes_table(result.wishes))
    return 0 if all(wish.reached for wish in result.wishes) else 1


def progress(text: str) -> None:
    """Say on stderr what is being measured."""
    sys.stderr.write(f"{text}\n")
