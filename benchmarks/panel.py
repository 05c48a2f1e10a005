"""How the chat panel draws a long stream, beside a React list that copies its array for every chunk.

    python benchmarks/panel.py [--rounds N] [--quick]

An answer of 20,000 chunks at 1,000 a second comes into a conversation of 2,000 messages, in real Chromium. Ours is all
of it: daemon, embedded CLI, WebSocket, sanitising, highlighting; the list is fed from within its page and draws the
changed message's Markdown. Left out without Node, Chromium or their packages (`scripts/bench` gets them).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from listing import line, message
from rows import OURS, Result, Row, at_most, find, progress, ratio, run_alone

from wave_bridge.store import paths

MESSAGES, CHUNKS = 2_000, 20_000
SESSION = "11111111-2222-4333-8444-555555555555"
SECTION, NAIVE = "The panel while an answer streams", "a React list that copies its array"
PEER = Path(__file__).with_name("peers") / "react"
MEASURES = {"dropped": ("frames dropped", "%"), "longest": ("longest task", "ms"), "heap": ("heap at the end", "MiB")}
HEAP = 24.0  # MiB, of which 2,000 messages and 120 KB of answer are a small part
ENDS = "that was the last word"
ANSWER = """## What was found

The function `add` takes two numbers and **subtracts** the second one, so that every sum in the report is wrong by twice
that number. Nothing else calls it; the tests pass since they only use zero.

* the sign in `sums.py`, line 2
* a test that can fail

```python
def add(first, second):
    return first + second
```

"""


def measure(rounds: int, quick: bool) -> Result:
    result = Result()
    if missing := _missing():
        result.notes.append(f"The panel was not measured: {missing}.")
        return result
    messages, chunks = (200, 1_000) if quick else (MESSAGES, CHUNKS)
    for number in range(rounds):
        progress(f"panel: round {number + 1} of {rounds}")
        naive = {"bundle": str(PEER / "list.jsx"), "messages": messages, "text": _answer(chunks), "chunks": chunks}
        for name, found in ((OURS, _ours(messages, chunks)), (NAIVE, _watched(naive))):
            for key, (what, unit) in MEASURES.items():
                _add(result, Row(SECTION, name, what, unit, [found[key]]))
    dropped, longest, heap = (find(result.rows, OURS, what) for what, _ in MEASURES.values())
    for row in filter(None, (dropped, longest)):
        theirs = find(result.rows, NAIVE, row.measure)
        what = f"The panel while 20,000 chunks stream: {row.measure}, of a React list"
        result.wishes.append(ratio(what, row, theirs if theirs and theirs.median else None, 1))
    if heap is not None:
        result.wishes.append(at_most("The panel behind them: heap", heap, HEAP))
    return result


def _add(result: Result, row: Row) -> None:
    """Add a figure, or another round of one that is there."""
    for known in result.rows:
        if (known.name, known.measure) == (row.name, row.measure):
            known.values.extend(row.values)
            return
    result.rows.append(row)


def _missing() -> str | None:
    if not shutil.which("node"):
        return "there is no Node.js"
    if not any(Path("/usr/bin", name).exists() for name in ("chromium", "chromium-browser", "google-chrome")):
        return "there is no Chromium"
    if not (PEER / "node_modules").is_dir():
        return f"{PEER.name} is not installed"
    assets = Path(__file__).resolve().parent.parent / "wave_bridge/web/assets"
    return None if (assets / "panel.js").exists() else "it is not built (scripts/build-panel)"


def _answer(chunks: int) -> str:
    """Give a text that makes so many chunks of six characters, about one token each."""
    return (ANSWER * (6 * chunks // len(ANSWER) + 1))[: 6 * chunks]


def _ours(messages: int, chunks: int) -> dict[str, float]:
    """Let the embedded CLI stream by a command of the user's own: its text is too long to be typed."""
    with tempfile.TemporaryDirectory(prefix="wb-") as place:
        root = Path(place)
        work, home = root / "work", root / "home"
        (work / ".wave/commands").mkdir(parents=True)
        home.mkdir()
        says = {"text": _answer(chunks) + ENDS, "chunks": chunks, "delay": 0.001}
        (work / ".wave/commands/stream.md").write_text(f"Stream [[{json.dumps(says)}]]")
        _store(home, work, messages)
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "WAVE_BRIDGE_DIR": str(root / "run"),
            "WAVE_BRIDGE_LOG": str(root / "log"),
            "WAVE_CLI_PATH": "embedded",
        }
        bridge = [sys.executable, "-P", "-m", "wave_bridge"]
        try:
            opened = [*bridge, "panel", str(work), "--no-open", "--session", SESSION]
            url = subprocess.check_output(opened, env=env, text=True).strip()
            return _watched({"url": url, "send": "/stream", "ends": ENDS})
        finally:
            subprocess.run([*bridge, "stop"], env=env, stdout=subprocess.DEVNULL, check=True)


def _store(home: Path, work: Path, messages: int) -> None:
    path = paths.session_file(home / ".wave", str(work), SESSION)
    path.parent.mkdir(parents=True)
    text = "An answer of some length. " * 36
    body = b"".join(message(number, ("user", "assistant")[number % 2], text) for number in range(messages))
    head = {"type": "metadata", "workdir": str(work), "createdAt": "2026-01-01T00:00:00.000Z", "gitBranch": None}
    path.write_bytes(line(head) + body)


def _watched(asked: dict[str, object]) -> dict[str, float]:
    command = ["node", str(PEER / "watch.mjs"), json.dumps(asked)]
    found: dict[str, float] = json.loads(subprocess.check_output(command, text=True))
    return found


if __name__ == "__main__":
    raise SystemExit(run_alone(measure, __doc__))
