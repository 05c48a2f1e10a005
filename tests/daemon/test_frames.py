"""What the attach process reads of a byte stream, however it is cut."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.core.envelope import error_body, event_body, notification_body, panel_body, request_body, result_body
from wave_bridge.frames import (
    MAX_FRAME,
    MAX_HEADER,
    Frames,
    answered_panel,
    frame,
    head,
    leaves_nothing_open,
    only_ends,
)

BODIES = st.lists(st.binary(max_size=40), max_size=6)


def cut(data, places):
    edges = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in itertools.pairwise(edges)]


@given(BODIES, st.lists(st.integers(0, 10_000), max_size=8))
def test_every_cut_gives_the_same_frames(bodies, places):
    frames = Frames()
    found = [piece for chunk in cut(b"".join(map(frame, bodies)), places) for piece in frames.feed(chunk)]
    assert found == [(frame(body), body) for body in bodies]


LINE = b'{"method":"x","params":{},"sessionId":"s"}'
SAID = st.sampled_from(
    [
        event_body(7, 7, LINE),
        panel_body(b'"p \\" 1"', event_body(7, 7, LINE)),
        notification_body("wave/agent/status", {"state": "ready"}),
        result_body(1, b"null"),
        panel_body(b'"p"', result_body(1, b"{}")),
        request_body("wave-1", "wave/context/read", {}),
    ]
)


@given(st.lists(SAID, max_size=12), st.lists(st.integers(0, 10_000), max_size=8))
def test_runs_of_notifications_pass_uncut_and_everything_else_is_looked_at(bodies, places):
    """However the daemon's stream is cut: whole frames only, in order, and each that leaves something open apart."""
    frames = Frames(daemon=True)
    pieces = [piece for chunk in cut(b"".join(map(frame, bodies)), places) for piece in frames.feed(chunk)]
    assert b"".join(whole for whole, _ in pieces) == b"".join(map(frame, bodies))
    assert [body for _, body in pieces if body] == [body for body in bodies if not leaves_nothing_open(body)]


def test_half_a_notification_waits_for_its_rest():
    frames = Frames(daemon=True)
    whole = frame(event_body(1, 1, LINE))
    assert frames.feed(whole + whole[:-1]) == [(whole, b"")]
    assert frames.feed(whole[-1:]) == [(whole, b"")]


@given(st.lists(st.binary(max_size=30) | st.sampled_from([b"\r\n\r\n", b"Content-Length: 4", b"\n\n"]), max_size=8))
def test_nothing_is_added_or_reordered_whatever_comes(parts):
    data = b"".join(parts)
    frames = Frames()
    passed = b"".join(whole for whole, _ in frames.feed(data))
    assert data.startswith(passed)


@pytest.mark.parametrize(
    "header",
    [
        b"content-LENGTH:2\r\n\r\n",
        b"X: y\nContent-Length:  2 \n\n",
        b"A: b\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_headers_are_read_as_leniently_as_peers_write_them(header):
    assert Frames().feed(header + b"{}") == [(header + b"{}", b"{}")]


def test_what_is_no_frame_passes_and_the_next_one_is_whole():
    frames = Frames()
    good = frame(b"{}")
    assert frames.feed(b"Content-Type: x\r\n\r\n" + good) == [(b"Content-Type: x\r\n\r\n", b""), (good, b"{}")]
    junk = b"x" * (MAX_HEADER + 1)
    assert frames.feed(junk) == [(junk, b"")]


def test_an_over_long_frame_passes_in_pieces():
    frames = Frames()
    header = b"Content-Length: %d\r\n\r\n" % (MAX_FRAME + 1)
    assert frames.feed(header) == [(header, b"")]
    chunk = b"x" * (1 << 20)
    for _ in range(MAX_FRAME >> 20):
        assert frames.feed(chunk) == [(chunk, b"")]
    good = frame(b"{}")
    assert frames.feed(b"y" + good) == [(b"y", b""), (good, b"{}")]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (result_body(5, b'{"id":9}'), {"id": 5}),
        (result_body('a\\"b', b"null"), {"id": 'a\\"b'}),
        (error_body(None, {"code": 1, "message": "x"}), {"id": None}),
        (request_body("wave-1", "wave/context/read", {}), {"id": "wave-1", "method": "wave/context/read"}),
        (notification_body("wave/agent/status", {}), {"id": None, "method": "wave/agent/status"}),
        (b'{"result": {"id": 1}, "id": 2, "jsonrpc": "2.0"}', {"id": 2}),
        (b'{"params": {"id": 1}, "method": "m", "id": 1.5}', {"id": 1.5, "method": "m"}),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "m", "params": {"method": "n"}}', {"id": 3, "method": "m"}),
        (b'{"id": [1], "method": "m"}', {"id": None, "method": "m"}),
        (b"[1]", {}),
        (b"", {}),
        (b"{", {}),
        (b"\xff", {}),
        (b"[" * 100_000, {}),
    ],
)
def test_id_and_method_are_found_wherever_they_stand(body, wanted):
    found = head(body)
    assert {key: found[key] for key in ("id", "method") if key in found} == wanted


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "method", "jsonrpc", "result"]), inner),
    max_leaves=10,
)


@given(JSON)
def test_the_quick_look_never_differs_from_the_whole_one(value):
    message = {"jsonrpc": "2.0", "id": 7, "result": value}
    for separators in ((",", ":"), (", ", ": ")):
        assert head(json.dumps(message, separators=separators).encode())["id"] == 7


def test_notices_that_leave_nothing_open_are_told_from_answers():
    event = event_body(1, 1, b'{"method":"x"}')
    assert leaves_nothing_open(event)
    assert leaves_nothing_open(panel_body(b'"p"', event))
    assert answered_panel(panel_body(b'"p"', event)) is None
    assert answered_panel(panel_body(b'"p\\"q"', result_body(1, b"{}"))) == ('p"q', 1)
    assert answered_panel(panel_body(b'"p"', error_body("x", {}))) == ("p", "x")
    assert answered_panel(panel_body(b'"p"', request_body("x", "wave/editor/copy", {}))) is None
    for body in (result_body(1, b"{}"), panel_body(b'"p"', result_body(1, b"{}")), b"", b"{}"):
        assert not leaves_nothing_open(body)


@pytest.mark.parametrize(
    ("methods", "ends"),
    [
        (["exit"], True),
        (["shutdown", "exit"], True),
        (["shutdown"], False),
        (["initialize", "exit"], False),
        ([], False),
    ],
)
def test_an_end_is_told_from_a_conversation_that_ends(methods, ends):
    assert only_ends([(b"", request_body(1, method, {})) for method in methods]) is ends
