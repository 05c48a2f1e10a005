"""Lists: newest first, each session once, searched and in pages, whatever lies about in the folders."""

import os
import sys
from pathlib import Path

import pytest
import session_maker as make
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.errors import InvalidParams, SessionUnreadable
from wave_bridge.store import folders, listing, paths, writing
from wave_bridge.store.listing import Wanted

HEAD = make.header("/w", branch="main")
A, B = make.message("a", "first", 1), make.message("b", "second", 2, role="assistant", tokens=42)


def listed(base, *workdirs, cache=None, **wanted):
    return listing.list_workdirs(base, workdirs or ["/w"], make.NOW, cache, Wanted(**wanted))


def numbers(page):
    return [int(each.id.replace("-", ""), 16) for each in page.sessions]


@pytest.fixture
def opened(monkeypatch):
    """Count the files that a list opens."""
    counted = []
    real = folders.files.opened_again
    monkeypatch.setattr(
        folders.files, "opened_again", lambda path, flags=os.O_RDONLY: (counted.append(path), real(path, flags))[1]
    )
    return counted


@pytest.mark.req("S2.1", "S6.1")
def test_newest_first_by_the_last_message_without_an_age_limit(tmp_path):
    for number, minutes in ((1, 5), (2, -60 * 24 * 300), (3, 9), (4, 7)):
        make.put(tmp_path, "/w", number, HEAD + make.message("a", minutes=minutes))
    assert numbers(listed(tmp_path)) == [3, 4, 1, 2]


@pytest.mark.req("S2.1", "S4.1")
def test_only_main_sessions_are_listed(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD + A)
    for name in (
        f"subagent-{make.session_id(2)}.jsonl",
        f"{make.session_id(3)}.jsonl.repaired",
        f"{make.session_id(0xABCDEF).upper()}.jsonl",
        "sessions-index.json",
        "notes.jsonl",
        "x" * 36 + ".jsonl",
    ):
        path.with_name(name).write_bytes(HEAD + A)
    (path.parent / "memory").mkdir()
    page = listed(tmp_path)
    assert numbers(page) == [1]
    assert page.skipped == []


@pytest.mark.req("S2.2", "SB2")
def test_a_file_in_which_nothing_can_be_read_is_skipped_with_the_reason(tmp_path):
    for number in range(1, 10):
        make.put(tmp_path, "/w", number, HEAD + A)
    make.put(tmp_path, "/w", 10, bytes(range(256)) * 400)
    page = listed(tmp_path)
    assert len(page.sessions) == 9
    assert [(each.id, each.project) for each in page.skipped] == [(make.session_id(10), "w")]
    assert page.skipped[0].reason


@pytest.mark.req("S12.2")
def test_every_kind_of_list_has_the_title(tmp_path):
    make.put(tmp_path, "/w", 1, HEAD + A + make.title("t"))
    assert [each.custom_title for each in listed(tmp_path, "/w", "/v").sessions] == ["t"]
    assert [each.custom_title for each in listing.list_all(tmp_path, make.NOW).sessions] == ["t"]


@pytest.mark.req("S10.11")
def test_a_page_opens_no_more_files_than_it_needs(tmp_path, opened):
    for number in range(1, 101):
        make.put(tmp_path, "/w", number, HEAD + make.message("a", minutes=number), mtime=make.at(number))
    assert numbers(listed(tmp_path, limit=5)) == [100, 99, 98, 97, 96]
    assert len(opened) <= 8


@pytest.mark.req("S2.1")
def test_files_whose_times_lie_are_listed_in_the_right_order_all_the_same(tmp_path):
    for number in range(1, 41):
        make.put(tmp_path, "/w", number, HEAD + make.message("a", minutes=number), mtime=make.at(-number))
    assert numbers(listed(tmp_path, limit=5)) == [40, 39, 38, 37, 36]


@pytest.mark.req("S10.11")
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12), st.integers(1, 5))
def test_pages_are_the_whole_list(tmp_path_factory, minutes, limit):
    base = tmp_path_factory.mktemp("pages")
    for number, each in enumerate(minutes, 1):
        make.put(base, "/w", number, HEAD + make.message("a", minutes=each))
    whole = numbers(listed(base))
    paged, cursor = [], None
    while True:
        page = listed(base, limit=limit, cursor=cursor)
        paged += numbers(page)
        cursor = page.next_cursor
        if cursor is None:
            break
        assert len(page.sessions) == limit
    assert paged == whole
    assert len(whole) == len(minutes)


