"""@terminal and @problems at the border: an editor answers (or not), and the CLI gets one message, whatever happens."""

from __future__ import annotations

import asyncio

import pytest
from wave_client import SILENCE

from wave_bridge.providers.blocks import parse

SHORT = ' [[{"text": "short", "chunks": 1}]]'
TERMINAL = {"source": "command", "command": "make", "output": "\x1b[31mfail\x1b[0m\r\n", "exitCode": 2, "cols": 80}
MENTION = {kind: {"type": "mention", "kind": kind} for kind in ("terminal", "problems")}


def diagnostics(folder):
    at = {"start": {"line": 3, "character": 4}, "end": {"line": 3, "character": 9}}
    return {
        "uri": f"file://{folder}/src/a.py",
        "root": str(folder),
        "diagnostics": [
            {"range": at, "severity": 1, "message": "undefined name", "source": "lint", "code": "E1"},
            {"range": at, "severity": 4, "message": "a hint"},
        ],
    }


def answering(**facts):
    """Let an editor answer each kind that it is asked for."""
    return lambda params: {kind: facts[kind] for kind in params["kinds"] if kind in facts}


async def wired(machine, flags=(), *, wave=None, **options):
    work = machine.folder("work")
    capabilities = {"terminal": True, "problems": True} if wave is None else wave
    editor = await machine.editor("editor", *flags, folder=work, wave=capabilities, **options)
    return editor, await editor.new(work), work


async def received(editor, session_id, turn_id="t"):
    """Give the message that the CLI got, taken apart."""
    assert await editor.turn_ended(turn_id) == "completed"
    messages = (await editor.ask("wave/session/snapshot", sessionId=session_id))["messages"]
    users = [message for message in messages if message["role"] == "user"]
    texts = [block["content"] for block in users[-1]["blocks"] if block["type"] == "text"]
    assert len(texts) == 1
    return parse(texts[0])


@pytest.mark.req("M1.1", "M1.3", "M2.1")
async def test_both_mentions_stand_behind_the_users_text(machine, flags):
    editor, session_id, work = await wired(machine, flags)
    editor.answers["wave/context/read"] = answering(terminal=TERMINAL, problems=diagnostics(work))
    await editor.send(session_id, "t", "why?" + SHORT, MENTION["terminal"], MENTION["problems"])
    message = await received(editor, session_id)
    assert message.user_text == "why?" + SHORT
    terminal, problems = message.blocks
    assert terminal.text.splitlines() == ["Terminal output", "$ make", "fail", "[exit code 2]"]
    assert problems.text.splitlines()[1] == "4:5 error undefined name [lint E1]"
    assert "src/a.py" in problems.text.splitlines()[0]
    assert sorted(params["kinds"] for _, params in editor.questions) == [["problems"], ["terminal"]]


@pytest.mark.req("M1.2")
async def test_the_terminal_is_read_when_the_message_is_sent(machine):
    """Not when the chip was put in: the editor is asked by the send, and what it says then counts."""
    editor, session_id, _ = await wired(machine)
    shown = {"n": 0}

    def now(_params):
        shown["n"] += 1
        return {"terminal": {**TERMINAL, "output": f"reading {shown['n']}\r\n"}}

    editor.answers["wave/context/read"] = now
    for number in (1, 2):
        await editor.send(session_id, f"t{number}", "x" + SHORT, MENTION["terminal"])
        (block,) = (await received(editor, session_id, f"t{number}")).blocks
        assert f"reading {number}" in block.text


@pytest.mark.req("M1.6")
async def test_mentioned_twice_is_one_block_and_one_question(machine):
    editor, session_id, _ = await wired(machine)
    editor.answers["wave/context/read"] = answering(terminal=TERMINAL)
    await editor.send(session_id, "t", "x" + SHORT, MENTION["terminal"], MENTION["terminal"])
    assert [block.kind for block in (await received(editor, session_id)).blocks] == ["terminal"]
    assert len(editor.questions) == 1


