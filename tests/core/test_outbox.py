"""The outbox: order, numbering, merging, dropping, and bounded memory, whatever the client does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.core.lsp_codec import FrameReader
from wave_bridge.core.outbox import Outbox, Stream
from wave_bridge.core.rpc import Event


def event(method, params, session="s"):
    line = json.dumps({"method": method, "params": params, "sessionId": session}).encode()
    return Event(method, session, json.dumps(params).encode(), line)


def delta(chunk, message="m", stage="streaming"):
    return event("assistantContentUpdated", {"messageId": message, "chunk": chunk, "stage": stage})


def taken(outbox):
    return [json.loads(body) for body in FrameReader().feed(outbox.take())]


@pytest.fixture
def wakes():
    return []


@pytest.fixture
def outbox(wakes):
    return Outbox(lambda: wakes.append(1), soft=1000, hard=8000, replies=5000)


def test_messages_leave_in_order_and_wake_the_endpoint_once(outbox, wakes):
    stream = Stream("s")
    outbox.send(b'{"a":1}')
    outbox.send_event(stream, delta("x"))
    outbox.send(b'{"a":2}')
    assert wakes == [1]
    first, second, third = taken(outbox)
    assert (first, third) == ({"a": 1}, {"a": 2})
    assert second["params"]["seq"] == 1
    assert second["params"]["event"]["params"]["chunk"] == "x"
    assert outbox.take() == b""


@pytest.mark.req("T10.6")
def test_an_event_is_forwarded_with_the_bytes_of_the_cli(outbox):
    """Key order, spacing and unknown members stay: nothing was decoded and written again."""
    line = b'{ "method":"x" , "params":{"b":1,"a":[ 2]},"sessionId":"s","extra":null}'
    outbox.send_event(Stream("s"), Event("x", "s", b'{"b":1,"a":[ 2]}', line))
    assert line in outbox.take()


@pytest.mark.req("T10.4")
def test_past_the_soft_bound_deltas_of_one_block_merge_in_order(outbox):
    stream = Stream("s")
    outbox.pause()
    chunks = [f"c{i} " for i in range(60)]
    for chunk in chunks:
        outbox.send_event(stream, delta(chunk))
    assert outbox.take() == b""
    outbox.resume()
    events = [note["params"] for note in taken(outbox)]
    assert len(events) < len(chunks)
    assert "".join(note["event"]["params"]["chunk"] for note in events) == "".join(chunks)
    expected = 1
    for note in events:
        assert note.get("fromSeq", note["seq"]) == expected
        expected = note["seq"] + 1
    assert expected == len(chunks) + 1


def test_deltas_of_other_blocks_stages_and_messages_never_merge():
    outbox = Outbox(lambda: None, soft=0, hard=10**6)
    outbox.pause()
    stream = Stream("s")
    for item in (
        delta("a", "m1"),
        delta("b", "m2"),
        delta("", "m2", "end"),
        delta("c", "m2"),
        event("assistantReasoningUpdated", {"messageId": "m2", "chunk": "r", "stage": "streaming"}),
        event("toolBlockUpdated", {"id": "t1", "parametersChunk": "{", "stage": "streaming", "messageId": "m2"}),
        event("toolBlockUpdated", {"id": "t1", "parametersChunk": "}", "stage": "streaming", "messageId": "m2"}),
        event("toolBlockUpdated", {"id": "t1", "result": "ok", "stage": "end", "messageId": "m2"}),
    ):
        outbox.send_event(stream, item)
    outbox.resume()
    notes = [note["params"] for note in taken(outbox)]
    assert [note["seq"] for note in notes] == [1, 2, 3, 4, 5, 7, 8]
    assert notes[5]["event"]["params"]["parametersChunk"] == "{}"
    assert notes[5]["fromSeq"] == 6


def test_deltas_never_merge_across_an_answer():
    """A snapshot's number lies between two deltas; merged, the second would be lost or doubled."""
    outbox = Outbox(lambda: None, soft=0, hard=10**6)
    outbox.pause()
    stream = Stream("s")
    outbox.send_event(stream, delta("a"))
    outbox.send(b'{"snapshot":1}')
    outbox.send_event(stream, delta("b"))
    outbox.resume()
    assert [note.get("snapshot") or note["params"]["seq"] for note in taken(outbox)] == [1, 1, 2]


