"""What a line says, however damaged: whole records are kept, the rest is named, reserved entries are no messages."""

import json

import pytest
import session_maker as make
import session_reader as reader
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.errors import InvalidParams
from wave_bridge.store import entries
from wave_bridge.store.entries import CustomTitle, Damage, Header, Message, Unknown, dump, parse_line

A, B = make.message("a"), make.message("b")


def ids(line):
    return [entry.id for entry in parse_line(line) if isinstance(entry, Message)]


def damage(line):
    return [entry.reason for entry in parse_line(line) if isinstance(entry, Damage)]


def test_a_line_is_one_entry():
    assert ids(A) == ["msg-a"]
    assert parse_line(make.header("/w", branch="main")) == [Header("/w", make.at(0), "main")]
    assert parse_line(make.title("t")) == [CustomTitle("t", make.session_id(1))]
    assert parse_line(b" \r\n") == []
    assert ids(b"\xef\xbb\xbf" + A.rstrip() + b"\r\n") == ["msg-a"]


@pytest.mark.req("S12.4")
@pytest.mark.parametrize("kind", entries.RESERVED)
def test_a_reserved_type_is_never_a_message_even_with_a_timestamp(kind):
    value = {"type": kind, **make.body(), "customTitle": "t"}
    assert ids(make.line(value)) == []
    with pytest.raises(InvalidParams):
        entries.message(value)


@pytest.mark.req("S12.4")
def test_an_entry_of_a_type_to_come_is_no_message():
    assert parse_line(b'{"type":"ai-title","title":"x"}') == [Unknown("ai-title")]
    assert parse_line(b'{"a":1}') == [Unknown("")]


@pytest.mark.parametrize(
    ("line", "whole", "reason"),
    [
        (A.rstrip() + b"\0" * 4096 + B, ["msg-a", "msg-b"], "NUL"),
        (b"\0" * 4096 + b"\n", [], "NUL"),
        (A.rstrip() + B, ["msg-a", "msg-b"], "glued"),
        (A[:70] + B, ["msg-b"], "not JSON"),
        (A[:-20], [], "not JSON"),
        (b"42\n", [], "not an object"),
        (b"[]\n", [], "not an object"),
        (b"null\n", [], "not an object"),
        (b'"str"\n', [], "not an object"),
        (b'{"timestamp":1,"role":"user","blocks":[]}', [], "timestamp"),
        (b'{"timestamp":"2026","role":"user"}', [], "message"),
        (b'{"type":"custom-title","customTitle":7}', [], "custom-title"),
        (b"\x89PNG\r\x1a" + bytes(range(1, 10)), [], "not JSON"),
        (b"[" * 100_000, [], "not JSON"),
        (b'{"timestamp":"x","role":"user","blocks":[NaN]}', [], "NaN"),
    ],
)
def test_damage_is_named_and_what_is_whole_around_it_is_kept(line, whole, reason):
    assert ids(line) == whole
    assert any(reason in each for each in damage(line))


def test_what_javascript_writes_is_no_damage():
    """A lone surrogate, raw U+2028 and bytes that are no UTF-8 load in the CLI too."""
    for text in (
        '{"timestamp":"t","role":"user","blocks":["\\ud83d"]}',
        '{"timestamp":"t","role":"user","blocks":["\u2028"]}',
    ):
        (entry,) = parse_line(text.encode())
        assert isinstance(entry, Message)
        json.dumps(entry.body, ensure_ascii=False).encode()
    (entry,) = parse_line(b'{"timestamp":"t","role":"user","blocks":["\xff"]}')
    assert isinstance(entry, Message)
    assert entry.body["blocks"] == ["\ufffd"]


def test_a_written_message_keeps_unknown_members_and_puts_the_time_first():
    written = dump(Message({"id": "m", "role": "user", "blocks": [], "new": {"x": [1, None]}, "timestamp": make.at(1)}))
    assert written == make.line(
        {"timestamp": make.at(1), "id": "m", "role": "user", "blocks": [], "new": {"x": [1, None]}}
    )


def test_line_separators_and_lone_surrogates_are_escaped():
    written = dump(Message(make.body(text="a\u2028b\u2029c\ud83d")))
    assert b"a\\u2028b\\u2029c\\ud83d" in written
    assert parse_line(written.replace(b"\\ud83d", b""))[0].body["blocks"][0]["content"] == "a\u2028b\u2029c"


@pytest.mark.parametrize("missing", ["timestamp", "id", "role", "blocks"])
def test_what_is_no_message_is_not_written(missing):
    value = make.body()
    del value[missing]
    with pytest.raises(InvalidParams):
        entries.message(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text().filter(lambda key: key != "type"), JSON, max_size=4), st.text())
def test_any_message_comes_back_as_it_was(more, text):
    value = {**more, **make.body(text=text)}
    written = dump(entries.message(value))
    (entry,) = parse_line(written)
    assert entry == Message(value)
    assert written.count(b"\n") == 1


@given(st.binary())
def test_no_bytes_whatever_raise(data):
    for line in data.split(b"\n"):
        parse_line(line)


@pytest.mark.req("S11.1", "S12.1")
def test_header_and_title_are_what_the_cli_writes():
    reader.check(dump(Header("/w x", make.at(0), "main")) + dump(CustomTitle("t", make.session_id(1))))
    reader.check(dump(Header("/w", make.at(0))))
