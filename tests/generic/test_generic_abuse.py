"""A client that does everything wrong gets stated answers, costs nobody else anything, and ends nothing."""

import asyncio
import json

import pytest
from machine import BRIDGE
from pytest_lsp import client_capabilities
from raw import HELLO, BridgeOfTests, RawClient

from wave_bridge.lsp.protocol import CONVERTER

PLAIN = {"workspace": {"applyEdit": True}, "textDocument": {"completion": {}, "codeLens": {}, "codeAction": {}}}
NAMES = ["emacs@v29.1", "neovim@v0.6.1", "neovim@v0.11.0", "visual_studio_code@v1.65.2"]
URI = "file:///x.py"


@pytest.fixture
async def plain():
    """An editor that knows nothing of ours, on a bridge without a CLI."""
    client = RawClient(BridgeOfTests())
    client.initialize(capabilities=PLAIN)
    client.heard()
    yield client
    client.connection.lost()


def opened(text, **more):
    return {"method": "textDocument/didOpen", "params": {"textDocument": document(text=text, **more)}}


def document(**more):
    return {"uri": URI, "languageId": "x", "version": 1, **more}


def changed(*changes):
    params = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": list(changes)}
    return {"method": "textDocument/didChange", "params": params}


def place(line, character):
    return {"line": line, "character": character}


def works(client):
    return client.ask("wave/daemon/status", request_id="check")["result"]["build"] == "test"


def held(client):
    text = client.connection._server.surface.documents.find(URI)
    return None if text is None else text.content


@pytest.mark.parametrize("name", NAMES)
async def test_initialize_answers_at_once_and_nothing_of_ours_is_sent(name):
    client = RawClient(BridgeOfTests())
    answer = client.ask("initialize", {**HELLO, "capabilities": CONVERTER.unstructure(client_capabilities(name))})
    offered = answer["result"]["capabilities"]
    assert "wave.ask" in offered["executeCommandProvider"]["commands"]
    assert offered["textDocumentSync"]["change"] == 2
    assert not [item for item in client.heard() if item.get("method", "").startswith("wave/")]
    client.connection.lost()


async def test_to_a_shim_nothing_of_it_is_offered():
    client = RawClient(BridgeOfTests())
    offered = client.initialize()["capabilities"]
    assert "executeCommandProvider" not in offered
    assert "completionProvider" not in offered
    assert offered["textDocumentSync"] == 0
    client.say(opened("x"))
    assert client.connection._server.surface is None


async def test_what_an_editor_can_not_use_is_not_offered():
    client = RawClient(BridgeOfTests())
    offered = client.initialize(capabilities={})["capabilities"]
    assert not {"completionProvider", "codeLensProvider", "codeActionProvider"} & set(offered)
    assert "executeCommandProvider" in offered


@pytest.mark.parametrize(
    "message",
    [
        {"method": "textDocument/didOpen", "params": {}},
        {"method": "textDocument/didOpen"},
        {"method": "textDocument/didChange", "params": {"textDocument": {"uri": "file:///unknown", "version": 1}}},
        changed({"text": "before it was opened"}),
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///unknown"}}},
        {"method": "window/workDoneProgress/cancel", "params": {"token": "no-such"}},
        {"method": "window/workDoneProgress/cancel", "params": {"token": 7}},
        {"method": "$/progress", "params": {"token": 1, "value": None}},
        {"method": "$/anything", "params": [1]},
        {"method": "workspace/didChangeWatchedFiles", "params": {"changes": []}},
    ],
)
async def test_a_notification_of_the_wrong_kind_is_ignored(plain, message):
    assert plain.say(message) == []
    assert works(plain)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("workspace/executeCommand", {}),
        ("textDocument/completion", {"textDocument": {"uri": URI}}),
        ("textDocument/codeLens", None),
        ("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": 5, "context": {}}),
    ],
)
async def test_wrong_parameters_are_refused(plain, method, params):
    assert plain.ask(method, params)["error"]["code"] == -32602
    assert works(plain)