@pytest.mark.req("T10.5")
def test_past_the_hard_bound_each_lagging_session_is_told_to_resync_once(outbox):
    one, other, quiet = Stream("one"), Stream("other"), Stream("quiet")
    outbox.pause()
    for number in range(200):
        outbox.send_event(one, event("toolBlockUpdated", {"n": number, "text": "x" * 100}, "one"))
        outbox.send_event(other, event("toolBlockUpdated", {"n": number, "text": "x" * 100}, "other"))
    assert outbox.held_bytes < 8000 + 1000
    outbox.resume()
    notes = taken(outbox)
    told = [note["params"]["sessionId"] for note in notes if note["method"] == "wave/session/state"]
    assert sorted(told) == ["one", "other"]
    assert all(note["method"] == "wave/session/state" for note in notes), "what follows a loss is lost as well"
    assert (one.seq, other.seq) == (200, 200)
    outbox.send_event(quiet, delta("x"))
    one.lost = False  # a snapshot was sent
    outbox.send_event(one, delta("y"))
    outbox.send_event(other, delta("z"))
    assert [note["params"]["seq"] for note in taken(outbox)] == [1, 201]


def test_answers_are_never_dropped_and_too_many_give_the_connection_up(outbox, wakes):
    outbox.pause()
    outbox.send(b"x" * 3000)
    stream = Stream("s")
    for _ in range(100):
        outbox.send_event(stream, delta("y" * 200))
    assert not outbox.overflow
    wakes.clear()
    outbox.send(b"x" * 3000)
    assert outbox.overflow
    assert wakes, "the endpoint must learn of it although it may not write"


def test_events_of_a_stream_that_ended_are_not_sent(outbox):
    stream = Stream("s")
    outbox.pause()
    outbox.send_event(stream, delta("x"))
    outbox.forget(stream)
    outbox.resume()
    assert outbox.take() == b""


def test_panel_events_are_tunnelled(outbox):
    outbox.send_event(Stream("s", b'"p\\"1"'), delta("x"))
    (note,) = taken(outbox)
    assert note["method"] == "wave/panel/message"
    assert note["params"]["panelId"] == 'p"1'
    assert note["params"]["message"]["method"] == "wave/session/event"


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("delta"), st.sampled_from("ab"), st.text(max_size=40)),
        st.tuples(st.just("other"), st.sampled_from("ab"), st.text(max_size=400)),
        st.sampled_from([("pause",), ("resume",), ("answer",), ("take",)]),
    ),
    max_size=80,
)


@given(STEPS)
def test_whatever_happens_a_client_that_resyncs_misses_and_doubles_nothing(steps):
    """A model client: it appends by number, asks for a snapshot when told to, and must end with the whole text."""
    outbox = Outbox(lambda: None, soft=300, hard=1200, replies=10**6)
    streams = {name: Stream(name) for name in "ab"}
    truth = dict.fromkeys("ab", "")
    shown = dict.fromkeys("ab", "")
    seen = dict.fromkeys("ab", 0)
    wants: set[str] = set()

    def read():
        for note in taken(outbox):
            if "answer" in note:
                continue
            params = note["params"]
            if note["method"] == "wave/session/state":
                wants.add(params["sessionId"])
                continue
            name = params["event"]["sessionId"]
            assert params.get("fromSeq", params["seq"]) == seen[name] + 1, "a gap without a resync"
            seen[name] = params["seq"]
            shown[name] += params["event"]["params"]["chunk"]

    for step in steps:
        match step:
            case ("delta", name, text):
                truth[name] += text
                item = event("assistantContentUpdated", {"messageId": "m", "chunk": text, "stage": "streaming"}, name)
                outbox.send_event(streams[name], item)
            case ("other", name, text):
                truth[name] += text
                outbox.send_event(streams[name], event("errorBlockAdded", {"chunk": text}, name))
            case ("answer",):
                outbox.send(b'{"answer":1}')
            case ("pause",):
                outbox.pause()
            case ("resume",):
                outbox.resume()
            case ("take",):
                read()
    outbox.resume()
    read()
    for name in wants:
        streams[name].lost = False
        shown[name], seen[name] = truth[name], streams[name].seq
    assert shown == truth
    assert {name: stream.seq for name, stream in streams.items()} == seen


@given(st.text(max_size=20), st.integers(1, 10**9))
def test_what_stands_around_a_line_is_the_same_for_every_panel_id_and_number(panel, seq):
    """The parts are prepared once a stream; they must give what encoding the message would."""
    outbox = Outbox(lambda: None)
    stream = Stream("s", json.dumps(panel, ensure_ascii=False).encode("utf-8", "surrogatepass"), seq - 1)
    outbox.send_event(stream, delta("100% {seq} %d"))
    (note,) = taken(outbox)
    assert note["params"]["panelId"] == panel
    assert note["params"]["message"]["params"]["seq"] == seq
    assert note["params"]["message"]["params"]["event"]["params"]["chunk"] == "100% {seq} %d"


def test_what_was_held_for_a_client_that_left_counts_no_more():
    """Else the next panel would be told that it lags while hardly anything waits."""
    outbox = Outbox(lambda: None, hard=1000)
    gone, stays = Stream("gone"), Stream("stays")
    outbox.pause()
    outbox.send_event(gone, delta("x" * 700))
    outbox.forget(gone)
    assert outbox.held_bytes == 0
    outbox.send_event(stays, delta("y" * 700))
    assert not stays.lost
