"""Whole files: what the model sees, what is displayed, what is damaged, what a rewind keeps."""

import json
import os
from pathlib import Path

import pytest
import session_maker as make
import session_reader as reader

from wave_bridge.errors import InvalidParams, SessionNotFound, SessionUnreadable
from wave_bridge.store import transcript, writing
from wave_bridge.store.entries import Header

RECORDED = Path(__file__).parent.parent / "data" / "sessions"
FILES = sorted(path for path in RECORDED.rglob("*.jsonl") if path.name != "history.jsonl")
HEAD = make.header("/w", branch="main")
A, B, C, D = (make.message(name, name, minutes) for minutes, name in enumerate("abcd"))


def ids(bodies):
    return [each["id"].removeprefix("msg-") for each in bodies]


@pytest.mark.req("S12.9", "S4.1")
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(RECORDED)))
def test_every_file_of_the_real_cli_loads_with_nothing_lost(path, tmp_path):
    data = path.read_bytes()
    loaded = transcript.load(path)
    assert loaded.damage == []
    assert loaded.title is None
    assert [each["id"] for each in loaded.thread] == reader.thread_ids(data)
    assert transcript.repaired(data) == data, "nothing to repair, nothing lost"

    copy = tmp_path / path.name
    copy.write_bytes(data)
    writing.rename(copy, "a title")
    assert copy.read_bytes()[: len(data)] == data, "header and messages stay byte for byte"
    assert transcript.load(copy).title == "a title"

    again = tmp_path / "again" / path.name
    rewritten = writing.Transcript(again, loaded.header)
    rewritten.append(*reader.messages(data))
    if data:
        assert reader.records(again.read_bytes()) == reader.records(data)
        reader.check(again.read_bytes())
    else:
        assert not again.exists()


@pytest.mark.req("S9.3")
def test_a_compacted_file_has_a_model_view_and_a_whole_thread():
    before = RECORDED / "steps/09a-before-compact/home-user-proj-life/9c3ced03-43e6-4a12-bdba-35d23916b032.jsonl"
    after = Path(str(before).replace("09a-before-compact", "09b-after-compact"))
    loaded = transcript.load(after)
    assert ids(loaded.messages) == ids(loaded.thread)[-5:]
    assert loaded.messages[0]["blocks"][0]["type"] == "compact"
    assert set(ids(transcript.load(before).thread)) < set(ids(loaded.thread))
    assert len(ids(loaded.thread)) == len(set(ids(loaded.thread)))
    assert loaded.tokens == loaded.messages[-1]["usage"]["total_tokens"]


def test_repeated_ids_stand_where_they_stood_last():
    compact = make.line(make.compaction("s"))
    loaded = transcript.read(HEAD + A + B + C + compact + B + C + D)
    assert ids(loaded.thread) == ["a", "s", "b", "c", "d"]
    assert ids(loaded.messages) == ["s", "b", "c", "d"]


@pytest.mark.req("S11.4")
def test_a_file_without_header_or_with_an_old_one_loads():
    assert transcript.read(A).header is None
    assert transcript.read(b'{"type":"metadata","workdir":"/w"}\n' + A).header == Header("/w")
    assert transcript.read(HEAD + A + make.header("/later")).header.workdir == "/w"
    assert transcript.read(b"") == transcript.Loaded(None, None, [], [], [])


@pytest.mark.req("SB2", "S9.11", "S10.7")
@pytest.mark.parametrize(
    ("data", "kept", "lines"),
    [
        (HEAD + A + B[:-30], "a", [3]),
        (HEAD + A + b"\0" * 512 + b"\n" + B, "ab", [3]),
        (HEAD + A.rstrip() + b"\0" * 512 + B, "ab", [2]),
        (HEAD + A.rstrip() + B + C, "abc", [2]),
        (HEAD + A[:50] + B + C, "bc", [2]),
        (HEAD + b"[]\n42\n" + A, "a", [2, 3]),
        (b"\xff\xfe\x00", "", [1]),
    ],
)
def test_loading_a_damaged_file_says_which_lines_and_gives_the_rest(data, kept, lines):
    loaded = transcript.read(data)
    assert ids(loaded.thread) == list(kept)
    assert [each.number for each in loaded.damage] == lines
    for each in loaded.damage:
        assert data[each.offset - 1 : each.offset] in {b"", b"\n"}
    with pytest.raises(SessionUnreadable) as caught:
        loaded.require_whole()
    assert [each["line"] for each in caught.value.data["lines"]] == lines


