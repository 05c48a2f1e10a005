"""One CLI, many sessions: routing, attaching, clearing, closing (T6, T8, T9.1, T9.3, T10.5)."""

import asyncio

import pytest

TEXT = '[[{"text": "one two three four five six", "chunks": 6, "delay": 0.02}]]'


@pytest.mark.req("T6.1", "T6.2", "T6.3")
async def test_panels_of_two_editors_share_one_cli_and_hear_their_own_session_only(machine):
    a = await machine.editor("a")
    b = await machine.editor("b")
    panels = [
        await a.open_panel("sidebar", "sidebar"),
        await a.open_panel("tab", "tab"),
        await b.open_panel("window", "window"),
    ]
    folders = [machine.folder("x"), machine.folder("x"), machine.folder("y")]
    ids = [await panel.new(folder) for panel, folder in zip(panels, folders, strict=True)]
    assert len(set(ids)) == 3
    assert len(machine.running("wave_bridge.embedded")) == 1
    said = [f"panel {number} speaks, and nobody else hears it" for number in range(3)]
    await asyncio.gather(
        *(
            panel.send(session_id, "t", f'[[{{"text": "{text}", "chunks": 9, "delay": 0.02}}]]')
            for panel, session_id, text in zip(panels, ids, said, strict=True)
        )
    )
    for panel, session_id, text in zip(panels, ids, said, strict=True):
        assert await panel.turn_ended("t") == "completed"
        assert panel.deltas() == text
        assert {event["sessionId"] for event in panel.events()} == {session_id}


@pytest.mark.req("T9.1", "T9.2")
async def test_a_panel_pulls_its_state_once_and_then_lives_on_deltas(editor, work):
    panel = await editor.open_panel("p")
    session_id = await panel.new(work)
    await panel.send(session_id, "t", TEXT)
    assert await panel.turn_ended("t") == "completed"
    methods = [event["method"] for event in panel.events()]
    assert "messagesChange" not in methods
    chunks = [event["params"] for event in panel.events() if event["method"] == "assistantContentUpdated"]
    assert all("accumulated" not in params and set(params) == {"messageId", "chunk", "stage"} for params in chunks)
    assert (chunks[-1]["chunk"], chunks[-1]["stage"]) == ("", "end")
    snapshot = await panel.ask("wave/session/snapshot", sessionId=session_id)
    assert snapshot["messages"][-1]["blocks"][0]["content"] == "one two three four five six"
    assert snapshot["seq"] == [p["seq"] for m, p in panel.inbox.notes if m == "wave/session/event"][-1]


@pytest.mark.req("T10.5", "T8.1")
async def test_a_panel_that_joins_in_mid_stream_loses_and_doubles_nothing(machine):
    first = await machine.editor("first")
    second = await machine.editor("second")
    session_id = await first.new(machine.folder("w"))
    whole = "".join(f"{number} " for number in range(200))
    await first.send(session_id, "t", f'[[{{"text": "{whole}", "chunks": 100, "delay": 0.01}}]]')
    await first.event("assistantContentUpdated")
    snapshot = await second.ask("wave/session/load", sessionId=session_id)
    have = snapshot["messages"][-1]["blocks"][0]["content"]
    assert 0 < len(have) < len(whole)
    assert await second.turn_ended("t") == "completed"
    later = [
        params["event"]["params"]["chunk"]
        for method, params in second.inbox.notes
        if method == "wave/session/event"
        and params["event"]["method"] == "assistantContentUpdated"
        and params["seq"] > snapshot["seq"]
    ]
    assert have + "".join(later) == whole
    assert await first.turn_ended("t") == "completed"
    assert first.deltas() == whole
    current = await second.ask("wave/session/subscribe", sessionId=session_id)
    seq = current["snapshot"]["seq"]
    again = await second.ask(
        "wave/session/subscribe", sessionId=session_id, after={"epoch": current["epoch"], "seq": seq}
    )
    assert "snapshot" not in again
    assert again["seq"] == seq


@pytest.mark.req("T6.5", "T8.6", "T9.3")
async def test_clearing_goes_on_under_a_new_id_for_every_watcher(editor, work):
    panel, other = await editor.open_panel("p"), await editor.open_panel("q")
    old = await panel.new(work)
    await other.ask("wave/session/resume", sessionId=old)
    await panel.send(old, "t", "hello")
    await panel.turn_ended("t")
    opened = await panel.ask("wave/session/clear", sessionId=old)
    new = opened["sessionId"]
    assert new != old
    for peer in (panel, other):
        assert (await peer.event("sessionIdChange"))["sessionId"] == new
        assert (await peer.state(resync=True))["sessionId"] == new
        assert (await peer.ask("wave/session/snapshot", sessionId=new))["messages"] == []
    await panel.send(new, "u", TEXT)
    for peer in (panel, other):
        assert await peer.turn_ended("u") == "completed"
        assert peer.events()[-1]["sessionId"] == new


