"""A daemon of its own for each test (or a standalone bridge), its own home, and nothing left of either at the end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path

import psutil
import pytest
from wave_client import Editor

BRIDGE = [sys.executable, "-m", "wave_bridge"]
GONE = 15.0  # seconds until the last process must have ended
PASSED_ON = ("PATH", "LANG", "PYTHONPATH", "COVERAGE_PROCESS_START", "VIRTUAL_ENV")


class Machine:
    """A user's machine: a home, a rendezvous folder, working directories, and the editors started on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir()
        self.env = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | {
            "HOME": str(self.home),
            "WAVE_BRIDGE_DIR": str(root / "run"),
            "WAVE_BRIDGE_LOG": str(root / "bridge.log"),
            "WAVE_CLI_PATH": "embedded",  # asked for by name: an editor that finds no CLI gets it with a notice
            "WAVE_BRIDGE_TEST": str(root),  # marks every process that descends from this test
        }
        self.editors: list[Editor] = []

    def folder(self, name: str) -> Path:
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    async def editor(self, name: str = "editor", *flags: str, hello: bool = True, **options) -> Editor:
        """Start an editor's `wave-bridge --stdio`, and shake hands."""
        editor = Editor(name)
        await editor.start_io(*BRIDGE, "--stdio", *flags, env=self.env, cwd=str(self.root))
        self.editors.append(editor)
        if hello:
            await editor.hello(**options)
        return editor

    def processes(self) -> list[psutil.Process]:
        """Give every process that a test of this machine started, directly or not."""
        mine = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get("WAVE_BRIDGE_TEST") == str(self.root) and process.status() != "zombie":
                    mine.append(process)
        return mine

    def running(self, module: str) -> list[psutil.Process]:
        """Give the processes that run a module of ours: `wave_bridge.embedded`, or `daemon` for the daemon."""
        found = []
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                if module in process.cmdline():
                    found.append(process)
        return found

    async def end(self) -> None:
        """Let the editors quit, stop the daemon, and see that nothing is left."""
        failures = []
        for editor in self.editors:
            if editor.stopped or editor._server is None or editor._server.returncode is not None:
                continue
            try:
                await editor.quit()
            except AssertionError as unread:
                failures.append(str(unread))
            await editor.stop()
        stop = await asyncio.create_subprocess_exec(
            *BRIDGE, "stop", env=self.env, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        await stop.wait()
        left = await asyncio.to_thread(self._wait_gone)
        assert not failures, "\n".join(failures)
        assert not left, f"left behind: {left}"

    def _wait_gone(self) -> list[str]:
        _, alive = psutil.wait_procs(self.processes(), timeout=GONE)
        shown = [f"{process.pid} {' '.join(process.cmdline())}" for process in alive]
        for process in alive:
            process.kill()
        return shown


@pytest.fixture
async def machine(tmp_path_factory):
    machine = Machine(tmp_path_factory.mktemp("m"))
    yield machine
    await machine.end()


@pytest.fixture(params=["daemon", "standalone"])
def flags(request):
    """The two ways to run the bridge: both must behave alike."""
    return ["--standalone"] if request.param == "standalone" else []


@pytest.fixture
async def editor(machine, flags):
    """An editor that has shaken hands, with a working directory."""
    return await machine.editor("editor", *flags, folder=machine.folder("work"))


@pytest.fixture
def work(machine):
    return machine.folder("work")
