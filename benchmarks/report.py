"""The figures of a run as Markdown: a table a question, each figure with its range and its ratio to the bridge's."""

from __future__ import annotations

import os
import platform
import re
import shutil
import statistics
import subprocess
from pathlib import Path

from subjects import AtSocket, Daemon, Node, Pygls

Figures = dict[str, dict[str, list[float]]]

PAGE = Path(__file__).resolve().parent.parent / "docs/BENCHMARKS.md"
BEGIN, END = "<!-- forwarding: begin -->", "<!-- forwarding: end -->"

# question: (heading, unit, digits, measures with their column headings)
TABLES = {
    "Attach to the first reply": (
        "ms",
        1,
        {"attach warm": "beside a running daemon", "attach cold": "nothing running"},
    ),
    "Request round trip": (
        "µs",
        0,
        {
            "ask local p50": "answered there, p50",
            "ask local p99": "p99",
            "ask agent p50": "answered by the CLI, p50",
            "ask agent p99": "p99",
        },
    ),
    "Forwarding, deltas of 120 bytes": (
        "",
        1,
        {"flood 120 rate": "messages a second", "flood 120 cpu": "CPU µs a message"},
    ),
    "Forwarding, deltas of 1 KB": (
        "",
        1,
        {"flood 1024 rate": "messages a second", "flood 1024 cpu": "CPU µs a message"},
    ),
    "Delay of a delta at 1,000 a second": ("µs", 0, {"paced 120 p50": "p50", "paced 120 p99": "p99"}),
}

# what is wanted: (measure of the bridge, peer, measure of the peer, at most this part of it)
WANTED = {
    "CPU of a forwarded 120-byte delta, of json.loads and stock pygls": (
        "flood 120 cpu",
        Pygls,
        "flood 120 cpu",
        1 / 10,
    ),
    "CPU of a forwarded 120-byte delta, of Node": ("flood 120 cpu", Node, "flood 120 cpu", 1 / 4),
    "Request round trip p50, of stock pygls": ("ask local p50", Pygls, "ask local p50", 1 / 4),
    "Warm attach to the first reply, of a fresh pygls server": ("attach warm", Pygls, "attach cold", 1 / 10),
}


def markdown(figures: Figures, rounds: int) -> tuple[str, bool]:
    """Give the section, and whether every wanted ratio was reached."""
    wanted, reached = _wanted(figures)
    parts = [_circumstances(rounds), wanted, *(_table(title, figures) for title in TABLES)]
    return "\n\n".join(parts), reached


def publish(section: str, page: Path = PAGE) -> None:
    """Put the section between its marks on the page, which is made if need be."""
    marked = f"{BEGIN}\n\n{section}\n\n{END}"
    text = page.read_text("utf-8") if page.exists() else "# Benchmarks\n"
    found = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    if found.search(text):
        text = found.sub(lambda _: marked, text)
    else:
        text += f"\n## Passing things on\n\n{marked}\n"
    page.write_text(text, "utf-8")


def _circumstances(rounds: int) -> str:
    node = shutil.which("node")
    versions = [f"Python {platform.python_version()}"]
    if node:
        versions.append(
            "Node " + subprocess.run([node, "-v"], capture_output=True, text=True, check=True).stdout.strip()
        )
    return (
        f"`python benchmarks/forwarding.py --rounds {rounds}` on {os.cpu_count()} cores ({platform.system()}, "
        f"{', '.join(versions)}). Median of {rounds} rounds (lowest–highest), and in brackets the multiple of "
        "`wave-bridge`, which is attach process and daemon together. Behind every row is the same stand-in for the CLI."
    )


def _table(title: str, figures: Figures) -> str:
    unit, digits, measures = TABLES[title]
    names = list(dict.fromkeys(name for measure in measures for name in figures.get(measure, {})))
    head = [f"{column}{f', {unit}' if unit else ''}" for column in measures.values()]
    rows = [["", *head], ["---"] * (len(head) + 1)]
    rows += [[name, *(_cell(figures, measure, name, digits) for measure in measures)] for name in names]
    return f"### {title}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _cell(figures: Figures, measure: str, name: str, digits: int) -> str:
    values = figures.get(measure, {}).get(name)
    if not values:
        return ""
    digits = 0 if measure.endswith("rate") else digits
    median = statistics.median(values)
    text = f"{median:,.{digits}f} ({min(values):,.{digits}f}–{max(values):,.{digits}f})"
    ours = figures[measure].get(Daemon.name)
    return text if ours is None or name == Daemon.name else f"{text} [{median / statistics.median(ours):.2f}×]"


def _wanted(figures: Figures) -> tuple[str, bool]:
    """Judge the daemon alone where it has a figure: the peers have no attach process in front of them."""
    rows, reached = [], True
    for text, (ours, peer, theirs, most) in WANTED.items():
        if peer.name not in figures[theirs]:
            rows.append(f"| {text} | 1/{1 / most:.0f} | not measured | | |")
            continue
        whole = statistics.median(figures[theirs][peer.name])
        ratios = {name: statistics.median(values) / whole for name, values in figures[ours].items()}
        judged = ratios.get(AtSocket.name, ratios[Daemon.name])
        rows.append(
            f"| {text} | 1/{1 / most:.0f} | {_part(ratios.get(AtSocket.name))} | {_part(ratios[Daemon.name])} "
            f"| {'yes' if judged <= most else 'no'} |"
        )
        reached &= judged <= most
    head = "| Wanted at most | | the daemon alone | with the attach process in front | reached |"
    return "\n".join([head, "|---|---|---|---|---|", *rows]), reached


def _part(ratio: float | None) -> str:
    return "" if ratio is None else f"1/{1 / ratio:.1f}"
