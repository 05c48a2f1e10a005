"""What the user sees when the daemon dies, is stopped or has nobody left, with a CLI that talks and real files."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys

import psutil
import pytest
from breaking import QUICK, SLOW, broken_cli, done, opened
from machine import BRIDGE, GONE
from wave_client import SILENCE, Refused

HALF = '[[{"text": "half of a long answer", "chunks": 20, "delay": 0.5}]]'
TERMINAL = {"type": "mention", "kind": "terminal"}
PIPE = asyncio.subprocess.PIPE
both_ways = pytest.mark.parametrize("flags", [[], ["--standalone"]], ids=["daemon", "standalone"])


def daemon_of(machine):
    (found,) = machine.running("daemon")
    return found


def cli_of(machine):
    (found,) = machine.running("wave_bridge.embedded")
    return found


async def ended(process):
    """Wait for the end of a process that others started; who adopts its remains may take seconds to clear them away."""
    with contextlib.suppress(psutil.NoSuchProcess):
        async with asyncio.timeout(GONE):
            while process.status() != psutil.STATUS_ZOMBIE:
                await asyncio.sleep(0.02)


async def text_of(peer, session_id):
    """Load a session and give what its last message says."""
    snapshot = await peer.ask("wave/session/load", sessionId=session_id)
    return snapshot["messages"][-1]["blocks"][0]["content"]


async def questions_to(editor, number):
    async with asyncio.timeout(GONE):
        while len(editor.questions) < number:
            await asyncio.sleep(0.01)


async def run(machine, *arguments, **streams):
    """Start `wave-bridge`."""
    return await asyncio.create_subprocess_exec(*BRIDGE, *arguments, env=machine.env, cwd=machine.root, **streams)


async def test_editors_and_their_panels_outlive_the_daemon_and_find_their_conversations(machine):
    """No editor is restarted, nothing waits for ever, and what is on disk can be loaded and goes on."""
    editors, panels, ids = [], [], []
    for number in range(2):
        editor = await machine.editor(f"editor {number}", wave={"terminal": True})
        panel = await editor.open_panel("panel")
        session_id = await panel.new(machine.folder(f"work {number}"))
        await panel.send(session_id, "t", f'[[{{"text": "answer {number}"}}]]')
        assert await panel.turn_ended("t") == "completed"
        editor.answers["wave/context/read"] = SILENCE
        editors.append(editor)
        panels.append(panel)
        ids.append(session_id)
    first, cli = daemon_of(machine), cli_of(machine)
    lost = [asyncio.create_task(panel.send(ids[n], "lost", "why?", TERMINAL)) for n, panel in enumerate(panels)]
    for editor in editors:
        await questions_to(editor, 1)  # so the daemon has the request, and can't answer it
    first.kill()
    for answer in await asyncio.gather(*lost, return_exceptions=True):
        assert isinstance(answer, Refused)
        assert answer.kind == "agentUnavailable"
    for peer in (*editors, *panels):
        assert await peer.inbox.until("wave/daemon/reattached") == {}
    pids = {(await editor.ask("wave/daemon/status"))["pid"] for editor in editors}
    assert pids == {daemon_of(machine).pid}
    assert first.pid not in pids
    await ended(cli)
    for number, (panel, session_id) in enumerate(zip(panels, ids, strict=True)):
        assert await text_of(panel, session_id) == f"answer {number}"
        await panel.send(session_id, "after", QUICK)
        assert await panel.turn_ended("after") == "completed"
    assert [editor._server.returncode for editor in editors] == [None, None]
    for editor in editors:
        done(editor)


async def test_a_daemon_without_clients_waits_for_the_turn_that_runs(machine):
    machine.env["WAVE_BRIDGE_GRACE"] = "0.2"
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", SLOW)
    await panel.event("assistantContentUpdated")
    done(editor)
    first = daemon_of(machine)
    editor._server.kill()
    await editor._server.wait()
    await ended(first)
    again = await machine.editor("again")
    assert await text_of(again, session_id) == "a rather long answer that takes its time to come"
    done(again)


@pytest.mark.req("T6.7")
async def test_stop_ends_a_session_in_mid_turn_before_the_cli_and_keeps_what_it_has_said(machine):
    heard = machine.root / "heard"
    command = f"tee {heard} | {sys.executable} -m wave_bridge.embedded --stdio"
    broken_cli(machine, f"import os; os.system({command!r})")
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", HALF)
    await panel.event("assistantContentUpdated")
    first, cli = daemon_of(machine), cli_of(machine)
    stop = await run(machine, "stop", stdout=PIPE)
    assert await stop.communicate() == (b"Stopped.\n", None)
    assert stop.returncode == 0
    await ended(first)
    await ended(cli)
    last = json.loads(heard.read_text().splitlines()[-1])
    assert (last["method"], last["sessionId"]) == ("destroy", session_id)
    await panel.inbox.until("wave/daemon/reattached")
    assert (await text_of(panel, session_id)).startswith(panel.deltas())
    done(editor)


@pytest.mark.req("T6.6")
async def test_each_way_to_leave_ends_one_connection_with_its_code(machine):
    """`exit` alone is 1, as LSP wants; `shutdown` and a closed pipe are no fault; nobody else notices."""
    names = ("exit alone", "shutdown alone", "killed", "stays")
    bare, shut, killed, stays = [await machine.editor(name) for name in names]
    session_id = await stays.new(machine.folder("work"))
    first = daemon_of(machine)
    await stays.send(session_id, "t", SLOW)
    await stays.event("assistantContentUpdated")
    bare.exit(None)
    await shut.shutdown_async(None)
    shut._server.stdin.close()
    killed._server.kill()
    codes = [await asyncio.wait_for(editor._server.wait(), GONE) for editor in (bare, shut, killed)]
    assert codes == [1, 0, -signal.SIGKILL]
    async with asyncio.timeout(GONE):
        while len((await stays.ask("wave/daemon/status"))["clients"]) > 1:
            await asyncio.sleep(0.02)
    assert await stays.turn_ended("t") == "completed"
    assert daemon_of(machine) == first
    done(stays)


async def test_everything_works_over_loopback_and_needs_the_secret(machine):
    machine.env["WAVE_BRIDGE_TRANSPORT"] = "tcp"
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", QUICK)
    assert await panel.turn_ended("t") == "completed"
    assert panel.deltas() == "still here"
    (secret,) = (machine.root / "run").glob("*.tcp")
    kept = secret.read_bytes()
    secret.write_bytes(kept.replace(b'"secret":"', b'"secret":"0'))
    status = await run(machine, "status", stdout=PIPE, stderr=PIPE)
    said, complaint = await status.communicate()
    assert (status.returncode, said) == (1, b"")
    assert b"does not know this daemon's secret" in complaint
    secret.write_bytes(kept)
    done(editor)


@both_ways
async def test_a_stdin_with_nothing_in_it_ends_it(machine, flags):
    """A flag that only the editor understands stands beside ours. A daemon that was started finds nobody, and ends."""
    machine.env["WAVE_BRIDGE_GRACE"] = "0"
    bridge = await run(
        machine, "--stdio", *flags, "--clientProcessId=1", stdin=asyncio.subprocess.DEVNULL, stdout=PIPE, stderr=PIPE
    )
    assert await asyncio.wait_for(bridge.communicate(), GONE) == (b"", b"")
    assert bridge.returncode == 0


@both_ways
async def test_a_stdout_that_nobody_reads_ends_it_while_stdin_is_open(machine, flags):
    reader, writer = os.pipe()
    bridge = await run(machine, "--stdio", *flags, stdin=PIPE, stdout=writer, stderr=PIPE)
    os.close(writer)
    os.close(reader)
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}'
    bridge.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    assert await asyncio.wait_for(bridge.stderr.read(), GONE) == b""
    assert await asyncio.wait_for(bridge.wait(), GONE) == 0
    bridge.stdin.close()
