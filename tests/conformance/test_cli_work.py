"""What goes on behind a conversation, and what can be undone: background tasks, subagents, compaction, rewind."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from cli_client import CliError, is_event, scripted, tool


async def send(cli, session, *directives, text="do"):
    await cli.call("sendMessage", {"text": scripted(*directives, text=text)}, session)


@pytest.fixture
async def free(cli, session):
    """A session that is not asked about anything."""
    await cli.call("setPermissionMode", {"mode": "bypassPermissions"}, session)
    return session


async def test_a_background_command_tells_of_its_end(cli, free, start):
    """A turn that nobody asked for answers the notice; the output can be fetched and tailed."""
    call = tool("Bash", command="echo out; echo err >&2; until [ -e go ]; do sleep 0.01; done", run_in_background=True)
    await send(cli, free, call, {"text": "started"})
    task = cli.events(free, "backgroundTasksChange")[-1]["params"]["tasks"][0]
    assert (task["type"], task["status"]) == ("shell", "running")
    (start.workdir / "go").touch()
    notice = (await cli.wait("notificationMessageAdded"))["params"]
    assert (notice["taskId"], notice["status"], notice["message"]["isMeta"]) == (task["id"], "completed", True)
    since = cli.log.index(next(line for line in cli.log if is_event(line, "notificationMessageAdded")))
    await cli.wait(lambda line: is_event(line, "loadingChange") and not line["params"]["loading"], since=since)
    output = (await cli.call("getBackgroundTaskOutput", {"taskId": task["id"]}, free))["output"]
    assert (output["stdout"], output["stderr"], output["exitCode"]) == ("out\n", "err\n", 0)
    assert "out" in (start.tmp / Path(task["outputPath"]).name).read_text()
    roles = [message["role"] for message in (await cli.call("getMessages", None, free))["messages"]]
    assert roles[-2:] == ["user", "assistant"]


async def test_a_background_command_can_be_stopped(cli, free):
    await send(cli, free, tool("Bash", command="sleep 300", run_in_background=True), {"text": "started"})
    task = cli.events(free, "backgroundTasksChange")[-1]["params"]["tasks"][0]
    assert await cli.call("stopBackgroundTask", {"taskId": task["id"]}, free) == {"success": True}
    assert await cli.call("stopBackgroundTask", {"taskId": task["id"]}, free) == {"success": False}
    assert cli.events(free, "backgroundTasksChange")[-1]["params"]["tasks"][0]["status"] == "killed"
    assert not cli.events(free, "notificationMessageAdded")


async def test_what_is_unknown_has_no_output(cli, session):
    assert await cli.call("getBackgroundTaskOutput", {"taskId": "nope"}, session) == {"output": None}
    assert await cli.call("backgroundCurrentTask", None, session) is None


async def test_a_subagent_shows_a_few_lines_only(cli, session, start):
    """Its own messages are not on the wire; its question is, under its own call's id."""
    steps = [
        {"text": "let me see", "tool": {"name": "Bash", "args": {"command": "touch by-agent"}, "id": "inner"}},
        {"text": "report"},
    ]
    prompt = "".join(f"<<{json.dumps(step)}>>" for step in steps)
    call = tool("Agent", description="look", prompt=prompt, subagent_type="general-purpose", id="outer")
    request = cli.send("sendMessage", {"text": scripted(call, {"text": "done"})}, session)
    question = (await cli.wait("permissionRequest"))["params"]
    assert question["context"]["toolCallId"] == "inner"
    cli.notify("permissionResponse", {"requestId": question["requestId"], "decision": {"behavior": "allow"}}, session)
    await cli.answer(request)
    assert (start.workdir / "by-agent").exists()
    updates = [event["params"] for event in cli.events(session, "toolBlockUpdated")]
    assert {update["id"] for update in updates} == {"outer"}
    assert updates[-1]["result"] == "report"
    assert "1 tools" in updates[-1]["shortResult"]
    assert len(cli.events(session, "assistantMessageAdded")) == 2


async def test_the_task_list(cli, session):
    """Links are kept on both sides; the whole list is sent on each change and again on restoring."""
    await send(
        cli,
        session,
        {
            "tools": [
                tool("TaskCreate", subject=name, description=name, id=name)["tool"] for name in ("First", "Second")
            ]
        },
        tool("TaskUpdate", taskId="2", addBlockedBy=["1"], status="in_progress", id="u"),
        {"text": "ok"},
    )
    tasks = cli.events(session, "tasksChange")[-1]["params"]["tasks"]
    assert [(task["id"], task["status"], task["blocks"], task["blockedBy"]) for task in tasks] == [
        ("1", "pending", ["2"], []),
        ("2", "in_progress", [], ["1"]),
    ]


