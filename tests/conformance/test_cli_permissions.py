"""Permissions: who is asked, what an answer changes, what is remembered."""

from __future__ import annotations

import asyncio
import json

import pytest
from cli_client import scripted, tool


async def run(cli, session, call, *answers):
    """Let the model make a call; answer each question; give the questions and the end of the call."""
    since = len(cli.log)
    request = cli.send("sendMessage", {"text": scripted(call, {"text": "done"})}, session)
    questions = []
    for decision in answers:
        question = (await cli.wait("permissionRequest", since=since))["params"]
        since = len(cli.log)
        questions.append(question["context"])
        cli.notify("permissionResponse", {"requestId": question["requestId"], "decision": decision}, session)
    await cli.answer(request)
    ends = [
        event["params"]
        for event in cli.events(session, "toolBlockUpdated")
        if "parameters" in event["params"] and event["params"]["stage"] == "end"
    ]
    return questions, ends[-1]


ALLOW = {"behavior": "allow"}


async def test_a_question_tells_what_it_is_about(cli, session, start):
    questions, end = await run(cli, session, tool("Bash", command="touch a"), ALLOW)
    assert questions == [
        {
            "toolName": "Bash",
            "permissionMode": "default",
            "toolInput": {"command": "touch a", "timeout": 120000, "workdir": str(start.workdir)},
            "toolCallId": "call_Bash",
        }
    ]
    assert end["success"] is True
    assert (start.workdir / "a").exists()


async def test_open_questions_can_be_listed_and_answered_in_any_order(cli, start):
    sessions = [await cli.session(str(start.workdir)) for _ in range(2)]
    requests = []
    for number, session in enumerate(sessions):
        requests.append(cli.send("sendMessage", {"text": scripted(tool("Bash", command=f"touch {number}"))}, session))
        await cli.wait(lambda line, session=session: _asks(line, session))
    listed = (await cli.call("listPendingPermissions"))["requests"]
    assert [entry["sessionId"] for entry in listed] == sessions
    for entry in reversed(listed):
        cli.notify("permissionResponse", {"requestId": entry["requestId"], "decision": ALLOW})
    for request in requests:
        await cli.answer(request)
    assert (await cli.call("listPendingPermissions"))["requests"] == []


def _asks(line, session):
    return isinstance(line, dict) and line.get("method") == "permissionRequest" and line["sessionId"] == session


async def test_a_rule_of_an_answer_is_kept(start):
    """It holds at once, and for later sessions: it is written to the project's local settings."""
    cli = await start()
    session = await cli.session(str(start.workdir))
    rule = {**ALLOW, "newPermissionRule": "Bash(npm run build && touch x && ls && rm y)"}
    await run(cli, session, tool("Bash", command="touch x"), rule)
    kept = json.loads((start.workdir / ".wave" / "settings.local.json").read_text())
    assert kept["permissions"]["allow"] == ["Bash(npm run build*)", "Bash(touch x)"]
    assert (await run(cli, session, tool("Bash", command="touch x")))[0] == []
    await cli.close()
    again = await start()
    session = await again.session(str(start.workdir))
    assert (await run(again, session, tool("Bash", command="touch x")))[0] == []


@pytest.mark.parametrize(
    "command",
    [
        "touch x; touch y",
        "touch x && rm z",
        "touch x > /etc/z",
        "touch x $(touch y)",
        "touch x `touch y`",
        "touch xx",
        "sudo touch x",
    ],
)
async def test_a_rule_covers_nothing_more_than_it_says(cli, start, command):
    session = await cli.session(str(start.workdir), allowedTools=["Bash(touch x)"])
    questions, _ = await run(cli, session, tool("Bash", command=command), {"behavior": "deny", "message": "no"})
    assert len(questions) == 1


@pytest.mark.parametrize("command", ["ls", "echo hi; pwd", "git status", "cat a | grep b", "ls 2>/dev/null", "ls 2>&1"])
async def test_reading_commands_are_not_asked_about(cli, session, command):
    assert (await run(cli, session, tool("Bash", command=command)))[0] == []


@pytest.mark.parametrize("command", ["cat /etc/passwd", "ls ..", "cat ~/x", "find . -delete", "git push", "echo a > b"])
async def test_commands_that_reach_further_are_asked_about(cli, session, command):
    deny = {"behavior": "deny", "message": "no"}
    questions, end = await run(cli, session, tool("Bash", command=command), deny)
    assert len(questions) == 1
    assert end["error"] == "Bash operation denied by user, reason: no"


