"""How fast the bridge passes things on, beside its peers in the same run on the same machine.

    python benchmarks/forwarding.py [--rounds N] [--quick]

Every round measures every subject once, so that a busy moment hits all alike; medians and ranges over the rounds are
shown. Absolute figures belong to the machine; the ratios are what counts. Exits with 1 when a wanted one is missed.
"""

from __future__ import annotations

import itertools
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from rows import Result, Row, find, progress, ratio, run_alone
from subjects import (
    Anyio,
    AtSocket,
    Cat,
    Daemon,
    Direct,
    Echo,
    JsonRpc,
    Link,
    Node,
    Pygls,
    Standalone,
    available,
)

from wave_bridge.core.envelope import request_body

MARK = b"assistantContentUpdated"
STAMP = re.compile(rb'"chunk": ?"(\d{15})')
WINDOW = 1000  # lines under way in a flood: the bridge never holds its CLI back, so the reader must

FLOODED = [Daemon, AtSocket, Standalone, Pygls, Anyio, Node, JsonRpc, Cat]
PACED = [Direct, *FLOODED]
ASKED = [Daemon, AtSocket, Standalone, Pygls, Anyio, Node, JsonRpc, Echo]
STARTED = [Daemon, Standalone, Pygls, Anyio, Node, JsonRpc, Echo]
BARE = (Cat, Direct)


def flood(link: Link, count: int, size: int, sessions: int = 1) -> dict[str, float]:
    """Stream `count` lines of `size` bytes as fast as they go; give lines a second and CPU microseconds a line."""
    window = WINDOW if size <= 256 else WINDOW // 4
    used, begin = link.cpu(), time.perf_counter()
    link.agent.sendall(b"flood %d %d %d %d" % (count, size, window, sessions))
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
            progress(f"forwarding: round {number + 1} of {rounds}")
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


# what was measured, to its section, column and unit
COLUMNS = {
    "attach warm": ("Attach to the first reply", "beside a running daemon", "ms"),
    "attach cold": ("Attach to the first reply", "nothing running", "ms"),
    "ask local p50": ("Request round trip", "answered there, p50", "µs"),
    "ask local p99": ("Request round trip", "answered there, p99", "µs"),
    "ask agent p50": ("Request round trip", "answered by the CLI, p50", "µs"),
    "ask agent p99": ("Request round trip", "answered by the CLI, p99", "µs"),
    "flood 120 rate": ("Forwarding deltas", "120 bytes, messages a second", ""),
    "flood 120 cpu": ("Forwarding deltas", "120 bytes, CPU a message", "µs"),
    "flood 1024 rate": ("Forwarding deltas", "1 KB, messages a second", ""),
    "flood 1024 cpu": ("Forwarding deltas", "1 KB, CPU a message", "µs"),
    "paced 120 p50": ("Delay of a delta at 1,000 a second", "p50", "µs"),
    "paced 120 p99": ("Delay of a delta at 1,000 a second", "p99", "µs"),
}
NOTES = [
    "`wave-bridge` is the attach process and the daemon together. Behind every row is the same stand-in for the CLI.",
]


def measure(rounds: int, quick: bool) -> Result:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = Bench(Path(folder), 0.05 if quick else 1)
        bench.run(rounds)
    rows = [
        Row(section, name, column, unit, bench.figures[key][name])
        for key, (section, column, unit) in COLUMNS.items()
        for name in bench.figures[key]
    ]
    return Result(rows, _wishes(bench.figures), notes=NOTES)


def _wishes(figures) -> list:
    """Judge the daemon alone where it has a figure: the peers have no attach process in front of them."""
    wanted = []
    for text, key, peer, theirs, most in WANTED:
        both = [Row("", name, "", "", values) for name, values in figures[key].items()]
        other = [Row("", name, "", "", values) for name, values in figures[theirs].items()]
        for kind, where in ((AtSocket, "the daemon alone"), (Daemon, "with the attach process")):
            ours = find(both, kind.name, "")
            if ours is not None:
                wanted.append(ratio(f"{text}: {where}", ours, find(other, peer.name, ""), most))
    return wanted


WANTED = [
    ("CPU of a forwarded delta of 120 bytes, of stock pygls", "flood 120 cpu", Pygls, "flood 120 cpu", 1 / 10),
    ("CPU of a forwarded delta of 120 bytes, of Node", "flood 120 cpu", Node, "flood 120 cpu", 1 / 4),
    ("Round trip p50, of stock pygls", "ask local p50", Pygls, "ask local p50", 1 / 4),
    ("Warm attach to the first reply, of a fresh pygls server", "attach warm", Pygls, "attach cold", 1 / 10),
]


if __name__ == "__main__":
    sys.exit(run_alone(measure, __doc__))