@pytest.mark.req("M1.4")
async def test_over_the_limit_the_end_stays_and_the_first_line_says_so(machine):
    editor, session_id, _ = await wired(machine, settings={"mentions": {"terminal": {"lines": 3}}})
    output = "".join(f"line {number}\r\n" for number in range(50))
    editor.answers["wave/context/read"] = answering(terminal={**TERMINAL, "output": output})
    await editor.send(session_id, "t", "x" + SHORT, MENTION["terminal"])
    (block,) = (await received(editor, session_id)).blocks
    lines = block.text.splitlines()
    assert "3 of 50 lines" in lines[0]
    assert lines[-2] == "line 49"
    assert block.truncated


SILENT = {"settings": {"mentions": {"timeout": 0.2}}}


@pytest.mark.req("M1.5", "M2.3", "M2.5", "MB3")
@pytest.mark.parametrize(
    ("answer", "options", "reason"),
    [
        ({}, {}, "no reason"),
        (None, {}, "no reason"),
        ({"terminal": {"source": "unavailable", "reason": "noTerminal"}}, {}, "no terminal is open"),
        ({"terminal": {"source": "unavailable", "reason": "the pane is\nbroken"}}, {}, "the pane is broken"),
        ({"terminal": {"source": "unheard of"}}, {}, "unavailable"),
        ({"terminal": {**TERMINAL, "cols": "wide"}}, {}, "unavailable"),
        ({"terminal": "text"}, {}, "no reason"),
        (SILENCE, SILENT, "too long"),
        ({}, {"wave": {}}, "does not offer"),
    ],
    ids=[
        "left out",
        "null",
        "no terminal",
        "own words",
        "unknown source",
        "wrong type",
        "text",
        "silence",
        "not announced",
    ],
)
async def test_what_can_not_be_had_is_said_and_the_message_goes_out(machine, answer, options, reason):
    editor, session_id, _ = await wired(machine, **options)
    editor.answers["wave/context/read"] = answer
    await editor.send(session_id, "t", "x" + SHORT, MENTION["terminal"])
    (block,) = (await received(editor, session_id)).blocks
    assert block.unavailable
    assert reason in block.text
    assert len(block.text.splitlines()) == 1


@pytest.mark.req("M2.2", "M2.3", "M2.5")
async def test_no_problems_no_editor_and_unreadable_are_three_things(machine):
    editor, session_id, work = await wired(machine)
    said = []
    for number, facts in enumerate(({"uri": f"file://{work}/a.py", "diagnostics": []}, {}, {"uri": "file:///a.py"})):
        editor.answers["wave/context/read"] = answering(problems=facts)
        await editor.send(session_id, f"t{number}", "x" + SHORT, MENTION["problems"])
        (block,) = (await received(editor, session_id, f"t{number}")).blocks
        said.append((block.unavailable, block.text))
    assert [unavailable for unavailable, _ in said] == [False, True, True]
    assert "no problems" in said[0][1]
    assert "no editor is active" in said[1][1]
    assert len({text for _, text in said}) == 3


@pytest.mark.req("M2.4")
async def test_over_the_limit_the_first_line_has_both_counts(machine):
    editor, session_id, work = await wired(machine, settings={"mentions": {"problems": {"entries": 2}}})
    facts = diagnostics(work)
    at = facts["diagnostics"][0]["range"]
    facts["diagnostics"] = [{"range": at, "severity": 2, "message": f"warning {n}"} for n in range(5)]
    editor.answers["wave/context/read"] = answering(problems=facts)
    await editor.send(session_id, "t", "x" + SHORT, MENTION["problems"])
    (block,) = (await received(editor, session_id)).blocks
    first, *entries = block.text.splitlines()
    assert "5 problems, 2 listed" in first
    assert len(entries) == 2
    assert block.truncated


