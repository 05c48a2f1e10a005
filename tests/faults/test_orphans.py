"""Nothing is left running, whoever is killed; and what a command detached on purpose is left alone."""

from __future__ import annotations

import asyncio
import contextlib

import psutil
import pytest
from breaking import QUICK, broken_cli, comes_back, done, opened
from machine import GONE
from wave_client import Refused

WEDGED = """
import json, sys, time
for line in sys.stdin:
    print(json.dumps({'id': json.loads(line).get('id'), 'result': {'sessions': []}}), flush=True)
time.sleep(600)
"""


async def ended(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        async with asyncio.timeout(GONE):
            while process.status() != psutil.STATUS_ZOMBIE:
                await asyncio.sleep(0.02)


async def child_of(panel, session_id, command):
    """Run a shell command that says `child=<pid>.`, and give that process; a turn before it is on disk."""
    await panel.send(session_id, "first", QUICK)
    assert await panel.turn_ended("first") == "completed"
    await panel.bang(session_id, "t", command)
    shown = await panel.event("toolBlockUpdated", lambda p: "." in p.get("result", ""))
    return psutil.Process(int(shown["result"].partition("child=")[2].partition(".")[0]))


@pytest.mark.parametrize(
    "command", ["sleep 300 & echo child=$!.; wait", "echo child=$$.; exec sleep 300"], ids=["in a shell", "alone"]
)
async def test_a_command_goes_when_the_cli_is_killed_from_outside(machine, command):
    """It leads a session of its own, and nobody could have told it."""
    editor, panel, session_id = await opened(machine)
    child = await child_of(panel, session_id, command)
    (cli,) = machine.running("wave_bridge.embedded")
    cli.kill()
    await ended(child)
    await comes_back(machine, panel, session_id)
    done(editor)


async def test_what_a_command_detached_is_left_alone(machine):
    """An editor or a build daemon that was started by a command must not be killed with the CLI."""
    editor, panel, session_id = await opened(machine)
    child = await child_of(panel, session_id, "setsid sleep 300 </dev/null >/dev/null 2>&1 & echo child=$!.")
    await panel.turn_ended("t")
    (cli,) = machine.running("wave_bridge.embedded")
    cli.kill()
    await comes_back(machine, panel, session_id)
    assert child.is_running()
    child.kill()
    done(editor)


async def test_a_wedged_cli_of_a_killed_daemon_is_ended_by_the_next_one(machine):
    broken_cli(machine, WEDGED)
    editor = await machine.editor("editor")
    await editor.inbox.until("wave/agent/status", lambda p: p["state"] == "ready")
    (cli,) = (process for process in machine.processes() if "wave.py" in " ".join(process.cmdline()))
    (daemon,) = machine.running("daemon")
    daemon.kill()
    await editor.inbox.until("wave/daemon/reattached")
    await ended(cli)
    done(editor)


@pytest.mark.req("T7.5")
@pytest.mark.parametrize(
    ("locale", "words"),
    [("zh-CN", "连接已断开，请重启 Wave"), ("en", "The connection to Wave is lost; restart Wave")],
)
async def test_whoever_sends_when_the_cli_is_gone_for_good_is_told_to_restart(machine, locale, words):
    """In the editor's language, with the CLI's last words, and with what restarts it."""
    broken_cli(machine, "import sys; sys.exit('wave: the licence file is missing')")
    editor = await machine.editor("editor", locale=locale)
    await editor.inbox.until("wave/agent/status", lambda p: p["state"] == "down")
    with pytest.raises(Refused) as refused:
        await editor.new(machine.folder("work"))
    assert words in refused.value.message
    assert "the licence file is missing" in refused.value.message
    assert refused.value.data["action"] == "wave/agent/restart"
    done(editor)
