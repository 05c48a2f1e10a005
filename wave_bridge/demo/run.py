"""Plays the demo in a folder of its own: own home, own daemon, own sessions. Leaves nothing behind."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from wave_bridge.demo import panel
from wave_bridge.demo.editor import Missing
from wave_bridge.demo.story import Story
from wave_bridge.demo.view import View

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

LIMIT = 58.0  # seconds for all of it
ENDING = 5.0  # seconds for a killed process to be gone
LOG_TAIL = 2000  # characters of the daemon's log shown when something was missing
KEPT = ("PATH", "LANG", "LC_ALL", "TERM", "PYTHONPATH", "SYSTEMROOT")


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount `wave-bridge demo`."""
    parser = subparsers.add_parser("demo", help="show the main job on the embedded CLI, and check it")
    parser.add_argument("--panel", action="store_true", help="open the panel in the browser instead, until Ctrl-C")
    parser.add_argument("--no-open", action="store_true", help="with --panel: only print the address")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play; 0 only when each thing was observed."""
    if options.panel:
        return panel.show(options.environment, open_browser=not options.no_open)
    return asyncio.run(_play(options.environment))


async def _play(inherited: Mapping[str, str]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="wb-"))
    environment = {name: inherited[name] for name in KEPT if name in inherited}
    environment |= {
        "WAVE_CLI_PATH": "embedded",
        "HOME": str(folder / "home"),
        "WAVE_BRIDGE_DIR": str(folder / "run"),
        "WAVE_BRIDGE_LOG": str(folder / "daemon.log"),
    }
    (folder / "home").mkdir()
    view = View()
    story = Story(view, folder, environment)
    started = time.monotonic()
    try:
        await asyncio.wait_for(story.tell(), LIMIT)
    except (Missing, TimeoutError) as fault:
        view.fail(fault if isinstance(fault, Missing) else Missing(f"an end within {LIMIT:g} s"), _log(folder))
        return 1
    finally:
        _end(story)
        shutil.rmtree(folder, ignore_errors=True)
    view.end(time.monotonic() - started)
    return 0


def _end(story: Story) -> None:
    """End what a demo that failed has left running: the editors first, for they would start another daemon."""
    for pids in ({editor.process.pid for editor in story.editors}, story.processes):
        left = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(left, timeout=ENDING)


def _log(folder: Path) -> str:
    try:
        return (folder / "daemon.log").read_text(errors="replace")[-LOG_TAIL:]
    except OSError:
        return "The daemon wrote no log."
