"""Sessions on disk: when a file is made, what is in it, and that a conversation survives whatever ended the process."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from cli_client import CliError, scripted, tool
from git_repository import commit, git


def files(start, pattern="*.jsonl"):
    return sorted((start.home / ".wave" / "projects").rglob(pattern))


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


async def send(cli, session, *directives, text="hello"):
    await cli.call("sendMessage", {"text": scripted(*directives, text=text)}, session)


def with_start_hook(start):
    """Let each session begin with a message that is meta: what a SessionStart hook prints."""
    folder = start.workdir / ".wave"
    folder.mkdir()
    hook = {"hooks": [{"type": "command", "command": "echo context"}]}
    (folder / "settings.json").write_text(json.dumps({"hooks": {"SessionStart": [hook]}}))


@pytest.mark.req("S3.5")
async def test_a_session_without_messages_has_no_file(cli, session, start):
    assert files(start) == []
    assert (await cli.call("listSessions", {"workdir": str(start.workdir)}))["sessions"] == []


@pytest.mark.req("S3.1", "S3.2")
async def test_meta_messages_wait_for_a_real_one(start):
    """Alone they make no file; then both are written together, in order."""
    with_start_hook(start)
    cli = await start()
    session = await cli.session(str(start.workdir))
    (meta,) = (await cli.call("getMessages", None, session))["messages"]
    assert meta["isMeta"] is True
    assert files(start) == []
    await send(cli, session, {"text": "hi"})
    (file,) = files(start)
    assert [line.get("role") for line in lines(file)] == [None, "user", "user", "assistant"]
    assert lines(file)[1]["isMeta"] is True


@pytest.mark.req("S3.3")
async def test_a_meta_message_on_resuming_is_appended(start):
    cli = await start()
    session = await cli.session(str(start.workdir))
    await send(cli, session, {"text": "hi"})
    await cli.close()
    (file,) = files(start)
    before = file.read_bytes()
    with_start_hook(start)
    again = await start()
    await again.session(str(start.workdir), restoreSessionId=session)
    await send(again, session, {"text": "again"})
    added = [json.loads(line) for line in file.read_bytes().removeprefix(before).splitlines()]
    assert [line.get("isMeta", False) for line in added] == [True, False, False]


@pytest.mark.req("S3.4")
async def test_after_a_clear_meta_messages_make_no_file(start):
    with_start_hook(start)
    cli = await start()
    session = await cli.session(str(start.workdir))
    await send(cli, session, {"text": "hi"})
    await cli.call("clearMessages", None, session)
    new = (await cli.wait("sessionIdChange"))["params"]["sessionId"]
    await cli.wait(
        lambda line: isinstance(line, dict) and line.get("method") == "userMessageAdded" and line["sessionId"] == new
    )
    assert [file.stem for file in files(start)] == [session]


@pytest.mark.req("S4.1")
async def test_a_subagent_has_a_file_of_its_own(cli, session, start):
    agent = tool("Agent", description="look", prompt='<<{"text": "report"}>>', subagent_type="general-purpose")
    await send(cli, session, agent, {"text": "done"})
    (file,) = files(start, "subagent-*.jsonl")
    assert [line.get("role") for line in lines(file)] == [None, "user", "assistant"]
    listed = (await cli.call("listSessions", {"workdir": str(start.workdir)}))["sessions"]
    assert [entry["id"] for entry in listed] == [session]


@pytest.mark.req("S11.1", "S11.2")
async def test_the_first_line_is_a_header(cli, session, start):
    await send(cli, session, {"text": "hi"})
    header = lines(files(start)[0])[0]
    assert set(header) == {"type", "workdir", "createdAt"}
    assert (header["type"], header["workdir"]) == ("metadata", str(start.workdir))
    datetime.fromisoformat(header["createdAt"])
    listed = (await cli.call("listSessions", {"workdir": str(start.workdir)}))["sessions"][0]
    assert listed["createdAt"] == header["createdAt"]
    assert listed["firstMessage"].startswith("hello")
    assert listed["latestTotalTokens"] == 120


@pytest.mark.req("S11.1")
async def test_the_header_names_the_branch(cli, start):
    await git(start.workdir, "init", "-b", "topic")
    await commit(start.workdir)
    session = await cli.session(str(start.workdir))
    await send(cli, session, {"text": "hi"})
    assert lines(files(start)[0])[0]["gitBranch"] == "topic"


@pytest.mark.req("S11.5")
async def test_a_broken_repository_does_not_break_the_session(cli, start):
    (start.workdir / ".git").write_text("gitdir: /no/such/place\n")
    session = await cli.session(str(start.workdir))
    await send(cli, session, {"text": "hi"})
    assert "gitBranch" not in lines(files(start)[0])[0]


async def test_killed_in_mid_stream_the_conversation_comes_back(start):
    """The user's message was written at the start of the turn; the reply is lost, the session is not."""
    cli = await start()
    session = await cli.session(str(start.workdir))
    await send(cli, session, {"text": "first answer"})
    cli.send(
        "sendMessage", {"text": scripted({"text": "cut " * 20, "chunks": 40, "delay": 0.1}, text="second")}, session
    )
    await cli.wait(lambda line: isinstance(line, dict) and line.get("params", {}).get("chunk", "").startswith("cu"))
    await cli.kill()

    again = await start()
    restored = await again.call("initialize", {"workdir": str(start.workdir), "restoreSessionId": session})
    assert restored["sessionId"] == session
    assert f"Restoring session: {session}" in again.log
    messages = (await again.call("getMessages", None, session))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[-1]["blocks"][0]["content"].startswith("second")
    await send(again, session, {"text": "goes on"})
    assert len((await again.call("getFullMessageThread", None, session))["messages"]) == 5


