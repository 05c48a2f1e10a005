"""What the user sees when the CLI breaks, a row of docs/FAULTS.md each. It really breaks, in a real process."""

from __future__ import annotations

import asyncio
import contextlib

import psutil
import pytest
from breaking import QUICK, SLOW, broken_cli, comes_back, done, fault, opened, until_refused
from wave_client import Refused


@pytest.mark.req("T7.1", "T7.2")
async def test_a_cli_that_can_not_be_started_is_told_with_its_reason_and_breaks_nothing(machine):
    machine.env["WAVE_CLI_PATH"] = str(machine.root / "no-such-wave")
    editor = await machine.editor("editor")
    status = await editor.inbox.until("wave/agent/status")
    assert status["state"] == "down"
    assert "no-such-wave" in status["reason"]
    with pytest.raises(Refused) as refused:
        await editor.new(machine.folder("work"))
    assert refused.value.kind == "agentUnavailable"
    assert "no-such-wave" in refused.value.message
    assert (await editor.ask("wave/session/list", cwd=str(machine.folder("work"))))["sessions"] == []


@pytest.mark.req("T7.2", "T4.7")
async def test_a_cli_that_dies_at_once_opens_the_breaker_and_says_what_it_said(machine):
    """The stderr text is in the reason; requests are refused, not held for ever; a restart by hand tries again."""
    broken_cli(machine, "import sys; sys.exit('wave: the licence file is missing')")
    editor = await machine.editor("editor")
    with pytest.raises(Refused) as refused:
        await editor.new(machine.folder("work"))
    assert refused.value.kind == "agentUnavailable"
    assert "the licence file is missing" in refused.value.message
    down = await editor.inbox.until("wave/agent/status", lambda p: p["state"] == "down")
    assert "the licence file is missing" in down["reason"]
    assert any("licence" in message.message for message in editor.log_messages), "T7.3: the output channel has it"
    broken_cli(machine, "import runpy; runpy.run_module('wave_bridge.embedded', run_name='__main__', alter_sys=False)")
    await editor.ask("wave/agent/restart")
    await editor.inbox.until("wave/agent/status", lambda p: p["state"] == "ready")
    done(editor)


@pytest.mark.req("T7.1", "T7.5")
@pytest.mark.parametrize(
    ("directive", "words"),
    [
        ({"fault": "exit", "code": 0}, "exit code 0"),
        ({"fault": "exit", "code": 3, "message": "out of luck"}, "out of luck"),
        ({"fault": "kill"}, "SIGKILL"),
    ],
    ids=["exit 0", "exit 3", "kill -9"],
)
async def test_a_cli_that_ends_in_mid_turn_ends_the_turn_and_comes_back(machine, directive, words):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "first", QUICK)
    assert await panel.turn_ended("first") == "completed"
    before = (await panel.ask("wave/session/snapshot", sessionId=session_id))["messages"]
    await panel.send(session_id, "t", fault(text="half a ", chunks=4, after=2, **directive))
    ended = await panel.inbox.until("wave/session/state", lambda p: "turnEnded" in p)
    assert ended["turnEnded"]["reason"] == "agentCrashed"
    assert words in ended["turnEnded"]["detail"]
    assert ended["busy"] is False
    snapshot = await comes_back(machine, panel, session_id)
    assert snapshot["messages"][: len(before)] == before
    done(editor)


@pytest.mark.req("T7.1")
async def test_requests_under_way_fail_with_the_exit_code(machine):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", SLOW)
    asking = asyncio.create_task(panel.ask("wave/session/btw", sessionId=session_id, question=f"why? {SLOW}"))
    await panel.event("assistantContentUpdated")
    (cli,) = machine.running("wave_bridge.embedded")
    cli.kill()
    with pytest.raises(Refused) as refused:
        await asking
    assert refused.value.kind == "agentCrashed"
    assert refused.value.data["signal"] == "SIGKILL"
    assert refused.value.data["generation"] == 1
    await comes_back(machine, panel, session_id)
    done(editor)


