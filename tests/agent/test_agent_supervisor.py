"""Generations of the CLI: one failure path, back-off, breaker, restart by hand."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

import anyio
import msgspec
import pytest
from agent_fakes import QUICK, Notebook, alive, do, fake, heard, made, supervised, supervisor_of

from wave_bridge.agent.process import AgentCommand
from wave_bridge.errors import AgentCrashed, AgentError, AgentUnavailable

SCRIPTED = (sys.executable, "-SEs", "-c")


def states(notebook) -> list[tuple[str, int, object]]:
    return [(status.state, status.generation, status.phase or "") for status in notebook.of("status")]


def first_start(generation: int) -> list[tuple[str, int, object]]:
    return [("starting", generation, phase) for phase in ("locate", "spawn", "handshake", "restore")]


async def until_ready(notebook, generation: int):
    return await notebook.until("status", lambda it: it.state in {"ready", "degraded"} and it.generation == generation)


@pytest.mark.req("T6.1")
async def test_one_process_answers_everybody():
    async with supervised(fake()) as (supervisor, notebook):
        lines = [heard(await supervisor.request("getMcpServers", {}, session)) for session in ("a", "b", "c")]
        assert [line["sessionId"] for line in lines] == ["a", "b", "c"]
        assert states(notebook) == [*first_start(1), ("ready", 1, "")]


@pytest.mark.req("T7.1")
@pytest.mark.parametrize(
    "verb",
    [["exit", 0], ["exit", 1], ["kill", int(signal.SIGKILL)], ["close", 1], ["close", 0]],
    ids=["exit 0", "exit 1", "kill -9", "EOF", "broken pipe"],
)
async def test_every_death_takes_the_one_path(verb):
    """Drain, answer each request, `ended`, wait, next generation, restored, ready."""
    async with supervised(fake()) as (supervisor, notebook):
        verbs = do(["notify", "assistantContentUpdated", {"chunk": "x"}, "s"], verb, ["sleep", 600])
        supervisor.call("sendMessage", verbs, "s", notebook.write("reply"))
        await until_ready(notebook, 2)
        assert heard(await supervisor.request("getMcpServers", {}, "s"))["id"] == 2
        story = [kind for kind, _ in notebook.log if kind in {"event", "reply", "ended", "restore"}]
        assert story == ["restore", "event", "reply", "ended", "restore"]
        assert isinstance(notebook.of("reply")[0], AgentCrashed)
        assert states(notebook) == [
            *first_start(1), ("ready", 1, ""), ("restarting", 1, ""), *first_start(2), ("ready", 2, ""),
        ]  # fmt: skip


async def test_a_kill_from_outside_brings_the_next_generation():
    async with supervised(fake()) as (supervisor, notebook):
        await until_ready(notebook, 1)
        os.kill(supervisor.client.pid, signal.SIGKILL)
        await until_ready(notebook, 2)
        [ended] = notebook.of("ended")
        assert (ended.generation, ended.signal) == (1, "SIGKILL")


async def test_a_wait_says_why_and_until_when():
    timing = msgspec.structs.replace(QUICK, backoff_first=30.0, backoff_last=30.0)
    async with supervised(fake("--say", "Cannot find module X", "--exit", "1"), timing) as (_, notebook):
        status = await notebook.until("status", lambda status: status.state == "restarting")
        assert status.reason == "Wave ended with exit code 1: Cannot find module X"
        assert 25 < status.retry_at - time.time() <= 30


async def test_requests_wait_for_the_start():
    async with supervised(fake()) as (supervisor, notebook):
        requests = [supervisor.request("getMcpServers", {"n": n}, "s") for n in range(3)]
        opened = supervisor.initialize({"tag": "t"})
        assert [heard(await request)["params"]["n"] for request in requests] == [0, 1, 2]
        assert (await opened).session_id == "t"
        assert notebook.of("restore") == [1]


async def test_requests_made_between_two_generations_go_to_the_next():
    async with supervised(fake()) as (supervisor, notebook):
        supervisor.call("sendMessage", do(["exit", 0]), "s", notebook.write("reply"))
        await notebook.until("ended")
        assert heard(await supervisor.request("getMcpServers", {}, "s"))["id"] == 2


async def test_requests_wait_only_so_long():
    timing = msgspec.structs.replace(QUICK, start=0.2, close_grace=30.0)
    async with supervised(fake("--mute"), timing) as (supervisor, _):
        with pytest.raises(AgentUnavailable, match=r"not ready within 0\.2 s"):
            await supervisor.request("getMcpServers", {}, "s")


@pytest.mark.parametrize("command", [fake("--mute"), fake("--mute", "--deaf")], ids=["mute", "mute and deaf"])
async def test_a_cli_that_answers_nothing_is_a_failed_start(command):
    timing = msgspec.structs.replace(QUICK, start=0.15, close_grace=0.1)
    async with supervised(command, timing) as (_, notebook):
        ended = await notebook.until("ended")
        assert ended.reason == "unresponsive"
        status = await notebook.until("status", lambda status: status.state == "restarting")
        assert status.reason == "Wave did not answer after its start"


async def test_a_cli_that_does_not_know_the_probe_is_alive():
    script = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "  print(json.dumps({'id': json.loads(line)['id'], 'error': {'code': -32601, 'message': 'no'}}), flush=True)"
    )
    async with supervised(AgentCommand((*SCRIPTED, script))) as (supervisor, notebook):
        await until_ready(notebook, 1)
        with pytest.raises(AgentError):
            await supervisor.request("getMcpServers", {}, "s")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (AgentCommand(("/nonexistent/wave", "--stdio")), "could not be started: .*/nonexistent/wave"),
        (fake("--exit", "0"), "ended with exit code 0"),
        (fake("--say", "bad entry", "--exit", "1"), "ended with exit code 1: bad entry"),
    ],
    ids=["spawn error", "exit 0", "exit 1"],
)
async def test_the_breaker_opens_and_a_restart_closes_it(command, reason):
    async with supervised(command) as (supervisor, notebook):
        waiting = supervisor.request("sendMessage", {}, "s")
        down = await notebook.until("status", lambda status: status.state == "down")
        assert down.generation == QUICK.breaker_failures
        assert len(notebook.of("ended")) == QUICK.breaker_failures
        with pytest.raises(AgentUnavailable, match=reason):
            await waiting
        with pytest.raises(AgentUnavailable, match=reason):
            await supervisor.request("getMcpServers", {}, "s")
        with pytest.raises(AgentUnavailable):
            supervisor.notify("permissionResponse", {})

        supervisor.restart()
        again = 2 * QUICK.breaker_failures
        await notebook.until("status", lambda status: status.state == "down" and status.generation == again)

        supervisor.prepare = made(fake())
        supervisor.restart()
        await until_ready(notebook, again + 1)
        assert heard(await supervisor.request("getMcpServers", {}, "s"))["id"] == 2


async def test_a_healthy_past_does_not_keep_the_breaker_closed():
    """The CLI is removed while it runs: the one that ran well counts once, not for each start that fails after it."""
    timing = msgspec.structs.replace(QUICK, healthy_after=0.02)
    async with supervised(fake(), timing) as (supervisor, notebook):
        await until_ready(notebook, 1)
        supervisor.prepare = made(AgentCommand(("/nonexistent/wave",)))
        supervisor.call("sendMessage", do(["sleep", 0.03], ["exit", 1]), "s", notebook.write("reply"))
        down = await notebook.until("status", lambda status: status.state == "down")
        assert down.generation == QUICK.breaker_failures


async def test_a_restart_by_hand_ends_the_running_generation_first():
    """It is no failure: there is no wait, and nothing counts towards the breaker."""
    timing = msgspec.structs.replace(QUICK, backoff_first=600.0, backoff_last=600.0)
    async with supervised(fake(), timing) as (supervisor, notebook):
        await until_ready(notebook, 1)
        old = supervisor.client.pid
        supervisor.call("sendMessage", do(), "s", notebook.write("reply"))
        status = supervisor.restart()
        assert (status.state, status.generation) == ("restarting", 1)
        await until_ready(notebook, 2)
        assert isinstance(notebook.of("reply")[0], AgentCrashed)
        assert [ended.reason for ended in notebook.of("ended")] == ["restarted"]
        assert not alive(old)


async def test_requests_after_a_restart_by_hand_wait_for_the_new_one():
    async with supervised(fake()) as (supervisor, notebook):
        await until_ready(notebook, 1)
        supervisor.restart()
        assert heard(await supervisor.request("getMcpServers", {}, "s"))["id"] == 2
        assert supervisor.status.generation == 2


async def test_a_restart_in_mid_restore_is_never_called_ready():
    supervisors = []

    async def restore(client):
        if client.generation == 1:
            supervisors[0].restart()

    async with supervised(fake(), restore=restore) as (supervisor, notebook):
        supervisors.append(supervisor)
        await until_ready(notebook, 2)
        assert ("ready", 1, "") not in states(notebook)


async def test_a_restart_cuts_the_wait_short():
    timing = msgspec.structs.replace(QUICK, backoff_first=600.0, backoff_last=600.0)
    async with supervised(fake(), timing) as (supervisor, notebook):
        supervisor.call("sendMessage", do(["exit", 1]), "s", notebook.write("reply"))
        await notebook.until("status", lambda status: status.state == "restarting")
        supervisor.restart()
        await until_ready(notebook, 2)


async def test_a_restore_that_fails_leaves_a_degraded_but_working_cli():
    async def restore(_client):
        raise AgentError("one session is lost", agentCode=None)

    async with supervised(fake(), restore=restore) as (supervisor, notebook):
        status = await until_ready(notebook, 1)
        assert (status.state, status.reason) == ("degraded", "one session is lost")
        await supervisor.request("getMcpServers", {}, "s")


async def test_restored_sessions_come_before_waiting_requests():
    async def restore(client):
        await client.initialize({"tag": "restored", "takes": 0.02})

    async with supervised(fake(), restore=restore) as (supervisor, notebook):
        assert heard(await supervisor.request("getMcpServers", {}, "restored"))["id"] == 3
        assert notebook.log.index(("status", supervisor.status)) > [kind for kind, _ in notebook.log].index("event")


async def test_a_death_in_mid_restore_gives_the_restore_up():
    """The hook may wait for something that no longer comes; the next generation starts all the same."""
    given_up = asyncio.Event()
    generations = []

    async def restore(client):
        generations.append(client.generation)
        if client.generation == 1:
            os.kill(client.pid, signal.SIGKILL)
            try:
                await asyncio.Event().wait()
            finally:
                given_up.set()

    async with supervised(fake(), restore=restore) as (_, notebook):
        await until_ready(notebook, 2)
        assert given_up.is_set()
        assert generations == [1, 2]


@pytest.mark.req("T7.4", "T6.7")
async def test_closing_stops_the_cli_and_is_final():
    async with supervised(fake()) as (supervisor, notebook):
        await until_ready(notebook, 1)
        pid = supervisor.client.pid
        await asyncio.gather(supervisor.close(), supervisor.close())
        await supervisor.close()
        assert not alive(pid)
        assert states(notebook)[-1] == ("stopped", 1, "")
        assert supervisor.restart().state == "stopped"
        with pytest.raises(AgentUnavailable):
            await supervisor.request("getMcpServers", {}, "s")


@pytest.mark.parametrize("phase", ["locate", "spawn", "handshake", "restore"])
async def test_it_can_be_closed_in_every_phase_of_a_start(phase):
    async def restore(_client):
        await asyncio.Event().wait()

    async with supervised(fake(), restore=restore) as (supervisor, notebook):
        waiting = supervisor.request("getMcpServers", {}, "s")
        await notebook.until("status", lambda status: status.phase == phase)
        await supervisor.close()
        with pytest.raises(AgentUnavailable):
            await waiting
        assert "ready" not in {status.state for status in notebook.of("status")}


async def test_it_can_be_closed_while_it_waits_or_is_down():
    for timing in (QUICK, msgspec.structs.replace(QUICK, backoff_first=600.0, backoff_last=600.0)):
        async with supervised(fake("--exit", "1"), timing) as (supervisor, notebook):
            await notebook.until("status", lambda status: status.state in {"down", "restarting"})
            await supervisor.close()
            assert notebook.of("status")[-1].state == "stopped"


async def test_cancelling_run_stops_the_cli():
    """A task group delivers its cancellation again and again; the ladder is gone through all the same."""
    notebook = Notebook()
    supervisor = supervisor_of(fake("--deaf"), notebook)
    async with anyio.create_task_group() as group:
        group.start_soon(supervisor.run)
        await until_ready(notebook, 1)
        pid = supervisor.client.pid
        group.cancel_scope.cancel()
    assert notebook.of("status")[-1].state == "stopped"
    assert not alive(pid)


async def test_garbage_is_counted_over_all_generations():
    async with supervised(fake()) as (supervisor, notebook):
        for generation in (1, 2):
            await until_ready(notebook, generation)
            supervisor.call("sendMessage", do(["raw", "junk\n"], ["exit", 0]), "s", notebook.write("reply"))
        await until_ready(notebook, 3)
        assert supervisor.garbage.count == 2
        assert [sample.start for sample in notebook.of("garbage")] == ["junk", "junk"]
