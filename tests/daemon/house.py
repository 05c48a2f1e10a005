"""A user's machine for these tests: a home, a rendezvous folder, and whatever runs there as real processes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
from players import WAIT, Editor

from wave_bridge import __version__
from wave_bridge.rendezvous import Place, code_hash, own_folder

BRIDGE = [sys.executable, "-m", "wave_bridge"]
PASSED_ON = ("PATH", "LANG", "COVERAGE_PROCESS_START", "VIRTUAL_ENV")
MUTE_CLI = "#!/bin/sh\nwhile read -r _; do :; done\n"  # answers nothing, ends with its stdin


def until(found, what):
    """Wait until `found()` gives something true, and give it."""
    deadline = time.monotonic() + WAIT
    while time.monotonic() < deadline:
        if result := found():
            return result
        time.sleep(0.01)  # another process's doing sends no event
    raise AssertionError(f"not within {WAIT:g} s: {what}")


class House:
    """`site` holds a copy of the code: an edit while the tests run would make another build of it."""

    def __init__(self, root: Path, site: Path) -> None:
        self.root = root
        self.code = site / "wave_bridge"
        (root / "home").mkdir()
        cli = root / "mute-cli"
        cli.write_text(MUTE_CLI)
        cli.chmod(0o755)
        self.env = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | {
            "HOME": str(root / "home"),
            "WAVE_BRIDGE_DIR": str(root / "run"),
            "WAVE_BRIDGE_LOG": str(root / "bridge.log"),
            "WAVE_BRIDGE_TEST": str(root),  # marks every process that descends from this test
            "WAVE_CLI_PATH": str(cli),
            "PYTHONPATH": str(site),
        }
        self.started: list[subprocess.Popen[bytes]] = []
        self.editors: list[Editor] = []

    @property
    def place(self):
        """The meeting place of the copied code."""
        build = f"{__version__}-{code_hash(str(self.code)):08x}"
        tcp = self.env.get("WAVE_BRIDGE_TRANSPORT") == "tcp"
        return Place(own_folder(self.env["WAVE_BRIDGE_DIR"]), build, tcp=tcp)

    def start(self, *arguments: str, **options) -> subprocess.Popen[bytes]:
        """Start `wave-bridge`."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return self.spawn([*BRIDGE, *arguments], **pipes)

    def spawn(self, command: list[str], **pipes) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, env=self.env, cwd=self.root, **pipes)
        self.started.append(process)
        return process

    def start_daemon(self) -> subprocess.Popen[bytes]:
        """Start a daemon by hand, and wait until it listens."""
        process = self.start("daemon", stdin=subprocess.DEVNULL)
        until(lambda: os.path.lexists(self.place.socket), "the daemon listens")
        return process

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of `wave-bridge` to its end."""
        command = [*BRIDGE, *arguments]
        return subprocess.run(
            command, env=self.env, cwd=self.root, capture_output=True, text=True, timeout=WAIT, check=False
        )

    def editor(self, *flags: str) -> Editor:
        editor = Editor(self.start("--stdio", *flags))
        self.editors.append(editor)
        return editor

    def processes(self) -> list[psutil.Process]:
        mine = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get("WAVE_BRIDGE_TEST") == str(self.root) and process.status() != "zombie":
                    mine.append(process)
        return mine

    def daemons(self) -> list[psutil.Process]:
        found = []
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                if process.cmdline()[-1:] == ["daemon"] or "daemon" in process.cmdline()[3:5]:
                    found.append(process)
        return found

    def log(self) -> str:
        return (self.root / "bridge.log").read_text("utf-8")

    def hang_up(self) -> None:
        """Let every editor close its end."""
        for editor in self.editors:
            with contextlib.suppress(BrokenPipeError):
                editor.process.stdin.close()

    def wait_for_editors(self) -> None:
        for editor in self.editors:
            editor.process.wait(WAIT)

    def end(self) -> None:
        """End what the test left running on purpose; whatever then still runs is a failure."""
        self.hang_up()
        self.wait_for_editors()
        if self.daemons():
            self.run("stop")
        for process in self.started:
            process.wait(WAIT)
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
        _, alive = psutil.wait_procs(self.processes(), timeout=10)
        left = [" ".join(process.cmdline()) for process in alive]
        for process in alive:
            process.kill()
        assert not left, f"left behind: {left}"
