"""The ways to misbehave that tests of the bridge ask for."""

from __future__ import annotations

import asyncio
import json
import signal
import sys

import pytest
from cli_client import is_message, scripted


def asked(on, **fault):
    return {"WAVE_EMBEDDED_FAULT": json.dumps({"on": on, **fault})}


async def begin(start, *directives):
    cli = await start()
    session = await cli.session(str(start.workdir))
    cli.send("sendMessage", {"text": scripted(*directives)}, session)
    return cli, session


@pytest.mark.parametrize("code", [0, 7])
async def test_it_exits_in_mid_turn(start, code):
    """Without a word: no end of the block, no response. What was said before is out."""
    cli, session = await begin(start, {"text": "abcd", "chunks": 4, "fault": "exit", "after": 2, "code": code})
    assert await cli.ended() == code
    chunks = [event["params"] for event in cli.events(session, "assistantContentUpdated")]
    assert [chunk["chunk"] for chunk in chunks] == ["a", "b"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
async def test_it_is_killed_in_mid_turn(start):
    cli, _ = await begin(start, {"text": "abcd", "fault": "kill"})
    assert await cli.ended() == -signal.SIGKILL


async def test_it_exits_at_once_with_a_reason(start):
    cli = await start(**asked("start", fault="exit", code=3, message="no such module"))
    assert await cli.ended() == 3
    assert b"no such module" in cli.stderr


async def test_it_answers_nothing_any_more(start):
    """Not even the end of the input ends it: only killing does."""
    cli, session = await begin(start, {"text": "ab", "chunks": 2, "fault": "hang", "after": 1})
    await cli.wait("assistantContentUpdated")
    cli.send("getMessages", None, session)
    cli.process.stdin.close()
    with pytest.raises(TimeoutError):
        await _ended_within(cli, 0.5)


async def test_it_answers_nothing_from_a_method_on(start):
    cli = await start(**asked("initialize", fault="hang"))
    cli.send("initialize", {"workdir": str(start.workdir)})
    cli.process.stdin.close()
    with pytest.raises(TimeoutError):
        await _ended_within(cli, 0.5)
    assert cli.log == []


async def _ended_within(cli, seconds):
    async with asyncio.timeout(seconds):
        await cli.process.wait()


async def test_it_floods_stderr(start):
    cli, _ = await begin(start, {"text": "ok", "fault": "stderr", "bytes": 3_000_000})
    await cli.wait(lambda line: is_message(line) and line.get("id") == 2)
    await cli.close()
    assert len(cli.stderr) > 3_000_000


async def test_it_sends_a_huge_line_and_lines_that_are_no_messages(start):
    huge, junk = {"fault": "line", "bytes": 1 << 24}, {"fault": "junk", "lines": ["not json", "null", ""]}
    cli, session = await begin(start, {"text": "a", **huge})
    await cli.answer(2)
    await cli.call("sendMessage", {"text": scripted({"text": "b", **junk})}, session)
    assert any(is_message(line) and len(line.get("params", {}).get("text", "")) == 1 << 24 for line in cli.log)
    assert [line for line in cli.log if not is_message(line)] == ["not json", None, ""]
