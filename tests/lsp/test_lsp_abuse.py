"""Whatever a client sends gets a stated answer, and the next message is unharmed."""

import json

import pytest

from wave_bridge.core.limits import MAX_FRAME
from wave_bridge.core.lsp_codec import frame

STATUS = {"jsonrpc": "2.0", "id": 7, "method": "wave/daemon/status"}


def works(client):
    return client.ask("wave/daemon/status", request_id="check")["result"]["build"] == "test"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (json.dumps([STATUS]).encode(), -32600),  # batches are not part of LSP
        (b"null", -32600),
        (b"true", -32600),
        (b"3", -32600),
        (b'"text"', -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"2.0","method":5,"id":1}', -32600),
        (b'{"jsonrpc":"2.0","method":"wave/daemon/status","id":true}', -32600),
        (b'{"jsonrpc":"2.0","method":"wave/daemon/status","id":{}}', -32600),
        (b'{"jsonrpc":"2.0","method":"wave/daemon/status","id":null}', -32600),
    ],
)
@pytest.mark.parametrize("early", [True, False])
async def test_what_is_no_message_is_answered_with_a_null_id(stranger, body, code, early):
    if not early:
        stranger.initialize()
    (answer,) = stranger.say(body)
    assert (answer["id"], answer["error"]["code"]) == (None, code)
    if early:
        stranger.initialize()
    assert works(stranger)


async def test_a_fault_is_no_popup(editor):
    heard = editor.say(b"{", b"[]", {"method": "workspace/didChangeWorkspaceFolders", "params": 3})
    assert [item.get("method") for item in heard] == [None, None]


@pytest.mark.parametrize(
    "head",
    [
        b"content-length: %d\r\n\r\n",
        b"CONTENT-LENGTH:%d\r\n\r\n",
        b"Content-Length:%d\n\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
    ],
)
async def test_any_spelling_of_the_header_is_read(editor, head):
    body = json.dumps(STATUS).encode()
    (answer,) = editor.feed(head % len(body) + body)
    assert answer["id"] == 7


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"hello\r\n\r\n", -32700),
        (b"Content-Length: many\r\n\r\n", -32700),
        (b"Content-Length: %d\r\n\r\n" % (MAX_FRAME + 1) + b" " * (MAX_FRAME + 1), -31011),
    ],
)
async def test_a_malformed_frame_is_answered_and_the_next_one_is_read(editor, data, code):
    fault, answer = editor.feed(data + frame(json.dumps(STATUS).encode()))
    assert (fault["id"], fault["error"]["code"]) == (None, code)
    assert answer["id"] == 7
    assert not editor.closed


async def test_every_cut_of_the_bytes_gives_the_same_answers(editor):
    data = frame(json.dumps(STATUS).encode()) + frame(b"[]") + frame(json.dumps({**STATUS, "id": "é"}).encode())
    for size in (1, 2, 3, 7, 50):
        heard = [item for at in range(0, len(data), size) for item in editor.feed(data[at : at + size])]
        assert [item["id"] for item in heard] == [7, None, "é"]


@pytest.mark.parametrize("params", [..., None, {}, [], [None], [{}], {"unknown": 1}])
async def test_a_request_without_parameters_is_answered(editor, params):
    """vscode-jsonrpc and Neovim leave `params` out; pygls never answers those."""
    assert editor.ask("wave/daemon/status", params)["result"]["build"] == "test"


@pytest.mark.parametrize("params", [..., None, {}, []])
async def test_shutdown_is_answered_whatever_its_parameters(editor, params):
    assert editor.ask("shutdown", params) == {"jsonrpc": "2.0", "id": 1, "result": None}


async def test_the_member_jsonrpc_may_be_missing(editor):
    (status,) = editor.say(b'{"id":1,"method":"wave/daemon/status"}')
    (shutdown,) = editor.say(b'{"id":2,"method":"shutdown"}')
    assert status["result"]["build"] == "test"
    assert shutdown["result"] is None