@pytest.mark.req("MB6")
async def test_an_analysis_that_is_not_through_is_sent_as_it_stands_and_said_to_be_old(machine):
    editor, session_id, work = await wired(machine)
    editor.answers["wave/context/read"] = answering(
        problems={**diagnostics(work), "version": 7, "diagnosticsVersion": 5}
    )
    await editor.send(session_id, "t", "x" + SHORT, MENTION["problems"])
    (block,) = (await received(editor, session_id)).blocks
    assert "older version" in block.text.splitlines()[0]
    assert "undefined name" in block.text


@pytest.mark.req("MB7")
async def test_nothing_is_read_that_was_not_mentioned_and_nothing_more_than_was_printed(machine):
    editor, session_id, work = await wired(machine)
    editor.answers["wave/context/read"] = answering(terminal=TERMINAL, problems=diagnostics(work))
    await editor.send(session_id, "t", "no mention" + SHORT)
    assert (await received(editor, session_id)).blocks == ()
    assert editor.questions == []
    await editor.send(session_id, "u", "one" + SHORT, MENTION["terminal"])
    (block,) = (await received(editor, session_id, "u")).blocks
    assert editor.questions == [("wave/context/read", {"kinds": ["terminal"]})]
    assert block.text == "Terminal output\n$ make\nfail\n[exit code 2]"


@pytest.mark.req("MB3")
async def test_a_late_answer_changes_nothing_and_later_messages_keep_their_place(machine):
    """While the editor thinks, what is sent behind waits; the late answer comes to a message that is gone."""
    editor, session_id, _ = await wired(machine, **SILENT)
    editor.answers["wave/context/read"] = SILENCE
    first = asyncio.create_task(editor.send(session_id, "t", "first" + SHORT, MENTION["terminal"]))
    await asyncio.sleep(0)
    second = asyncio.create_task(editor.send(session_id, "u", "second" + SHORT))
    assert (await first)["outcome"] == "started"
    await second
    assert await editor.turn_ended("u") == "completed"
    messages = (await editor.ask("wave/session/snapshot", sessionId=session_id))["messages"]
    users = [block["content"] for m in messages if m["role"] == "user" for block in m["blocks"]]
    assert [text.split()[0] for text in users] == ["first", "second"]
    editor.inbox.read_all()


@pytest.mark.req("MB3")
async def test_the_editor_dies_while_it_is_asked_and_the_message_still_goes_out_once(machine):
    editor, session_id, _ = await wired(machine)
    other = await machine.editor("other")
    await other.ask("wave/session/resume", sessionId=session_id)
    asked = asyncio.Event()

    def never(_params):
        asked.set()
        return SILENCE

    editor.answers["wave/context/read"] = never
    sending = asyncio.create_task(editor.send(session_id, "t", "x" + SHORT, MENTION["terminal"]))
    await asked.wait()
    editor._server.kill()
    (block,) = (await received(other, session_id)).blocks
    assert "disconnected" in block.text
    messages = (await other.ask("wave/session/snapshot", sessionId=session_id))["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"]
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)


@pytest.mark.req("MB8")
async def test_a_panel_asks_its_own_editor(machine):
    one, other = [await machine.editor(name, wave={"terminal": True}) for name in ("one", "other")]
    one.answers["wave/context/read"] = answering(terminal={**TERMINAL, "command": "of one"})
    other.answers["wave/context/read"] = answering(terminal={**TERMINAL, "command": "of other"})
    panel = await other.open_panel("p")
    session_id = await panel.new(machine.folder("work"))
    await panel.send(session_id, "t", "x" + SHORT, MENTION["terminal"])
    (block,) = (await received(panel, session_id)).blocks
    assert "$ of other" in block.text
    assert one.questions == []


async def test_the_texts_are_in_the_editors_language(machine):
    editor, session_id, _ = await wired(machine, locale="zh-cn")
    editor.answers["wave/context/read"] = answering(terminal=TERMINAL)
    await editor.send(session_id, "t", "x" + SHORT, MENTION["terminal"])
    (block,) = (await received(editor, session_id)).blocks
    assert block.text.splitlines()[0] == "终端输出"
