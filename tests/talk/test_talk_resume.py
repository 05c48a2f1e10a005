"""Going on with stored sessions from a terminal: at the start, and again and again without leaving (S8, S9)."""

import json

import pytest
import session_maker as make
from desk import git
from typed import CTRL_A, CTRL_D, CTRL_W, DOWN, ENTER, ESC, ask, choose, files, hooks, say, start, store, texts, told


@pytest.mark.req("S8.6")
def test_c_goes_on_with_the_folders_latest(desk):
    store(desk, desk.here, 1, "old question", "old answer")
    latest = store(desk, desk.here, 2, "new question", "new answer", "later")
    store(desk, desk.home, 3, "elsewhere", "and newer", "than", "all")
    terminal = start(desk, "-c")
    assert "> new question" in terminal.screen
    assert "elsewhere" not in terminal.text
    ask(terminal, "goes on")
    terminal.type(CTRL_D)
    terminal.wait_end()
    assert "goes on" in texts(latest)


@pytest.mark.req("S8.5")
def test_restore_finds_a_session_anywhere_and_never_makes_a_new_one(desk):
    far = store(desk, desk.home, 3, "far question", "far answer")
    terminal = start(desk, "--restore", make.session_id(3))
    assert "> far question" in terminal.screen
    assert f"in {desk.home}," in terminal.text
    terminal.type("!pwd" + ENTER)
    terminal.wait(f"  {desk.home}")
    terminal.type(CTRL_D)
    terminal.wait_end()
    assert files(desk) == [far]
    for wanted, said in ((make.session_id(9), "There is no session"), ("../x", "Invalid session ID format")):
        failed = desk.terminal("chat", "--restore", wanted)
        failed.wait(said)
        assert failed.wait_end() == 1
    assert files(desk) == [far]


@pytest.mark.req("S8.2")
def test_r_chooses_first_and_switches_the_worktree(desk, trees):
    _, second = trees
    store(desk, second, 2, "in the second", "yes")
    terminal = desk.terminal("chat", "-r", size=(160, 40))
    terminal.wait("Ctrl+W")
    terminal.type(CTRL_W)
    terminal.wait("(1)")
    terminal.type(ENTER)
    terminal.wait(f"in {second},")
    assert "> in the second" in terminal.screen


@pytest.mark.req("S9.1", "S9.2")
def test_the_picker_opens_over_the_conversation_and_esc_changes_nothing(desk):
    store(desk, desk.here, 1, "another one")
    terminal = start(desk)
    ask(terminal, "what was said")
    before = {file: file.read_bytes() for file in files(desk)}
    choose(terminal, shown="another one")
    assert "Ctrl+R rename · Ctrl+A all projects · Esc close" in terminal.text
    terminal.type(ESC)
    terminal.wait_gone("Esc close")
    assert {file: file.read_bytes() for file in files(desk)} == before
    ask(terminal, "goes on")
    assert sum("goes on" in texts(file) for file in files(desk)) == 1


@pytest.mark.req("S9.3", "S9.9", "S9.10", "SB9")
def test_another_session_of_the_folder_takes_its_place(desk):
    log = hooks(desk, desk.here)
    target = make.put(
        desk.base,
        str(desk.here),
        1,
        make.header(str(desk.here))
        + make.message("a", "before compaction", 0)
        + make.line(make.compaction("c", "the summary", 1))
        + make.message("b", "after it", 2)
        + make.message("d", "an answer", 3, role="assistant", tokens=777),
    )
    terminal = start(desk)
    ask(terminal, "what was said")
    (first,) = [file for file in files(desk) if file != target]
    choose(terminal, DOWN, shown="before compaction")
    terminal.wait("❯ before compaction")
    terminal.type(ENTER)
    terminal.wait("777 tokens. /help")
    for shown in ("> before compaction", "(the conversation before this was compacted)", "> after it", "an answer"):
        assert shown in terminal.screen
    assert told(log) == [
        ("SessionStart", "startup", first.stem),
        ("SessionStart", "resume", target.stem),
        ("SessionEnd", "resume", first.stem),
    ]
    ask(terminal, "goes on there")
    terminal.type(CTRL_D)
    terminal.wait_end()
    assert "goes on there" in texts(target)
    assert "goes on there" not in texts(first)
    assert files(desk) == sorted([first, target])


