"""Turns: accepted once, told apart as started or queued, ended with a reason; nothing stays busy."""

from __future__ import annotations

import asyncio
import base64
import json

import pytest
from wave_client import Refused

LONG = '[[{"text": "a long answer that goes on and on and on", "chunks": 20, "delay": 0.1}]]'
SHORT = '[[{"text": "short", "chunks": 1}]]'
ASKING = '[[{"tool": {"name": "Bash", "args": {"command": "touch asked"}}}]][[{"text": "done"}]]'


async def state_of(peer, session_id):
    return (await peer.ask("wave/session/snapshot", sessionId=session_id))["state"]


async def test_a_turn_starts_runs_and_ends(editor, work):
    session_id = await editor.new(work)
    assert await editor.send(session_id, "t", SHORT) == {"outcome": "started"}
    started = await editor.state(turnStarted="t")
    assert started["busy"] is True
    assert await editor.turn_ended("t") == "completed"
    assert (await state_of(editor, session_id))["busy"] is False


async def test_the_same_turn_twice_is_one_turn(editor, work):
    """A client that lost its connection asks again: pending, running, queued or over, nothing is said twice."""
    session_id = await editor.new(work)
    first, again = await asyncio.gather(editor.send(session_id, "t", LONG), editor.send(session_id, "t", LONG))
    assert first == again == {"outcome": "started"}
    queued = await editor.send(session_id, "u", SHORT)
    assert await editor.send(session_id, "u", SHORT) == queued
    assert queued["outcome"] == "queued"
    assert await editor.turn_ended("t") == "completed"
    assert await editor.turn_ended("u") == "completed"
    assert await editor.send(session_id, "u", SHORT) == {"outcome": "started"}
    messages = (await editor.ask("wave/session/snapshot", sessionId=session_id))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"] * 2


async def test_a_cancelled_turn_says_so(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", LONG)
    await editor.event("assistantContentUpdated")
    assert await editor.ask("wave/turn/cancel", sessionId=session_id) == {"ok": True}
    assert await editor.turn_ended("t") == "cancelled"
    assert (await state_of(editor, session_id))["busy"] is False
    await editor.send(session_id, "u", SHORT)
    assert await editor.turn_ended("u") == "completed"
    editor.inbox.read_all()


async def test_cancelling_with_an_open_approval_denies_it_and_ends_the_old_turn(editor, work):
    """Left open, the request would hold the old turn for ever (wire facts: abort)."""
    session_id = await editor.new(work)
    await editor.send(session_id, "t", ASKING)
    request = await editor.inbox.until("wave/permission/requested")
    await editor.ask("wave/turn/cancel", sessionId=session_id)
    resolved = await editor.inbox.until("wave/permission/resolved")
    assert (resolved["requestId"], resolved["outcome"]) == (request["requestId"], "withdrawn")
    assert await editor.turn_ended("t") == "cancelled"
    await editor.send(session_id, "u", SHORT)
    assert await editor.turn_ended("u") == "completed"
    assert not (work / "asked").exists()
    editor.inbox.read_all()


async def test_cancelling_takes_back_what_was_queued(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", LONG)
    await editor.send(session_id, "u", SHORT)
    await editor.ask("wave/turn/cancel", sessionId=session_id)
    assert await editor.turn_ended("t") == "cancelled"
    assert await editor.turn_ended("u") == "cancelled"
    assert (await editor.ask("wave/queue/list", sessionId=session_id)) == {"messages": []}
    editor.inbox.read_all()


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([], "empty"),
        ([{"type": "text", "text": " \n"}], "empty"),
        ([{"type": "bang", "command": " "}], "command is empty"),
        ([{"type": "bang", "command": "ls"}, {"type": "text", "text": "x"}], "only part"),
        ([{"type": "song", "text": "x"}], "song"),
        ([{"type": "text"}], "text"),
    ],
    ids=str,
)
async def test_what_would_wedge_the_cli_is_refused_before_it(editor, work, parts, words):
    session_id = await editor.new(work)
    with pytest.raises(Refused, match=words) as refused:
        await editor.ask("wave/turn/start", sessionId=session_id, clientTurnId="t", parts=parts)
    assert refused.value.kind == "invalidParams"
    await editor.send(session_id, "t", SHORT)
    assert await editor.turn_ended("t") == "completed"


async def test_an_image_goes_along(editor, work):
    session_id = await editor.new(work)
    data = "data:image/png;base64," + base64.b64encode(b"\x89PNG not really").decode()
    await editor.send(session_id, "t", SHORT, {"type": "image", "path": data, "mimeType": "image/png"})
    message = (await editor.event("userMessageAdded"))["message"]
    assert [block["type"] for block in message["blocks"]] == ["text", "image"]
    assert await editor.turn_ended("t") == "completed"


@pytest.mark.req("T9.4", "TB13")
async def test_a_command_shows_its_output_while_it_runs(editor, work):
    session_id = await editor.new(work)
    await editor.bang(session_id, "t", "echo one; sleep 0.4; echo two")
    block = (await editor.event("userMessageAdded"))["message"]["blocks"][0]
    live = await editor.event(
        "toolBlockUpdated", lambda p: p.get("stage") == "running" and "one" in p.get("result", "")
    )
    assert "two" not in live["result"]
    assert live["id"] == block["id"]
    end = await editor.event("toolBlockUpdated", lambda p: p.get("stage") == "end")
    assert end["result"].split() == ["one", "two"]
    assert await editor.turn_ended("t") == "completed"


async def test_a_command_can_be_stopped(editor, work):
    session_id = await editor.new(work)
    await editor.bang(session_id, "t", "sleep 60")
    await editor.event("userMessageAdded")
    await editor.ask("wave/turn/cancel", sessionId=session_id)
    assert await editor.turn_ended("t") == "cancelled"
    editor.inbox.read_all()


@pytest.mark.req("T10.1", "T10.2", "T10.3", "TB12")
async def test_deltas_reach_the_panel_as_the_cli_cut_them(editor, work):
    session_id = await editor.new(work)
    directive = {
        "reasoning": "let me see",
        "text": "so it is",
        "chunks": 4,
        "tool": {"name": "Write", "args": {"file_path": "n.txt", "content": "hello"}},
    }
    await editor.ask("wave/session/setMode", sessionId=session_id, mode="bypassPermissions")
    await editor.send(session_id, "t", f"[[{json.dumps(directive)}]]" + SHORT)
    assert await editor.turn_ended("t") == "completed"
    by_method: dict[str, list] = {}
    for event in editor.events():
        by_method.setdefault(event["method"], []).append(event["params"])
    for method, whole in (("assistantReasoningUpdated", "let me see"), ("assistantContentUpdated", "so it isshort")):
        deltas = by_method[method]
        assert "".join(delta["chunk"] for delta in deltas) == whole
        assert all("accumulated" not in delta for delta in deltas)
        assert (deltas[-1]["chunk"], deltas[-1]["stage"]) == ("", "end")
    streamed = [p for p in by_method["toolBlockUpdated"] if p["stage"] == "streaming"]
    (end,) = [p for p in by_method["toolBlockUpdated"] if p["stage"] == "end"]
    assert all("parameters" not in params for params in streamed)
    assert json.loads("".join(params["parametersChunk"] for params in streamed)) == json.loads(end["parameters"])
    assert end["success"] is True
    assert (work / "n.txt").read_text() == "hello"
