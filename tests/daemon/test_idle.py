"""An idle bridge costs nothing: none of its processes is woken while nobody asks anything of it."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))

from machine import machine  # noqa: F401 - a fixture

SECONDS = 4.0  # longer than any look every few seconds would wait


def woken(process):
    """Give how often the process's threads have been switched: each waking is one."""
    switches = 0
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        lines = (thread / "status").read_text().splitlines()
        switches += sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
    return switches


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts a process's wakings")
async def test_an_idle_bridge_is_never_woken(machine):  # noqa: F811 - the fixture
    """With an editor whose process is watched, an open panel and a session that has talked."""
    editor = await machine.editor("editor", process_id=os.getpid())
    panel = await editor.open_panel("panel")
    session_id = await panel.new(machine.folder("work"))
    await panel.send(session_id, "t", '[[{"text": "done"}]]')
    assert await panel.turn_ended("t") == "completed"
    editor.inbox.read_all()
    panel.inbox.read_all()
    processes = machine.processes()
    assert len(processes) == 3, "the attach process, the daemon, the CLI"
    await asyncio.sleep(1)  # what the turn left behind is written
    before = [woken(process) for process in processes]
    await asyncio.sleep(SECONDS)
    assert [woken(process) for process in processes] == before
