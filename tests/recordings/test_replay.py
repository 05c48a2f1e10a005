"""The real CLI's own output, replayed: each panel hears exactly what the recording holds for its session, in order."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tape import read
from wave_client import Refused

from wave_bridge.store import paths, writing

TAPES = sorted((Path(__file__).parent.parent / "data" / "wire").glob("*.jsonl"))
SPOKEN = [tape for tape in TAPES if any(opening.session_id for opening in read(tape).openings)]
LINES_BETWEEN_KILLS = 50


def play(machine, tape, *flags):
    """Let the machine's CLI be the player of a recording."""
    copy = machine.root / tape.name
    shutil.copy(tape, copy)
    script = machine.root / "wave"
    command = [sys.executable, str(Path(__file__).with_name("tape.py")), str(copy), "--stdio", *flags]
    script.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n")
    script.chmod(0o755)
    machine.env["WAVE_CLI_PATH"] = str(script)


def store(machine, session_id, workdir):
    """Let a session be on disk, so that the bridge agrees to restore it."""
    path = paths.session_file(machine.home / ".wave", str(workdir), session_id)
    head = writing.header(str(workdir), datetime.now(UTC))
    body = {"id": "m", "role": "user", "blocks": [], "timestamp": "2026-12-01T00:00:00.000Z"}
    writing.Transcript(path, head).append(body)


async def open_all(machine, editor, tape):
    """Open the recorded sessions in their order, each in a panel of its own; give panels and their openings."""
    work = machine.folder("work").resolve()
    pairs = []
    for number, opening in enumerate(read(tape).openings):
        panel = await editor.open_panel(f"panel {number}", workdir=work)
        if opening.restore:
            store(machine, opening.restore, work)
            asking = panel.ask("wave/session/resume", sessionId=opening.restore)
        else:
            asking = panel.ask("wave/session/new", workdir=str(work))
        if opening.session_id is None:
            with pytest.raises(Refused):
                await asking
        else:
            assert (await asking)["sessionId"] == opening.session_id
            pairs.append((panel, opening))
    return pairs


@pytest.mark.req("T6.3", "T6.5", "T10.6", "TB12")
@pytest.mark.parametrize("tape", SPOKEN, ids=lambda tape: tape.stem)
async def test_each_panel_hears_its_session_as_the_cli_said_it(machine, tape):
    play(machine, tape)
    editor = await machine.editor("editor", "--standalone")
    pairs = await open_all(machine, editor, tape)
    assert pairs
    await editor.inbox.until("wave/agent/event", lambda p: p["event"]["params"].get("url") == "end:of-tape")
    for panel, opening in pairs:
        heard = panel.events()
        assert heard == opening.events
        seqs = [p["seq"] for method, p in panel.inbox.notes if method == "wave/session/event"]
        assert seqs == list(range(1, len(seqs) + 1))
    read_everything(editor)


def kills():
    """Every 50th line of each recording with one session that begins in it."""
    found = []
    for tape in SPOKEN:
        openings, steps = (content := read(tape)).openings, content.steps
        if len(openings) == 1 and openings[0].restore is None:
            total = sum(1 for step in steps if isinstance(step, bytes))
            found += [(tape, at) for at in range(LINES_BETWEEN_KILLS, total, LINES_BETWEEN_KILLS)]
    return found


@pytest.mark.req("T7.1")
@pytest.mark.parametrize(("tape", "at"), kills(), ids=lambda value: str(getattr(value, "stem", value)))
async def test_a_kill_at_any_line_is_told_and_leaves_nothing_busy(machine, tape, at):
    """What came before is delivered, then the end is told, then the session is back; nobody waits for ever."""
    play(machine, tape, "--die-after", str(at))
    editor = await machine.editor("editor", "--standalone")
    work = machine.folder("work").resolve()
    panel = await editor.open_panel("panel")
    opening = read(tape).openings[0]
    session_id = await panel.new(work)
    assert session_id == opening.session_id
    store(machine, session_id, work)
    restored = await panel.state(reason="restored")
    assert restored["resync"] is True
    heard = [event for event in panel.events() if event["sessionId"] == session_id]
    assert heard == opening.events[: len(heard)]
    snapshot = await panel.ask("wave/session/snapshot", sessionId=panel_session(panel, session_id))
    assert snapshot["state"]["busy"] is False
    assert snapshot["approvals"] == []
    pending = {p["requestId"] for m, p in panel.inbox.notes if m == "wave/permission/requested"}
    ended = {p["requestId"] for m, p in panel.inbox.notes if m == "wave/permission/resolved"}
    assert pending == ended
    status = await editor.ask("wave/daemon/status")
    assert status["agents"][0]["status"] == {"state": "ready", "generation": 2}
    read_everything(editor)


def panel_session(panel, session_id):
    """Give the panel's current session id."""
    for event in panel.events():
        if event["method"] == "sessionIdChange" and event["sessionId"] == session_id:
            session_id = event["params"]["sessionId"]
    return session_id


def read_everything(editor):
    editor.inbox.read_all()
    for panel in editor.panels.values():
        panel.inbox.read_all()


def test_the_recordings_are_those_of_the_real_cli():
    """They are evidence: read, never rewritten to fit."""
    assert len(TAPES) >= 44
    assert all(json.loads(line) for tape in TAPES for line in tape.read_text("utf-8").split("\n") if line)
