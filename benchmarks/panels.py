"""What panels cost: 1, 10, 100 and 1,000 of them in one editor, each with a session of its own, or all on one.

    python benchmarks/panels.py [--rounds N] [--quick]

Wanted: nothing grows faster than linearly with their number, and what a delta costs does not grow with it at all.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import msgspec
import psutil
from forwarding import MARK, flood
from plots import exponent, plot
from rows import Result, Row, Wish, at_most, progress, run_alone
from subjects import AtSocket, Link

from wave_bridge.core.envelope import panel_body, request_body
from wave_bridge.core.lsp_codec import frame

COUNTS = (1, 10, 100, 1000)
DELTAS = 50_000
SECTION = "Panels in one editor"
MEMORY_WANTED = 32.0  # KiB a panel with a session
FLAT = 0.3  # exponent of growth, noise allowed for


class Panels:
    """A link with panels on it."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self._count = 0

    def open(self, count: int) -> float:
        """Open panels until there are `count`, each with a session of its own; give the seconds that it took."""
        begin = time.perf_counter()
        for number in range(self._count, count):
            self.link.request("wave/panel/open", {"panelId": f"p{number}", "kind": "tab"})
            self.ask(number, "wave/session/new", {"workdir": str(self.link.subject.folder)})
        self._count = max(self._count, count)
        return time.perf_counter() - begin

    def ask(self, number: int, method: str, params: dict) -> None:
        """Let a panel ask, and wait for its answer."""
        body = panel_body(msgspec.json.encode(f"p{number}"), request_body(1, method, params))
        self.link.door.stdin.write(frame(body))
        rest = b""
        while b'"result"' not in rest:
            rest += self.link.read()
            assert b'"error"' not in rest, rest[:500]


def fan_out(link: Link, panels: int, deltas: int) -> float:
    """Let every panel watch one session; give the CPU microseconds for each delta that a panel is told."""
    watching = Panels(link)
    for number in range(panels):
        link.request("wave/panel/open", {"panelId": f"p{number}", "kind": "tab"})
        watching.ask(number, "wave/session/load", {"sessionId": "s"})
    told, count = 0, max(50, deltas // panels // 50 * 50)
    begin = link.cpu()
    for _ in range(count // 50):  # 50 lines under way: what a busy session's pipe holds, times the panels
        link.agent.sendall(b"flood 50 120 200 1")
        seen, tail = 0, b""
        while seen < 50 * (panels + 1):  # the editor watches as well
            data = tail + link.read()
            seen += data.count(MARK)
            tail = data[-len(MARK) + 1 :]
        told += seen
    return (link.cpu() - begin) / told * 1e6


def measure(rounds: int, quick: bool) -> Result:
    counts = COUNTS[:3] if quick else COUNTS
    deltas = DELTAS // 10 if quick else DELTAS
    found: dict[str, dict[int, list[float]]] = {
        name: {count: [] for count in counts} for name in ("open", "memory", "spread", "fan")
    }
    with tempfile.TemporaryDirectory(prefix="bench-") as root:
        for number in range(rounds):
            progress(f"panels: round {number + 1} of {rounds}")
            _round(Path(root) / f"{number}", counts, deltas, found)
    return _result(found)


def _round(root: Path, counts: tuple[int, ...], deltas: int, found: dict) -> None:
    for count in counts:
        with_link(root / f"own {count}", lambda link, count=count: _own(link, count, deltas, found))
        with_link(
            root / f"one {count}", lambda link, count=count: found["fan"][count].append(fan_out(link, count, deltas))
        )


def _own(link: Link, count: int, deltas: int, found: dict) -> None:
    daemon = psutil.Process(link.door.pid)
    before = daemon.memory_info().rss
    panels = Panels(link)
    found["open"][count].append(panels.open(count) * 1000 / count)
    found["memory"][count].append((daemon.memory_info().rss - before) / 1024)
    flood(link, 1000, 120, count + 1)
    found["spread"][count].append(flood(link, deltas, 120, count + 1)["cpu"])


def with_link(folder: Path, act) -> None:
    folder.mkdir(parents=True)
    subject = AtSocket(folder)
    link = Link(subject)
    try:
        link.open()
        act(link)
    finally:
        link.close()
        subject.forget()


def _result(found: dict) -> Result:
    names = {
        "open": ("opening one, with its session", "ms"),
        "spread": ("CPU of a delta, sessions in turn", "µs"),
        "fan": ("CPU of a delta told to a panel, all on one session", "µs"),
        "memory": ("memory of all", "KiB"),
    }
    rows = [
        Row(SECTION, f"{count:,}", column, unit, values)
        for key, (column, unit) in names.items()
        for count, values in found[key].items()
    ]
    result = Result(rows)
    lines = {key: [(float(count), max(_median(values), 0.01)) for count, values in found[key].items()] for key in names}
    for key in ("open", "spread", "fan"):
        grows = exponent([lines[key][0], lines[key][-1]])
        result.wishes.append(Wish(f"Growth with panels: {names[key][0]}", "none", f"n^{grows:.2f}", grows <= FLAT))
    most = max(found["memory"])
    a_panel = Row(SECTION, f"{most:,}", "memory a panel", "KiB", [kib / most for kib in found["memory"][most]])
    rows.append(a_panel)
    result.wishes.append(at_most(f"Memory of each of {most:,} panels and its session", a_panel, MEMORY_WANTED))
    result.plots["panels-cpu"] = plot(
        "CPU of a delta", "panels", "µs", {"sessions in turn": lines["spread"], "one session": lines["fan"]}, log=True
    )
    result.plots["panels-memory"] = plot(
        "Memory of panels and sessions", "panels", "KiB", {"": lines["memory"]}, log=True
    )
    return result


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


if __name__ == "__main__":
    raise SystemExit(run_alone(measure, __doc__))