async def test_a_known_command_has_a_suggested_prefix(cli, session):
    deny = {"behavior": "deny", "message": "no"}
    questions, _ = await run(cli, session, tool("Bash", command="npm run build -- --fast"), deny)
    assert questions[0]["suggestedPrefix"] == "npm run build"


async def test_modes(cli, session, start):
    write = tool("Write", file_path=str(start.workdir / "w"), content="x")
    for mode, asked, done in (("acceptEdits", 0, True), ("bypassPermissions", 0, True), ("dontAsk", 0, False)):
        await cli.call("setPermissionMode", {"mode": mode}, session)
        questions, end = await run(cli, session, write)
        assert (len(questions), end["success"]) == (asked, done), mode
    await cli.call("setPermissionMode", {"mode": "plan"}, session)
    _, end = await run(cli, session, write)
    assert "In plan mode" in end["error"]


async def test_accepting_edits_ends_at_the_workdir(cli, session, start, tmp_path):
    """Neither `..` nor a link leads out of it unseen."""
    await cli.call("setPermissionMode", {"mode": "acceptEdits"}, session)
    (tmp_path / "outside").mkdir()
    (start.workdir / "link").symlink_to(tmp_path / "outside")
    deny = {"behavior": "deny", "message": "no"}
    for path in (start.workdir / ".." / "x", start.workdir / "link" / "x", tmp_path / "outside" / "x"):
        questions, _ = await run(cli, session, tool("Write", file_path=str(path), content="x"), deny)
        assert questions[0]["hidePersistentOption"] is True
    assert not list((tmp_path / "outside").iterdir())


async def test_a_relative_path_is_judged_where_the_model_is(cli, session, start, only_embedded):
    """After a `cd` out of the workdir, `x` is another file than before."""
    await cli.call("setPermissionMode", {"mode": "acceptEdits"}, session)
    (start.home / "x").write_text("secret")
    questions, _ = await run(cli, session, tool("Bash", command=f"cd {start.home}"), ALLOW)
    assert questions[0]["hidePersistentOption"] is True
    deny = {"behavior": "deny", "message": "no"}
    for call in (tool("Write", file_path="x", content=""), tool("Bash", command="cat x")):
        assert len((await run(cli, session, call, deny))[0]) == 1
    assert (start.home / "x").read_text() == "secret"


async def test_denying_wins_in_every_mode(cli, start):
    session = await cli.session(str(start.workdir), disallowedTools=["Bash(curl*)"], permissionMode="bypassPermissions")
    for command in ("true && curl localhost", "echo $(curl localhost)", "(curl localhost)", "curl localhost > x"):
        _, end = await run(cli, session, tool("Bash", command=command))
        assert "explicitly denied by instance rule: Bash(curl*)" in end["error"], command


async def test_a_question_to_the_user_is_asked_in_every_mode(cli, start):
    session = await cli.session(str(start.workdir), permissionMode="bypassPermissions")
    asked = [{"question": "Which?", "header": "W", "options": [{"label": "A"}, {"label": "B"}]}]
    answer = {**ALLOW, "message": json.dumps({"Which?": "B"})}
    questions, end = await run(cli, session, tool("AskUserQuestion", questions=asked), answer)
    assert questions[0]["toolInput"] == {"questions": asked}
    assert json.loads(end["result"]) == {"answers": {"Which?": "B"}}


async def test_an_abort_leaves_the_question_open(cli, session):
    """The old response comes with the late answer; until then the session works on."""
    request = cli.send("sendMessage", {"text": scripted(tool("Bash", command="touch never"))}, session)
    question = (await cli.wait("permissionRequest"))["params"]
    await cli.call("abortMessage", None, session)
    await cli.call("sendMessage", {"text": scripted({"text": "meanwhile"})}, session)
    assert len((await cli.call("listPendingPermissions"))["requests"]) == 1
    cli.notify("permissionResponse", {"requestId": question["requestId"], "decision": ALLOW}, session)
    await cli.answer(request)
    end = cli.events(session, "toolBlockUpdated")[-1]["params"]
    assert end["error"] == "Command execution was aborted"


async def test_a_destroyed_session_asks_nothing_more(cli, session):
    request = cli.send("sendMessage", {"text": scripted(tool("Bash", command="touch never"))}, session)
    await cli.wait("permissionRequest")
    await cli.call("destroy", None, session)
    async with asyncio.timeout(5):
        assert await cli.answer(request) is None
    assert (await cli.call("listPendingPermissions"))["requests"] == []
