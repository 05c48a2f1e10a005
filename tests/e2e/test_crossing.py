"""Requests that cross the end or the renaming of their session on the way to the CLI."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from wave_client import Refused

QUICK = '[[{"text": "still here", "chunks": 2}]]'


@contextlib.asynccontextmanager
async def cli_asleep(machine, editor, *asked):
    """Let the bridge have all requests before the CLI hears of the first; gives the answers to come, and the waking."""
    (cli,) = machine.running("wave_bridge.embedded")
    cli.suspend()
    try:
        answers = asyncio.gather(*(editor.ask(method, **params) for method, params in asked))
        await asyncio.sleep(0)  # they are written
        await editor.ask("wave/daemon/status")
        yield answers, cli.resume
    finally:
        cli.resume()


async def talked(editor, work):
    """Give a session in which something was said, so that it is on disk."""
    session_id = await editor.new(work)
    await editor.send(session_id, "first", QUICK)
    assert await editor.turn_ended("first") == "completed"
    return session_id


@pytest.mark.req("T6.6")
async def test_who_loads_a_session_that_is_being_ended_gets_it_from_the_disk(machine, editor, work):
    """The client would else be attached to a session that the CLI is just forgetting."""
    session_id = await talked(editor, work)
    close = ("wave/session/close", {"sessionId": session_id})
    load = ("wave/session/load", {"sessionId": session_id, "workdir": str(work)})
    async with cli_asleep(machine, editor, close, load) as (answers, wake):
        wake()
        closed, loaded = await answers
    assert closed == {"ok": True}
    assert loaded["messages"][-1]["blocks"][0]["content"] == "still here"
    await editor.send(session_id, "second", QUICK)
    assert await editor.turn_ended("second") == "completed"
    editor.inbox.read_all()


@pytest.mark.req("T6.5", "T8.6")
async def test_what_was_asked_under_the_old_id_while_a_session_was_cleared_is_answered(machine, editor, work):
    session_id = await talked(editor, work)
    asked = [(f"wave/session/{verb}", {"sessionId": session_id}) for verb in ("clear", "info", "snapshot")]
    async with cli_asleep(machine, editor, *asked) as (answers, wake):
        wake()
        cleared, info, snapshot = await answers
    assert cleared["sessionId"] != session_id
    assert info["sessionId"] == snapshot["sessionId"] == cleared["sessionId"]
    assert snapshot["messages"] == []
    editor.inbox.read_all()


async def test_going_back_has_to_wait_for_the_end_of_a_turn(machine, editor, work):
    """A turn that was stopped still has something to say; it would be shown at the end of what is left."""
    session_id = await talked(editor, work)
    await editor.send(session_id, "second", '[[{"text": "a slow answer", "chunks": 20, "delay": 0.2}]]')
    (_, place) = (await editor.ask("wave/checkpoint/list", sessionId=session_id))["checkpoints"]
    back = {"sessionId": session_id, "messageId": place["id"]}
    async with cli_asleep(machine, editor, ("wave/turn/cancel", {"sessionId": session_id})) as (stopped, wake):
        with pytest.raises(Refused) as refused:
            await editor.ask("wave/checkpoint/rewind", **back)
        assert refused.value.kind == "conflict"
        wake()
        await stopped
    assert await editor.turn_ended("second") == "cancelled"
    await editor.ask("wave/checkpoint/rewind", **back)
    editor.inbox.read_all()


async def test_a_message_behind_a_stop_comes_behind_the_last_words_of_what_was_stopped(machine, editor, work):
    session_id = await talked(editor, work)
    await editor.send(session_id, "second", '[[{"text": "a slow answer", "chunks": 20, "delay": 0.2}]]')
    await editor.event("assistantContentUpdated")
    part = {"type": "text", "text": QUICK}
    stop = ("wave/turn/cancel", {"sessionId": session_id})
    send = ("wave/turn/start", {"sessionId": session_id, "clientTurnId": "third", "parts": [part]})
    async with cli_asleep(machine, editor, stop, send) as (answers, wake):
        wake()
        await answers
    assert await editor.turn_ended("third") == "completed"
    methods = [event["method"] for event in editor.events()]
    assert methods.index("errorBlockAdded") < len(methods) - 1 - methods[::-1].index("userMessageAdded")
    editor.inbox.read_all()


async def heard_nothing_of(machine, editor, session_id, work):
    """Let somebody else talk in the session, and see that the editor hears no word of it."""
    other = await machine.editor("other")
    await other.ask("wave/session/load", sessionId=session_id, workdir=str(work))
    before = len(editor.events())
    await other.send(session_id, "theirs", QUICK)
    assert await other.turn_ended("theirs") == "completed"
    await editor.ask("wave/daemon/status")  # whatever was on its way has come now
    other.inbox.read_all()
    return len(editor.events()) == before


@pytest.mark.req("T6.6")
async def test_who_leaves_a_session_while_a_snapshot_is_on_its_way_stays_away(machine, work):
    editor = await machine.editor("editor")
    session_id = await talked(editor, work)
    asked = [(f"wave/session/{verb}", {"sessionId": session_id}) for verb in ("snapshot", "unsubscribe")]
    async with cli_asleep(machine, editor, *asked) as (answers, wake):
        wake()
        snapshot, left = await answers
    assert (snapshot["sessionId"], left) == (session_id, {"ok": True})
    assert await heard_nothing_of(machine, editor, session_id, work)
    editor.inbox.read_all()


@pytest.mark.req("T6.6")
async def test_who_turns_back_before_a_stored_session_has_come_is_not_attached(machine, work):
    editor = await machine.editor("editor")
    session_id = await talked(editor, work)
    assert await editor.ask("wave/session/close", sessionId=session_id) == {"ok": True}
    load = ("wave/session/load", {"sessionId": session_id, "workdir": str(work)})
    async with cli_asleep(machine, editor, load, ("wave/session/unsubscribe", {"sessionId": session_id})) as (
        answers,
        wake,
    ):
        wake()
        loaded, left = await answers
    assert (loaded["sessionId"], left) == (session_id, {"ok": True})
    assert await heard_nothing_of(machine, editor, session_id, work)
    editor.inbox.read_all()
