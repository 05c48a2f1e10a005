"""The cache: what a panel that joins is told of a session, and what makes it fetch everything anew (T8, T9.3)."""

from __future__ import annotations

import asyncio
import json

import pytest
from wave_client import Refused

SHORT = '[[{"text": "short", "chunks": 1}]]'
LONG = '[[{"text": "a long answer that goes on and on", "chunks": 20, "delay": 0.1}]]'


async def snapshot(peer, session_id):
    return await peer.ask("wave/session/snapshot", sessionId=session_id)


async def said(editor, session_id, *texts):
    for number, text in enumerate(texts):
        await editor.send(session_id, f"{text}{number}", f"{text} {SHORT}")
        assert await editor.turn_ended(f"{text}{number}") == "completed"


def call(name, **args):
    return json.dumps({"tool": {"name": name, "args": args}})


@pytest.mark.req("T8.1", "T9.3")
async def test_compacting_makes_every_watcher_fetch_the_list_once(editor, work):
    panel = await editor.open_panel("p")
    session_id = await editor.new(work)
    await panel.ask("wave/session/resume", sessionId=session_id)
    await said(editor, session_id, "one", "two", "three")
    await editor.ask("wave/session/compact", sessionId=session_id)
    for peer in (editor, panel):
        await peer.event("compactBlockAdded")
        assert (await peer.state(resync=True))["reason"] == "messagesReplaced"
        messages = (await snapshot(peer, session_id))["messages"]
        assert messages[0]["blocks"][0]["type"] == "compact"
    editor.inbox.read_all()
    panel.inbox.read_all()


async def test_what_is_sent_during_a_compaction_waits_for_its_end(editor, work):
    """The CLI would run both at once, and a clear would write the failed compaction into the new session."""
    session_id = await editor.new(work)
    await said(editor, session_id, "one", "two")
    directive = '[[{"text": "a summary that takes its time", "chunks": 8, "delay": 0.1}]]'
    compacting = editor.ask("wave/session/compact", sessionId=session_id, customInstructions=directive)

    task = asyncio.create_task(compacting)
    await editor.event("compactionStateChange", lambda p: p["isCompacting"])
    sending = asyncio.create_task(editor.send(session_id, "after", SHORT))
    clearing = asyncio.create_task(editor.ask("wave/session/clear", sessionId=session_id))
    await editor.event("compactionStateChange", lambda p: not p["isCompacting"])
    await task
    assert (await sending)["outcome"] == "started"
    with pytest.raises(Refused) as refused:
        await clearing  # by now the message runs
    assert refused.value.kind == "conflict"
    assert await editor.turn_ended("after") == "completed"
    methods = [event["method"] for event in editor.events()]
    assert methods.index("compactBlockAdded") < len(methods) - 1 - methods[::-1].index("userMessageAdded")
    editor.inbox.read_all()


@pytest.mark.req("T8.1", "T9.3")
async def test_rewinding_gives_the_text_back_and_makes_watchers_fetch(editor, work):
    session_id = await editor.new(work)
    await said(editor, session_id, "one", "two")
    points = (await editor.ask("wave/checkpoint/list", sessionId=session_id))["checkpoints"]
    assert [point["content"].split()[0] for point in points] == ["one", "two"]
    rewound = await editor.ask("wave/checkpoint/rewind", sessionId=session_id, messageId=points[1]["id"])
    assert rewound["inputContent"].startswith("two")
    assert (await editor.state(resync=True))["reason"] == "messagesReplaced"
    messages = (await snapshot(editor, session_id))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"]
    with pytest.raises(Refused) as refused:
        await editor.ask("wave/checkpoint/rewind", sessionId=session_id, messageId="msg-nope")
    assert refused.value.kind == "agentError"
    editor.inbox.read_all()


@pytest.mark.req("T8.2", "T8.3", "T8.4", "T8.7", "T8.5")
async def test_a_panel_that_joins_is_told_what_the_events_said_before(editor, work, machine):
    session_id = await editor.new(work)
    elsewhere = work / "sub"
    elsewhere.mkdir()
    await editor.ask("wave/session/setMode", sessionId=session_id, mode="bypassPermissions")
    turn = f"[[{call('TaskCreate', subject='dig', description='a hole')}]][[{call('Bash', command='cd sub')}]]{SHORT}"
    await editor.send(session_id, "t", turn)
    assert await editor.turn_ended("t") == "completed"
    heard = {event["method"]: event["params"] for event in editor.events()}
    late = await (await editor.open_panel("late")).ask("wave/session/resume", sessionId=session_id)
    state = late["state"]
    assert state["permissionMode"] == "bypassPermissions" == heard["permissionModeChange"]["mode"]
    assert [task["subject"] for task in state["tasks"]] == ["dig"]
    assert state["tasks"] == heard["tasksChange"]["tasks"]
    assert state["latestTotalTokens"] == heard["loadingChange"]["latestTotalTokens"] > 0
    assert state["workdir"] == heard["workdirChange"]["workdir"] == str(elsewhere.resolve())
    assert state["busy"] is False


@pytest.mark.req("T9.5")
async def test_while_it_streams_nothing_pushes_the_whole_list(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", LONG)
    assert await editor.turn_ended("t") == "completed"
    assert not any(
        "messages" in event["params"] for event in editor.events() if event["method"] != "queuedMessagesChange"
    )
    assert not any(params.get("resync") for method, params in editor.inbox.notes if method == "wave/session/state")


async def test_clearing_while_a_turn_runs_is_refused(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", LONG)
    await editor.event("assistantContentUpdated")
    with pytest.raises(Refused) as refused:
        await editor.ask("wave/session/clear", sessionId=session_id)
    assert refused.value.kind == "conflict"
    assert await editor.turn_ended("t") == "completed"
