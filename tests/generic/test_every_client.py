"""Every editor gets an answer to everything it may ask, within what it announced; and a client that does all wrong."""

from __future__ import annotations

import asyncio
import json

import pytest
from generic_editor import HAND_MADE, RECORDED
from lsprotocol import types
from machine import BRIDGE
from pygls.exceptions import JsonRpcException
from raw import HELLO

from wave_bridge.core.lsp_codec import FrameReader, frame
from wave_bridge.lsp.generic.commands import COMMANDS

QUICK = 'Hello [[{"text": "Hello back.", "chunks": 2}]]'
PLAIN = {"workspace": {"applyEdit": True}, "textDocument": {"completion": {}, "codeLens": {}, "codeAction": {}}}


@pytest.mark.parametrize("name", [*RECORDED, *HAND_MADE])
async def test_everything_that_is_offered_is_answered(start, work, name):
    """All commands, actions, lenses and completion; at its end the editor checks that all it heard was announced."""
    editor = await start(name)
    offered = editor.offered
    assert set(offered.execute_command_provider.commands) == set(COMMANDS)
    code = work / "code.py"
    code.write_text("first\nold\nlast\n")
    editor.open(code.as_uri())
    asked = await editor.run("wave.ask", {"text": QUICK})
    session = {"sessionId": asked["sessionId"]}
    if asked["uri"] not in editor.buffers:
        editor.open(asked["uri"])
    editor.answers += ["Hello"] * 3  # should a choice among sessions be offered
    problem = {"range": {"start": place(1, 0), "end": place(1, 3)}, "message": "no such name"}
    lines = {"start": place(1, 0), "end": place(2, 0)}
    wanted = {
        "wave.askSelection": {"uri": code.as_uri(), "range": lines, "text": f"What? {QUICK}"},
        "wave.explain": {"uri": code.as_uri(), "range": lines},
        "wave.fixProblem": {"uri": code.as_uri(), "diagnostics": [problem]},
        "wave.newSession": {},
        "wave.resume": session,
        "wave.rename": {"title": f"From {name}", **session},
        "wave.stop": session,
        "wave.permissions": session,
        "wave.queue": session,
        "wave.setMode": {"mode": "acceptEdits", **session},
        "wave.status": {},
        "wave.doctor": {},
    }
    results = {command: await editor.run(command, argument) for command, argument in wanted.items()}
    assert results["wave.resume"]["uri"] == asked["uri"]
    assert results["wave.status"]["pid"]
    refused = {
        "wave.send": ({"uri": asked["uri"]}, "nothing below the marker"),
        "wave.respond": ({"decision": "allow"}, "waits"),
        "wave.setModel": ({"model": ""}, "model"),
    }
    for command, (argument, reason) in refused.items():
        with pytest.raises(JsonRpcException, match=reason):
            await editor.run(command, argument)
    await asks_by_documents(editor, code.as_uri(), asked["uri"])
    assert "url" in await editor.run("wave.openPanel")
    assert (await editor.run("wave.restart")) is not None


async def asks_by_documents(editor, code, chat):
    """Ask what an editor asks when its user moves about, as far as it was offered."""
    at = types.Position(0, 0)
    if editor.offered.code_action_provider:
        context = types.CodeActionContext([types.Diagnostic(types.Range(at, at), "wrong")])
        whole = types.Range(at, types.Position(2, 0))
        params = types.CodeActionParams(types.TextDocumentIdentifier(code), whole, context)
        await editor.text_document_code_action_async(params)
        assert editor.result
    if editor.offered.code_lens_provider:
        await editor.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(chat)))
        assert isinstance(editor.result, list)
    if editor.offered.completion_provider:
        params = types.CompletionParams(types.TextDocumentIdentifier(chat), at)
        await editor.text_document_completion_async(params)
        assert editor.result == {"isIncomplete": False, "items": []} or editor.result["items"] == []


def place(line, character):
    return {"line": line, "character": character}


class Rude:
    """A client of one real `wave-bridge --stdio` that says whatever it is told to."""

    def __init__(self, process):
        self._process = process
        self._reader = FrameReader()
        self._heard = []
        self._next = 0

    async def say(self, *messages):
        for message in messages:
            self._process.stdin.write(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()))
        await self._process.stdin.drain()

    async def ask(self, method, **members):
        """Ask; gives the error's code, or the result."""
        self._next += 1
        await self.say({"id": self._next, "method": method, **members})
        return await self.answer(self._next)

    async def answer(self, number):
        async with asyncio.timeout(20):
            while not (found := [m for m in self._heard if "method" not in m and m.get("id") == number]):
                data = await self._process.stdout.read(1 << 16)
                assert data, "the bridge has closed its output"
                self._heard += [json.loads(body) for body in self._reader.feed(data)]
        self._heard.remove(found[0])
        return found[0]["error"]["code"] if "error" in found[0] else found[0]["result"]


async def test_a_client_that_does_everything_wrong_is_answered_each_time(machine, work):
    """Against the real process: what the tests beside it say of each piece, all of it on one connection."""
    process = await asyncio.create_subprocess_exec(
        *BRIDGE, "--stdio", env=machine.env, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    rude = Rude(process)
    uri = (work / "x.py").as_uri()
    opened = {"textDocument": {"uri": uri, "languageId": "x", "version": 1, "text": "one\ntwo\n"}}
    hello = {**HELLO, "capabilities": PLAIN}
    assert await rude.ask("workspace/executeCommand", params={"command": "wave.status"}) == -32002
    await rude.say({"method": "textDocument/didOpen", "params": opened})  # before `initialize`: nobody hears it
    assert "capabilities" in await rude.ask("initialize", params=hello)
    # no `initialized`
    await rude.say({"method": "$/unknown", "params": [1]}, {"method": "textDocument/didOpen"}, {"method": "wave/none"})
    assert await rude.ask("$/unknown") == -32601
    assert await rude.ask("wave/none", params={}) == -32601
    assert await rude.ask("initialize", params=hello) == -32600
    assert await rude.ask("workspace/executeCommand") == -32602
    assert await rude.ask("workspace/executeCommand", params={"command": "wave.none"}) == -32601
    assert await rude.ask("workspace/executeCommand", params={"command": "wave.rename", "arguments": [7]}) == -32602
    assert await rude.ask("textDocument/codeAction", params={"textDocument": {"uri": uri}, "range": 5}) == -32602
    await rude.say({"method": "textDocument/didOpen", "params": opened})
    far = {"start": place(2**31 - 1, 2**31 - 1), "end": place(0, 2**31 - 1)}
    change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"range": far, "text": "three"}]}
    await rude.say({"method": "textDocument/didChange", "params": change})
    action = {"textDocument": {"uri": uri}, "range": far, "context": {"diagnostics": []}}
    assert isinstance(await rude.ask("textDocument/codeAction", params=action), list)
    huge = {"textDocument": {"uri": uri, "languageId": "x", "version": 3, "text": "x" * 100 * 1024 * 1024}}
    await rude.say({"method": "textDocument/didOpen", "params": huge})
    assert await rude.answer(None) == -31011
    assert (await rude.ask("workspace/executeCommand", params={"command": "wave.status"}))["pid"]
    assert await rude.ask("shutdown") is None
    assert await rude.ask("workspace/executeCommand", params={"command": "wave.status"}) == -32600
    process.stdin.close()  # no `exit`
    async with asyncio.timeout(20):
        await process.wait()
    editor = await machine.editor("well-behaved")
    assert (await editor.ask("wave/daemon/status"))["pid"]
