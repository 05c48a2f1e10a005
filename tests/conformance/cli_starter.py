"""Starts CLIs for tests, the embedded one or the real one that WAVE_CLI_PATH names."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from cli_client import Cli
from fake_model import FakeModel

REAL = os.environ.get("WAVE_CLI_PATH")


class Starter:
    """Starts CLI processes with a HOME of their own; what still runs at the end is killed."""

    def __init__(self, kind: str, base: Path) -> None:
        self.kind = kind
        self.home = base / "home"
        self.tmp = base / "tmp"
        self.workdir = base / "work"
        for folder in (self.home, self.tmp, self.workdir):
            folder.mkdir()
        self.model = FakeModel() if kind == "real" else None
        self.started: list[Cli] = []

    async def __call__(self, **env: str) -> Cli:
        argv = [sys.executable, "-m", "wave_bridge.embedded", "--stdio"]
        if self.kind == "real":
            argv = [shutil.which("node") or "node", REAL, "--stdio"]
        cli = await Cli.start(argv, {**self.environ(), **env}, str(self.workdir))
        self.started.append(cli)
        return cli

    def environ(self) -> dict[str, str]:
        kept = {key: os.environ[key] for key in ("PATH", "LANG", "SYSTEMROOT") if key in os.environ}
        own = {"HOME": str(self.home), "TMPDIR": str(self.tmp), "GIT_CONFIG_GLOBAL": os.devnull}
        if self.model is None:
            return {**kept, **own}
        model = {"WAVE_MODEL": "m", "WAVE_FAST_MODEL": "m", "WAVE_API_KEY": "k", "WAVE_BASE_URL": self.model.url}
        return {**kept, **own, **model, "WAVE_DISABLE_AUTO_MEMORY": "1"}

    async def end(self) -> None:
        for cli in self.started:
            await cli.kill()
        if self.model:
            self.model.stop()
