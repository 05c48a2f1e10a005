"""What choosing, renaming and leaving do: in a real terminal, with the files and the programs that are started."""

import base64
import json
import shutil

import pytest
import session_maker as make
from desk import git

from wave_bridge.store import paths

CTRL_A, CTRL_R, CTRL_U, CTRL_W, DOWN, ENTER, ESC = "\x01", "\x12", "\x15", "\x17", "\x1b[B", "\r", "\x1b"


def store(desk, folder, number, text="hello", minutes=0.0, **header):
    data = make.header(str(folder), minutes, **header) + make.message("m", text, minutes)
    return make.put(desk.base, str(folder), number, data)


@pytest.fixture
def wave(desk):
    """Install a `wave` that says how it was started: a stand-in, for no real one can be had here."""
    desk.program("wave", 'printf "started in %s with %s\\n" "$(pwd)" "$*"')


@pytest.mark.req("S8.1", "SB18")
@pytest.mark.usefixtures("wave")
def test_a_session_of_the_folder_is_resumed_here(desk):
    """At once, as it is: nobody is asked whether it is trusted or open elsewhere, and no copy is made of it."""
    store(desk, desk.here, 1)
    terminal = desk.sessions(size=(200, 24))
    terminal.wait("(1)")
    terminal.type(ENTER)
    assert terminal.wait_end() == 0
    assert f"started in {desk.here} with --restore {make.session_id(1)}" in terminal.screen


@pytest.mark.req("S8.2")
@pytest.mark.usefixtures("wave")
def test_another_worktrees_session_is_resumed_there(desk, trees):
    _, second = trees
    store(desk, second, 2)
    terminal = desk.sessions(size=(200, 24))
    terminal.wait("Ctrl+W")
    terminal.type(CTRL_W)
    terminal.wait("all worktrees (1)")
    terminal.type(ENTER)
    assert terminal.wait_end() == 0
    assert f"started in {second} with --restore {make.session_id(2)}" in terminal.screen


@pytest.mark.req("S8.3")
@pytest.mark.req("SB7")
@pytest.mark.parametrize("installed", [True, False])
def test_another_projects_command_is_shown_and_handed_to_the_terminal(desk, installed):
    if installed:
        desk.program("wave", "exit 3")
    elsewhere = desk.home / "it's far"
    elsewhere.mkdir()
    store(desk, elsewhere, 3)
    terminal = desk.sessions("--all", size=(200, 24), DISPLAY="")
    terminal.wait("(1)")
    terminal.type(ENTER)
    assert terminal.wait_end() == 0
    program = "wave" if installed else "wave-bridge chat"
    quoted = "'" + str(elsewhere).replace("'", "'\"'\"'") + "'"
    command = f"cd {quoted} && {program} --restore {make.session_id(3)}"
    assert f"  {command}" in terminal.screen
    assert b"\x1b]52;c;" + base64.b64encode(command.encode()) + b"\x07" in terminal.written


@pytest.mark.req("S8.3")
def test_the_command_goes_into_the_systems_clipboard(desk):
    """`xclip` stands in for a desktop's clipboard, of which there is none here."""
    desk.program("xclip", f'cat >"{desk.home}/clipboard"')
    store(desk, desk.home, 3)
    terminal = desk.sessions("--all", size=(200, 24), DISPLAY=":99", WAYLAND_DISPLAY="")
    terminal.wait("(1)")
    terminal.type(ENTER)
    terminal.wait_end()
    assert "Copied to the clipboard" in terminal.text
    copied = (desk.home / "clipboard").read_text("utf-8")
    assert copied == f"cd {desk.home} && wave-bridge chat --restore {make.session_id(3)}"
    assert b"\x1b]52" not in terminal.written


@pytest.mark.req("S8.4")
@pytest.mark.req("SB7")
def test_a_worktree_that_was_deleted_gets_the_command(desk, trees):
    here, second = trees
    store(desk, second, 2)
    terminal = desk.sessions(size=(200, 24))
    terminal.wait("Ctrl+W")
    terminal.type(CTRL_W)
    terminal.wait("(1)")
    shutil.rmtree(second)
    terminal.type(ENTER)
    assert terminal.wait_end() == 0
    assert f"  cd {second} && wave-bridge chat --restore {make.session_id(2)}" in terminal.screen
    assert "folder is gone" in terminal.text
    git(here, "worktree", "prune")


