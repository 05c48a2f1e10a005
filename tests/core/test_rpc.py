"""JSON-RPC with the CLI, one line a message: what goes out, what comes in, which call an answer belongs to."""

from __future__ import annotations

import json
import shutil
import subprocess

import msgspec
import pytest
from cutting import cut
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from wave_bridge.core.envelope import Garbage, decode
from wave_bridge.core.jsonl import LineSplitter
from wave_bridge.core.rpc import Event, Reply, Unanswered, notification_line, read, request_line

# Everything that some line reader takes for the end of a line.
ENDS = "\n\r\u2028\u2029\x85\x0b\x0c\x1c"
texts = st.text(st.sampled_from(ENDS + 'a"\\é😀') | st.characters(exclude_categories=["Cs"]), max_size=10)
values = st.recursive(
    st.none() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
)

STRAY = {
    "restore notice": b"Restoring session: 5f0c",
    "prose with a brace": b"{not json",
    "empty object": b"{}",
    "null": b"null",
    "number": b"5",
    "text": b'"text"',
    "array": b'[{"method":"loadingChange","sessionId":"s"}]',
    "true": b"true",
    "two objects on a line": b'{"method":"a"}{"method":"b"}',
    "invalid UTF-8": b"\xff\xfe\xfd",
    "blank": b"   \t\r",
    "nothing": b"",
    "method that is no text": b'{"method":5}',
    "id that is no id": b'{"id":{},"result":1}',
    "a request": b'{"id":1,"method":"m"}',
    "an id and no result": b'{"id":1}',
    "nested too deeply": b'{"method":"m","params":' + b"[" * 50_000,
}


def lines_of(stream: bytes) -> list[bytes]:
    return LineSplitter().feed(stream)


@pytest.mark.req("T5.1")
@given(st.lists(st.tuples(texts, values, st.none() | texts.filter(bool)), min_size=1, max_size=5))
def test_a_request_is_one_line_with_an_increasing_id(calls):
    unanswered: Unanswered[int] = Unanswered()
    ids = [unanswered.add(number) for number in range(len(calls))]
    assert ids == sorted(set(ids))
    stream = b"".join(request_line(request_id, *call) for request_id, call in zip(ids, calls, strict=True))
    for line, request_id, (method, params, session_id) in zip(lines_of(stream), ids, calls, strict=True):
        wanted = {"id": request_id, "method": method, "params": params, "sessionId": session_id}
        assert json.loads(line) == {name: value for name, value in wanted.items() if name != "sessionId" or value}


@pytest.mark.req("T5.6")
@given(texts, values, st.none() | texts.filter(bool))
def test_a_notification_is_one_line_without_id(method, params, session_id):
    (line,) = lines_of(notification_line(method, params, session_id))
    assert json.loads(line) == {"method": method, "params": params} | ({"sessionId": session_id} if session_id else {})


def test_parameters_that_are_left_out_are_not_null():
    assert json.loads(request_line(1, "m", UNSET, None)) == {"id": 1, "method": "m"}
    assert json.loads(notification_line("m", None, None)) == {"method": "m", "params": None}


@pytest.mark.req("T5.1", "T5.6")
@given(values, st.sampled_from([None, 2]))
def test_no_reader_of_lines_can_split_what_goes_out(params, indent):
    """Raw parameters of an editor keep its layout: JSON over several lines, and separators unescaped."""
    raw = msgspec.Raw(json.dumps(params, indent=indent, ensure_ascii=False).replace("\n", "\r\n").encode())
    for line in (request_line(1, "m", raw, "s"), notification_line("m", raw, "s")):
        assert line.endswith(b"\n")
        for end in ("\r", "\n", "\u2028", "\u2029"):
            assert end.encode() not in line[:-1]
        assert json.loads(line)["params"] == params


@pytest.mark.req("T5.1", "T5.6")
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_line_reader_of_the_cli_reads_what_was_sent():
    """The CLI reads with Node's readline, which ends lines at more than a newline."""
    texts_sent = [f"a{end}b" for end in ENDS] + [ENDS, "😀"]
    stream = b"".join(request_line(number, "m", {"text": text}, "s") for number, text in enumerate(texts_sent))
    program = (
        "const out = [];"
        "require('readline').createInterface({input: process.stdin, crlfDelay: Infinity})"
        ".on('line', line => out.push(JSON.parse(line).params.text))"
        ".on('close', () => process.stdout.write(JSON.stringify(out)));"
    )
    done = subprocess.run(["node", "-e", program], input=stream, stdout=subprocess.PIPE, check=True, timeout=60)
    assert json.loads(done.stdout) == texts_sent


