"""`!` commands: really run, shown while they run, in the newer form and in the older one."""

from __future__ import annotations

import json

import psutil
import pytest
from cli_client import CliError, is_event, scripted


def of_tool(cli, session):
    return [event["params"] for event in cli.events(session, "toolBlockUpdated")]


@pytest.mark.req("T9.4")
async def test_a_command_is_a_user_message_with_a_block_that_is_updated(cli, session, only_embedded):
    """userMessageAdded makes the message, toolBlockUpdated changes its block in place; nothing is fetched."""
    await cli.call("bang", {"command": "echo out; echo err >&2; exit 3"}, session)
    events = cli.events(session)
    assert [event["method"] for event in events][:2] == ["commandRunningChange", "userMessageAdded"]
    assert events[-1] == {"method": "commandRunningChange", "params": {"running": False}, "sessionId": session}
    message = events[1]["params"]["message"]
    (block,) = message["blocks"]
    assert (message["role"], block["type"], block["name"], block["stage"]) == ("user", "tool", "Bash", "running")
    assert json.loads(block["parameters"]) == {"command": "echo out; echo err >&2; exit 3"}
    end = of_tool(cli, session)[-1]
    assert (end["id"], end["messageId"], end["stage"]) == (block["id"], message["id"], "end")
    assert (end["result"], end["success"], end["exitCode"]) == ("out\nerr", False, 3)
    stored = (await cli.call("getMessages", None, session))["messages"][0]["blocks"][0]
    assert (stored["result"], stored["stage"]) == ("out\nerr", "end")


@pytest.mark.req("T9.4")
async def test_output_is_shown_while_the_command_runs(cli, session, start, only_embedded):
    """The command waits for us after its first line, so the line was seen before the end."""
    request = cli.send("bang", {"command": "echo one; until [ -e go ]; do sleep 0.01; done; echo two"}, session)
    live = await cli.wait(lambda line: is_event(line, "toolBlockUpdated"))
    assert (live["params"]["stage"], live["params"]["result"]) == ("running", "one\n")
    (start.workdir / "go").touch()
    await cli.answer(request)
    assert of_tool(cli, session)[-1]["result"] == "one\ntwo"


@pytest.mark.req("TB13")
async def test_a_flood_of_output_is_no_flood_of_updates(cli, session, only_embedded):
    """Updates are paced and bounded; the end says what is kept."""
    await cli.call("bang", {"command": "seq 200000"}, session)
    updates = of_tool(cli, session)
    assert len(updates) < 100
    assert max(len(update["result"]) for update in updates) < 31_000
    assert updates[-1]["result"].endswith("\n200000")


async def test_a_command_can_be_aborted_with_its_children(cli, session, only_embedded):
    request = cli.send("bang", {"command": "sleep 300 & echo pid=$!; wait"}, session)
    live = await cli.wait(lambda line: is_event(line, "toolBlockUpdated"))
    child = psutil.Process(int(live["params"]["result"].split("=")[1]))
    await cli.call("abortMessage", None, session)
    await cli.answer(request)
    assert of_tool(cli, session)[-1]["exitCode"] == 130
    assert not psutil.wait_procs([child], timeout=5)[1]


async def test_it_runs_in_the_original_folder(cli, session, start):
    """The model's `cd` moves the session, not the commands of the user."""
    (start.workdir / "sub").mkdir()
    await cli.call("setPermissionMode", {"mode": "bypassPermissions"}, session)
    move = {"tool": {"name": "Bash", "args": {"command": "cd sub && pwd"}, "id": "c"}}
    await cli.call("sendMessage", {"text": scripted(move, {"text": "ok"})}, session)
    assert cli.events(session, "workdirChange")[0]["params"]["workdir"].endswith("/sub")
    await cli.call("bang", {"command": "pwd"}, session)
    blocks = (await cli.call("getMessages", None, session))["messages"][-1]["blocks"]
    assert (blocks[0].get("result") or blocks[0].get("output")).strip() == str(start.workdir.resolve())


async def test_commands_are_not_in_the_prompt_history(cli, session):
    await cli.call("bang", {"command": "true"}, session)
    assert (await cli.call("getPromptHistory", None, session))["history"] == []


async def test_a_folder_that_is_missing_is_said(cli):
    session = await cli.session("/no/such/folder")
    await cli.call("bang", {"command": "pwd"}, session)
    block = (await cli.call("getMessages", None, session))["messages"][0]["blocks"][0]
    assert "ENOENT" in (block.get("result") or block.get("output"))


async def test_without_a_command_the_session_stays_usable(cli, session, only_embedded):
    """The real CLI is wedged by this; the error is the same."""
    with pytest.raises(CliError) as refused:
        await cli.call("bang", {}, session)
    assert refused.value.code == "ERR_INVALID_ARG_TYPE"
    await cli.call("bang", {"command": "true"}, session)
