"""One row of a list: what the two ends of a file say, which is what the real CLI answers for it."""

import json
from pathlib import Path

import pytest
import session_maker as make

from wave_bridge.store import listing, paths, writing
from wave_bridge.store.ends import read_ends
from wave_bridge.store.limits import HEAD_MOST, TAIL_MOST, TAIL_WINDOW
from wave_bridge.store.listing import Wanted

RECORDED = Path(__file__).parent.parent / "data" / "sessions"
LISTED = json.loads((RECORDED / "listed.json").read_text("utf-8"))
HEAD = make.header("/w", branch="main")
A, B = make.message("a", "first", 1), make.message("b", "second", 2, role="assistant", tokens=42)
LARGE = "x" * (TAIL_WINDOW + 1000)


def listed(base, *workdirs, cache=None, **wanted):
    return listing.list_workdirs(base, workdirs or ["/w"], make.NOW, cache, Wanted(**wanted))


def only(base, *workdirs):
    (row,) = listed(base, *workdirs).sessions
    return row


@pytest.mark.req("S2.1", "S11.2", "S12.9")
@pytest.mark.parametrize("case", LISTED, ids=lambda case: case["file"])
def test_a_row_is_what_the_real_cli_answered_for_the_same_file(case, tmp_path):
    path = paths.session_file(tmp_path, case["listed"]["workdir"], case["listed"]["id"])
    path.parent.mkdir(parents=True)
    path.write_bytes((RECORDED / case["file"]).read_bytes())
    row = json.loads(listing.msgspec.json.encode(only(tmp_path, case["listed"]["workdir"])))
    assert row.pop("project") == path.parent.name
    assert row == case["listed"]


@pytest.mark.req("S2.2", "SB3")
@pytest.mark.parametrize("data", [b"", HEAD, HEAD + make.title("t")])
def test_a_file_without_messages_has_its_own_time(tmp_path, data):
    make.put(tmp_path, "/w", 1, data, mtime=make.at(77))
    row = only(tmp_path)
    assert row.last_active_at == make.at(77)
    assert row.latest_total_tokens == 0
    assert not row.damaged


@pytest.mark.req("S2.2", "S12.10")
@pytest.mark.parametrize(
    ("data", "minutes", "tokens"),
    [
        (HEAD + A + B + B[:-40], 2, 42),
        (HEAD + A + B + b"\0" * 300, 2, 42),
        (HEAD + A.rstrip() + B, 2, 42),
        (HEAD + A + b"\0" * 300 + b"\n" + B, 2, 42),
        (b"rubbish\n" + A + B, 2, 42),
        (HEAD + A + make.message("z") + b'{"timestamp":"yesterday","role":"user","blocks":[]}\n', 0, 0),
    ],
)
def test_a_damaged_session_is_shown_as_damaged(tmp_path, data, minutes, tokens):
    make.put(tmp_path, "/w", 1, data)
    row = only(tmp_path)
    assert row.damaged
    assert (row.last_active_at, row.latest_total_tokens) == (make.at(minutes), tokens)
    assert row.first_message == "first"


@pytest.mark.req("S12.4", "S12.2")
def test_reserved_entries_count_for_nothing(tmp_path):
    reserved = make.title("t") + b'{"type":"metadata","workdir":"/other","timestamp":"2030-01-01T00:00:00.000Z"}\n'
    make.put(tmp_path, "/w", 1, HEAD + make.title("early") + A + B + reserved + b'{"type":"ai-title","x":1}\n')
    row = only(tmp_path)
    assert (row.last_active_at, row.latest_total_tokens) == (make.at(2), 42)
    assert (row.first_message, row.custom_title, row.workdir) == ("first", "t", "/w")
    assert not row.damaged


@pytest.mark.req("SB14")
def test_a_title_counts_when_its_line_begins_in_the_tail_window(tmp_path):
    title = make.title("t")
    for number, back in ((1, TAIL_WINDOW), (2, TAIL_WINDOW + 1)):
        filler = make.message("b", "")
        room = back - len(title) - len(filler)
        make.put(tmp_path, "/w", number, HEAD + A + title + make.message("b", "x" * room))
    assert {each.id: each.custom_title for each in listed(tmp_path).sessions} == {
        make.session_id(1): "t",
        make.session_id(2): None,
    }