def test_a_page_goes_on_where_its_session_was_even_if_that_moved(tmp_path):
    for number in range(1, 7):
        make.put(tmp_path, "/w", number, HEAD + make.message("a", minutes=number))
    first = listed(tmp_path, limit=2)
    make.put(tmp_path, "/w", 5, HEAD + make.message("a", minutes=99))
    assert numbers(listed(tmp_path, cursor=first.next_cursor)) == [4, 3, 2, 1]
    paths.session_file(tmp_path, "/w", make.session_id(5)).unlink()
    assert numbers(listed(tmp_path, cursor=first.next_cursor)) == [4, 3, 2, 1]


@pytest.mark.parametrize("cursor", ["", "x", "00", "7b7d", "../..", "ff" * 300])
def test_a_cursor_that_is_none_is_refused(tmp_path, cursor):
    with pytest.raises(InvalidParams):
        listed(tmp_path, cursor=cursor)
    with pytest.raises(InvalidParams):
        listed(tmp_path, limit=0)


def test_search_finds_every_word_in_title_or_first_message(tmp_path):
    make.put(tmp_path, "/w", 1, HEAD + make.message("a", "Fix the LOGIN bug", 3))
    make.put(tmp_path, "/w", 2, HEAD + make.message("a", "other", 2) + make.title("Ｌｏｇｉｎ 登录", 2))
    make.put(tmp_path, "/w", 3, HEAD + make.message("a", "nothing", 1))
    assert numbers(listed(tmp_path, query=" login ")) == [1, 2]
    assert numbers(listed(tmp_path, query="bug login")) == [1]
    assert numbers(listed(tmp_path, query="登录")) == [2]
    assert numbers(listed(tmp_path, query=" ")) == [1, 2, 3]
    assert numbers(listed(tmp_path, query="login", limit=1)) == [1]


@pytest.mark.req("S6.2", "S6.3", "S6.5")
def test_all_projects_with_their_paths_each_session_once(tmp_path):
    long = "/" + "a" * 250
    make.put(tmp_path, "/w", 1, make.header("/w") + make.message("a", minutes=1))
    make.put(tmp_path, "/x/y", 1, make.header("/x/y") + make.message("a", minutes=9))
    make.put(tmp_path, "/old project", 2, make.message("a", minutes=5))
    make.put(tmp_path, long, 3, make.message("a", minutes=3))
    make.put(tmp_path, "/", 4, make.header("/") + make.message("a", minutes=2))
    (tmp_path / "projects" / "notes.txt").touch()
    page = listing.list_all(tmp_path, make.NOW)
    assert numbers(page) == [1, 2, 3, 4]
    assert [each.workdir for each in page.sessions] == ["/x/y", "/old project", paths.encode(long, sys.platform), "/"]
    assert page.skipped == []


@pytest.mark.req("S6.4", "S10.2", "S10.10")
def test_a_folder_s_list_is_that_folder_s(tmp_path):
    make.put(tmp_path, "/w", 1, HEAD + A)
    make.put(tmp_path, "/w/sub", 2, make.header("/w/sub") + A)
    make.put(tmp_path, "/w-foo", 3, make.header("/w-foo") + A)
    assert numbers(listed(tmp_path)) == [1]
    assert listed(tmp_path, "/nothing/here").sessions == []


@pytest.mark.req("SB4", "S6.1")
def test_two_directories_that_share_a_folder_keep_their_sessions_apart(tmp_path):
    one, two = str(tmp_path / "b-c"), str(tmp_path / "b" / "c")
    for workdir in (one, two):
        Path(workdir).mkdir(parents=True)
    for number, workdir in ((1, one), (2, two)):
        make.put(tmp_path, workdir, number, make.header(workdir) + make.message("a", minutes=number))
    make.put(tmp_path, one, 3, make.message("a", minutes=0))
    assert numbers(listed(tmp_path, one)) == [1, 3]
    assert numbers(listed(tmp_path, two)) == [2, 3]
    assert [each.workdir for each in listed(tmp_path, one, two).sessions] == [two, one, one]
    Path(two).rmdir()
    assert numbers(listed(tmp_path, one)) == [2, 1, 3], "a project that was moved keeps its sessions"


