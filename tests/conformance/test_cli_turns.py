"""A turn on the wire: pure deltas, tool blocks, errors, the queue, and what stays in memory."""

from __future__ import annotations

import pytest
from cli_client import is_event, is_message, scripted, tool


def ended(line):
    return is_message(line) and line.get("params", {}).get("stage") == "end"


async def send(cli, session, *directives, **more):
    await cli.call("sendMessage", {"text": scripted(*directives), **more}, session)


@pytest.mark.req("T10.1", "T10.3", "TB12")
async def test_text_and_reasoning_go_out_as_pure_deltas(cli, session):
    """Each piece once, in order, never what came before; an empty piece with stage `end` closes the block."""
    await send(cli, session, {"reasoning": "Let me think.", "text": "The answer is 42.", "chunks": 5})
    for method, text in (
        ("assistantReasoningUpdated", "Let me think."),
        ("assistantContentUpdated", "The answer is 42."),
    ):
        deltas = [event["params"] for event in cli.events(session, method)]
        assert all(set(delta) == {"messageId", "chunk", "stage"} for delta in deltas)
        assert [delta["stage"] for delta in deltas] == ["streaming"] * (len(deltas) - 1) + ["end"]
        assert "".join(delta["chunk"] for delta in deltas) == text
        assert deltas[-1]["chunk"] == ""
        assert len(deltas) == 6
    blocks = (await cli.call("getMessages", None, session))["messages"][-1]["blocks"]
    assert [(block["type"], block["content"], block["stage"]) for block in blocks] == [
        ("reasoning", "Let me think.", "end"),
        ("text", "The answer is 42.", "end"),
    ]


@pytest.mark.req("T10.1", "TB12")
async def test_the_size_of_a_delta_does_not_grow(cli, session):
    await send(cli, session, {"text": "x" * 6000, "chunks": 600})
    sizes = {len(event["params"]["chunk"]) for event in cli.events(session, "assistantContentUpdated")}
    assert sizes == {10, 0}


@pytest.mark.req("T10.2", "TB12", "TB13")
async def test_tool_arguments_go_out_as_deltas_and_the_end_has_all(cli, session, start):
    (start.workdir / "a.txt").write_text("hello\n")
    await send(cli, session, {**tool("Read", file_path=str(start.workdir / "a.txt")), "chunks": 4}, {"text": "ok"})
    updates = [event["params"] for event in cli.events(session, "toolBlockUpdated")]
    assert [update["stage"] for update in updates] == ["start", *["streaming"] * 4, "running", "end"]
    streamed = updates[1:5]
    assert all("parameters" not in update and "result" not in update for update in streamed)
    end = updates[-1]
    assert "".join(update["parametersChunk"] for update in streamed) == end["parameters"] == updates[5]["parameters"]
    assert end["success"] is True
    assert "hello" in end["result"]


@pytest.mark.req("T9.5")
async def test_no_list_of_messages_is_ever_pushed_while_streaming(cli, session):
    await send(cli, session, {"text": "one two", "chunks": 7})
    assert not cli.events(session, "messagesChange")


@pytest.mark.req("T10.5")
async def test_a_snapshot_holds_every_delta_sent_before_it(cli, session):
    """Whoever lost a delta fetches once: by the order of the pipe nothing is missing and nothing comes twice."""
    cli.send("sendMessage", {"text": scripted({"text": "abcdefghij", "chunks": 10, "delay": 0.02})}, session)
    await cli.wait("assistantContentUpdated")
    request = cli.send("getMessages", None, session)
    snapshot = await cli.answer(request)
    place = next(place for place, line in enumerate(cli.log) if is_message(line) and line.get("id") == request)
    await cli.wait(ended)
    chunks = [
        (p, line["params"]["chunk"]) for p, line in enumerate(cli.log) if is_event(line, "assistantContentUpdated")
    ]
    before = "".join(chunk for p, chunk in chunks if p < place)
    after = "".join(chunk for p, chunk in chunks if p > place)
    assert snapshot["messages"][-1]["blocks"][0]["content"] == before
    assert before + after == "abcdefghij"


@pytest.mark.req("T6.3")
async def test_two_sessions_stream_side_by_side(cli, start):
    """Every event of a session carries its id; both make progress at once."""
    first, second = [await cli.session(str(start.workdir)) for _ in range(2)]
    requests = [
        cli.send("sendMessage", {"text": scripted({"text": letter * 10, "chunks": 10, "delay": 0.02})}, session)
        for letter, session in (("a", first), ("b", second))
    ]
    for request in requests:
        await cli.answer(request)
    for letter, session in (("a", first), ("b", second)):
        chunks = [event["params"]["chunk"] for event in cli.events(session, "assistantContentUpdated")]
        assert "".join(chunks) == letter * 10
    order = [line["sessionId"] for line in cli.log if is_event(line, "assistantContentUpdated")]
    assert order != sorted(order, key=[first, second].index)


