"""Lines and envelopes: what is a request, what is refused and how, and that the next line is unharmed."""

from __future__ import annotations

import json

import pytest
from cli_client import CliError, scripted

PARSE_ERROR = {"id": None, "error": {"code": -32700, "message": "Parse error: invalid JSON"}}


def invalid(request_id):
    return {"id": request_id, "error": {"code": -32600, "message": "Invalid request: must have 'method' field"}}


def unknown(request_id, method):
    return {"id": request_id, "error": {"code": -32601, "message": f"Method not found: {method}"}}


EMPTY = {"sessions": []}


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"not json", PARSE_ERROR),
        (b'{"id":1,"method":"listDaemonSessions"}{"id":2,"method":"listDaemonSessions"}', PARSE_ERROR),
        (b"[]", invalid(None)),
        (b"null", invalid(None)),
        (b"42", invalid(None)),
        (b'"text"', invalid(None)),
        (b"{}", invalid(None)),
        (b'{"id":1}', invalid(1)),
        (b'{"id":"abc"}', invalid("abc")),
        (b'{"id":20,"result":1}', invalid(20)),
        (b'{"id":null,"method":"listDaemonSessions"}', invalid(None)),
        (b'{"id":true,"method":"listDaemonSessions"}', invalid(None)),
        (b'{"id":{"a":1},"method":"listDaemonSessions"}', invalid(None)),
        (b'[{"id":19,"method":"listDaemonSessions"}]', invalid(None)),
        (b'{"id":2,"method":5}', unknown(2, 5)),
        (b'{"id":3,"method":"noSuchMethod"}', unknown(3, "noSuchMethod")),
        (b'{"id":4,"method":"permissionResponse","params":{}}', unknown(4, "permissionResponse")),
        (b'{"id":"s","method":"listDaemonSessions"}', {"id": "s", "result": EMPTY}),
        (b'{"id":1.5,"method":"listDaemonSessions"}', {"id": 1.5, "result": EMPTY}),
        (b'{"jsonrpc":"2.0","id":6,"method":"listDaemonSessions","x":1}', {"id": 6, "result": EMPTY}),
        (b'  {"id":7,"method":"listDaemonSessions"}  \r', {"id": 7, "result": EMPTY}),
        (b'\xef\xbb\xbf{"id":8,"method":"listDaemonSessions"}', {"id": 8, "result": EMPTY}),
        (b'{"id":9,"method":"listDaemonSessions","x":"\xff\xfe"}', {"id": 9, "result": EMPTY}),
        (b'{"id":10,"method":"listDaemonSessions","params":null}', {"id": 10, "result": EMPTY}),
        (
            b'{"id":11,"method":"listDaemonSessions","x":"\xc2\x85\x0b"}'.replace(b"\x0b", b""),
            {"id": 11, "result": EMPTY},
        ),
    ],
)
async def test_a_line_has_its_answer_and_the_next_one_too(cli, line, answer):
    cli.write(line + b"\n")
    cli.write(b'{"id":"next","method":"listDaemonSessions"}\n')
    assert await cli.answer("next") == EMPTY
    assert cli.log[0] == answer


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", "\u2028".encode(), "\u2029".encode()])
async def test_a_line_ends_at_each_of_these(cli, end):
    cli.write(b'{"id":1,"method":"listDaemonSessions"}' + end + b'{"id":2,"method":"listDaemonSessions"}' + end)
    assert await cli.answer(1) == EMPTY
    assert await cli.answer(2) == EMPTY


async def test_blank_lines_and_unknown_notifications_are_ignored(cli):
    cli.write(b'\n   \n{"method":"noSuchNotification"}\n{"method":"permissionResponse"}\n')
    assert await cli.call("listDaemonSessions") == EMPTY
    assert len(cli.log) == 1


async def test_a_request_may_come_in_pieces(cli):
    for byte in b'{"id":1,"method":"listDaemonSessions","x":"\xe2\x82\xac"}\n':
        cli.write(bytes([byte]))
        await cli.process.stdin.drain()
    assert await cli.answer(1) == EMPTY


async def test_the_last_line_needs_no_end(start):
    cli = await start()
    cli.write(b'{"id":1,"method":"listDaemonSessions"}')
    assert await cli.close() == 0
    assert cli.log == [{"id": 1, "result": EMPTY}]


@pytest.mark.parametrize(
    ("session", "message"),
    [
        (None, "sessionId is required for this request"),
        ("", "sessionId is required for this request"),
        ("11111111-1111-4111-8111-111111111111", "Session not found: 11111111-1111-4111-8111-111111111111"),
    ],
)
async def test_a_session_is_named_on_the_envelope(cli, session, message):
    with pytest.raises(CliError) as refused:
        await cli.call("getMessages", {"sessionId": "in the params"}, session)
    assert (refused.value.code, refused.value.message) == (-32603, message)


async def test_separators_go_out_raw(cli, session):
    """U+2028 and U+2029 in a reply are not escaped: readers must cut at 0x0A only."""
    text = "one\u2028two\u2029three"
    await cli.call("sendMessage", {"text": scripted({"text": text, "chunks": 1})}, session)
    chunks = [event["params"]["chunk"] for event in cli.events(session, "assistantContentUpdated")]
    assert chunks == [text, ""]


async def test_a_lone_surrogate_goes_out_as_an_escape(cli, session, only_embedded):
    """What a JavaScript CLI sends when a token ends inside an emoji is valid UTF-8 and valid JSON."""
    await cli.call("sendMessage", {"text": '[[{"text": "\\ud83d\\ude00\\ud83d", "chunks": 2}]]'}, session)
    chunks = [event["params"]["chunk"] for event in cli.events(session, "assistantContentUpdated")]
    assert "".join(chunks) == "\U0001f600\ud83d"


async def test_a_line_of_three_megabytes_goes_both_ways(cli, session):
    text = "x" * 3_000_000
    await cli.call("sendMessage", {"text": text + json.dumps("") + '[[{"text": "ok"}]]'}, session)
    messages = (await cli.call("getMessages", None, session))["messages"]
    assert messages[0]["blocks"][0]["content"].startswith(text)