@pytest.mark.req("S11.4", "S11.2")
def test_an_old_file_was_created_now(tmp_path):
    make.put(tmp_path, "/w", 1, A)
    make.put(tmp_path, "/w", 2, b'{"type":"metadata","workdir":"/w"}\n' + A)
    assert {each.created_at for each in listed(tmp_path).sessions} == {writing.timestamp(make.NOW)}


@pytest.mark.req("S11.3", "SB13")
def test_the_branch_is_each_file_s_own(tmp_path):
    for number, branch in enumerate(("main", "feature/x", None), 1):
        make.put(tmp_path, "/w", number, make.header("/w", branch=branch) + make.message("a", minutes=-number))
    assert [each.branch for each in listed(tmp_path).sessions] == ["main", "feature/x", None]


@pytest.mark.parametrize(
    ("blocks", "first"),
    [
        ([{"type": "text", "content": ""}, {"type": "text", "content": "second"}], "second"),
        ([{"type": "image"}, {"type": "bang", "command": "ls"}], "!ls"),
        ([{"type": "bang", "command": "ls"}, {"type": "text", "content": "t"}], "t"),
        ([{"type": "compact", "content": "sum"}], "sum"),
        ([{"type": "image", "imageUrls": ["x"]}, 7], "later"),
    ],
)
def test_the_first_message_is_the_first_that_says_something(tmp_path, blocks, first):
    meta = make.message("m", "context", isMeta=True)
    made = make.line(make.body("a") | {"blocks": blocks})
    make.put(tmp_path, "/w", 1, HEAD + meta + made + make.message("b", "later"))
    assert only(tmp_path).first_message == first


def test_the_first_message_is_looked_for_in_ten_lines(tmp_path):
    metas = [make.message(str(each), isMeta=True) + b"\n" for each in range(9)]
    make.put(tmp_path, "/w", 1, HEAD + b"".join(metas[:8]) + A)
    make.put(tmp_path, "/w", 2, HEAD + b"".join(metas) + A)
    assert {each.id: each.first_message for each in listed(tmp_path).sessions} == {
        make.session_id(1): "first",
        make.session_id(2): None,
    }


@pytest.mark.parametrize("size", [20_000, HEAD_MOST - 100, HEAD_MOST + 1, 3_000_000])
def test_a_long_first_message_is_shown_by_its_beginning(tmp_path, size):
    text = 'é"\\\n😀' * (size // 5)
    make.put(tmp_path, "/w", 1, HEAD + make.message("a", text) + B)
    row = only(tmp_path)
    assert text.startswith(row.first_message)
    assert len(row.first_message) >= 4000
    assert not row.damaged


def test_a_long_last_message_is_found(tmp_path):
    make.put(tmp_path, "/w", 1, HEAD + A + make.message("b", LARGE * 10, 2, tokens=7))
    row = only(tmp_path)
    assert (row.last_active_at, row.latest_total_tokens) == (make.at(2), 7)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_however_long_a_file_only_a_bounded_part_is_read(end):
    """A sparse file of 100 GB, all one line: nothing but its ends is asked for."""
    asked = []
    size = 100_000_000_000

    def read(offset, length):
        asked.append(length)
        return (HEAD + b"y" * length)[:length] if offset == 0 else (b"y" * length)[: length - len(end)] + end

    ends = read_ends(read, size)
    assert ends.last is None
    assert max(asked) <= TAIL_MOST + 1
    assert sum(asked) < 2 * TAIL_MOST


def test_a_usual_file_costs_less_than_100_kb_however_large(tmp_path):
    path = make.put(tmp_path, "/w", 1, HEAD + A)
    with path.open("r+b") as file:
        file.seek(5_000_000_000)
        file.write(b"\n" + B)
    asked = []

    def read(offset, length):
        asked.append(length)
        with path.open("rb") as file:
            file.seek(offset)
            return file.read(length)

    ends = read_ends(read, path.stat().st_size)
    assert (ends.tokens, ends.first_message) == (42, "first")
    assert sum(asked) < 100_000