@pytest.mark.req("T6.6")
async def test_a_closed_session_is_destroyed_and_the_cli_lives_on(machine, editor, work):
    keep, close = await editor.new(work), await editor.new(work)
    (cli,) = machine.running("wave_bridge.embedded")
    assert await editor.ask("wave/session/close", sessionId=close) == {"ok": True}
    status = await editor.ask("wave/daemon/status")
    assert [session["sessionId"] for session in status["agents"][0]["sessions"]] == [keep]
    assert cli.is_running()
    editor.inbox.read_all()


async def test_a_session_that_another_panel_watches_is_only_detached(editor, work):
    panel, other = await editor.open_panel("p"), await editor.open_panel("q")
    session_id = await panel.new(work)
    await other.ask("wave/session/load", sessionId=session_id)
    assert await panel.ask("wave/session/close", sessionId=session_id) == {"ok": False}
    await other.send(session_id, "t", TEXT)
    assert await other.turn_ended("t") == "completed"
    assert panel.inbox.unread() == []


@pytest.mark.req("T6.7")
async def test_when_the_editor_closes_sessions_end_before_the_cli(machine):
    """The embedded CLI writes a session's file when it is destroyed; a kill first would lose the running reply."""
    editor = await machine.editor("e", "--standalone")
    session_id = await editor.new(machine.folder("w"))
    await editor.send(session_id, "t", '[[{"text": "half of a long answer", "chunks": 20, "delay": 0.5}]]')
    await editor.event("assistantContentUpdated")
    editor.inbox.read_all()
    (cli,) = machine.running("wave_bridge.embedded")
    await editor.shutdown_async(None)
    editor.exit(None)
    await asyncio.wait_for(editor._server.wait(), 15)
    assert not cli.is_running()
    (stored,) = (machine.home / ".wave" / "projects").rglob(f"{session_id}.jsonl")
    assert "half" in stored.read_text()


async def sessions_of(editor):
    return [session["sessionId"] for session in (await editor.ask("wave/daemon/status"))["agents"][0]["sessions"]]


@pytest.mark.req("T6.6")
async def test_a_session_that_nobody_watches_ends_after_its_grace_and_not_in_mid_turn(machine):
    machine.env["WAVE_BRIDGE_SESSION_GRACE"] = "0.3"
    first, second = await machine.editor("first"), await machine.editor("second")
    work = machine.folder("work")
    kept = await second.new(work)
    idle, busy = await first.new(work), await first.new(work)
    await first.send(busy, "t", '[[{"text": "this goes on for a while", "chunks": 12, "delay": 0.1}]]')
    await first.event("assistantContentUpdated")
    first.inbox.read_all()
    first._server.kill()
    await first._server.wait()
    async with asyncio.timeout(10):
        while idle in await sessions_of(second):
            await asyncio.sleep(0.05)
        assert busy in await sessions_of(second)
        while busy in await sessions_of(second):
            await asyncio.sleep(0.05)
    assert await sessions_of(second) == [kept]
    snapshot = await second.ask("wave/session/load", sessionId=busy)
    assert snapshot["messages"][-1]["blocks"][0]["content"] == "this goes on for a while"


async def test_a_folder_that_does_not_exist_is_refused_with_its_name(editor, machine):
    with pytest.raises(Exception, match="does not exist") as refused:
        await editor.new(machine.root / "nowhere")
    assert refused.value.kind == "workdirMissing"
    with pytest.raises(Exception, match="absolute") as refused:
        await editor.new("somewhere")
    assert refused.value.kind == "invalidParams"


async def test_a_session_that_is_nowhere_is_not_found(editor):
    with pytest.raises(Exception, match="no stored session") as refused:
        await editor.ask("wave/session/load", sessionId="00000000-0000-4000-8000-000000000000")
    assert refused.value.kind == "sessionNotFound"
    with pytest.raises(Exception, match="not open") as refused:
        await editor.ask("wave/models/list", sessionId="00000000-0000-4000-8000-000000000000")
    assert refused.value.kind == "sessionNotFound"
