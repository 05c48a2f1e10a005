"""How fast the screen model cleans terminal output, beside strip-ansi, pyte and xterm headless in the same run.

    python benchmarks/terminal.py [--rounds N] [--quick]

Megabytes a CPU second on a clean log, a coloured one, redrawn bars and recorded output of real tools, and how many of
the recorded cases each shows as the terminal does; then the CPU time and the peak memory of a 200 MB log in a process
of its own. The model keeps the tail that a mention needs; the others keep all, as they know no bound. Exits with 1 when
a wanted figure is missed.

Needs `pip install --group test` for pyte, and `npm install --no-package-lock` in benchmarks/peers/terminals; what is
not there is left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "tests/providers")]

from rows import Result, Row, Wish, at_most, find, progress, run_alone, shown  # noqa: E402
from terminal_corpus import recorded  # noqa: E402 - the path is set above
from terminal_shapes import bars, clean_log, coloured_log  # noqa: E402

from wave_bridge.providers.screen import Screen, render  # noqa: E402

pyte = importlib.import_module("pyte") if importlib.util.find_spec("pyte") else None

CHUNK = 1 << 16
KEPT = {"keep_lines": 500, "keep_bytes": 32_768, "line_chars": 2_000}
WANTED = {"clean": 150, "coloured": 60, "bars": 80, "mixed": 8}  # MB a CPU second
WANTED_SECONDS, WANTED_MIB = 2.0, 64  # of the 200 MB log
SANE = b"\x1b[?1049l\x1b[r\x1b[m\r\n"  # between recorded cases: leave what a case left on
SECTION = "Cleaning terminal output"
PEERS = HERE / "peers/terminals"


class Ours:
    name = "wave-bridge"
    share = 1.0

    def seconds(self, data: bytes, rounds: int) -> list[float]:
        return [self._once(data) for _ in range(rounds)]

    def _once(self, data: bytes) -> float:
        begin = time.process_time()
        screen = Screen(80, 24, **KEPT)
        for start in range(0, len(data), CHUNK):
            screen.feed(data[start : start + CHUNK])
        screen.finish()
        return time.process_time() - begin

    def text(self, raw: bytes, cols: int, rows: int) -> str:
        return render(raw, cols, rows)

    def close(self) -> None:
        pass


class Pyte:
    name = "pyte"
    share = 0.02

    def seconds(self, data: bytes, rounds: int) -> list[float]:
        return [self._once(data) for _ in range(rounds)]

    def _once(self, data: bytes) -> float:
        begin = time.process_time()
        self.text(data, 80, 24)
        return time.process_time() - begin

    def text(self, raw: bytes, cols: int, rows: int) -> str:
        screen = pyte.HistoryScreen(cols, rows, history=1_000_000, ratio=0.5)
        try:
            pyte.ByteStream(screen).feed(raw)
            shown = screen.display
        except Exception:  # noqa: BLE001 - some recorded output makes it raise; that case is then wrong
            return "\0"
        top = ["".join(row[x].data for x in range(cols)) for row in screen.history.top]
        lines = [line.rstrip(" ") for line in [*top, *shown]]
        return "\n".join(lines).rstrip("\n")

    def close(self) -> None:
        pass


class Node:
    def __init__(self, name: str, share: float) -> None:
        self.name, self.share = name, share
        command = [shutil.which("node") or "node", PEERS / "terminals.mjs", name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _ask(self, **question: object) -> dict:
        self._process.stdin.write(json.dumps(question).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def seconds(self, data: bytes, rounds: int) -> list[float]:
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            return self._ask(file=file.name, rounds=rounds)["seconds"]

    def text(self, raw: bytes, cols: int, rows: int) -> str:
        return self._ask(data=b64encode(raw).decode(), cols=cols, rows=rows)["text"]

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def subjects() -> list:
    found = [Ours()]
    if pyte:
        found.append(Pyte())
    if shutil.which("node") and (PEERS / "node_modules").is_dir():
        found += [Node("xterm", 0.15), Node("strip-ansi", 1.0)]
    return found


def captures() -> dict[str, bytes]:
    real = [case.raw for case in recorded() if not case.name.startswith("syn-")]
    return {
        "clean": b"".join(clean_log(0.1)[0]),
        "coloured": b"".join(coloured_log(0.1)[0]),
        "bars": b"".join(bars(0.15)[0]),
        "mixed": SANE.join(real) * 4,
    }


def speeds(subject, data: bytes, rounds: int) -> list[float]:
    """Measure on a part of the data, if the subject is so slow that all of it would take minutes."""
    part = data[: max(int(len(data) * subject.share), 200_000)]
    return [len(part) / 1e6 / seconds for seconds in subject.seconds(part, rounds)]


def right(subject, cases) -> int:
    return sum(subject.text(case.raw, case.cols, case.rows) == case.text for case in cases)


def huge() -> None:
    """Clean 200 MB in this process and print its CPU seconds and its peak memory in MiB."""
    seconds, screen = 0.0, Screen(80, 24, **KEPT)
    for chunk in clean_log()[0]:
        begin = time.process_time()
        screen.feed(chunk)
        seconds += time.process_time() - begin
    screen.finish()
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def measure(rounds: int, quick: bool) -> Result:
    # First, because a child's peak begins with what its parent holds.
    runs = [json.loads(subprocess.check_output([sys.executable, __file__, "--huge"])) for _ in range(rounds)]
    cases, data, result = recorded(), captures(), Result()
    for subject in subjects():
        progress(f"terminal: {subject.name}")
        with closing(subject):
            for name, raw in data.items():
                values = speeds(subject, raw[: len(raw) // 20] if quick else raw, rounds)
                result.rows.append(Row(SECTION, subject.name, name, "MB a CPU second", values))
            right_cases = float(right(subject, cases))
            result.rows.append(Row(SECTION, subject.name, f"cases right of {len(cases)}", "", [right_cases]))
    for name, least in WANTED.items():
        row = find(result.rows, Ours.name, name)
        wanted, got = f"≥ {least} MB a CPU second", f"{shown(row.median)}"
        result.wishes.append(Wish(f"Cleaning terminal output, {name}", wanted, got, row.median >= least))
    seconds, mib = map(list, zip(*runs, strict=True))
    log = "A log of 200 MB in blocks of 64 KB"
    result.rows += [Row(log, Ours.name, "CPU", "s", seconds), Row(log, Ours.name, "peak memory", "MiB", mib)]
    result.wishes += [
        at_most(f"{log}: CPU", result.rows[-2], WANTED_SECONDS),
        at_most(f"{log}: memory, the interpreter included", result.rows[-1], WANTED_MIB),
    ]
    return result


if __name__ == "__main__":
    if "--huge" in sys.argv:
        huge()
    else:
        raise SystemExit(run_alone(measure, __doc__))
