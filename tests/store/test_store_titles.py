"""Titles: given, kept at the end of the file through everything, the newest one winning, shown harmlessly."""

import pytest
import session_maker as make
import session_reader as reader

from wave_bridge.errors import InvalidParams
from wave_bridge.store import files, listing, titles, transcript, writing
from wave_bridge.store.limits import TAIL_WINDOW

HEAD = make.header("/w", branch="main")
LARGE = "x" * (TAIL_WINDOW + 10_000)


def ids(path):
    return [each.removeprefix("msg-") for each in reader.thread_ids(path.read_bytes())]


def listed(base, workdir="/w"):
    return listing.list_workdirs(base, [workdir], make.NOW).sessions


@pytest.mark.req("S12.1", "SB17")
def test_renaming_appends_one_line_and_touches_nothing_else(tmp_path):
    before = HEAD + make.message("a", minutes=1)
    path = make.put(tmp_path, "/w", 1, before)
    (was,) = listed(tmp_path)
    assert writing.rename(path, "  Mein Titel 你好 ") == "Mein Titel 你好"
    assert path.read_bytes() == before + make.title("Mein Titel 你好")
    assert {each.name for each in path.parent.iterdir()} == {path.name, files.LOCK}, "no side index"
    (row,) = listed(tmp_path)
    assert row.custom_title == "Mein Titel 你好"
    for member in ("id", "workdir", "created_at", "last_active_at", "latest_total_tokens", "first_message", "branch"):
        assert getattr(row, member) == getattr(was, member)


@pytest.mark.req("S12.6")
def test_renaming_a_session_without_a_file_makes_it(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("hook", isMeta=True))
    session.rename("t")
    assert session.path.read_bytes() == HEAD + make.message("hook", isMeta=True) + make.title("t")
    session.append(make.body("a"))
    assert ids(session.path) == ["hook", "a"]


@pytest.mark.req("S12.7")
@pytest.mark.parametrize("blank", ["", "   ", "\t\n", "\u3000", "\ufeff"])
def test_a_blank_title_changes_nothing(tmp_path, blank):
    session = make.begin(tmp_path)
    assert session.rename(blank) is None
    assert not session.path.exists()
    session.rename("t")
    before = session.path.read_bytes()
    assert session.rename(blank) is None
    assert session.path.read_bytes() == before
    assert session.title == "t"


@pytest.mark.req("SB16")
def test_a_title_is_cut_to_200_characters(tmp_path):
    session = make.begin(tmp_path)
    assert session.rename("长" * 201) == "长" * 200
    assert session.rename("x" * 200) == "x" * 200


def test_an_odd_title_is_stored_as_it_is_and_shown_harmlessly(tmp_path):
    odd = "a\nb\x1b[31m\u202ec\x00d\u2028e"
    session = make.begin(tmp_path)
    session.rename(odd)
    assert transcript.load(session.path).title == odd
    assert listed(tmp_path)[0].custom_title == odd
    assert titles.harmless(odd) == "a b[31mcd e"


@pytest.mark.req("S12.3", "SB5")
def test_what_is_shown_for_a_session():
    assert titles.label("own", "first") == "own"
    assert titles.label(None, "f" * 40) == "f" * 30
    assert titles.label(" ", None) == "新对话"
    assert titles.label(None, " \n", "en") == "New chat"


def write_much(session):
    session.append(make.body("large", LARGE))


@pytest.mark.req("S12.5", "SB14")
def test_the_title_comes_back_to_the_end_at_exit_and_compaction(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("a", "first"))
    session.rename("t")
    write_much(session)
    assert listed(tmp_path)[0].custom_title is None, "slid out of the tail window: falls back (SB14)"
    session.reappend_title()
    assert listed(tmp_path)[0].custom_title == "t"
    assert session.path.read_bytes().endswith(make.title("t"))
    session.append(make.compaction("s"), make.body("large", LARGE))
    session.reappend_title()
    assert session.path.read_bytes().endswith(make.title("t"))


@pytest.mark.req("S12.5", "SB15")
def test_restoring_brings_the_title_back_at_once(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD + make.title("t") + make.message("large", LARGE))
    session, loaded = writing.restore(path)
    assert session.title == loaded.title == "t"
    assert listed(tmp_path)[0].custom_title == "t"
    size = path.stat().st_size
    writing.restore(path)
    assert path.stat().st_size == size, "a title that is last already is not written again"


@pytest.mark.req("S12.5", "S13.12")
@pytest.mark.parametrize("much", [False, True])
def test_a_newer_title_of_another_process_wins(tmp_path, much):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    session.rename("mine")
    session.reappend_title()
    writing.rename(session.path, "theirs")
    if much:
        write_much(session)
    session.reappend_title()
    assert session.title == "theirs"
    assert session.path.read_bytes().endswith(make.title("theirs"))


@pytest.mark.req("S12.5", "SB12")
def test_rewinding_keeps_header_and_title_and_brings_the_title_back(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    session.rename("t")
    session.append(make.body("b"), make.body("c"))
    dropped = session.rewind("msg-b")
    assert [each["id"] for each in dropped] == ["msg-b", "msg-c"]
    assert session.path.read_bytes() == HEAD + make.message("a") + make.title("t")
    session.append(make.body("d"))
    session.rewind("msg-a")
    data = session.path.read_bytes()
    assert data == HEAD + make.title("t")
    session.append(make.body("e"))
    assert session.path.read_bytes() == data + make.message("e")
    with pytest.raises(InvalidParams):
        session.rewind("msg-x")


@pytest.mark.req("S12.5")
def test_rewinding_brings_a_title_from_far_back_to_the_end(tmp_path):
    session = make.begin(tmp_path)
    session.rename("t")
    session.append(make.body("large", LARGE), make.body("b"))
    session.rewind("msg-b")
    assert session.path.read_bytes().endswith(make.title("t"))
    assert listed(tmp_path)[0].custom_title == "t"


@pytest.mark.req("S12.5")
def test_a_newer_title_is_found_wherever_another_process_left_it(tmp_path):
    """It rewound the file, gave a title and wrote more than the window that we look at first."""
    session, other = make.begin(tmp_path), make.begin(tmp_path)
    session.append(make.body("a", LARGE), make.body("b", LARGE))
    session.rename("mine")
    session.reappend_title()
    other.rewind("msg-a")
    other.rename("theirs")
    for each in range(30):
        other.append(make.body(str(each), LARGE))
    session.reappend_title()
    assert session.title == "theirs"


def test_a_title_that_lies_across_the_steps_of_the_search_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "TITLE_SCAN", 1000)
    for room in range(0, 1200, 7):
        data = make.title("t") + make.message("a", "x" * room)
        path = make.put(tmp_path, "/w", 1, HEAD + data)
        session = writing.Transcript(path, None, exists=True)
        session.reappend_title()
        assert path.read_bytes() == HEAD + data + make.title("t")
