"""A plain chat in a real terminal: what is typed, what is shown, what is on disk afterwards."""

import pytest
from typed import CTRL_C, CTRL_D, ENTER, ESC, SLOW, ask, files, lines, say, start, store, texts


def test_a_conversation_is_streamed_and_kept(desk):
    terminal = start(desk)
    terminal.type(say({"text": "first line\nsecond line", "chunks": 5}))
    terminal.wait("second line")
    terminal.type(say({"tool": {"name": "Bash", "args": {"command": "touch proof"}}}, {"text": "it is done"}))
    terminal.wait("? Bash: touch proof")
    assert not (desk.here / "proof").exists()
    terminal.type("y" + ENTER)
    terminal.wait(lambda _: "it is done" in terminal.screen)
    assert (desk.here / "proof").exists()
    terminal.type("!echo $((40 + 2))" + ENTER)
    terminal.wait("  42")
    terminal.type(CTRL_D)
    assert terminal.wait_end() == 0
    (file,) = files(desk)
    assert [line.get("role", line.get("type")) for line in lines(file)][:4] == ["metadata", "user", "assistant", "user"]


def test_what_is_refused_is_not_done_and_the_reason_is_heard(desk):
    terminal = start(desk)
    terminal.type(say({"tool": {"name": "Bash", "args": {"command": "touch proof"}}}, {"text": "then not"}))
    terminal.wait("? Bash: touch proof")
    terminal.type("use another file" + ENTER)
    terminal.wait(lambda _: "then not" in terminal.screen and terminal.screen[terminal.cursor.y] == ">", "the end")
    assert not (desk.here / "proof").exists()
    assert b"use another file" in files(desk)[0].read_bytes()


@pytest.mark.parametrize("key", [ESC, CTRL_C])
def test_esc_and_ctrl_c_stop_the_answer_not_the_chat(desk, key):
    terminal = start(desk)
    terminal.type(say(SLOW))
    terminal.wait("three")
    terminal.type(key)
    terminal.wait(lambda terminal: terminal.screen[terminal.cursor.y] == ">", "the prompt")
    ask(terminal, "still here")


@pytest.mark.req("S13.1", "S12.1")
def test_rename_names_this_session_and_changes_nothing_else(desk):
    terminal = start(desk)
    ask(terminal, "answer")
    terminal.type("/rename   My title  " + ENTER)
    terminal.wait("The session is now named: My title")
    (file,) = files(desk)
    assert lines(file)[-1] == {"type": "custom-title", "customTitle": "My title", "sessionId": file.stem}
    ask(terminal, "goes on")
    terminal.type("/exit" + ENTER)
    assert terminal.wait_end() == 0
    assert files(desk) == [file]
    assert [line["customTitle"] for line in lines(file) if line.get("type") == "custom-title"] == ["My title"] * 2
    assert lines(file)[-1]["customTitle"] == "My title", "back at the end when the session ends"


@pytest.mark.req("S13.2", "SB18")
def test_a_bare_rename_says_how(desk):
    store(desk, desk.here, 1, "hello", title="As it was")
    terminal = start(desk, "-c")
    before = files(desk)[0].read_bytes()
    terminal.type("/rename  " + ENTER)
    terminal.wait("Usage: /rename <title>")
    assert files(desk)[0].read_bytes() == before


@pytest.mark.req("S13.3")
def test_renaming_while_an_answer_is_written_stops_nothing(desk):
    terminal = start(desk)
    terminal.type(say({"text": "word\n" * 30 + "the end", "chunks": 31, "delay": 0.05}))
    terminal.wait("word")
    terminal.type("/rename In between" + ENTER)
    terminal.wait("is now named: In between")
    terminal.wait("the end")
    assert any("the end" in text for text in texts(files(desk)[0]))


@pytest.mark.req("S12.6")
def test_a_session_without_messages_gets_a_file_by_its_name(desk):
    terminal = start(desk)
    terminal.type("/rename Empty so far" + ENTER)
    terminal.wait("is now named")
    (file,) = files(desk)
    assert [line["type"] for line in lines(file)] == ["metadata", "custom-title"]


@pytest.mark.req("SB12", "S12.5")
def test_rewind_gives_the_message_back_and_keeps_header_and_title(desk):
    file = store(desk, desk.here, 1, "first", "answer", "second", "another", title="Kept")
    head = file.read_bytes().splitlines()[0]
    terminal = start(desk, "-c")
    terminal.type("/rewind" + ENTER)
    terminal.wait("2. second")
    terminal.type("/rewind 2" + ENTER)
    terminal.wait("> second")
    terminal.wait(lambda terminal: terminal.screen[terminal.cursor.y] == "> second", "the draft")
    kept = lines(file)
    assert file.read_bytes().splitlines()[0] == head
    assert [line.get("role") for line in kept] == [None, "user", "assistant", None]
    assert kept[-1]["customTitle"] == "Kept"


@pytest.mark.req("S12.5")
def test_compaction_appends_and_brings_the_title_back(desk):
    file = store(desk, desk.here, 1, "first", "answer", title="Kept")
    before = file.read_bytes()
    terminal = start(desk, "-c")
    ask(terminal, "more")
    terminal.type("/compact" + ENTER)
    terminal.wait("(the conversation before this was compacted)")
    terminal.wait(lambda _: lines(file)[-1].get("customTitle") == "Kept", "the title at the end")
    assert file.read_bytes().startswith(before)


def test_a_cli_that_dies_ends_the_chat_with_its_reason(desk):
    terminal = start(desk)
    terminal.type(say({"fault": "exit", "code": 7, "message": "no more"}))
    assert terminal.wait_end() == 0
    assert "7" in terminal.text
    assert "no more" in terminal.text


def test_no_such_folder(desk):
    terminal = desk.terminal("chat", "nowhere")
    terminal.wait("there is no folder")
    assert terminal.wait_end() == 2
