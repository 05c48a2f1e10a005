"""Stored sessions through the bridge: lists, titles, loading; the files are the only source (S2, S6, S10, S12, S13)."""

from __future__ import annotations

import asyncio
import json
import subprocess
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from wave_client import Refused

from wave_bridge.store import paths, writing

SHORT = '[[{"text": "short", "chunks": 1}]]'


def stored(machine, folder, text="hello", title=None, when=None):
    """Put a session on disk as the CLI would; gives its id."""
    session_id = str(uuid4())
    path = paths.session_file(machine.home / ".wave", str(folder), session_id)
    transcript = writing.Transcript(path, writing.header(str(folder), datetime.now(UTC)))
    stamp = (when or datetime.now(UTC)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    transcript.append(
        {"timestamp": stamp, "id": "msg-1", "role": "user", "blocks": [{"type": "text", "content": text}]},
        {"timestamp": stamp, "id": "msg-2", "role": "assistant", "blocks": [{"type": "text", "content": "yes"}]},
    )
    if title:
        transcript.rename(title)
    return session_id


def file_of(machine, session_id):
    (found,) = (machine.home / ".wave" / "projects").rglob(f"{session_id}.jsonl")
    return found


async def listed(peer, **params):
    return [row["id"] for row in (await peer.ask("wave/session/list", **params))["sessions"]]


@pytest.mark.req("S2.1", "S10.2", "S10.3", "S6.2")
async def test_a_folders_sessions_are_listed_newest_first_and_others_only_when_asked(machine, flags):
    here, there = machine.folder("here").resolve(), machine.folder("there").resolve()
    old = stored(machine, here, "the old one", when=datetime(2026, 1, 1, tzinfo=UTC))
    new = stored(machine, here, "the new one")
    other = stored(machine, there)
    editor = await machine.editor("editor", *flags, folder=here)
    assert await listed(editor) == [new, old]
    assert await listed(editor, cwd=str(there)) == [other]
    assert set(await listed(editor, scope="all")) == {old, new, other}
    assert await listed(editor, query="OLD") == [old]


async def test_pages_follow_each_other_without_gap_or_repeat(machine):
    here = machine.folder("here").resolve()
    wanted = {stored(machine, here, when=datetime(2026, 1, day, tzinfo=UTC)) for day in range(1, 8)}
    editor = await machine.editor("editor", folder=here)
    got, cursor = [], {}
    while True:
        page = await editor.ask("wave/session/list", limit=3, **cursor)
        got += [row["id"] for row in page["sessions"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    assert len(got) == 7
    assert set(got) == wanted


@pytest.mark.req("S7.2")
async def test_a_repositorys_worktrees_are_listed_together(machine):
    main = machine.folder("main").resolve()
    side = machine.root.resolve() / "side"
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["worktree", "add", "-q", str(side)]):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *command], cwd=main, check=True)
    ids = {stored(machine, main), stored(machine, side)}
    editor = await machine.editor("editor", folder=main)
    assert len(await listed(editor)) == 1
    assert set(await listed(editor, scope="repo")) == ids


async def test_the_list_and_titles_need_no_cli(machine):
    here = machine.folder("here").resolve()
    session_id = stored(machine, here)
    machine.env["WAVE_CLI_PATH"] = "/nowhere/wave"
    editor = await machine.editor("editor", folder=here)
    assert await editor.ask("wave/session/rename", sessionId=session_id, title="  found  ") == {"ok": True}
    (row,) = (await editor.ask("wave/session/list"))["sessions"]
    assert row["customTitle"] == "found"


@pytest.mark.req("S12.2", "S12.4", "SB15", "SB9")
async def test_a_stored_session_is_restored_where_it_was_made_with_its_title(machine):
    here, there = machine.folder("here").resolve(), machine.folder("there").resolve()
    session_id = stored(machine, there, "about gulls", title="Gulls")
    editor = await machine.editor("editor", folder=here)
    snapshot = await editor.ask("wave/session/load", sessionId=session_id)
    assert snapshot["sessionId"] == session_id
    assert snapshot["state"]["title"] == "Gulls"
    assert snapshot["state"]["workdir"] == str(there)
    assert [message["role"] for message in snapshot["messages"]] == ["user", "assistant"]
    await editor.send(session_id, "t", SHORT)
    assert await editor.turn_ended("t") == "completed"
    assert len([line for line in file_of(machine, session_id).read_text().splitlines() if '"role"' in line]) == 4