def test_a_symlinked_workdir_is_the_directory_it_leads_to(tmp_path):
    real, link, later = tmp_path / "real", tmp_path / "link", tmp_path / "later"
    real.mkdir()
    later.mkdir()
    link.symlink_to(real)
    workdir = paths.normalise(str(link), "/", "/")
    make.put(tmp_path, workdir, 1, make.header(str(link)) + A)
    assert numbers(listed(tmp_path, str(real))) == [1]
    link.unlink()
    link.symlink_to(later)
    assert numbers(listed(tmp_path, str(real))) == [1], "where it lies tells where the link led then"


@pytest.mark.req("S10.3")
def test_changes_of_other_writers_show_at_the_next_list(tmp_path, opened):
    cache = folders.Cache()
    path = make.put(tmp_path, "/w", 1, HEAD + A)
    make.put(tmp_path, "/w", 2, HEAD + make.message("a", minutes=-5))
    assert numbers(listed(tmp_path, cache=cache)) == [1, 2]
    opened.clear()
    listed(tmp_path, cache=cache)
    assert opened == [], "what has not changed is not opened again"
    writing.rename(path, "renamed")
    opened.clear()
    assert listed(tmp_path, cache=cache).sessions[0].custom_title == "renamed"
    assert len(opened) == 1
    make.put(tmp_path, "/w", 3, HEAD + make.message("a", minutes=9))
    path.unlink()
    assert numbers(listed(tmp_path, cache=cache)) == [3, 2]
    replaced = make.put(tmp_path, "/w", 4, HEAD + make.message("z", minutes=-5))
    stat = paths.session_file(tmp_path, "/w", make.session_id(2)).stat()
    os.utime(replaced, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    replaced.replace(paths.session_file(tmp_path, "/w", make.session_id(2)))
    opened.clear()
    assert numbers(listed(tmp_path, cache=cache)) == [3, 2]
    assert len(opened) == 1, "another file with the same size and time is another file"


def test_the_cache_holds_nothing_of_files_that_are_gone(tmp_path):
    cache = folders.Cache()
    files = [make.put(tmp_path, "/w", number, HEAD + A) for number in range(1, 20)]
    listed(tmp_path, cache=cache)
    for path in files[1:]:
        path.unlink()
    listed(tmp_path, cache=cache)
    assert [len(each) for each in cache._folders.values()] == [1]


def test_links_and_other_things_in_the_place_of_a_session_are_skipped(tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(HEAD + make.message("a", "secret"))
    path = make.put(tmp_path, "/w", 1, HEAD + A)
    path.with_name(make.session_id(2) + ".jsonl").symlink_to(secret)
    os.mkfifo(path.with_name(make.session_id(3) + ".jsonl"))
    path.with_name(make.session_id(4) + ".jsonl").mkdir()
    page = listed(tmp_path)
    assert numbers(page) == [1]
    assert {each.id for each in page.skipped} == {make.session_id(number) for number in (2, 3, 4)}
    assert {each.reason for each in page.skipped} == {folders.NO_PLAIN_FILE}


def test_a_link_in_the_place_of_a_project_folder_is_refused(tmp_path):
    make.put(tmp_path / "other", "/w", 1, HEAD + A)
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "w").symlink_to(tmp_path / "other" / "projects" / "w")
    with pytest.raises(SessionUnreadable):
        listed(tmp_path)
    page = listing.list_all(tmp_path, make.NOW)
    assert page.sessions == []


def test_a_folder_that_cannot_be_read_is_no_empty_list(tmp_path):
    (tmp_path / "projects").mkdir()
    (tmp_path / "projects" / "w").symlink_to("w")
    with pytest.raises(SessionUnreadable):
        listed(tmp_path)


def test_a_home_without_sessions_lists_none(tmp_path):
    assert listed(tmp_path / "missing") == listing.Page([], None, [])
    assert listing.list_all(tmp_path / "missing", make.NOW) == listing.Page([], None, [])


@given(st.binary(max_size=600), st.integers(0, 600))
def test_no_content_whatever_stops_a_list(tmp_path_factory, data, cut):
    base = tmp_path_factory.mktemp("odd")
    make.put(base, "/w", 1, HEAD + A)
    make.put(base, "/w", 2, data)
    make.put(base, "/w", 3, (HEAD + A + B + data)[:cut])
    page = listed(base)
    assert make.session_id(1) in {each.id for each in page.sessions}
    assert len(page.sessions) + len(page.skipped) == 3
