"""The embedded CLI as the child: what its process does to its keeper, nothing of what it says."""

from __future__ import annotations

import os
import signal

import msgspec
import psutil
import pytest
from agent_fakes import QUICK, alive, running, supervised

from wave_bridge.agent.locate import EMBEDDED
from wave_bridge.agent.process import AgentCommand

PATIENT = msgspec.structs.replace(QUICK, close_grace=6.0)


@pytest.fixture
def embedded(tmp_path):
    environment = {**os.environ, "HOME": str(tmp_path)}
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "json.py").write_text("raise SystemExit('a file of the user was imported')")
    return AgentCommand(EMBEDDED, environment, str(tmp_path / "work"))


async def test_it_starts_opens_a_session_and_leaves_when_told(embedded, tmp_path):
    async with running(embedded, PATIENT) as (client, notebook):
        assert msgspec.json.decode(await client.request("listDaemonSessions")) == {"sessions": []}
        opened = await client.initialize({"workdir": str(tmp_path)})
        assert opened.working_directory == str(tmp_path)
        await client.close()
        ended = await notebook.until("ended")
        assert (ended.reason, ended.exit_code, ended.stderr) == ("closed", 0, "")
        assert not notebook.garbage.count


async def test_a_running_command_is_gone_after_close(embedded, tmp_path):
    async with running(embedded, PATIENT) as (client, notebook):
        opened = await client.initialize({"workdir": str(tmp_path)})
        bang = client.request("bang", {"command": "echo $((1234567 + 1)); sleep 600"}, opened.session_id)
        await notebook.until("event", lambda event: b"1234568" in bytes(event.params))
        children = psutil.Process(client.pid).children(recursive=True)
        assert children
        bang.cancel()
        await client.close()
        assert not any(alive(child.pid) for child in children)


async def test_its_sessions_are_restored_in_the_next_generation(embedded, tmp_path):
    sessions = []

    async def restore(client):
        for session in sessions:
            await client.initialize({"restoreSessionId": session, "workdir": str(tmp_path)})

    async with supervised(embedded, PATIENT, restore) as (supervisor, notebook):
        opened = await supervisor.initialize({"workdir": str(tmp_path)})
        sessions.append(opened.session_id)
        await supervisor.request("sendMessage", {"text": "hello"}, opened.session_id)
        before = await supervisor.request("getMessages", {}, opened.session_id)
        os.kill(supervisor.client.pid, signal.SIGKILL)
        await notebook.until("ended")
        after = await supervisor.request("getMessages", {}, opened.session_id)
        assert len(msgspec.json.decode(before)["messages"]) == len(msgspec.json.decode(after)["messages"]) > 1
        assert supervisor.status.state == "ready"
