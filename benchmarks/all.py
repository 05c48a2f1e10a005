"""Run every benchmark, print one page of tables and, with --write, make docs/BENCHMARKS.md and its plots of it.

    scripts/bench [--rounds N] [--quick] [--write] [NAME...]

NAMEs are modules of this folder: terminal, forwarding, life, panels, scale, listing, problems, panel. The page is
written whole, so with --write all of them are run. Exits with 1 when something wanted was not reached.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

from page import AFTER, BEFORE, HEADS
from rows import Measure, Result, progress, tables, wishes_table

ROOT = Path(__file__).resolve().parent.parent
PAGE, FIGURES = ROOT / "docs/BENCHMARKS.md", ROOT / "docs/figures"
# The one that measures its children's memory is first: a child's peak begins with what its parent holds.
NAMES = ("terminal", "forwarding", "life", "panels", "scale", "listing", "problems", "panel")
SOAK = FIGURES / "soak.svg"  # drawn by the soak itself, which takes its ten minutes


def circumstances(rounds: int, seconds: float, load: tuple[float, float, float]) -> str:
    """Say on what machine, with what, and how busy it was with other things."""
    versions = [f"Python {platform.python_version()}"]
    if node := shutil.which("node"):
        said = subprocess.run([node, "-v"], capture_output=True, text=True, check=True).stdout
        versions.append(f"Node {said.strip()}")
    cores = os.cpu_count() or 1
    busy = "; it was busy with other work, so that only the ratios mean something" if load[0] > cores / 2 else ""
    return (
        f"`scripts/bench --rounds {rounds} --write` on {time.strftime('%Y-%m-%d')}, {seconds / 60:.0f} minutes on "
        f"{cores} cores ({_processor()}, {platform.system()} {platform.release()}, {', '.join(versions)}). The load at "
        f"the start was {load[0]:.1f}{busy}. Figures are medians (lowest–highest); in brackets stands the multiple of "
        "`wave-bridge`."
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def page(result: Result, where: str) -> str:
    """Give the page: what was wanted, a table a section with its plots, and what it all means."""
    parts = [BEFORE, where, "## What was wanted", wishes_table(result.wishes), AFTER]
    for section, table in tables(result.rows).items():
        head = HEADS[section]
        plots = [name for name in result.plots if head.plots and name.startswith(head.plots)]
        parts += [f"## {section}", head.text, table, "\n".join(f"![{name}](figures/{name}.svg)" for name in plots)]
    parts += ["## Ten minutes of everything at once", HEADS["soak"].text]
    if SOAK.exists():
        parts.append(f"![memory in the soak](figures/{SOAK.name})")
    parts += ["## Notes", "\n".join(f"* {note}" for note in result.notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


def run(names: list[str], rounds: int, *, quick: bool) -> Result:
    """Run the benchmarks, one after another: side by side they would measure each other."""
    result = Result()
    for name in names:
        begin = time.monotonic()
        measure: Measure = importlib.import_module(name).measure
        result += measure(rounds, quick)
        progress(f"{name}: {time.monotonic() - begin:.0f} s")
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*NAMES, []], help="these only; all without")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one round of little: does it run?")
    parser.add_argument("--write", action="store_true", help="write docs/BENCHMARKS.md")
    options = parser.parse_args()
    if options.write and (options.names or options.quick):
        parser.error("the page is written whole: --write goes with neither NAME nor --quick")
    load, begin, rounds = os.getloadavg(), time.monotonic(), 1 if options.quick else options.rounds
    result = run(options.names or list(NAMES), rounds, quick=options.quick)
    text = page(result, circumstances(rounds, time.monotonic() - begin, load))
    print(text)
    if options.write:
        FIGURES.mkdir(exist_ok=True)
        for name, svg in result.plots.items():
            (FIGURES / f"{name}.svg").write_text(svg, "utf-8")
        PAGE.write_text(text, "utf-8")
    return 0 if all(wish.reached for wish in result.wishes) else 1


if __name__ == "__main__":
    sys.exit(main())
