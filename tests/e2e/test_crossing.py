"""Requests that cross the end or the renaming of their session on the way to the CLI."""

from __future__ import annotations

import asyncio

import pytest
from wave_client import Refused

QUICK = '[[{"text": "still here", "chunks": 2}]]'


async def talked(editor, work):
    """Give a session in which something was said, so that it is on disk."""
    session_id = await editor.new(work)
    await editor.send(session_id, "first", QUICK)
    assert await editor.turn_ended("first") == "completed"
    return session_id


@pytest.mark.req("T6.6")
async def test_who_loads_a_session_that_is_being_ended_gets_it_from_the_disk(editor, work):
    """Without waiting in between: the client would else be attached to a session that the CLI is just forgetting."""
    session_id = await talked(editor, work)
    closed, loaded = await asyncio.gather(
        editor.ask("wave/session/close", sessionId=session_id),
        editor.ask("wave/session/load", sessionId=session_id, workdir=str(work)),
    )
    assert closed == {"ok": True}
    assert loaded["messages"][-1]["blocks"][0]["content"] == "still here"
    await editor.send(session_id, "second", QUICK)
    assert await editor.turn_ended("second") == "completed"
    editor.inbox.read_all()


@pytest.mark.req("T6.5", "T8.6")
async def test_what_was_asked_under_the_old_id_while_a_session_was_cleared_is_answered_under_the_new_one(editor, work):
    session_id = await talked(editor, work)
    cleared, info, snapshot = await asyncio.gather(
        editor.ask("wave/session/clear", sessionId=session_id),
        editor.ask("wave/session/info", sessionId=session_id),
        editor.ask("wave/session/snapshot", sessionId=session_id),
    )
    assert cleared["sessionId"] != session_id
    assert info["sessionId"] == snapshot["sessionId"] == cleared["sessionId"]
    assert snapshot["messages"] == []
    editor.inbox.read_all()


async def test_going_back_has_to_wait_for_the_end_of_a_turn(editor, work):
    """A turn that was stopped still has something to say; it would be shown at the end of what is left."""
    session_id = await talked(editor, work)
    await editor.send(session_id, "second", '[[{"text": "a slow answer", "chunks": 20, "delay": 0.2}]]')
    (_, place) = (await editor.ask("wave/checkpoint/list", sessionId=session_id))["checkpoints"]
    stopped = asyncio.create_task(editor.ask("wave/turn/cancel", sessionId=session_id))
    with pytest.raises(Refused) as refused:
        await editor.ask("wave/checkpoint/rewind", sessionId=session_id, messageId=place["id"])
    assert refused.value.kind == "conflict"
    await stopped
    assert await editor.turn_ended("second") == "cancelled"
    await editor.ask("wave/checkpoint/rewind", sessionId=session_id, messageId=place["id"])
    editor.inbox.read_all()