def test_a_raw_line_separator_does_not_tear_a_line():
    loaded = transcript.read(HEAD + make.message("a", "x\u2028y\u2029z\u0085") + B.replace(b"\n", b"\r\n"))
    assert loaded.damage == []
    assert loaded.thread[0]["blocks"][0]["content"] == "x\u2028y\u2029z\u0085"
    assert ids(loaded.thread) == ["a", "b"]


@pytest.mark.req("SB12")
def test_rewinding_keeps_every_other_line_byte_for_byte():
    odd_header = b'{"type":"metadata", "workdir":"/w",  "createdAt":"2026-01-01T00:00:00.000Z","later":1}\n'
    future = b'{"type":"ai-title","x":1}\n'
    data = odd_header + A + make.title("t") + B + future + C + D
    kept, dropped = transcript.rewound(data, "msg-b")
    assert kept == odd_header + A + make.title("t") + future
    assert ids(dropped) == ["b", "c", "d"]


def test_rewinding_behind_a_compaction_drops_both_copies():
    compact = make.line(make.compaction("s"))
    data = HEAD + A + B + C + compact + B + C + D
    assert transcript.rewound(data, "msg-c")[0] == HEAD + A + B + compact + B
    assert transcript.rewound(data, "msg-s")[0] == HEAD + A, "before the compaction nothing of it is left"


def test_rewinding_to_an_unknown_message_changes_nothing():
    with pytest.raises(InvalidParams):
        transcript.rewound(HEAD + A, "msg-x")


def test_a_glued_line_loses_only_what_is_rewound():
    kept, _dropped = transcript.rewound(HEAD + A.rstrip() + B + C, "msg-b")
    assert kept == HEAD + A


def test_a_repaired_copy_is_written_beside_and_the_original_stays(tmp_path):
    damaged = HEAD + A + B[:40] + b"\n" + C.rstrip() + D + b"\0\0\n" + b'{"type":"ai-title"}\n'
    path = make.put(tmp_path, "/w", 1, damaged)
    copy = writing.repair(path)
    assert copy.name == f"{make.session_id(1)}.jsonl.repaired"
    assert path.read_bytes() == damaged
    assert copy.read_bytes() == HEAD + A + C + D + b'{"type":"ai-title"}\n'
    assert copy.stat().st_mode & 0o777 == 0o600


def test_missing_is_not_unreadable(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD)
    with pytest.raises(SessionNotFound):
        transcript.load(path.with_name("missing.jsonl"))
    folder = path.with_name(make.session_id(2) + ".jsonl")
    folder.mkdir()
    with pytest.raises(SessionUnreadable):
        transcript.load(folder)


@pytest.mark.parametrize("which", ["file", "folder", "pipe"])
def test_a_link_or_a_pipe_in_the_place_of_a_session_is_refused(tmp_path, which):
    elsewhere = make.put(tmp_path / "other", "/w", 1, HEAD + A)
    path = make.put(tmp_path, "/v", 1, HEAD)
    path.unlink()
    if which == "file":
        path.symlink_to(elsewhere)
    elif which == "pipe":
        os.mkfifo(path)
    else:
        path.parent.rmdir()
        path.parent.symlink_to(elsewhere.parent)
    untouched = elsewhere.read_bytes()
    for act in (transcript.load, writing.restore, lambda path: writing.rename(path, "x")):
        with pytest.raises(SessionUnreadable):
            act(path)
    assert elsewhere.read_bytes() == untouched


def test_what_is_replaced_while_it_is_read_counts_as_it_was_opened(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD + A)
    with path.open("rb") as held:
        make.put(tmp_path, "/w", 2, HEAD + B).replace(path)
        assert ids(transcript.read(held.read()).thread) == ["a"]
    assert ids(transcript.load(path).thread) == ["b"]


def test_every_cut_of_a_file_gives_the_whole_lines_before_it():
    data = HEAD + A + make.title("t") + make.line(make.compaction("s")) + B
    for size in range(len(data) + 1):
        whole = data[: data.rfind(b"\n", 0, size) + 1]
        loaded = transcript.read(data[:size])
        assert ids(loaded.thread) in (ids(reader.messages(whole)), ids(reader.messages(data[:size])))
        assert json.dumps(loaded.title) in {json.dumps(reader.title(whole)), json.dumps(reader.title(data[:size]))}