async def test_compaction_keeps_the_last_rounds_and_all_on_disk(cli, session, start):
    for number in range(4):
        await send(cli, session, {"text": f"answer {number}"}, text=f"question {number}")
    since = len(cli.log)
    instructions = "keep numbers " + scripted({"text": "<summary>All of it.</summary>", "chunks": 3})
    await cli.call("compact", {"customInstructions": instructions}, session)
    if start.kind == "embedded":
        added = cli.events(session, "compactBlockAdded", since=since)[0]
        assert added["params"] == {"content": "Summary:\nAll of it."}
    told = [event["params"]["content"] for event in cli.events(session, "compactionContentUpdate", since=since)]
    assert all(later.startswith(earlier) for earlier, later in pairwise(told))
    messages = (await cli.call("getMessages", None, session))["messages"]
    assert messages[0]["blocks"][0]["type"] == "compact"
    assert [message["role"] for message in messages[1:]] == ["user", "assistant", "user", "assistant"]
    thread = (await cli.call("getFullMessageThread", None, session))["messages"]
    assert {message["id"] for message in messages} < {message["id"] for message in thread}
    checkpoints = (await cli.call("listRewindCheckpoints", None, session))["checkpoints"]
    assert [entry["content"].split(" [[")[0] for entry in checkpoints] == [f"question {n}" for n in range(4)]


async def test_a_compaction_can_not_be_aborted_and_a_second_does_nothing(cli, session, only_embedded):
    await send(cli, session, {"text": "answer"})
    slow = scripted({"text": "<summary>s</summary>", "chunks": 4, "delay": 0.1})
    request = cli.send("compact", {"customInstructions": slow}, session)
    await cli.wait("compactionContentUpdate")
    assert await cli.call("compact", {}, session) is None
    await cli.call("abortMessage", None, session)
    await cli.answer(request)
    assert len(cli.events(session, "compactBlockAdded")) == 1


async def test_cleared_during_a_compaction(cli, session, only_embedded):
    """The compaction fails under the new id: clients hold clears back until it has ended."""
    await send(cli, session, {"text": "answer"})
    slow = scripted({"text": "<summary>s</summary>", "chunks": 4, "delay": 0.1})
    request = cli.send("compact", {"customInstructions": slow}, session)
    await cli.wait("compactionContentUpdate")
    await cli.call("clearMessages", None, session)
    new = cli.events(session, "sessionIdChange")[0]["params"]["sessionId"]
    await cli.answer(request)
    assert "Failed to compact" in cli.events(new, "errorBlockAdded")[0]["params"]["error"]


async def test_a_rewind_brings_files_back(cli, free, start):
    """Created files go, changed ones are as before, the text of the message comes back for the input."""
    old, new = start.workdir / "old.txt", start.workdir / "new.txt"
    old.write_text("one\n")
    await send(cli, free, {"text": "nothing"}, text="first")
    edit = tool("Edit", file_path=str(old), old_string="one", new_string="two")["tool"]
    write = tool("Write", file_path=str(new), content="x")["tool"]
    await send(cli, free, {"tools": [edit, write]}, {"text": "ok"}, text="second")
    assert (old.read_text(), new.read_text()) == ("two\n", "x")
    checkpoints = (await cli.call("listRewindCheckpoints", None, free))["checkpoints"]
    answer = await cli.call("rewindToMessage", {"messageId": checkpoints[1]["id"]}, free)
    assert answer["inputContent"].startswith("second")
    assert old.read_text() == "one\n"
    assert not new.exists()
    assert len((await cli.call("getMessages", None, free))["messages"]) == 2
    assert len((await cli.call("getFullMessageThread", None, free))["messages"]) == 2


async def test_a_rewind_to_an_unknown_message_is_refused(cli, session):
    with pytest.raises(CliError, match="Message not found: msg-nope"):
        await cli.call("rewindToMessage", {"messageId": "msg-nope"}, session)


async def test_a_wrong_file_path_is_the_models_problem(cli, free):
    await send(cli, free, tool("Read", file_path="/no/such/file"), {"text": "ok"})
    end = cli.events(free, "toolBlockUpdated")[-1]["params"]
    assert end["success"] is False
    assert end["result"] == f"Error: {end['error']}"
