"""Ways to break the CLI below a bridge, and to see that it came back."""

from __future__ import annotations

import json
import stat
import sys

SLOW = '[[{"text": "a rather long answer that takes its time to come", "chunks": 24, "delay": 0.1}]]'
QUICK = '[[{"text": "still here", "chunks": 2}]]'


def fault(**directive):
    return f"[[{json.dumps(directive)}]]"


def broken_cli(machine, body):
    """Let the CLI be a script of the test's own; gives nothing."""
    script = machine.root / "wave.py"
    script.write_text(f"#!{sys.executable}\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    machine.env["WAVE_CLI_PATH"] = str(script)


async def opened(machine):
    editor = await machine.editor("editor")
    panel = await editor.open_panel("panel")
    return editor, panel, await panel.new(machine.folder("work"))


async def until_refused(editor, method, **params):
    """Ask a few times: a closed input is noticed at the next write."""
    for _ in range(4):
        await editor.ask(method, **params)


def done(editor):
    editor.inbox.read_all()
    for panel in editor.panels.values():
        panel.inbox.read_all()


async def comes_back(machine, panel, session_id):
    """The session is back under the same id, not busy, and works."""
    restored = await panel.state(reason="restored")
    assert restored["sessionId"] == session_id
    snapshot = await panel.ask("wave/session/snapshot", sessionId=session_id)
    assert snapshot["state"]["busy"] is False
    await panel.send(session_id, "after", QUICK)
    assert await panel.turn_ended("after") == "completed"
    return snapshot
