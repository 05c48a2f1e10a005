"""Approvals: everybody who watches is asked, the first answer wins, nothing stays open behind a stopped turn."""

from __future__ import annotations

import json

import pytest

DONE = '[[{"text": "done", "chunks": 1}]]'
ALLOW, DENY = {"behavior": "allow"}, {"behavior": "deny", "message": "not today"}


def tool(name, **args):
    return f"[[{json.dumps({'tool': {'name': name, 'args': args}})}]]{DONE}"


def touch(name):
    return tool("Bash", command=f"touch {name}")


async def requested(peer):
    return await peer.inbox.until("wave/permission/requested")


async def respond(peer, request, decision):
    return (await peer.ask("wave/permission/respond", requestId=request["requestId"], decision=decision))["outcome"]


async def test_a_tool_runs_when_it_is_allowed(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", touch("made"))
    request = await requested(editor)
    assert request["sessionId"] == session_id
    assert request["context"]["toolInput"]["command"] == "touch made"
    assert (await editor.ask("wave/permission/list")) == {"requests": [request]}
    assert (await editor.ask("wave/permission/list", sessionId=session_id)) == {"requests": [request]}
    assert not (work / "made").exists()
    assert await respond(editor, request, ALLOW) == "resolved"
    resolved = await editor.inbox.until("wave/permission/resolved")
    assert resolved == {"requestId": request["requestId"], "sessionId": session_id, "outcome": "allowed"}
    assert await editor.turn_ended("t") == "completed"
    assert (work / "made").exists()
    assert (await editor.ask("wave/permission/list")) == {"requests": []}


async def test_a_denied_tool_does_not_run_and_the_agent_hears_why(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", touch("made"))
    assert await respond(editor, await requested(editor), DENY) == "resolved"
    end = await editor.event("toolBlockUpdated", lambda p: p.get("stage") == "end")
    assert end["success"] is False
    assert "not today" in end["result"]
    assert await editor.turn_ended("t") == "completed"
    assert not (work / "made").exists()


async def test_two_editors_are_asked_and_the_first_answer_wins(machine):
    one, other = await machine.editor("one"), await machine.editor("other")
    work = machine.folder("work")
    session_id = await one.new(work)
    await other.ask("wave/session/resume", sessionId=session_id)
    await one.send(session_id, "t", touch("made"))
    request = await requested(one)
    assert await requested(other) == request
    assert await respond(other, request, DENY) == "resolved"
    assert await respond(one, request, ALLOW) == "alreadyResolved"
    for peer in (one, other):
        assert (await peer.inbox.until("wave/permission/resolved"))["outcome"] == "denied"
        assert await peer.turn_ended("t") == "completed"
    assert not (work / "made").exists()


async def test_an_answer_to_nothing_is_unknown(editor, work):
    await editor.new(work)
    assert await respond(editor, {"requestId": "x/perm_1"}, ALLOW) == "unknown"
    assert await respond(editor, {"requestId": ""}, ALLOW) == "unknown"


async def test_a_panel_that_joins_finds_what_is_pending(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", touch("made"))
    request = await requested(editor)
    panel = await editor.open_panel("late")
    snapshot = await panel.ask("wave/session/load", sessionId=session_id)
    assert snapshot["approvals"] == [request]
    assert await respond(panel, request, ALLOW) == "resolved"
    assert await panel.turn_ended("t") == "completed"
    assert await editor.turn_ended("t") == "completed"


async def test_several_at_once_are_answered_in_any_order(editor, work):
    session_id = await editor.new(work)
    other_id = await editor.new(work)
    await editor.send(session_id, "t", touch("first"))
    first = await requested(editor)
    await editor.send(other_id, "u", touch("second"))
    second = await requested(editor)
    assert [r["requestId"] for r in (await editor.ask("wave/permission/list"))["requests"]] == [
        first["requestId"],
        second["requestId"],
    ]
    assert await respond(editor, second, ALLOW) == "resolved"
    assert await editor.turn_ended("u") == "completed"
    assert (work / "second").exists()
    assert not (work / "first").exists()
    assert await respond(editor, first, ALLOW) == "resolved"
    assert await editor.turn_ended("t") == "completed"


@pytest.mark.parametrize("how", ["cancel", "close", "sendNow"])
async def test_stopping_the_turn_withdraws_what_it_waits_for(editor, work, how):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", touch("made"))
    request = await requested(editor)
    match how:
        case "cancel":
            await editor.ask("wave/turn/cancel", sessionId=session_id)
        case "close":
            panel = await editor.open_panel("watcher")
            await editor.ask("wave/session/close", sessionId=session_id)
            assert panel.inbox.notes == [] or panel.inbox.read_all()
        case "sendNow":
            queued = await editor.send(session_id, "u", DONE)
            await editor.ask("wave/queue/sendNow", sessionId=session_id, id=queued["queueId"])
            assert await editor.turn_ended("t") == "cancelled"
            assert await editor.turn_ended("u") == "completed"
    assert await respond(editor, request, ALLOW) == "expired"
    assert not (work / "made").exists()
    editor.inbox.read_all()


async def test_a_rule_is_remembered(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", touch("one"))
    request = await requested(editor)
    assert await respond(editor, request, {**ALLOW, "newPermissionRule": "Bash(touch one)"}) == "resolved"
    assert await editor.turn_ended("t") == "completed"
    (work / "one").unlink()
    await editor.send(session_id, "u", touch("one"))
    assert await editor.turn_ended("u") == "completed"
    assert (work / "one").exists()
    rules = json.loads((work / ".wave" / "settings.local.json").read_text())["permissions"]["allow"]
    assert rules == ["Bash(touch one)"]


@pytest.mark.req("T8.3")
async def test_allowing_may_switch_the_mode_and_the_cache_follows(editor, work):
    session_id = await editor.new(work)
    await editor.send(session_id, "t", tool("Write", file_path="a.txt", content="x"))
    await respond(editor, await requested(editor), {**ALLOW, "newPermissionMode": "acceptEdits"})
    assert await editor.turn_ended("t") == "completed"
    state = (await editor.ask("wave/session/snapshot", sessionId=session_id))["state"]
    assert state["permissionMode"] == "acceptEdits"
    await editor.send(session_id, "u", tool("Write", file_path="b.txt", content="y"))
    assert await editor.turn_ended("u") == "completed"
    assert (work / "b.txt").read_text() == "y"


async def test_a_question_is_answered_with_the_users_choice(editor, work):
    session_id = await editor.new(work)
    question = {"question": "Which?", "header": "w", "options": [{"label": "this"}, {"label": "that"}]}
    await editor.send(session_id, "t", tool("AskUserQuestion", questions=[question]))
    request = await requested(editor)
    assert request["context"]["toolName"] == "AskUserQuestion"
    await respond(editor, request, {**ALLOW, "message": json.dumps({"Which?": "that"})})
    end = await editor.event("toolBlockUpdated", lambda p: p.get("stage") == "end")
    assert "that" in end["result"]
    assert await editor.turn_ended("t") == "completed"
