"""The process: its start, its version, and each way in which it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

import psutil
import pytest
from cli_client import is_event, is_message, scripted, tool

from wave_bridge import __version__


async def test_the_version_is_printed(start, only_embedded):
    for flag in ("-v", "--version"):
        argv = [sys.executable, "-m", "wave_bridge.embedded", flag]
        process = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE)
        output, _ = await process.communicate()
        assert (output.decode().strip(), process.returncode) == (__version__, 0)


async def test_the_first_initialize_is_answered_soon(start, only_embedded):
    """Best of three: a bridge starts the CLI while a user looks at an empty panel."""
    took = []
    for _ in range(3):
        began = time.perf_counter()
        cli = await start()
        await cli.session(str(start.workdir))
        took.append(time.perf_counter() - began)
        await cli.close()
    assert min(took) < 0.6, took  # 0.2 s on an idle machine


async def test_before_the_response_nothing_carries_the_id(cli, start):
    session = await cli.session(str(start.workdir), permissionMode="plan")
    before = [line for line in cli.log if is_message(line) and "method" in line]
    assert [(line["method"], "sessionId" in line) for line in before] == [
        ("permissionModeChange", False),
        ("mcpServersChange", False),
    ]
    info = await cli.call("getSessionInfo", None, session)
    assert info["permissionMode"] == "plan"
    assert info["workingDirectory"] == str(start.workdir)
    assert "Bash" in info["availableTools"]


async def test_the_workdir_is_taken_verbatim(cli, start):
    assert (await cli.call("initialize"))["workingDirectory"] == str(start.workdir)
    for workdir in (".", "~", "/no/such/folder"):
        assert (await cli.call("initialize", {"workdir": workdir}))["workingDirectory"] == workdir


async def test_the_end_of_the_input_ends_everything_well(cli, session):
    """stdin EOF in mid-turn: abort, save, last words, exit 0."""
    await cli.call("setPermissionMode", {"mode": "bypassPermissions"}, session)
    pending = cli.send("sendMessage", {"text": scripted({"text": "abcdefgh", "chunks": 8, "delay": 0.2})}, session)
    await cli.wait("assistantContentUpdated")
    began = time.monotonic()
    assert await cli.close() == 0
    assert time.monotonic() - began < 5.5
    assert {"id": pending, "result": None} in cli.log
    assert [event["method"] for event in cli.events(session)][-2:] == ["assistantContentUpdated", "errorBlockAdded"]


async def test_children_die_with_the_end_of_the_input(cli, session, start, only_embedded):
    """Running commands are killed: a background one, a foreground one and a `!` one."""
    await cli.call("setPermissionMode", {"mode": "bypassPermissions"}, session)
    other = await cli.session(str(start.workdir))
    command = "echo pid=$$; exec sleep 300"
    in_background = tool("Bash", command=command, run_in_background=True)
    await cli.call("sendMessage", {"text": scripted(in_background, {"text": "ok"})}, session)
    task = cli.events(session, "backgroundTasksChange")[-1]["params"]["tasks"][0]
    while (
        "pid="
        not in (output := await cli.call("getBackgroundTaskOutput", {"taskId": task["id"]}, session))["output"][
            "stdout"
        ]
    ):
        pass  # each look is a round trip
    shown = [_pid(output["output"]["stdout"])]
    cli.send("sendMessage", {"text": scripted(tool("Bash", command=command))}, session)
    cli.send("bang", {"command": command}, other)
    for owner in (session, other):
        told = await cli.wait(lambda line, owner=owner: _tells_pid(line) and line["sessionId"] == owner)
        shown.append(_pid(told["params"]["result"]))
    children = [psutil.Process(pid) for pid in shown]
    assert await cli.close() == 0
    _, alive = psutil.wait_procs(children, timeout=5)
    assert not alive


def _tells_pid(line):
    return is_event(line, "toolBlockUpdated") and "pid=" in line["params"].get("result", "")


def _pid(text):
    return int(text.split("pid=")[1].split()[0])


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_dies_of_signals(cli, session, number):
    """No handler: the exit status tells the signal. That is why nobody should send one."""
    os.kill(cli.process.pid, number)
    assert await cli.ended() == -number


async def test_a_reader_that_goes_ends_it(start):
    cli = await start()
    await cli.session(str(start.workdir))
    cli.process._transport.get_pipe_transport(1).close()
    for _ in range(3):
        cli.send("listDaemonSessions")
    async with asyncio.timeout(10):
        assert await cli.process.wait() == 1
    await cli.kill()


async def test_a_reader_that_stalls_loses_nothing(cli, session):
    """The CLI neither blocks nor drops: it goes on and everything comes in order later."""
    cli.process.stdout._transport.pause_reading()
    text = "".join(f"{number:07}" for number in range(20_000))
    cli.send("sendMessage", {"text": scripted({"text": "x" * 200_000, "chunks": 20_000})}, session)
    done = cli.send("askBtw", {"question": scripted({"text": text, "chunks": 1})}, session)
    cli.process.stdout._transport.resume_reading()
    assert await cli.answer(done) == text
    await cli.wait(lambda line: is_message(line) and line.get("params", {}).get("stage") == "end")
    chunks = [event["params"]["chunk"] for event in cli.events(session, "assistantContentUpdated")]
    assert "".join(chunks) == "x" * 200_000
