"""From an editor's start to the first token, with nothing running and beside a running daemon; and what idling costs.

    python benchmarks/life.py [--rounds N] [--quick]

The CLI is the embedded one: a real process that really answers. Wanted: an idle bridge is not woken at all.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
from rows import OURS, Result, Row, at_most, progress, run_alone
from subjects import Daemon, Link

from wave_bridge.core.envelope import request_body
from wave_bridge.core.limits import CLOSE_GRACE
from wave_bridge.core.lsp_codec import frame

STARTS, IDLE, IMPORTS = "From the editor's start to the first token", "An idle bridge", "Imports"
TOKEN = b'"assistantContentUpdated"'
QUESTION = '[[{"text": "the first token", "chunks": 1}]]'
IMPORTED = {
    "the attach process": "wave_bridge.attach",
    "the daemon": "wave_bridge.daemon",
    "of that, lsprotocol's types": "lsprotocol.types",
    "the embedded CLI": "wave_bridge.embedded.server",
}


class Whole(Daemon):
    """The bridge with its own CLI behind it, as a user has it at first."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        del self.environment["WAVE_CLI_PATH"]

    def running(self) -> list[psutil.Process]:
        return [process for process in psutil.process_iter() if self._is_ours(process)]


def first_token(subject: Whole) -> tuple[Link, dict[str, float]]:
    """Start an editor, open a session and say something; give the milliseconds until each was answered."""
    begin = time.perf_counter()
    times: dict[str, float] = {}

    def note(what: str) -> None:
        times[what] = (time.perf_counter() - begin) * 1000

    link = Link(subject, with_agent=False)
    link.shake_hands()
    note("initialize answered")
    session = link.request("wave/session/new", {"workdir": str(subject.folder)})
    note("session open")
    parts = [{"type": "text", "text": QUESTION}]
    turn = {"sessionId": session["sessionId"], "clientTurnId": "t", "parts": parts}
    link.door.stdin.write(frame(request_body(99, "wave/turn/start", turn)))
    said = b""
    while TOKEN not in said:
        said += link.read()
    note("first token")
    return link, times


def measure(rounds: int, quick: bool) -> Result:
    with tempfile.TemporaryDirectory(prefix="bench-") as root:
        return _starts(Path(root), rounds, 2.0 if quick else 10.0)


def _starts(root: Path, rounds: int, idle: float) -> Result:
    found: dict[tuple[str, str], list[float]] = {}
    woken: list[float] = []
    cpu: list[float] = []
    for number in range(rounds):
        progress(f"life: round {number + 1} of {rounds}")
        folder = root / str(number)
        folder.mkdir()
        subject = Whole(folder)
        for state in ("nothing running", "beside a running daemon"):
            link, times = first_token(subject)
            for what, ms in times.items():
                found.setdefault((state, what), []).append(ms)
            if state != "nothing running":
                wakings, used = _idle(subject, idle)
                woken.append(wakings)
                cpu.append(used)
            link.close()
        subject.forget()
    result = Result([Row(STARTS, state, what, "ms", values) for (state, what), values in found.items()])
    result.rows += [Row(IDLE, OURS, "wakings a minute", "", woken), Row(IDLE, OURS, "CPU a minute", "ms", cpu)]
    result.rows += [Row(IMPORTS, name, "alone", "ms", _imports(module, rounds)) for name, module in IMPORTED.items()]
    result.wishes.append(
        at_most("An idle bridge: wakings of attach process, daemon and CLI a minute", result.rows[-6], 0)
    )
    return result


def _idle(subject: Whole, seconds: float) -> tuple[float, float]:
    """Give how often the threads of all processes are woken in a minute, and the milliseconds of CPU that they use."""
    # What the turn left behind is written; a daemon looks once, after so long, for what a killed one left behind
    time.sleep(CLOSE_GRACE + 2)
    processes = subject.running()
    before = [(_switches(process), _cpu(process)) for process in processes]
    time.sleep(seconds)
    after = [(_switches(process), _cpu(process)) for process in processes]
    changes = [(a[0] - b[0], a[1] - b[1]) for a, b in zip(after, before, strict=True)]
    return sum(c[0] for c in changes) * 60 / seconds, sum(c[1] for c in changes) * 60_000 / seconds


def _cpu(process: psutil.Process) -> float:
    return sum(process.cpu_times()[:2])


def _switches(process: psutil.Process) -> int:
    """Give how often the process gave up the processor of its own accord; elsewhere than on Linux with all the rest."""
    if sys.platform != "linux":
        return process.num_ctx_switches().voluntary
    threads = Path(f"/proc/{process.pid}/task").iterdir()
    lines = [line for thread in threads for line in (thread / "status").read_text().splitlines()]
    return sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))


def _imports(module: str, rounds: int) -> list[float]:
    """Give the milliseconds for which an interpreter imports a module, its own start not counted."""
    code = f"import time; b = time.perf_counter(); import {module}; print((time.perf_counter() - b) * 1000)"
    command = [sys.executable, "-c", code]
    return [float(subprocess.check_output(command, env=dict(os.environ))) for _ in range(2 * rounds)]


if __name__ == "__main__":
    raise SystemExit(run_alone(measure, __doc__))
