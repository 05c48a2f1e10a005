"""Panels: clients like any other, whose messages their editor carries and whose wishes it fulfils."""

from __future__ import annotations

import pytest
from wave_client import Refused

SHORT = '[[{"text": "short", "chunks": 1}]]'
LONG = '[[{"text": "a long answer that goes on and on", "chunks": 20, "delay": 0.1}]]'


async def test_a_panel_speaks_the_same_methods_and_hears_only_what_it_watches(editor, work):
    panel, other = await editor.open_panel("p"), await editor.open_panel("q")
    session_id = await panel.new(work)
    assert (await panel.send(session_id, "t", SHORT))["outcome"] == "started"
    assert await panel.turn_ended("t") == "completed"
    assert panel.deltas() == "short"
    assert other.inbox.unread() == []
    assert editor.inbox.unread() == []


async def test_what_only_an_editor_can_do_is_asked_of_the_panels_own(machine):
    one, other = [await machine.editor(name) for name in ("one", "other")]
    panel = await other.open_panel("p")
    done = {"ok": True}
    for verb in ("openFile", "reveal", "openUrl", "notify", "copy"):
        other.answers[f"wave/editor/{verb}"] = done
    assert await panel.ask("wave/editor/openFile", path="/a.py", line=3) == done
    assert await panel.ask("wave/editor/reveal", path="/a.py") == done
    assert await panel.ask("wave/editor/openUrl", url="https://example.org") == done
    assert await panel.ask("wave/editor/notify", level="info", message="hello") == done
    assert await panel.ask("wave/editor/copy", text="copied") == done
    assert [method.rpartition("/")[2] for method, _ in other.questions] == [
        "openFile",
        "reveal",
        "openUrl",
        "notify",
        "copy",
    ]
    assert other.questions[0][1] == {"path": "/a.py", "line": 3}
    assert one.questions == []


async def test_a_page_that_is_loaded_anew_takes_the_place_of_the_old_one(editor, work):
    panel = await editor.open_panel("p")
    session_id = await panel.new(work)
    await panel.send(session_id, "t", LONG)
    await panel.event("assistantContentUpdated")
    heard = len(panel.inbox.notes)
    again = await editor.open_panel("p")
    snapshot = await again.ask("wave/session/load", sessionId=session_id)
    assert await again.turn_ended("t") == "completed"
    have = snapshot["messages"][-1]["blocks"][0]["content"]
    assert have + again.deltas() == "a long answer that goes on and on"
    assert len(panel.inbox.notes) == heard


async def test_a_closed_panel_is_told_nothing_more_and_its_session_goes_on(editor, work):
    panel = await editor.open_panel("p")
    session_id = await panel.new(work)
    await editor.ask("wave/session/resume", sessionId=session_id)
    await panel.send(session_id, "t", LONG)
    await panel.close()
    assert await editor.turn_ended("t") == "completed"
    assert editor.deltas() == "a long answer that goes on and on"
    panel.inbox.read_all()


@pytest.mark.req("T6.6")
async def test_closing_an_editor_closes_its_panels_and_no_session(machine):
    one, other = [await machine.editor(name) for name in ("one", "other")]
    panel = await one.open_panel("p")
    session_id = await panel.new(machine.folder("work"))
    await other.ask("wave/session/resume", sessionId=session_id)
    await panel.send(session_id, "t", LONG)
    await panel.event("assistantContentUpdated")
    panel.inbox.read_all()
    await one.shutdown_async(None)
    one.exit(None)
    await one._server.wait()
    assert await other.turn_ended("t") == "completed"
    (session,) = (await other.ask("wave/daemon/status"))["agents"][0]["sessions"]
    assert session["watchers"] == 1


async def test_a_panel_can_not_open_a_panel(editor):
    panel = await editor.open_panel("p")
    with pytest.raises(Refused) as refused:
        await panel.ask("wave/panel/open", panelId="inner", kind="tab")
    assert refused.value.code == -32601
