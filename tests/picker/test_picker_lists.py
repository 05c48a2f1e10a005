"""What the picker lists, in which scope, and how it looks: in a real terminal, over files made byte for byte."""

import json

import pytest
import session_maker as make
from wcwidth import width

from wave_bridge.picker.row import age, path_end, tokens
from wave_bridge.store import paths

CTRL_A, CTRL_W, ESC = "\x01", "\x17", "\x1b"


def store(desk, folder, number, text, minutes, *, title=None, branch=None, **more):
    data = make.header(str(folder), minutes, branch) + make.message("m", text, minutes, **more)
    return make.put(desk.base, str(folder), number, data + (make.title(title, number) if title else b""))


def rows(terminal):
    """Give the lines of the list, without the mark of the selected one."""
    return [line[2:] for line in terminal.screen[1:-2] if line.strip()]


def selected(terminal):
    return next(line[2:] for line in terminal.screen if line.startswith("❯ "))


@pytest.mark.req("S6.1")
@pytest.mark.req("S12.3")
def test_the_folders_sessions_newest_first_however_old(desk):
    store(desk, desk.here, 1, "years ago", 0)
    store(desk, desk.here, 2, "named otherwise", 20, title="My title")
    store(desk, desk.here, 3, "x" * 50, 10)
    store(desk, desk.home, 4, "elsewhere", 30)
    terminal = desk.sessions()
    terminal.wait("(3)")
    labels = [line.split("  ")[0] for line in rows(terminal)]
    assert labels == ["My title", "x" * 30, "years ago"]


@pytest.mark.req("S6.2")
@pytest.mark.req("S6.3")
@pytest.mark.req("S6.4")
@pytest.mark.req("S6.5")
def test_ctrl_a_shows_all_projects_with_their_paths_and_back(desk):
    long = desk.home / ("very-long-" * 12) / ("and-longer-" * 8)
    store(desk, desk.here, 1, "here", 0)
    store(desk, desk.here, 7, "in two projects, older", 1)
    store(desk, desk.home, 7, "in two projects, newer", 2)
    encoded = make.put(desk.base, str(long), 9, make.message("m", "no header, a hashed folder", 3)).parent.name
    terminal = desk.sessions(size=(250, 24))
    terminal.wait("(2)")
    assert not any(line.endswith(str(desk.here)) for line in rows(terminal))
    terminal.type(CTRL_A)
    terminal.wait("all projects (3)")
    first, second, third = rows(terminal)
    assert first.startswith("no header")
    assert first.endswith(encoded[-40:])
    assert second.startswith("in two projects, newer")
    assert second.endswith(str(desk.home))
    assert third.startswith("here")
    assert third.endswith(str(desk.here))
    terminal.type(CTRL_A)
    terminal.wait("this folder (2)")
    assert "in two projects, older" in terminal.text


@pytest.mark.req("S7.1")
@pytest.mark.req("S7.2")
@pytest.mark.req("S7.4")
@pytest.mark.req("S7.5")
@pytest.mark.req("S11.3")
def test_ctrl_w_shows_all_worktrees_and_all_projects_win(desk, trees):
    here, second = trees
    store(desk, here, 1, "in the first", 0, branch="main")
    store(desk, second, 2, "in the second", 1, branch="two")
    store(desk, desk.home, 3, "in no repository", 2)
    terminal = desk.sessions()
    terminal.wait("(1)")
    assert selected(terminal).endswith("[main]")
    terminal.wait("Ctrl+W")
    terminal.type(CTRL_W)
    terminal.wait("all worktrees (2)")
    assert [line.split("  ")[0] for line in rows(terminal)] == ["in the second", "in the first"]
    assert "[two]  " in terminal.text
    assert selected(terminal).startswith("in the first"), "the selection stays on its session"
    terminal.type(CTRL_A)
    terminal.wait("all projects (3)")
    terminal.type(CTRL_W)
    terminal.wait("all projects (3)")
    terminal.type(CTRL_A)
    terminal.wait("this folder (1)")


@pytest.mark.req("S7.3")
def test_ctrl_w_is_nothing_where_there_is_one_worktree(desk):
    store(desk, desk.here, 1, "here", 0)
    terminal = desk.sessions()
    terminal.wait("(1)")
    terminal.type(CTRL_W)
    terminal.type(CTRL_A)  # is answered after it
    terminal.wait("all projects")
    assert "worktree" not in terminal.text


def test_search_narrows_as_one_types(desk):
    for number in range(1, 40):
        store(desk, desk.here, number, f"number {number}", number)
    terminal = desk.sessions("--search", "number")
    terminal.wait("(39)")
    terminal.type(" 17")
    terminal.wait("(1)")
    assert [line.split("  ")[0] for line in rows(terminal)] == ["number 17"]
    terminal.type("\x7f\x7f\x7f nothing like it")
    terminal.wait("No sessions")