@pytest.mark.req("T5.2")
@given(st.permutations(range(6)), values)
def test_an_answer_finds_its_call_whatever_the_order(order, result):
    unanswered: Unanswered[str] = Unanswered()
    ids = [unanswered.add(f"call {number}") for number in range(6)]
    for number in order:
        reply = read(json.dumps({"id": ids[number], "result": result}).encode())
        assert isinstance(reply, Reply)
        assert unanswered.take(reply.id) == f"call {number}"
        assert (json.loads(reply.result), reply.error) == (result, None)
        assert unanswered.take(reply.id) is None
    assert len(unanswered) == 0


@pytest.mark.req("T5.2")
@pytest.mark.parametrize(
    ("line", "result", "error"),
    [
        (b'{"id":1,"result":{"a":1}}', b'{"a":1}', None),
        (b'{"id":1,"result":null}', b"null", None),
        (b'{"id":1,"result":5,"error":null}', b"5", None),
        (b'{"id":1,"error":{"code":-32603,"message":"m"}}', b"null", b'{"code":-32603,"message":"m"}'),
        (b'{"id":1,"error":{"code":"ERR_X","message":"m"}}', b"null", b'{"code":"ERR_X","message":"m"}'),
        (b'{"jsonrpc":"2.0","id":1,"result":"x"}', b'"x"', None),
    ],
)
def test_a_result_resolves_and_an_error_rejects(line, result, error):
    assert read(line) == Reply(1, result, error)


@pytest.mark.parametrize("request_id", [None, "1", 2, 1.5, -1, [], {}], ids=repr)
def test_an_answer_to_no_call_takes_none(request_id):
    unanswered: Unanswered[str] = Unanswered()
    unanswered.add("the only call")
    assert unanswered.take(request_id) is None
    assert unanswered.drain() == ["the only call"]
    assert unanswered.add("a later call") == 2


@pytest.mark.req("T5.3")
@given(texts, values, st.none() | texts)
def test_a_line_with_a_method_and_no_id_is_a_notification(method, params, session_id):
    line = json.dumps({"method": method, "params": params, "sessionId": session_id}, ensure_ascii=False).encode()
    event = read(line)
    assert isinstance(event, Event)
    assert (event.method, event.session_id, event.line) == (method, session_id or None, line)
    assert json.loads(bytes(event.params)) == params


@pytest.mark.req("T5.4", "T5.5")
@pytest.mark.parametrize("stray", STRAY.values(), ids=STRAY)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_a_stray_line_is_passed_over_and_the_next_is_read(stray, end):
    event = b'{"method":"loadingChange","params":{},"sessionId":"s"}'
    answer = b'{"id":1,"result":"x"}'
    *passed_over, reply, after = [read(line) for line in lines_of(stray + end + answer + end + event + end)]
    assert all(isinstance(found, Garbage) for found in passed_over)
    assert reply == Reply(1, b'"x"', None)
    assert isinstance(after, Event)
    assert after.session_id == "s"


@pytest.mark.req("T5.4", "T5.5")
@given(st.lists(st.sampled_from(list(STRAY.values())) | st.integers(0, 99), max_size=10), st.data())
def test_notifications_arrive_whole_and_in_order_among_strays(lines, data):
    """Integers stand for sound notifications; everything else is noise."""
    stream = b"".join(
        (b'{"method":"n","params":%d}' % line if isinstance(line, int) else line) + b"\n" for line in lines
    )
    _, chunks = data.draw(cut(st.just(stream)))
    splitter = LineSplitter()
    found = [read(line) for chunk in chunks for line in splitter.feed(chunk)]
    assert [int(event.params) for event in found if isinstance(event, Event)] == [
        n for n in lines if isinstance(n, int)
    ]


def test_an_event_from_the_slow_path_is_clean_all_through():
    event = read(b'\xef\xbb\xbf{"method":"n","params":{"chunk":"a\\ud83d","n":NaN},"sessionId":"s"}')
    assert isinstance(event, Event)
    assert json.loads(bytes(event.params)) == {"chunk": "a\ufffd", "n": None}
    assert decode(event.line)[1] is event.line