async def test_what_was_queued_when_the_cli_died_waits_as_drafts_that_the_user_sends(machine):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", SLOW)
    for name in ("one", "two", "three"):
        assert (await panel.send(session_id, name, f"{name} {QUICK}"))["outcome"] == "queued"
    (cli,) = machine.running("wave_bridge.embedded")
    cli.kill()
    assert await panel.turn_ended("t") == "agentCrashed"
    for name in ("one", "two", "three"):
        assert await panel.turn_ended(name) == "agentCrashed"
    await comes_back(machine, panel, session_id)
    state = (await panel.ask("wave/session/snapshot", sessionId=session_id))["state"]
    assert (state["queue"], state["busy"]) == ([], False)
    assert [draft["text"].split()[0] for draft in state["drafts"]] == ["one", "two", "three"]
    one, two, three = (draft["id"] for draft in state["drafts"])
    assert await panel.ask("wave/queue/remove", sessionId=session_id, id=one) == {"ok": True}
    assert await panel.ask("wave/queue/sendNow", sessionId=session_id, id=three) == {"ok": True}
    assert await panel.turn_ended(f"draft:{three}") == "completed"
    snapshot = await panel.ask("wave/session/snapshot", sessionId=session_id)
    said = [block["content"].split()[0] for m in snapshot["messages"] if m["role"] == "user" for block in m["blocks"]]
    assert said[-1] == "three"
    assert not {"one", "two"} & set(said)
    assert [draft["id"] for draft in snapshot["state"]["drafts"]] == [two]
    done(editor)


async def test_an_approval_that_was_open_is_withdrawn_and_its_late_answer_does_no_harm(machine):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", '[[{"tool": {"name": "Bash", "args": {"command": "touch x"}}}]]')
    request = await panel.inbox.until("wave/permission/requested")
    (cli,) = machine.running("wave_bridge.embedded")
    cli.kill()
    resolved = await panel.inbox.until("wave/permission/resolved")
    assert resolved["outcome"] == "withdrawn"
    await comes_back(machine, panel, session_id)
    await panel.send(session_id, "u", '[[{"tool": {"name": "Bash", "args": {"command": "touch y"}}}]]')
    second = await panel.inbox.until("wave/permission/requested")
    assert second["requestId"] != request["requestId"]
    late = await panel.ask("wave/permission/respond", requestId=request["requestId"], decision={"behavior": "allow"})
    assert late == {"outcome": "expired"}
    assert (await panel.ask("wave/permission/list"))["requests"] == [second]
    assert not (machine.folder("work") / "y").exists()
    await panel.ask("wave/turn/cancel", sessionId=session_id)
    done(editor)


async def test_a_cli_that_answers_nothing_is_given_up_and_started_again(machine):
    """It hangs, not even taking the end of its input: a restart by hand kills it and what it started."""
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "first", QUICK)
    assert await panel.turn_ended("first") == "completed"
    await panel.send(session_id, "t", fault(fault="hang", text="silence", after=1))
    await panel.event("assistantContentUpdated")
    await panel.ask("wave/agent/restart")
    assert await panel.turn_ended("t") == "agentCrashed"
    await comes_back(machine, panel, session_id)
    done(editor)


@pytest.mark.req("T5.4", "T5.5")
async def test_junk_on_stdout_is_counted_and_costs_no_message(machine):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", fault(fault="junk", text="whole and undamaged", chunks=4, after=2))
    assert await panel.turn_ended("t") == "completed"
    assert panel.deltas().startswith("whole and")
    assert (await editor.ask("wave/daemon/status"))["agents"][0]["garbage"] >= 8
    await panel.send(session_id, "u", QUICK)
    assert await panel.turn_ended("u") == "completed"
    done(editor)


@pytest.mark.req("T7.3")
async def test_a_flood_on_stderr_reaches_the_log_in_part_and_stops_nothing(machine):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", fault(fault="stderr", bytes=32 << 20, text="not disturbed", after=1))
    assert await panel.turn_ended("t") == "completed"
    told = sum(len(message.message) for message in editor.log_messages)
    assert 0 < told < 4 << 20
    await panel.send(session_id, "u", QUICK)
    assert await panel.turn_ended("u") == "completed"
    done(editor)


async def test_a_line_of_16_megabytes_arrives_whole(machine):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", fault(fault="line", bytes=16 << 20, text="after the big one"))
    assert await panel.turn_ended("t") == "completed"
    assert panel.deltas() == "after the big one"
    assert (await editor.ask("wave/daemon/status"))["agents"][0]["status"]["generation"] == 1
    done(editor)