def test_a_session_that_went_meanwhile_is_missed(desk):
    path = store(desk, desk.here, 1)
    terminal = desk.sessions()
    terminal.wait("(1)")
    path.unlink()
    terminal.type(ENTER)
    terminal.wait("does not exist any more")


@pytest.mark.req("S13.4")
@pytest.mark.req("S13.5")
@pytest.mark.req("SB17")
def test_ctrl_r_renames_in_place(desk):
    store(desk, desk.here, 1, "first", 1)
    path = store(desk, desk.here, 2, "second", 0)
    before = path.read_bytes()
    terminal = desk.sessions("--search", "s")
    terminal.wait("(2)")
    terminal.type(DOWN + CTRL_R)
    terminal.wait("Enter save")
    assert terminal.screen[2].startswith("❯ second"), "the row itself is the input"
    assert (terminal.cursor.y, terminal.cursor.x) == (2, len("❯ second"))
    assert terminal.screen[0].endswith("❯ s"), "list and search stay"
    terminal.type(" one" + ENTER)
    terminal.wait("Enter resume")
    terminal.wait(lambda terminal: terminal.screen[2].startswith("❯ second one "))
    title = {"type": "custom-title", "customTitle": "second one", "sessionId": make.session_id(2)}
    terminal.wait(lambda _: path.read_bytes() == before + make.line(title), "the title in its file")
    terminal.type(CTRL_R)
    terminal.wait("Enter save")
    terminal.type(CTRL_U + "thrown away" + ESC)
    terminal.wait("Enter resume")
    assert terminal.screen[2].startswith("❯ second one ")
    terminal.type(ESC)
    assert terminal.wait_end() == 0
    assert path.read_bytes() == before + make.line(title)


@pytest.mark.req("S13.6")
@pytest.mark.req("SB16")
def test_blank_and_endless_titles(desk):
    path = store(desk, desk.here, 1, "first")
    before = path.read_bytes()
    terminal = desk.sessions()
    terminal.wait("(1)")
    terminal.type(CTRL_R)
    terminal.wait("Enter save")
    terminal.type(CTRL_U + "   " + ENTER)
    terminal.wait("Enter resume")
    assert "first" in terminal.screen[1]
    terminal.type(CTRL_R)
    terminal.wait("Enter save")
    terminal.type(CTRL_U + "\x1b[200~" + "two\r\nlines " * 50 + "\x1b[201~" + ENTER)
    terminal.wait("two lines")
    terminal.wait(lambda _: path.read_bytes() != before, "the title in its file")
    title = json.loads(path.read_bytes().removeprefix(before))["customTitle"]
    assert title == ("two lines " * 50)[:200].rstrip()


@pytest.mark.req("S13.6")
def test_a_title_that_can_not_be_saved_is_rolled_back(desk):
    path = store(desk, desk.here, 1, "first")
    terminal = desk.sessions()
    terminal.wait("(1)")
    path.unlink()
    terminal.type(CTRL_R)
    terminal.wait("Enter save")
    terminal.type(CTRL_U + "another" + ENTER)
    terminal.wait("Not renamed:")
    assert "❯ first" in terminal.text
    assert "another" not in terminal.text


@pytest.mark.req("S13.7")
def test_another_projects_session_is_renamed_in_its_own_file(desk):
    mine = store(desk, desk.here, 1, "mine", 0)
    before = mine.read_bytes()
    far = store(desk, desk.home, 2, "far", 1)
    terminal = desk.sessions()
    terminal.wait("(1)")
    terminal.type(CTRL_A)
    terminal.wait("(2)")
    terminal.type("far")
    terminal.wait("(1)")
    terminal.type(CTRL_R)
    terminal.wait("Enter save")
    terminal.type(" away" + ENTER)
    terminal.wait("far away")
    terminal.wait(lambda _: b'"far away"' in far.read_bytes(), "the title in its file")
    assert mine.read_bytes() == before
    assert [
        path.name for path in paths.project_dir(desk.base, str(desk.here)).iterdir() if path.suffix == ".jsonl"
    ] == [mine.name]