async def test_positions_out_of_range_are_the_nearest_inside(plain):
    plain.say(opened("one\ntwo\n"))
    far = {"start": place(2**31 - 1, 2**31 - 1), "end": place(2**31 - 1, 2**31 - 1)}
    plain.say(changed({"range": far, "text": "three"}))
    assert held(plain) == "one\ntwo\nthree"
    backwards = {"start": place(2, 5), "end": place(2, 0)}
    plain.say(changed({"range": backwards, "text": "3"}))
    assert held(plain) == "one\ntwo\n3"
    assert plain.ask("textDocument/codeLens", {"textDocument": {"uri": URI}})["result"] == []


async def test_results_are_explicit(plain):
    """A result that is nothing is null, not left out."""
    plain.say({"id": 5, "method": "textDocument/completion", "params": {"textDocument": {"uri": URI}, **at(99)}})
    for _ in range(10):
        await asyncio.sleep(0)
    (answer,) = plain.heard()
    assert answer["result"]["items"] == []
    assert plain.ask("shutdown")["result"] is None


def at(line):
    return {"position": place(line, 99)}


async def test_a_document_opened_twice_is_the_later_one(plain):
    plain.say(opened("one"), opened("two"))
    assert held(plain) == "two"


async def test_a_document_that_is_too_long_is_not_kept(plain):
    plain.say(opened("x" * (9 * 1024 * 1024)), changed({"text": "y"}))
    assert held(plain) is None
    assert works(plain)


async def test_a_document_of_a_hundred_megabytes_is_refused_and_the_next_frame_read(plain):
    fault, *_ = plain.say(opened("x" * 100 * 1024 * 1024))
    assert fault["error"]["code"] == -31011
    assert works(plain)


async def test_two_initialize_and_requests_after_shutdown(plain):
    assert plain.ask("initialize", {**HELLO, "capabilities": PLAIN})["error"]["code"] == -32600
    assert works(plain)
    assert plain.ask("shutdown")["result"] is None
    assert plain.ask("workspace/executeCommand", {"command": "wave.status"})["error"]["code"] == -32600


async def test_without_initialized_everything_works():
    client = RawClient(BridgeOfTests())
    client.ask("initialize", {**HELLO, "capabilities": PLAIN})
    client.say(opened("x"))
    assert held(client) == "x"
    assert works(client)
    client.connection.lost()


@pytest.mark.parametrize("goodbye", [[], ["shutdown"], ["exit"]])
async def test_however_it_leaves_the_process_ends_and_the_daemon_stays(machine, start, goodbye):
    """`exit` without `shutdown`, `shutdown` without `exit`, and neither."""
    other = await start("zed")
    process = await asyncio.create_subprocess_exec(
        *BRIDGE, "--stdio", env=machine.env, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    for number, method in enumerate(["initialize", *goodbye]):
        message = {"jsonrpc": "2.0", "method": method, "params": {**HELLO, "capabilities": PLAIN}}
        body = json.dumps(message if method == "exit" else {**message, "id": number}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    await process.stdin.drain()
    if "exit" not in goodbye:
        process.stdin.close()
    async with asyncio.timeout(15):
        await process.communicate()
    assert (await other.run("wave.status"))["clients"][0]["name"] == "plain"


@pytest.mark.parametrize("uri", ["file://[x.wave.md", "x.wave.md", "untitled:x.wave.md", "", "file:///x%00.wave.md"])
async def test_documents_that_are_no_sessions_are_nobodys(editor, uri):
    """Their names look like a session's, or like nothing; the editor hears nothing of it."""
    buffer = editor.open(uri, "some text")
    editor.type(buffer, "more")
    answer = await editor.run("wave.ask", {"text": 'Hello [[{"text": "Hello back."}]]'})
    await editor.shows(answer["uri"], "Hello back.")
    assert editor.messages == []
    assert buffer.text == "some textmore"