def test_ten_thousand_sessions_come_in_pages_and_keys_work_meanwhile(desk):
    folder = paths.project_dir(desk.base, str(desk.here))
    folder.mkdir(parents=True)
    head = make.header(str(desk.here))
    for number in range(1, 10_001):
        path = folder / f"{make.session_id(number)}.jsonl"
        path.write_bytes(head + make.message("m", f"number {number}", number))
    terminal = desk.sessions()
    terminal.wait("(100…)")
    terminal.type("\x1b[B\x1b[B")
    terminal.wait(lambda terminal: selected(terminal).startswith("number 9998"))
    terminal.wait("(10000)")
    assert selected(terminal).startswith("number 9998")
    terminal.type("\x1b[1;5F")  # Ctrl+End
    terminal.wait(lambda terminal: selected(terminal).startswith("number 1 "))
    terminal.type("4242")
    terminal.wait("(1)")


def test_wide_characters_resizing_and_hostile_titles(desk):
    store(desk, desk.here, 1, "你好，世界" * 8, 0, branch="主干", tokens=12_345)
    store(desk, desk.here, 2, "x", 1, title="a\x1b[31mred\x07 \u202eleft\nnew line")
    terminal = desk.sessions(size=(100, 10))
    terminal.wait("(2)")
    assert "a[31mred left new line" in terminal.text
    assert b"\x1b[31mred" not in terminal.written
    for columns in (60, 30, 20, 120):
        terminal.resize(columns, 10)
        terminal.wait(lambda terminal, columns=columns: fills(terminal, columns), f"{columns} columns")
    assert "12.3k tokens" in terminal.text


def fills(terminal, columns):
    """Whether the row of the Chinese title is laid out for so many columns: a wide character takes two of them."""
    line = next((line for line in terminal.screen if line[2:4] == "你好"), "")
    return width(line) == columns if columns >= 60 else 0 < width(line) <= columns and "12.3k" not in line


def test_esc_leaves_everything_as_it_was(desk):
    path = store(desk, desk.here, 1, "here", 0)
    before = path.read_bytes()
    for key in (ESC, "\x03"):
        terminal = desk.sessions()
        terminal.wait("(1)")
        terminal.type(key)
        assert terminal.wait_end() == 0
    assert path.read_bytes() == before


@pytest.mark.req("SB2")
def test_damaged_sessions_say_so(desk):
    path = store(desk, desk.here, 1, "half of it", 0)
    path.write_bytes(path.read_bytes() + b"\0\0\0 no JSON\n" + make.message("n", "after it", 1))
    terminal = desk.sessions()
    terminal.wait("damaged")
    terminal.type("\r")
    terminal.wait("The session is damaged:")


def test_lists_for_scripts(desk, trees):
    here, second = trees
    store(desk, here, 1, "one", 0, branch="main", tokens=5)
    store(desk, second, 2, "two", 1, title="Second")
    store(desk, desk.home, 3, "three", 2)

    def listed(*arguments):
        found = json.loads(desk.run("--json", *arguments).stdout)
        assert found["skipped"] == []
        return [each["id"] for each in found["sessions"]]

    one, two, three = map(make.session_id, (1, 2, 3))
    assert listed() == [one]
    assert listed("--worktrees") == [two, one]
    assert listed("--all") == [three, two, one]
    assert listed("--all", "--search", "second") == [two]
    assert listed(str(second)) == [two]
    row = json.loads(desk.run("--json").stdout)["sessions"][0]
    assert row == {
        "id": one, "sessionType": "main", "workdir": str(here), "createdAt": make.at(0), "lastActiveAt": make.at(0),
        "latestTotalTokens": 5, "project": paths.project_dir(desk.base, str(here)).name, "firstMessage": "one",
        "branch": "main",
    }  # fmt: skip
    assert desk.run("--worktrees").stdout.decode().splitlines() == [
        f"{two}\t{make.at(1)}\tSecond\t{second}",
        f"{one}\t{make.at(0)}\tone\t{here}",
    ]
    wrong = desk.run("no-such-folder")
    assert (wrong.returncode, wrong.stdout) == (2, b"")
    assert b"there is no folder" in wrong.stderr


@pytest.mark.parametrize(
    ("ago", "shown"),
    [(5, "just now"), (-60, "just now"), (61, "1 min ago"), (7200, "2 h ago"), (3 * 86_400, "3 d ago"),
     (100 * 86_400, "2026-01-21")],
)  # fmt: skip
def test_ages(ago, shown):
    active = make.NOW.timestamp() - ago
    assert age(make.NOW.fromtimestamp(active, make.NOW.tzinfo).isoformat(), make.NOW, "en") == shown


def test_amounts_and_paths_are_short():
    assert [tokens(n) for n in (0, 999, 1000, 12_345, 456_789, 2_000_000)] == [
        "", "999 tokens", "1.0k tokens", "12.3k tokens", "457k tokens", "2.0M tokens",
    ]  # fmt: skip
    assert path_end("/a/项目/code", 10) == "…项目/code"
    assert width(path_end("/a/项目/code", 10)) <= 10