async def test_what_is_announced_on_restoring(start):
    cli = await start()
    session = await cli.session(str(start.workdir))
    await send(cli, session, {"text": "hi"})
    await cli.close()
    again = await start()
    await again.session(str(start.workdir), restoreSessionId=session)
    assert [line if isinstance(line, str) else (line.get("method"), line.get("sessionId")) for line in again.log] == [
        ("mcpServersChange", None),
        f"Restoring session: {session}",
        ("sessionIdChange", None),
        ("tasksChange", session),
        ("tasksChange", session),
        (None, None),
    ]


async def test_a_stream_ended_by_the_end_of_the_input_is_saved_as_far_as_it_came(start):
    cli = await start()
    session = await cli.session(str(start.workdir))
    cli.send("sendMessage", {"text": scripted({"text": "abcdef", "chunks": 6, "delay": 0.2})}, session)
    await cli.wait("assistantContentUpdated")
    assert await cli.close() == 0
    last = lines(files(start)[0])[-1]
    assert (last["role"], last["blocks"][0]["stage"]) == ("assistant", "streaming")


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("00000000-0000-4000-8000-000000000000", "Session 00000000-0000-4000-8000-000000000000 not found on disk"),
        ("../../etc/passwd", "Invalid session ID format"),
    ],
)
async def test_a_session_that_is_nowhere_is_never_a_new_one(cli, start, wanted, message):
    with pytest.raises(CliError, match=message):
        await cli.session(str(start.workdir), restoreSessionId=wanted)
    assert (await cli.call("listDaemonSessions"))["sessions"] == []


async def test_a_damaged_file_counts_as_missing(start):
    cli = await start()
    session = await cli.session(str(start.workdir))
    await send(cli, session, {"text": "hi"})
    await cli.close()
    with files(start)[0].open("a") as file:
        file.write('{"timestamp": "2026')
    again = await start()
    with pytest.raises(CliError, match="not found on disk"):
        await again.session(str(start.workdir), restoreSessionId=session)


@pytest.mark.req("T6.5")
async def test_restoring_in_a_slot_changes_its_id(cli, start):
    """The change is the last word under the old id; messages are fetched under the new one."""
    first = await cli.session(str(start.workdir))
    await send(cli, first, {"text": "one"}, text="first")
    second = await cli.session(str(start.workdir))
    await cli.call("restoreSession", {"sessionId": first}, second)
    change = cli.events(second, "sessionIdChange")[0]
    assert change["params"] == {"sessionId": first}
    assert cli.log.index(change) == max(cli.log.index(event) for event in cli.events(second))
    with pytest.raises(CliError, match="Session not found"):
        await cli.call("getMessages", None, second)
    assert len((await cli.call("getMessages", None, first))["messages"]) == 2


async def test_a_session_of_another_folder_goes_on_in_its_own_file(cli, start, tmp_path, only_embedded):
    """The older real CLI loses those messages; the specification wants them in the target's file."""
    first = await cli.session(str(start.workdir))
    await send(cli, first, {"text": "one"})
    (tmp_path / "other").mkdir()
    second = await cli.session(str(tmp_path / "other"))
    await cli.call("destroy", None, first)
    await cli.call("restoreSession", {"sessionId": first}, second)
    await send(cli, first, {"text": "two"})
    assert len(files(start)) == 1
    assert len(lines(files(start)[0])) == 5


@pytest.mark.req("S12.5", "SB12")
async def test_a_title_is_kept_by_the_writer_of_the_session(start, only_embedded):
    """Restore, rewind, compaction and exit bring it back to the end of the file; header and it stay as they were."""
    cli = await start()
    session = await cli.session(str(start.workdir))
    for number in range(3):
        await send(cli, session, {"text": f"answer {number}"}, text=f"question {number}")
    await cli.close()
    (file,) = files(start)
    title = json.dumps({"type": "custom-title", "customTitle": "Mine", "sessionId": session})
    header = file.read_bytes().splitlines()[0]
    with file.open("a") as opened:
        opened.write(title + "\n")

    again = await start()
    await again.session(str(start.workdir), restoreSessionId=session)
    await send(again, session, {"text": "more"})
    await again.call("compact", {}, session)
    assert lines(file)[-1]["customTitle"] == "Mine"
    checkpoints = (await again.call("listRewindCheckpoints", None, session))["checkpoints"]
    await again.call("rewindToMessage", {"messageId": checkpoints[-1]["id"]}, session)
    assert lines(file)[-1]["customTitle"] == "Mine"
    assert file.read_bytes().splitlines()[0] == header
    await send(again, session, {"text": "last"})
    assert await again.close() == 0
    assert lines(file)[-1]["customTitle"] == "Mine"