async def test_a_cli_that_closes_its_output_or_its_input_is_replaced(machine):
    """It lives on but can't be spoken with: that is an end like any other."""
    body = """
import json, os, sys
from pathlib import Path
mark = Path(__file__).with_name('closed')
for line in sys.stdin:
    message = json.loads(line)
    if message.get('method') == 'initialize':
        wanted = message['params'].get('restoreSessionId') or '00000000-0000-4000-8000-000000000001'
        answer = {'sessionId': wanted, 'workingDirectory': message['params']['workdir']}
    else:
        answer = {'sessions': []} if message.get('method') == 'listDaemonSessions' else {'messages': []}
    if message.get('method') == 'setPermissionMode' and not mark.exists():
        mark.touch()
        os.close(%d)
        while True:
            __import__('time').sleep(60)
    print(json.dumps({'id': message.get('id'), 'result': answer}), flush=True)
"""
    for descriptor in (1, 0):
        broken_cli(machine, body % descriptor)
        (machine.root / "closed").unlink(missing_ok=True)
        editor = await machine.editor(f"editor {descriptor}")
        await editor.ask("wave/agent/restart")
        session_id = await editor.new(machine.folder("work"))
        with pytest.raises(Refused) as refused:
            await until_refused(editor, "wave/session/setMode", sessionId=session_id, mode="plan")
        assert refused.value.kind in {"agentCrashed", "agentUnavailable"}
        await editor.state(reason="restored")
        await editor.ask("wave/session/close", sessionId=session_id)
        done(editor)


async def test_a_cli_with_children_of_its_own_leaves_none_when_it_is_killed(machine):
    """Bash children have process groups of their own: the whole family goes."""
    editor, panel, session_id = await opened(machine)
    await panel.bang(session_id, "t", "sleep 300 & echo child=$!.; wait")
    shown = await panel.event("toolBlockUpdated", lambda p: "." in p.get("result", ""))
    child = psutil.Process(int(shown["result"].partition("child=")[2].partition(".")[0]))
    await editor.ask("wave/agent/restart")
    await panel.state(reason="restored")
    with contextlib.suppress(psutil.NoSuchProcess):
        assert await asyncio.to_thread(_gone, child)
    done(editor)


def _gone(process):
    try:
        process.wait(10)
    except psutil.TimeoutExpired:
        return False
    return True


@pytest.mark.req("T8.4", "T11.4")
async def test_a_cli_that_is_slow_to_stop_gets_nothing_new_before_its_last_words(machine):
    """It answers `abortMessage` first (wire facts: abort); the machine may leave it waiting before it says the rest."""
    broken_cli(
        machine,
        """
import json, os, select, sys, time
from pathlib import Path

session = '00000000-0000-4000-8000-000000000001'
too_early = Path(__file__).with_name('too-early')
kept = b''

def say(**message):
    print(json.dumps(message), flush=True)

def tell(method, **params):
    say(method=method, params=params, sessionId=session)

def answer(message, result):
    say(id=message['id'], result=result)

def begin(text):
    user = {'id': text, 'role': 'user', 'blocks': [{'type': 'text', 'content': text}], 'timestamp': ''}
    tell('userMessageAdded', message=user)
    tell('loadingChange', loading=True, latestTotalTokens=0)

while data := os.read(0, 1 << 16):
    *lines, kept = (kept + data).split(b'\\n')
    for line in lines:
        message = json.loads(line)
        match message.get('method'):
            case 'initialize':
                answer(message, {'sessionId': session, 'workingDirectory': message['params']['workdir']})
            case 'sendMessage' if message['params']['text'] == 'first':
                begin('first')
                first = message
            case 'sendMessage':
                begin('second')
                tell('loadingChange', loading=False, latestTotalTokens=0)
                answer(message, None)
            case 'abortMessage':
                tell('loadingChange', loading=False, latestTotalTokens=0)
                answer(message, None)
                time.sleep(0.5)
                if select.select([0], [], [], 0)[0]:
                    kept += os.read(0, 1 << 16)
                    too_early.write_bytes(kept)
                tell('errorBlockAdded', error='Request was aborted')
                answer(first, None)
                more, kept = kept.split(b'\\n')[:-1], kept.split(b'\\n')[-1]
                lines.extend(more)
            case 'listDaemonSessions':
                answer(message, {'sessions': []})
            case _ if 'id' in message:
                answer(message, {'messages': []})
""",
    )
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "one", "first")
    stopping = asyncio.ensure_future(panel.ask("wave/turn/cancel", sessionId=session_id))
    await asyncio.sleep(0)  # it is written
    await panel.send(session_id, "two", "second")
    await stopping
    assert await panel.turn_ended("two") == "completed"
    early = (machine.root / "too-early").read_text() if (machine.root / "too-early").exists() else ""
    assert "sendMessage" not in early
    assert "listDaemonSessions" in early  # it was asked whether it had come round, and only that
    done(editor)
