"""Spawn, death and the close ladder, each with real processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

import psutil
import pytest
from agent_fakes import QUICK, SCRIPT, Notebook, alive, dead, do, fake, running

from wave_bridge.agent.client import AgentClient
from wave_bridge.agent.process import AgentCommand
from wave_bridge.core.limits import STDERR_TAIL
from wave_bridge.errors import AgentCrashed, AgentUnavailable

SLEEPER = [sys.executable, "-SEs", "-c", "import time; time.sleep(600)"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="process groups and signals are POSIX's")


# Spawn


@pytest.mark.req("TB10")
async def test_the_environment_is_inherited(monkeypatch):
    monkeypatch.setenv("WAVE_TEST_INHERITED", "yes")
    async with running(fake()) as (client, _):
        answer = client.request("sendMessage", do(["environment", "WAVE_TEST_INHERITED"]), "s")
        assert await answer == b'"yes"'


@pytest.mark.req("TB10")
async def test_an_environment_that_is_given_is_the_whole_one(monkeypatch):
    monkeypatch.setenv("WAVE_TEST_INHERITED", "yes")
    async with running(fake(env={"WAVE_TEST_GIVEN": "this"})) as (client, _):
        assert await client.request("sendMessage", do(["environment", "WAVE_TEST_GIVEN"]), "s") == b'"this"'
        assert await client.request("sendMessage", do(["environment", "WAVE_TEST_INHERITED"]), "s") == b"null"


async def test_no_shell_touches_the_command(tmp_path):
    folder = tmp_path / "o'brien $(touch x) ; é"
    folder.mkdir()
    script = folder / "agent.py"
    script.write_bytes(SCRIPT.read_bytes())
    command = AgentCommand((sys.executable, "-SEs", str(script)), cwd=str(folder))
    async with running(command) as (client, _):
        await client.request("listDaemonSessions")
        assert psutil.Process(client.pid).cwd() == str(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["agent.py"]


@pytest.mark.parametrize(
    ("argv", "cwd", "fault"),
    [
        (("/nonexistent/wave", "--stdio"), None, FileNotFoundError),
        (("/",), None, PermissionError),
        ((sys.executable,), "/nonexistent", FileNotFoundError),
        ((sys.executable, "a\0b"), None, ValueError),
    ],
)
async def test_what_cannot_be_started_says_so(argv, cwd, fault):
    with pytest.raises(fault):
        await AgentClient.spawn(AgentCommand(argv, cwd=cwd), 1, Notebook().ports(), QUICK)


# Stderr


@pytest.mark.req("T7.3")
async def test_stderr_is_passed_on_as_it_comes():
    utf8, gbk = "警告：磁盘\n".encode(), "错误：磁盘\n".encode("gbk")
    async with running(fake("--say", "first")) as (client, notebook):
        await notebook.until("stderr", lambda text: text == "first\n")
        for line in (utf8, gbk, b"unfinished"):
            await client.request("sendMessage", do(["stderr", line.hex()], ["answer", 0]), "s")
        await notebook.until("stderr", lambda text: text.endswith("错误：磁盘\n"))
        client.call("sendMessage", do(["exit", 3]), "s", notebook.write("reply"))
        ended = await notebook.until("ended")
        assert "".join(notebook.of("stderr")) == "first\n警告：磁盘\n错误：磁盘\nunfinished"
        assert ended.stderr == "first\n警告：磁盘\n错误：磁盘\nunfinished"
        assert [kind for kind, _ in notebook.log][-1] == "ended"


async def test_a_flood_of_stderr_neither_stalls_the_cli_nor_fills_memory():
    async with running(fake()) as (client, notebook):
        await client.request("sendMessage", do(["flood", 2, 100 << 20], ["answer", "done"]), "s")
        client.call("sendMessage", do(["exit", 0]), "s", notebook.write("reply"))
        ended = await notebook.until("ended")
        passed_on = "".join(notebook.of("stderr"))
        assert len(passed_on) < 10 << 20
        assert "bytes of stderr left out" in passed_on
        assert len(ended.stderr) <= STDERR_TAIL


# Death


@pytest.mark.req("T7.1")
@pytest.mark.parametrize(("fd", "reason"), [(1, "stdoutClosed"), (0, "stdinClosed")])
async def test_a_cli_that_closes_a_pipe_and_lives_on_is_ended(fd, reason):
    async with running(fake()) as (client, notebook):
        verbs = do(["close", fd], ["sleep", 600])
        with pytest.raises(AgentCrashed):
            await client.request("sendMessage", verbs, "s")
        ended = await notebook.until("ended")
        assert (ended.reason, ended.signal) == (reason, "SIGKILL")


async def test_a_broken_pipe_in_mid_write_is_the_same_event():
    """More is being written than the pipe holds when the CLI closes its end: EPIPE, no exception anywhere."""
    faults = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    script = "import os, time; os.read(0, 1); os.close(0); time.sleep(600)"
    async with running(AgentCommand((sys.executable, "-SEs", "-c", script))) as (client, notebook):
        pending = [client.request("sendMessage", {"text": "A" * (4 << 20)}, "s") for _ in range(3)]
        ended = await notebook.until("ended")
        assert ended.reason == "stdinClosed"
        for future in pending:
            with pytest.raises(AgentCrashed):
                await future
        assert not faults


async def test_an_exit_that_shows_as_eof_first_is_an_exit():
    async with running(fake()) as (client, notebook):
        client.call("sendMessage", do(["close", 1], ["close", 0], ["exit", 5]), "s", notebook.write("reply"))
        ended = await notebook.until("ended")
        assert (ended.reason, ended.exit_code) == ("exited", 5)


async def test_a_grandchild_that_holds_the_pipes_delays_the_end_only_so_long():
    """It reads nothing and closes nothing; what was written for the CLI and never read must not hold up the end."""
    async with running(fake()) as (client, notebook):
        heir = int(await client.request("sendMessage", do(["heir", "600"]), "s"))
        client.call("sendMessage", do(["sleep", 0.1], ["exit", 1]), "s", notebook.write("reply"))
        client.call("sendMessage", {"text": "A" * (4 << 20)}, "s", notebook.write("reply"))
        began = time.monotonic()
        await notebook.until("ended")
        assert time.monotonic() - began < QUICK.drain + 1
    os.kill(heir, signal.SIGKILL)


async def test_a_cli_that_half_died_takes_its_children_along():
    async with running(fake()) as (client, notebook):
        child = int(await client.request("sendMessage", do(["child", SLEEPER]), "s"))
        client.call("sendMessage", do(["close", 1], ["sleep", 600]), "s", notebook.write("reply"))
        await notebook.until("ended")
        await dead(child)


@posix
async def test_the_group_of_a_crashed_cli_is_gone():
    """A wrapper that does not exec: the real CLI is its child and must not outlive it."""
    wrapper = AgentCommand(
        ("/bin/sh", "-c", '"$@" & echo "{\\"method\\":\\"pid\\",\\"params\\":$!}"; wait', "sh", *SLEEPER)
    )
    async with running(wrapper) as (client, notebook):
        real = int(bytes((await notebook.until("event")).params))
        os.kill(client.pid, signal.SIGKILL)
        await notebook.until("ended")
        await dead(real)


# The ladder


@pytest.mark.req("T7.4")
async def test_an_obedient_cli_is_gone_in_no_time():
    async with running(fake()) as (client, notebook):
        await client.request("listDaemonSessions")
        began = time.monotonic()
        await client.close()
        assert time.monotonic() - began < QUICK.close_grace / 2
        ended = await notebook.until("ended")
        assert (ended.reason, ended.exit_code, ended.signal) == ("closed", 0, None)


@pytest.mark.req("T7.4")
async def test_closing_twice_and_after_the_end_is_harmless():
    async with running(fake()) as (client, notebook):
        await asyncio.gather(client.close(), client.close())
        await client.close()
        assert len(notebook.of("ended")) == 1


async def test_what_the_cli_says_while_it_leaves_is_heard():
    script = 'import sys; sys.stdin.read(); print(\'{"method":"farewell","sessionId":"s"}\')'
    async with running(AgentCommand((sys.executable, "-SEs", "-c", script))) as (client, notebook):
        pending = client.request("sendMessage", {}, "s")
        await client.close()
        assert [event.method for event in notebook.of("event")] == ["farewell"]
        with pytest.raises(AgentUnavailable):
            await pending


@pytest.mark.req("T7.4")
async def test_a_deaf_cli_has_the_grace_and_no_more():
    async with running(fake("--deaf")) as (client, notebook):
        await client.request("listDaemonSessions")
        began = time.monotonic()
        await client.close()
        took = time.monotonic() - began
        assert QUICK.close_grace <= took < QUICK.close_grace + 1
        ended = await notebook.until("ended")
        assert (ended.reason, ended.signal) == ("closed", "SIGKILL")


@posix
async def test_no_signal_is_sent_within_the_grace():
    """The CLI has no handler for SIGTERM: it would die unsaved."""
    script = (
        "import signal, sys, time\n"
        'signal.signal(signal.SIGTERM, lambda *_: print(\'{"method":"terminated"}\', flush=True))\n'
        'print(\'{"method":"up"}\', flush=True)\n'
        'sys.stdin.read(); time.sleep(0.15); print(\'{"method":"saved"}\', flush=True)\n'
    )
    async with running(AgentCommand((sys.executable, "-SEs", "-c", script))) as (client, notebook):
        await notebook.until("event")
        await client.close()
        assert [event.method for event in notebook.of("event")] == ["up", "saved"]


@pytest.mark.parametrize("flags", [(), ("--deaf",)], ids=["obedient", "deaf"])
async def test_children_in_groups_of_their_own_are_gone_after_close(flags):
    """A Bash child has its own session, so neither the CLI's end nor the kill of its group reaches it."""
    async with running(fake(*flags)) as (client, _):
        pids = [int(await client.request("sendMessage", do(["child", SLEEPER]), "s")) for _ in range(3)]
        assert all(alive(pid) for pid in pids)
        await client.close()
        assert not any(alive(pid) for pid in pids)


async def test_a_child_that_ends_by_itself_has_time_to(tmp_path):
    """A server that the CLI started sees EOF when the CLI leaves, and may save."""
    saved = tmp_path / "saved"
    saver = ["/bin/sh", "-c", f"sleep 0.1; : >'{saved}'"]
    async with running(fake()) as (client, _):
        await client.request("sendMessage", do(["child", saver]), "s")
        await client.close()
        assert saved.exists()