@pytest.mark.parametrize("jsonrpc", ["2.0", "1.0", None, 5])
async def test_a_key_jsonrpc_inside_parameters_is_harmless(editor, jsonrpc):
    nested = {"a": [{"jsonrpc": jsonrpc, "id": 1, "method": "exit"}], "jsonrpc": jsonrpc}
    assert "result" in editor.ask("wave/daemon/status", nested)
    editor.say({"method": "workspace/didChangeConfiguration", "params": {"settings": nested}})
    assert editor.connection._server.client.info.settings == nested


async def test_names_that_are_no_identifiers_are_kept(bridge, stranger):
    """pygls makes namedtuples of custom objects, which renames and loses such members."""
    settings = {"class": 1, "x-y": 2, "type_name": 3, "": {"def": [{"1": None}]}}
    stranger.initialize(initializationOptions={"settings": settings})
    (client,) = bridge.editors
    assert client.info.settings == settings


@pytest.mark.parametrize("method", ["wave/no/such", "wave/", "no/such", "$/noSuch", "textDocument/hover", ""])
async def test_an_unknown_request_is_refused(editor, method):
    assert editor.ask(method, {"a": 1})["error"]["code"] == -32601


@pytest.mark.parametrize("method", ["wave/no/such", "no/such", "$/noSuch", "$/setTrace", "$/cancelRequest"])
@pytest.mark.parametrize("params", [{}, None, 3, ["x"]])
async def test_an_unknown_or_empty_notification_is_ignored(editor, method, params):
    assert editor.say({"method": method, "params": params}) == []
    assert works(editor)


@pytest.mark.parametrize(
    ("params", "named"),
    [
        ({}, "sessionId"),
        ({"sessionId": 5}, "sessionId"),
        ({"sessionId": "s", "clientTurnId": "t", "parts": [{"type": "text", "text": None}]}, "parts[0].text"),
        ({"sessionId": "s", "clientTurnId": "t", "parts": [{"type": "smell"}]}, "parts[0].type"),
        ([{}, {}], "by name"),
        (3, "object"),
    ],
)
async def test_wrong_parameters_name_the_member(editor, params, named):
    error = editor.ask("wave/turn/start", params)["error"]
    assert error["code"] == -32602
    assert error["data"]["kind"] == "invalidParams"
    assert named in error["message"]


@pytest.mark.parametrize(
    ("escape", "read"),
    [(r"\ud83d", "\ufffd"), (r"\ud83d\ude00", "\U0001f600"), (r"\u2028", "\u2028")],
)
async def test_broken_escapes_come_out_clean(editor, bridge, escape, read):
    editor.say(b'{"id":1,"method":"wave/files/search","params":{"query":"%b"}}' % escape.encode())
    ((_, params, _),) = bridge.forwarded
    assert params.query == read


async def test_invalid_utf8_does_not_reach_anybody(editor, bridge):
    editor.say(b'{"id":1,"method":"wave/files/search","params":{"query":"\xff"}}')
    assert bridge.forwarded[0][1].query == "\ufffd"


@pytest.mark.parametrize("request_id", [0, -1, 1.5, "", "wave-1", 2**60])
async def test_any_id_is_echoed(editor, request_id):
    assert "result" in editor.ask("wave/daemon/status", request_id=request_id)
    assert editor.ask("shutdown", request_id=request_id)["result"] is None


@pytest.mark.parametrize(
    "response",
    [{"id": 99, "result": 1}, {"id": "wave-9", "result": 1}, {"id": "x"}, {"id": None, "error": 5}, {"id": 1.5}],
)
async def test_a_response_that_nobody_waits_for_is_ignored(editor, response):
    assert editor.say(response) == []
    assert works(editor)


async def test_a_response_can_not_answer_a_request_of_the_client_itself(editor, bridge):
    """pygls keeps both directions in one table."""
    editor.say({"id": 1, "method": "wave/files/search", "params": {"query": "a"}})
    assert editor.say({"id": 1, "result": "forged"}) == []
    bridge.forwarded[0][2].set({"real": True})
    assert editor.heard() == [{"jsonrpc": "2.0", "id": 1, "result": {"real": True}}]
