"""Writing sessions: made late, with header and meta messages in front, appended to in their own file, private."""

import os

import pytest
import session_maker as make
import session_reader as reader

from wave_bridge.errors import Conflict, InvalidParams
from wave_bridge.store import listing, writing

HEAD = make.header("/w", branch="main")


def ids(path):
    return [each.removeprefix("msg-") for each in reader.thread_ids(path.read_bytes())]


def listed(base, workdir="/w"):
    return listing.list_workdirs(base, [workdir], make.NOW).sessions


@pytest.mark.req("S3.1", "S3.4", "S3.5", "SB10")
def test_meta_messages_alone_make_no_file(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("hook", isMeta=True))
    session.reappend_title()
    assert not session.exists
    assert list(tmp_path.iterdir()) == []
    assert listed(tmp_path) == []


@pytest.mark.req("S3.2", "S11.1")
def test_the_first_real_message_brings_header_and_meta_messages_in_order(tmp_path):
    session = make.begin(tmp_path)
    session.append(make.body("hook", isMeta=True))
    session.append(make.body("hook2", isMeta=True))
    session.append(make.body("a"))
    data = session.path.read_bytes()
    reader.check(data)
    assert data.startswith(HEAD)
    assert ids(session.path) == ["hook", "hook2", "a"]


@pytest.mark.req("S3.3")
def test_meta_messages_of_a_session_with_a_file_are_appended(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD + make.message("a"))
    session, _loaded = writing.restore(path)
    session.append(make.body("hook", isMeta=True))
    assert ids(path) == ["a", "hook"]
    reader.check(path.read_bytes())


@pytest.mark.req("S9.9", "SB9")
def test_a_restored_session_goes_on_in_its_own_file(tmp_path):
    path = make.put(tmp_path, "/elsewhere", 1, make.header("/elsewhere") + make.message("a"))
    session, loaded = writing.restore(path)
    session.append(make.body("b"))
    assert loaded.header.workdir == "/elsewhere"
    assert ids(path) == ["a", "b"]
    assert list(tmp_path.rglob("*.jsonl")) == [path]


@pytest.mark.req("SB11")
def test_a_session_without_metadata_is_an_empty_file(tmp_path):
    path = make.begin(tmp_path).path
    writing.create_empty(path)
    assert path.read_bytes() == b""
    assert [each.id for each in listed(tmp_path)] == [make.session_id(1)]
    with pytest.raises(Conflict):
        writing.create_empty(path)


def test_an_emptied_file_gets_its_header_again(tmp_path):
    """The real CLI empties a file when it rewinds to the first message; the next message brings a fresh header."""
    session = make.begin(tmp_path)
    session.append(make.body("a"))
    session.path.write_bytes(b"")
    session.append(make.body("b"))
    assert session.path.read_bytes() == HEAD + make.message("b")


def test_two_owners_of_a_session_without_a_file_make_one_file_with_one_header(tmp_path):
    one, two = make.begin(tmp_path), make.begin(tmp_path)
    one.append(make.body("a"))
    two.append(make.body("b"))
    assert one.path.read_bytes() == HEAD + make.message("a") + make.message("b")


def test_what_we_create_is_private(tmp_path):
    old = os.umask(0)
    try:
        session = make.begin(tmp_path / "home" / ".wave")
        session.append(make.body("a"))
        session.rename("t")
        session.rewind("msg-a")
    finally:
        os.umask(old)
    for path in (tmp_path / "home").rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_nothing_invalid_stays_behind_in_what_waits(tmp_path):
    session = make.begin(tmp_path)
    with pytest.raises(InvalidParams):
        session.append(make.body("a"), {"role": "user"})
    session.append(make.body("b"))
    assert ids(session.path) == ["b"]
