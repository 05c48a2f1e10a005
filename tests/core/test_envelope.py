"""One decode of any bytes: a message whose bytes may be spliced on as they are, or garbage; never an exception."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import UNSET

from wave_bridge.core.envelope import (
    Garbage,
    decode,
    decode_any,
    error_body,
    event_body,
    notification_body,
    panel_body,
    request_body,
    result_body,
)

NO_SURROGATES = st.characters(exclude_categories=["Cs"])
texts = st.text(NO_SURROGATES, max_size=12)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**25), 10**25)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4))

# Pieces of JSON and of what is nearly JSON, so that the fuzz meets the seams between the fast and the slow path.
FRAGMENTS = [
    '{"method":"m"', '{"id":1', ',"result":', ',"params":', ',"error":', ',"sessionId":"s"', "{", "}", "[", "]", ",",
    ":", '"', '"a"', '"\\ud83d"', '"\\ude00"', '"\\ud83d\\ude00"', "\u2028", "\ufeff", "NaN", "-Infinity", "1e999",
    "-0", "01", "1.", "9" * 25, "null", "true", "\\", "\\u12", "\x00", "\x01", "\t", "\r", "\x7f", "é", "😀",
]  # fmt: skip
nearly_json = st.lists(st.sampled_from([piece.encode() for piece in FRAGMENTS]) | st.binary(max_size=2), max_size=14)


def strictly(data: bytes):
    """Read JSON as a strict peer does: valid UTF-8, no NaN, no lone surrogates."""

    def refuse(constant):
        raise ValueError(constant)

    value = json.loads(data.decode(), parse_constant=refuse)
    json.dumps(value, ensure_ascii=False).encode()
    return value


@given(nearly_json.map(b"".join) | st.binary(max_size=60))
@example(b'{"method":"m","params":[%b,"\\ud83d"]}' % (b"9" * 25))
@example(b'{"method":"m","params":{"\\ud83d":1,"\\ud83e":2}}')
def test_any_bytes_are_a_message_fit_for_splicing_or_garbage(line):
    found = decode(line)
    if isinstance(found, Garbage):
        assert found.line == line
        return
    envelope, clean = found
    message = strictly(clean)
    assert isinstance(message, dict)
    assert decode_any(bytes(envelope.params)) == strictly(bytes(envelope.params))


@given(texts, values, st.none() | texts)
def test_a_sound_message_is_passed_on_byte_for_byte(method, params, session_id):
    message = {"method": method, "params": params, "sessionId": session_id, "id": 1}
    line = json.dumps(message, ensure_ascii=False).encode()
    envelope, clean = decode(line)
    assert clean is line
    assert (envelope.method, envelope.id, envelope.session_id) == (method, 1, session_id)
    assert json.loads(bytes(envelope.params)) == params


@pytest.mark.parametrize(
    ("line", "params"),
    [
        pytest.param(b'"\\ud83d"', "\ufffd", id="high surrogate alone"),
        pytest.param(b'"\\ude00x"', "\ufffdx", id="low surrogate alone"),
        pytest.param(b'"\\ud83d\\ud83d\\ude00"', "\ufffd😀", id="pair behind a lone one"),
        pytest.param(b'{"\\ud83d":1}', {"\ufffd": 1}, id="in a key"),
        pytest.param(b'"a\xffb"', "a\ufffdb", id="invalid UTF-8"),
        pytest.param(b'"a\xed\xa0\xbdb"', "a\ufffd\ufffd\ufffdb", id="surrogate as bytes"),
        pytest.param(b'"\xe2\x80"', "\ufffd", id="character cut in half"),
        pytest.param(b"NaN", None, id="NaN"),
        pytest.param(b"[Infinity,-Infinity,1]", [None, None, 1], id="infinities"),
        pytest.param('"\u2028\u2029\x85"'.encode(), "\u2028\u2029\x85", id="line separators"),
        pytest.param(b'"\\u0000"', "\0", id="NUL"),
    ],
)
def test_what_a_javascript_peer_emits_comes_out_clean(line, params):
    envelope, clean = decode(b'{"method":"m","params":%b,"sessionId":"s"}' % line)
    assert strictly(clean) == {"method": "m", "params": params, "sessionId": "s"}
    assert decode_any(bytes(envelope.params)) == params


@pytest.mark.parametrize(
    "blank", [b"\xef\xbb\xbf%b", b"  %b  ", b"%b\r", b"\t%b\r\n"], ids=["BOM", "blanks", "CR", "TAB CRLF"]
)
def test_what_surrounds_a_message_does_not_matter(blank):
    envelope, clean = decode(blank % b'{"id":7,"method":"m"}')
    assert (envelope.id, envelope.method) == (7, "m")
    assert strictly(clean) == {"id": 7, "method": "m"}


@pytest.mark.parametrize(
    ("line", "is_json"),
    [
        (b"null", True), (b"true", True), (b"5", True), (b'"text"', True), (b"[]", True), (b'[{"method":"m"}]', True),
        (b'{"method":5}', True), (b'{"id":true,"result":1}', True), (b'{"id":{},"result":1}', True),
        (b'{"method":"m","sessionId":5}', True),
        (b"", False), (b"Restoring session: 1", False), (b"{", False), (b'{"method":"m"} x', False),
        (b'{"method":"m"}{"method":"n"}', False), (b"\xff\xfe{\x00}\x00", False),
        (b'{"method":"m","params":"a\nb"}', False),
        (b"[" * 100_000, False), (b'{"method":"m","params":%b%b}' % (b"[" * 100_000, b"]" * 100_000), False),
    ],
    ids=lambda value: None if isinstance(value, bool) else repr(value[:30]),
)  # fmt: skip
def test_garbage_is_told_from_what_is_json_but_no_message(line, is_json):
    found = decode(line)
    assert isinstance(found, Garbage)
    assert found.is_json is is_json
    assert found.line == line


def test_absent_is_not_null():
    absent, _ = decode(b'{"method":"m"}')
    null, _ = decode(b'{"method":"m","id":null,"sessionId":null,"params":null}')
    assert (absent.id, absent.session_id) == (UNSET, UNSET)
    assert (null.id, null.session_id) == (None, None)
    assert bytes(absent.params) == bytes(null.params) == b"null"


@pytest.mark.parametrize(
    "data", [b"", b"{", b"nul", b"[" * 100_000, b"9" * 5000], ids=["empty", "open", "word", "deep", "digits"]
)
def test_values_that_cannot_be_had_are_a_value_error(data):
    with pytest.raises(ValueError):
        decode_any(data)


@given(values)
def test_values_are_read_as_json_reads_them(value):
    assert decode_any(json.dumps(value).encode()) == value


@given(values, st.integers() | texts)
def test_bodies_are_json_rpc(value, request_id):
    raw = json.dumps(value).encode()
    head = {"jsonrpc": "2.0"}
    if isinstance(request_id, int):
        request_id = math.copysign(min(abs(request_id), 2**53), request_id).__trunc__()
    assert strictly(result_body(request_id, raw)) == head | {"id": request_id, "result": value}
    assert strictly(error_body(None, {"code": 1, "message": "é"})) == head | {
        "id": None,
        "error": {"code": 1, "message": "é"},
    }
    assert strictly(notification_body("m", [1])) == head | {"method": "m", "params": [1]}
    assert strictly(request_body("wave-1", "m", None)) == head | {"id": "wave-1", "method": "m", "params": None}
    assert strictly(panel_body(b'"p"', raw))["params"] == {"panelId": "p", "message": value}
    assert strictly(event_body(3, 3, raw))["params"] == {"seq": 3, "event": value}
    assert strictly(event_body(5, 3, raw))["params"] == {"seq": 5, "fromSeq": 3, "event": value}