async def test_two_who_load_one_stored_session_at_once_share_it(machine):
    here = machine.folder("here").resolve()
    session_id = stored(machine, here)
    editors = [await machine.editor(name, folder=here) for name in ("one", "other")]
    await asyncio.gather(*(editor.ask("wave/session/load", sessionId=session_id) for editor in editors))
    status = await editors[0].ask("wave/daemon/status")
    (session,) = status["agents"][0]["sessions"]
    assert session["watchers"] == 2


@pytest.mark.req("S10.6", "S10.7", "S8.4")
async def test_what_can_not_be_restored_says_why(machine):
    here, gone = machine.folder("here").resolve(), machine.folder("gone").resolve()
    damaged = stored(machine, here)
    with file_of(machine, damaged).open("a") as file:
        file.write('{"timestamp": "2026-')
    homeless = stored(machine, gone)
    gone.rmdir()
    editor = await machine.editor("editor", folder=here)
    kinds = {}
    for session_id in (damaged, homeless, str(uuid4()), "../../etc/passwd"):
        with pytest.raises(Refused) as refused:
            await editor.ask("wave/session/load", sessionId=session_id)
        kinds[session_id] = refused.value.kind
    assert list(kinds.values()) == ["sessionUnreadable", "workdirMissing", "sessionNotFound", "invalidParams"]
    (row,) = [row for row in (await editor.ask("wave/session/list"))["sessions"] if row["id"] == damaged]
    assert row["damaged"] is True


@pytest.mark.req("S12.1", "S12.3", "S13.11", "S13.12", "SB17")
async def test_a_title_reaches_every_panel_and_the_file_and_changes_nothing_else(machine, flags):
    here = machine.folder("here").resolve()
    editor = await machine.editor("editor", *flags, folder=here)
    panel = await editor.open_panel("p")
    session_id = await editor.new(here)
    await panel.ask("wave/session/resume", sessionId=session_id)
    await editor.send(session_id, "t", SHORT)
    assert await editor.turn_ended("t") == "completed"
    before = file_of(machine, session_id).read_bytes()
    assert await panel.ask("wave/session/rename", sessionId=session_id, title="Harbour") == {"ok": True}
    for peer in (editor, panel):
        assert (await peer.state(title="Harbour"))["sessionId"] == session_id
    after = file_of(machine, session_id).read_bytes()
    assert after.startswith(before)
    assert json.loads(after[len(before) :]) == {
        "type": "custom-title",
        "customTitle": "Harbour",
        "sessionId": session_id,
    }
    (row,) = (await editor.ask("wave/session/list"))["sessions"]
    assert (row["id"], row["customTitle"]) == (session_id, "Harbour")


@pytest.mark.req("S12.6", "S12.7", "SB16")
async def test_titles_without_a_file_blank_ones_and_long_ones(machine):
    here = machine.folder("here").resolve()
    editor = await machine.editor("editor", folder=here)
    session_id = await editor.new(here)
    assert await editor.ask("wave/session/rename", sessionId=session_id, title=" \n") == {"ok": False}
    assert await listed(editor) == []
    with pytest.raises(Refused, match="200") as refused:
        await editor.ask("wave/session/rename", sessionId=session_id, title="x" * 201)
    assert refused.value.kind == "invalidParams"
    assert await editor.ask("wave/session/rename", sessionId=session_id, title="Early") == {"ok": True}
    lines = [json.loads(line) for line in file_of(machine, session_id).read_text().splitlines()]
    assert [line["type"] for line in lines] == ["metadata", "custom-title"]
    await editor.send(session_id, "t", SHORT)
    assert await editor.turn_ended("t") == "completed"
    (row,) = (await editor.ask("wave/session/list"))["sessions"]
    assert row["customTitle"] == "Early"
    editor.inbox.read_all()


@pytest.mark.req("S12.8", "S13.7")
async def test_a_title_that_can_not_be_saved_is_told_and_not_shown(machine):
    here, there = machine.folder("here").resolve(), machine.folder("there").resolve()
    session_id = stored(machine, there, title="Old")
    path = file_of(machine, session_id)
    editor = await machine.editor("editor", folder=here)
    assert await editor.ask("wave/session/rename", sessionId=session_id, title="New", workdir=str(there)) == {
        "ok": True
    }
    assert '"New"' in path.read_text().splitlines()[-1]
    aside = path.with_suffix(".aside")
    path.rename(aside)
    path.symlink_to(aside)  # a link in a session file's place is never written through
    with pytest.raises(Refused) as refused:
        await editor.ask("wave/session/rename", sessionId=session_id, title="Newer")
    assert refused.value.kind in {"sessionUnreadable", "sessionNotFound", "sessionUnwritable"}
    assert "Newer" not in aside.read_text()