@pytest.mark.req("S9.4", "S9.5", "S9.9")
def test_worktrees_are_switched_again_and_again(desk, trees):
    here, second = trees
    third = here.parent / "work-three"
    git(here, "worktree", "add", "-b", "three", str(third))
    stored = {
        folder: store(desk, folder, number, f"in {number}") for number, folder in enumerate((here, second, third), 1)
    }
    for folder in (second, third):
        (folder / ".wave" / "commands").mkdir(parents=True)
        (folder / ".wave" / "commands" / "where.md").write_text(f"[[{json.dumps({'text': f'at {folder.name}'})}]]")
    terminal = start(desk, "-c")
    for number, folder in ((2, second), (3, third), (1, here), (3, third)):
        terminal.type("/resume" + ENTER)
        terminal.wait("Ctrl+W")
        terminal.type(CTRL_W)
        terminal.wait("(3)")
        terminal.type(f"in {number}")
        terminal.wait("(1)")
        terminal.type(ENTER)
        terminal.wait(f"Session {make.session_id(number)} in {folder},")
        terminal.type(f"!echo at-$(basename $(pwd))-{number}" + ENTER)
        terminal.wait(f"at-{folder.name}-{number}")
    terminal.type("/where" + ENTER)
    terminal.wait(f"at {third.name}")
    terminal.type(CTRL_D)
    terminal.wait_end()
    assert files(desk) == sorted(stored.values()), "no second file of the same id anywhere"
    assert any("where" in text or third.name in text for text in texts(stored[third]))


@pytest.mark.req("S9.6", "S9.7")
def test_another_projects_command_is_shown_and_the_chat_goes_on(desk, trees):
    here, second = trees
    store(desk, desk.home, 3, "elsewhere")
    store(desk, second, 2, "in a worktree that goes")
    terminal = start(desk, DISPLAY="", size=(250, 40))
    choose(terminal, CTRL_A, shown="Ctrl+W")
    terminal.wait("(2)")
    terminal.type("elsewhere")
    terminal.wait("(1)")
    terminal.type(ENTER)
    terminal.wait(f"cd {desk.home} && wave-bridge chat --restore {make.session_id(3)}")
    terminal.type(ESC)
    terminal.wait_gone("belongs to another project")
    git(here, "worktree", "remove", str(second))
    terminal.type("\x7f" * len("elsewhere") + "goes")
    terminal.wait(lambda terminal: "❯ in a worktree that goes" in terminal.text)
    terminal.type(ENTER)
    terminal.wait(f"cd {second} && wave-bridge chat --restore {make.session_id(2)}")
    terminal.type(ESC)
    terminal.wait_gone("&& wave-bridge")
    terminal.type(ESC)
    terminal.wait_gone("Esc close")
    ask(terminal, "as before")


@pytest.mark.req("S9.8")
def test_resume_is_ignored_while_an_answer_is_written(desk):
    store(desk, desk.here, 1, "another one")
    terminal = start(desk)
    terminal.type(say({"text": "word\n" * 30 + "the end", "chunks": 31, "delay": 0.05}))
    terminal.wait("word")
    terminal.type("/resume" + ENTER)
    terminal.wait("An answer is being written: the command is ignored")
    terminal.wait("the end")


@pytest.mark.req("S9.11")
def test_a_damaged_session_is_not_switched_to(desk):
    damaged = store(desk, desk.here, 1, "whole", "answer")
    damaged.write_bytes(damaged.read_bytes() + b"{broken\n")
    terminal = start(desk)
    choose(terminal, ENTER, shown="damaged")
    terminal.wait("The session is damaged:")
    terminal.type(ESC)
    terminal.wait_gone("Esc close")
    ask(terminal, "as before")
    assert "as before" not in texts(damaged)


@pytest.mark.req("SB10", "S3.4")
def test_switching_away_from_nothing_leaves_no_file_and_clearing_makes_none(desk):
    target = store(desk, desk.here, 1, "another one")
    terminal = start(desk)
    choose(terminal, shown="another one")
    terminal.type(ENTER)
    terminal.wait(f"Session {target.stem}")
    assert files(desk) == [target]
    terminal.type("/clear" + ENTER)
    terminal.wait("A new conversation has begun")
    terminal.type(CTRL_D)
    terminal.wait_end()
    assert files(desk) == [target]