@pytest.mark.req("TB12")
async def test_several_tools_in_one_reply(cli, session, start):
    """All are announced, then all are run; those that only read run side by side."""
    for name in ("a", "b"):
        (start.workdir / name).write_text(name)
    calls = [tool("Read", file_path=str(start.workdir / name), id=name)["tool"] for name in ("a", "b")]
    await send(cli, session, {"tools": calls}, {"text": "ok"})
    stages = [
        (update["params"]["id"], update["params"]["stage"])
        for update in cli.events(session, "toolBlockUpdated")
        if update["params"]["stage"] != "streaming"
    ]
    assert stages[:4] == [("a", "start"), ("b", "start"), ("a", "running"), ("b", "running")]
    assert sorted(stages[4:]) == [("a", "end"), ("b", "end")]


async def test_cut_arguments_are_completed_and_said_to_be_cut(cli, session, start):
    (start.workdir / "a.txt").write_text("hello")
    raw = '{"file_path": "' + str(start.workdir / "a.txt")
    await send(cli, session, {"tool": {"name": "Read", "raw": raw, "id": "c"}}, {"text": "ok"})
    end = cli.events(session, "toolBlockUpdated")[-1]["params"]
    assert end["success"] is True
    assert "truncated" in end["result"]


async def test_a_passing_failure_is_retried_in_silence_and_can_be_aborted(cli, session):
    request = cli.send("sendMessage", {"text": scripted({"status": 503, "retry_after": 30})}, session)
    await cli.wait("loadingChange")
    await cli.call("abortMessage", None, session)
    await cli.answer(request)
    assert [event["params"]["error"] for event in cli.events(session, "errorBlockAdded")] == ["Request was aborted"]


async def test_a_bad_directive_is_an_error_block(cli, session, only_embedded):
    await send(cli, session, {"txet": "typo"})
    assert "Bad directive" in cli.events(session, "errorBlockAdded")[0]["params"]["error"]


async def test_without_a_directive_the_answer_says_what_this_is(cli, session, only_embedded):
    await cli.call("sendMessage", {"text": "What time is it?"}, session)
    text = "".join(event["params"]["chunk"] for event in cli.events(session, "assistantContentUpdated"))
    assert "embedded Wave CLI" in text
    assert "What time is it?" in text
    assert len(cli.events(session, "assistantContentUpdated")) > 5


@pytest.mark.req("T11.5")
async def test_a_forced_message_is_not_disturbed_by_a_notice_of_the_background(cli, session, only_embedded):
    """While one turn runs, a notice waits in the queue; a forced message starts one loop, and the notice survives."""
    await cli.call("setPermissionMode", {"mode": "bypassPermissions"}, session)
    slow = {"text": "slow", "chunks": 4, "delay": 5}
    in_background = tool("Bash", command="true", run_in_background=True)
    first = cli.send("sendMessage", {"text": scripted(in_background, slow)}, session)
    noticed = await cli.wait(lambda line: is_event(line, "queuedMessagesChange") and line["params"]["messages"])
    assert noticed["params"]["messages"][0]["type"] == "notification"
    forced = cli.send("sendMessage", {"text": scripted(slow), "force": True}, session)
    await cli.answer(first)
    place = len(cli.log)
    await cli.wait("assistantContentUpdated", since=place - 1)
    assert not cli.events(session, "notificationMessageAdded")
    await cli.call("abortMessage", None, session)
    await cli.answer(forced)
    last = cli.events(session, "queuedMessagesChange")[-1]["params"]["messages"]
    assert [item["type"] for item in last] == ["notification"]
    await send(cli, session, {"text": "next"})
    await cli.wait("notificationMessageAdded")


async def test_a_question_on_the_side_does_not_touch_the_turn(cli, session):
    main = cli.send("sendMessage", {"text": scripted({"text": "main answer", "chunks": 5, "delay": 0.05})}, session)
    await cli.wait("assistantContentUpdated")
    answer = await cli.call("askBtw", {"question": scripted({"reasoning": "hm", "text": "aside"})}, session)
    assert answer == "aside"
    await cli.answer(main)
    told = [event["params"] for event in cli.events(session, "btwContent")]
    assert [item["content"] for item in told if item["type"] == "content"] == ["as", "asid", "aside"]
    assert len((await cli.call("getMessages", None, session))["messages"]) == 2
