"""The queue: the CLI owns it, panels see and change it, and nothing that was typed is lost."""

from __future__ import annotations

import pytest
from wave_client import Refused

LONG = '[[{"text": "a long answer that goes on and on and on", "chunks": 20, "delay": 0.1}]]'


def short(text):
    return f'{text} [[{{"text": "answer to {text}", "chunks": 1}}]]'


def user_texts(messages):
    return [
        block["content"].split()[0]
        for m in messages
        if m["role"] == "user"
        for block in m["blocks"]
        if "content" in block
    ]


@pytest.fixture
async def busy(editor, work):
    """A session whose first turn goes on for two seconds; gives its id."""
    session_id = await editor.new(work)
    await editor.send(session_id, "t", LONG)
    await editor.event("assistantContentUpdated")
    return session_id


async def queue_of(editor, session_id):
    return [
        item["content"].split()[0] for item in (await editor.ask("wave/queue/list", sessionId=session_id))["messages"]
    ]


async def test_queued_messages_are_listed_and_run_in_order(editor, busy):
    ids = [(await editor.send(busy, name, short(name)))["queueId"] for name in ("one", "two")]
    assert len(set(ids)) == 2
    assert await queue_of(editor, busy) == ["one", "two"]
    for name in ("t", "one", "two"):
        assert await editor.turn_ended(name) == "completed"
    messages = (await editor.ask("wave/session/snapshot", sessionId=busy))["messages"]
    assert user_texts(messages)[1:] == ["one", "two"]
    assert await queue_of(editor, busy) == []


async def test_an_edited_message_is_sent_as_edited_and_only_so(editor, busy):
    queued = await editor.send(busy, "one", short("one"))
    answer = await editor.ask("wave/queue/update", sessionId=busy, id=queued["queueId"], text=short("changed"))
    assert answer == {"ok": True}
    assert await editor.turn_ended("one") == "completed"
    messages = (await editor.ask("wave/session/snapshot", sessionId=busy))["messages"]
    assert user_texts(messages)[1:] == ["changed"]


@pytest.mark.req("TB11")
async def test_editing_by_taking_out_leaves_nothing_behind(editor, busy):
    """A panel that edits takes the original out; if it then sends nothing, nothing comes back by itself."""
    queued = await editor.send(busy, "one", short("one"))
    await editor.send(busy, "two", short("two"))
    assert await editor.ask("wave/queue/remove", sessionId=busy, id=queued["queueId"]) == {"ok": True}
    assert await editor.turn_ended("one") == "cancelled"
    assert await queue_of(editor, busy) == ["two"]
    assert await editor.turn_ended("two") == "completed"
    messages = (await editor.ask("wave/session/snapshot", sessionId=busy))["messages"]
    assert user_texts(messages)[1:] == ["two"]


async def test_what_is_gone_is_said_to_be_gone_and_the_rest_is_untouched(editor, busy):
    await editor.send(busy, "one", short("one"))
    assert await editor.ask("wave/queue/update", sessionId=busy, id="mq-99", text="x") == {"ok": False}
    assert await editor.ask("wave/queue/remove", sessionId=busy, id="mq-99") == {"ok": False}
    with pytest.raises(Refused) as refused:
        await editor.ask("wave/queue/sendNow", sessionId=busy, id="mq-99")
    assert refused.value.kind == "expired"
    assert await queue_of(editor, busy) == ["one"]
    assert await editor.turn_ended("one") == "completed"


@pytest.mark.req("T11.4")
async def test_sending_one_now_stops_the_turn_and_keeps_the_others_in_order(editor, busy):
    """The CLI itself would throw the others away (wire facts: force)."""
    queued = {name: await editor.send(busy, name, short(name)) for name in ("one", "two", "three")}
    assert await editor.ask("wave/queue/sendNow", sessionId=busy, id=queued["two"]["queueId"]) == {"ok": True}
    for name in ("t", "two", "one", "three"):
        reason = await editor.turn_ended(name)
        assert reason == ("cancelled" if name == "t" else "completed")
    messages = (await editor.ask("wave/session/snapshot", sessionId=busy))["messages"]
    assert user_texts(messages)[1:] == ["two", "one", "three"]
    editor.inbox.read_all()


@pytest.mark.req("T11.4")
async def test_sending_a_command_now_stops_the_turn_as_well(editor, busy, work):
    """The CLI can force messages only (wire facts: force)."""
    await editor.send(busy, "one", short("one"))
    queued = await editor.bang(busy, "cmd", "touch made")
    await editor.send(busy, "two", short("two"))
    assert await editor.ask("wave/queue/sendNow", sessionId=busy, id=queued["queueId"]) == {"ok": True}
    for name in ("t", "cmd", "one", "two"):
        assert await editor.turn_ended(name) == ("cancelled" if name == "t" else "completed")
    assert (work / "made").exists()
    editor.inbox.read_all()


async def test_a_command_waits_in_the_queue_like_a_message(editor, busy, work):
    queued = await editor.bang(busy, "cmd", "touch made")
    assert queued["outcome"] == "queued"
    assert await editor.turn_ended("cmd") == "completed"
    assert (work / "made").exists()


async def test_two_panels_see_one_queue(editor, busy):
    panel = await editor.open_panel("p")
    await panel.ask("wave/session/load", sessionId=busy)
    await editor.send(busy, "one", short("one"))
    change = await panel.event("queuedMessagesChange", lambda p: len(p["messages"]) == 1)
    assert await panel.ask("wave/queue/remove", sessionId=busy, id=change["messages"][0]["id"]) == {"ok": True}
    assert await editor.turn_ended("one") == "cancelled"
    assert await editor.turn_ended("t") == "completed"
    assert await panel.turn_ended("t") == "completed"
