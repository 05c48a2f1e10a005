"""How fast the bridge passes things on, beside stock pygls, Node and `cat`, in the same run on the same machine.

    python benchmarks/forwarding.py [--rounds N] [--quick] [--write]

Every round measures every subject once, so that a busy moment hits all alike; medians and ranges over the rounds are
shown. Absolute figures belong to the machine; the ratios are what counts. --write puts the tables into
docs/BENCHMARKS.md. Exits with 1 when a wanted ratio is missed.
"""

from __future__ import annotations

import argparse
import itertools
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from report import markdown, publish
from subjects import AtSocket, Cat, Daemon, Direct, Echo, Link, Node, Pygls, Standalone, available

from wave_bridge.core.envelope import request_body

MARK = b"assistantContentUpdated"
STAMP = re.compile(rb'"chunk": ?"(\d{15})')
WINDOW = 1000  # lines under way in a flood: the bridge never holds its CLI back, so the reader must

FLOODED = [Daemon, AtSocket, Standalone, Pygls, Node, Cat]
PACED = [Direct, *FLOODED]
ASKED = [Daemon, AtSocket, Standalone, Pygls, Node, Echo]
STARTED = [Daemon, Standalone, Pygls, Node, Echo]
BARE = (Cat, Direct)


def flood(link: Link, count: int, size: int) -> dict[str, float]:
    """Stream `count` lines of `size` bytes as fast as they go; give lines a second and CPU microseconds a line."""
    window = WINDOW if size <= 256 else WINDOW // 4
    used, begin = link.cpu(), time.perf_counter()
    link.agent.sendall(b"flood %d %d %d" % (count, size, window))
    seen, credited, tail = 0, 0, b""
    while seen < count:
        data = tail + link.read()
        seen += data.count(MARK)
        tail = data[-len(MARK) + 1 :]
        due = seen // (window // 2)
        link.agent.sendall(b"c" * (due - credited))
        credited = due
    took = time.perf_counter() - begin
    return {"rate": count / took, "cpu": (link.cpu() - used) / count * 1e6}


def pace(link: Link, count: int, size: int, rate: int) -> list[float]:
    """Stream at a steady rate; give the microseconds from each line's writing until it could be read."""
    link.agent.sendall(b"pace %d %d %d" % (count, size, rate))
    waits: list[float] = []
    rest = b""
    while len(waits) < count:
        data = rest + link.read()
        now = time.monotonic_ns() / 1000
        last = 0
        for last_found in STAMP.finditer(data):
            waits.append(now - int(last_found[1]))
            last = last_found.end()
        rest = data[last:]
    return waits


def percentiles(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"p50": statistics.median(ordered), "p99": ordered[int(len(ordered) * 0.99)]}


class Bench:
    """Runs the rounds and keeps every figure: `figures[measure][subject]` is one value a round."""

    def __init__(self, folder: Path, scale: float) -> None:
        self._folder = folder
        self._scale = scale
        self._numbers = itertools.count()
        self.figures: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def subject(self, kind):
        folder = self._folder / str(next(self._numbers))
        folder.mkdir()
        return kind(folder)

    def note(self, measure: str, name: str, values: dict[str, float]) -> None:
        for key, value in values.items():
            self.figures[f"{measure} {key}"][name].append(value)

    def forward(self, kind, size: int) -> None:
        count = int(100_000 * self._scale) * kind.times
        with_link(
            self.subject(kind), lambda link: self.note(f"flood {size}", kind.name, warmed(flood, link, count, size))
        )

    def delay(self, kind, size: int) -> None:
        count = int(2000 * self._scale)

        def measure(link: Link) -> None:
            pace(link, count // 10, size, 1000)
            self.note(f"paced {size}", kind.name, percentiles(pace(link, count, size, 1000)))

        with_link(self.subject(kind), measure)

    def ask(self, kind) -> None:
        count = int(2000 * self._scale)

        def measure(link: Link) -> None:
            for what in ("local", "agent"):
                method, params = getattr(kind, what)
                body = request_body(7, method, params | {"pad": "x" * (100 - len(method))})
                waits = [link.round_trip(body) * 1e6 for _ in range(count)]
                self.note(f"ask {what}", kind.name, percentiles(waits[count // 10 :]))

        if kind is Echo:
            link = Link(self.subject(kind), with_agent=False)
            waits = [link.round_trip(b"x" * 150) * 1e6 for _ in range(count)]
            self.note("ask local", kind.name, percentiles(waits[count // 10 :]))
            link.close()
        else:
            with_link(self.subject(kind), measure)

    def attach(self, kind) -> None:
        """Measure a start with nothing running and, where a daemon stays, one beside it."""
        subject = self.subject(kind)
        if kind is Echo:
            self.note("attach", kind.name, {"cold": timed(lambda: echo_once(subject))})
            return
        for state in ("cold", "warm") if kind is Daemon else ("cold",):
            link: list[Link] = []
            self.note("attach", kind.name, {state: timed(lambda: link.append(greeted(subject)))})  # noqa: B023 - called now
            link[0].close()
        subject.forget()

    def run(self, rounds: int) -> None:
        for number in range(rounds):
            print(f"round {number + 1} of {rounds}", file=sys.stderr)
            for kind in available(STARTED):
                self.attach(kind)
            for kind in available(ASKED):
                self.ask(kind)
            for size in (120, 1024):
                for kind in available(FLOODED):
                    self.forward(kind, size)
            for kind in available(PACED):
                self.delay(kind, 120)


def warmed(measure, link: Link, count: int, size: int):
    measure(link, max(count // 10, WINDOW), size)
    return measure(link, count, size)


def with_link(subject, measure) -> None:
    link = Link(subject)
    try:
        link.open(lsp=not isinstance(subject, BARE))
        measure(link)
    finally:
        link.close()
        subject.forget()


def greeted(subject) -> Link:
    link = Link(subject, with_agent=False)
    link.shake_hands()
    return link


def echo_once(subject) -> None:
    link = Link(subject, with_agent=False)
    link.round_trip(b"{}")
    link.close()


def timed(action) -> float:
    """Give the milliseconds that it takes."""
    begin = time.perf_counter()
    action()
    return (time.perf_counter() - begin) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="a twentieth of the messages, one round: does it run?")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/BENCHMARKS.md")
    options = parser.parse_args()
    rounds = 1 if options.quick else options.rounds
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = Bench(Path(folder), 0.05 if options.quick else 1)
        bench.run(rounds)
    text, reached = markdown(bench.figures, rounds)
    print(text)
    if options.write:
        publish(text)
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
