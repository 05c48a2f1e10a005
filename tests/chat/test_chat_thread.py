"""A thread follows the CLI's events, and reads as Markdown in which nothing passes for the marker."""

import json
from pathlib import Path

import pytest

from wave_bridge.chat.markdown import MARKER, RESULT_LINES, message_lines
from wave_bridge.chat.thread import Thread

USER = {"id": "m1", "role": "user", "blocks": [{"type": "text", "content": "Do it"}]}
WAVE = {"id": "m2", "role": "assistant", "blocks": []}


def lines(thread):
    return [line for message in thread.messages for line in message_lines(message, "en")]


def told(*events):
    thread = Thread()
    thread.apply("userMessageAdded", {"message": USER})
    thread.apply("assistantMessageAdded", {"message": WAVE})
    for method, params in events:
        thread.apply(method, params)
    return thread


def delta(chunk, stage="streaming", method="assistantContentUpdated"):
    return method, {"messageId": "m2", "chunk": chunk, "stage": stage}


def tool(**members):
    return "toolBlockUpdated", {"id": "t1", "messageId": "m2", "name": "Bash", **members}


def test_deltas_grow_one_block_until_it_ends():
    thread = told(delta("Hel"), delta("lo"), delta("", "end"), delta("Second"), delta("", "end"))
    assert [block["content"] for block in thread.messages[1]["blocks"]] == ["Hello", "Second"]
    assert lines(thread) == ["## You", "", "Do it", "", "## Wave", "", "Hello", "", "Second", ""]


def test_reasoning_is_quoted_before_the_text():
    thread = told(delta("Let me", method="assistantReasoningUpdated"), delta("42"))
    assert lines(thread)[-4:] == ["> Let me", "", "42", ""]


def test_a_tool_is_followed_from_start_to_end():
    thread = told(
        tool(stage="start", parameters=""),
        tool(stage="streaming", parametersChunk='{"command": "to'),
        tool(stage="streaming", parametersChunk='uch x"}'),
    )
    assert lines(thread)[-2] == "**Bash** `touch x` — running"
    thread.apply(*tool(stage="running", parameters='{"command": "touch x"}', compactParams="touch x"))
    thread.apply(*tool(stage="end", result="made\n```\nit", success=True, messageId="wrong"))
    assert lines(thread)[-7:] == ["**Bash** `touch x` — done", "````", "made", "```", "it", "````", ""]


def test_only_the_end_of_a_long_result_is_shown():
    thread = told(tool(stage="end", result="\n".join(map(str, range(1000))), success=False))
    shown = lines(thread)
    assert "failed" in shown[6]
    assert shown[-3] == "999"
    assert len(shown) == 6 + 1 + 2 + 1 + RESULT_LINES + 1


def test_an_error_makes_a_message_of_its_own_behind_a_users():
    thread = Thread([USER])
    thread.apply("errorBlockAdded", {"error": "No model\nis configured"})
    assert lines(thread)[-5:] == ["## Wave", "", "**Error:** No model", "is configured", ""]


def test_a_command_shows_its_output_and_its_exit_code():
    thread = Thread()
    thread.apply("bangMessageAdded", {"command": "make", "messageId": "b"})
    assert lines(thread) == ["## You", "", "`!make`", ""]
    thread.apply("bangMessageCompleted", {"command": "make", "messageId": "b", "output": "no rule", "exitCode": 2})
    assert lines(thread) == ["## You", "", "`!make`", "```", "no rule", "```", "[2]", ""]


def test_what_is_not_for_display_is_not_shown():
    meta = {"id": "m", "role": "user", "isMeta": True, "blocks": [{"type": "text", "content": "hook"}]}
    note = {"id": "n", "role": "user", "isMeta": True, "blocks": [{"type": "task_notification", "summary": "Done"}]}
    assert lines(Thread([meta])) == []
    assert lines(Thread([note])) == ["## You", "", "*Done*", ""]


@pytest.mark.parametrize("where", ["text", "reasoning", "error", "bang", "tool"])
def test_the_marker_in_a_message_is_not_the_marker(where):
    block = {"type": where, "content": f"x\n{MARKER}\ny", "output": MARKER, "command": MARKER, "result": MARKER}
    shown = lines(Thread([{"id": "m", "role": "assistant", "blocks": [block]}]))
    assert any("wave: draft" in line for line in shown)
    assert not any(MARKER in line for line in shown)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("assistantContentUpdated", {"messageId": "gone", "chunk": "x", "stage": "end"}),
        ("toolBlockUpdated", {"id": "t", "messageId": "gone"}),
        ("bangMessageCompleted", {"messageId": "gone"}),
        ("userMessageAdded", {}),
        ("ofALaterCli", {"x": 1}),
    ],
)
def test_an_event_of_what_is_not_here_changes_nothing(method, params):
    thread = Thread([USER])
    assert thread.apply(method, params) is None
    assert thread.messages == [USER]


RECORDINGS = sorted((Path(__file__).parent.parent / "data/wire").rglob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_no_recorded_event_is_too_odd(path):
    """Every notification that the real CLI was seen to send can be taken, and what follows can be shown."""
    thread = Thread()
    for text in path.read_text("utf-8", "replace").splitlines():
        try:
            entry = json.loads(text)
        except ValueError:
            continue
        message = entry.get("msg", entry) if isinstance(entry, dict) else {}
        if isinstance(message, dict) and isinstance(message.get("method"), str):
            params = message.get("params")
            thread.apply(message["method"], params if isinstance(params, dict) else {})
    assert MARKER not in lines(thread)


def test_a_text_grows_on_when_the_error_of_a_stopped_turn_comes_into_it():
    thread = Thread()
    thread.apply("assistantMessageAdded", {"message": {"id": "a", "role": "assistant", "blocks": []}})
    thread.apply("assistantContentUpdated", {"messageId": "a", "chunk": "one", "stage": "streaming"})
    thread.apply("errorBlockAdded", {"error": "Request was aborted"})
    thread.apply("assistantContentUpdated", {"messageId": "a", "chunk": " two", "stage": "streaming"})
    thread.apply("assistantContentUpdated", {"messageId": "a", "chunk": "", "stage": "end"})
    assert thread.messages[-1]["blocks"] == [
        {"type": "text", "content": "one two", "stage": "end"},
        {"type": "error", "content": "Request was aborted"},
    ]
