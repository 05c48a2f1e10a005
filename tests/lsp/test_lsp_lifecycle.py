"""From `initialize` to the end of a connection; the daemon and everybody else stay."""

import asyncio
import logging
import os
import sys

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities
from raw import HELLO, RawClient

from wave_bridge.core.client_types import ContextRead
from wave_bridge.errors import BridgeError
from wave_bridge.lsp import watch

FAR = 30.0
QUESTION = types.ShowMessageRequestParams(types.MessageType.Error, "?")


async def test_nothing_but_initialize_is_served_first(stranger):
    assert stranger.ask("wave/daemon/status")["error"]["code"] == -32002
    assert stranger.ask("shutdown")["error"]["code"] == -32002
    assert stranger.say({"method": "initialized", "params": {}}, {"method": "wave/panel/close"}) == []
    assert "result" in stranger.ask("initialize", HELLO)


async def test_initialize_says_what_we_can(stranger, bridge):
    result = stranger.initialize()
    wave = result["capabilities"]["experimental"]["wave"]
    assert result["serverInfo"]["name"] == "wave-bridge"
    assert (wave["version"], wave["epoch"], wave["build"]) == (1, bridge.epoch, "test")
    assert "wave/turn/start" in wave["methods"]
    assert "wave/session/event" not in wave["methods"]
    assert wave["limits"]["outstandingRequests"] == 1024
    assert result["capabilities"]["textDocumentSync"] == 0
    assert "executeCommandProvider" not in result["capabilities"]


async def test_the_answer_to_initialize_comes_before_anything_else(stranger):
    first, *rest = stranger.say({"id": 1, "method": "initialize", "params": HELLO})
    assert first["id"] == 1
    assert [item["method"] for item in rest] == ["wave/agent/status"]


async def test_initialize_is_served_once(editor, bridge):
    assert editor.ask("initialize", HELLO)["error"]["code"] == -32600
    assert len(bridge.editors) == 1


@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"initializationOptions": []}, "initializationOptions"),
        ({"initializationOptions": {"client": {"name": 5}}}, "client.name"),
        ({"initializationOptions": {"cli": "path"}}, "cli"),
        ({"capabilities": {"experimental": {"wave": 1}}}, "wave"),
        ({"capabilities": 5}, "capabilities"),
    ],
)
async def test_a_bad_initialize_names_the_member_and_may_be_sent_again(stranger, members, named):
    error = stranger.ask("initialize", {**HELLO, **members})["error"]
    assert error["code"] == -32602
    assert named in error["message"]
    assert "result" in stranger.ask("initialize", HELLO)


async def test_the_bridge_learns_who_the_client_is(stranger, bridge):
    stranger.initialize(
        locale="de",
        workspaceFolders=[{"uri": "file:///a%20b", "name": "x"}, {"uri": "vscode-remote://c", "name": "y"}],
        capabilities={"experimental": {"wave": {"version": 1, "terminal": True}, "other": 1}},
        clientInfo={"name": "Generic", "version": "9"},
        initializationOptions={
            "client": {"name": "VS Code", "version": "1.2", "id": "w1"},
            "cli": {"path": "/p", "bundled": "/b", "runtime": "/node"},
            "settings": {"a": {"b": None}},
            "later": True,
        },
    )
    (client,) = bridge.editors
    info = client.info
    assert (info.name, info.version, info.id, info.locale) == ("VS Code", "1.2", "w1", "de")
    assert (info.cli_path, info.cli_bundled, info.runtime) == ("/p", "/b", "/node")
    assert info.folders == ["/a b"]
    assert client.announces("terminal")
    assert not client.announces("problems")
    assert info.settings == {"a": {"b": None}}


@pytest.mark.parametrize(
    ("members", "folders"),
    [
        ({"rootUri": None, "workspaceFolders": None}, []),
        ({"rootUri": "file:///r"}, ["/r"]),
        ({"rootUri": None, "rootPath": "/p"}, ["/p"]),
        ({"rootUri": "file:///r", "workspaceFolders": [{"uri": "file:///w", "name": "w"}]}, ["/w"]),
        ({"rootUri": "file:///r", "workspaceFolders": []}, ["/r"]),
    ],
)
async def test_the_folders_are_known_and_may_be_none(stranger, bridge, members, folders):
    stranger.initialize(clientInfo={"name": "Helix"}, **members)
    (client,) = bridge.editors
    assert (client.info.name, client.info.folders) == ("Helix", folders)


@pytest.mark.parametrize(
    ("offer", "chosen"),
    [
        ({}, "utf-16"),
        ({"general": {}}, "utf-16"),
        ({"general": {"positionEncodings": ["utf-8", "utf-16"]}}, "utf-8"),
        ({"general": {"positionEncodings": ["utf-16"]}}, "utf-16"),
        ({"general": {"positionEncodings": ["utf-7"]}}, "utf-16"),
    ],
)
async def test_the_position_encoding_is_utf16_unless_the_client_offers_better(stranger, offer, chosen):
    assert stranger.initialize(capabilities=offer)["capabilities"]["positionEncoding"] == chosen


@pytest.mark.parametrize("name", ["neovim@v0.11", "emacs@v29.1", "visual_studio_code@v1.65.2"])
async def test_capabilities_of_real_editors_are_understood(stranger, name):
    capabilities = stranger.connection._server.protocol._converter.unstructure(client_capabilities(name))
    assert stranger.initialize(capabilities=capabilities)["capabilities"]["experimental"]["wave"]["version"] == 1


# The end


async def test_after_shutdown_only_exit_is_taken(editor, bridge):
    assert editor.ask("shutdown")["result"] is None
    assert editor.ask("wave/daemon/status")["error"]["code"] == -32600
    assert editor.ask("shutdown", request_id=2)["error"]["code"] == -32600
    assert not editor.closed
    editor.say({"method": "exit"})
    assert editor.closed
    assert not bridge.editors


@pytest.mark.parametrize("initialized", [True, False])
async def test_exit_ends_the_connection_and_nothing_else(stranger, bridge, initialized):
    """pygls calls sys.exit, which would take the daemon along."""
    other = RawClient(bridge)
    other.initialize()
    if initialized:
        stranger.initialize()
    heard = stranger.say({"method": "exit"}, {"id": 1, "method": "wave/daemon/status"})
    assert heard == []
    assert stranger.closed
    assert not other.closed
    assert "result" in other.ask("wave/daemon/status")
    other.connection.lost()


async def test_two_clients_get_their_own_answers(editor, bridge):
    other = RawClient(bridge)
    other.initialize()
    editor.say({"id": 1, "method": "wave/files/search", "params": {"query": "mine"}})
    other.say({"id": 1, "method": "wave/files/search", "params": {"query": "theirs"}})
    for _, params, answer in bridge.forwarded:
        answer.set(params.query)
    assert [item["result"] for item in editor.heard()] == ["mine"]
    assert [item["result"] for item in other.heard()] == ["theirs"]
    assert editor.connection._server.protocol._converter is other.connection._server.protocol._converter
    other.connection.lost()


async def test_a_lost_connection_ends_what_waited_for_it(editor, bridge):
    server = editor.connection._server
    ended = asyncio.Event()

    @server.feature("workspace/symbol")
    async def symbol(_):
        try:
            await asyncio.sleep(FAR)
        finally:
            ended.set()

    editor.say({"id": 1, "method": "workspace/symbol", "params": {"query": ""}})
    editor.say({"id": 2, "method": "wave/files/search", "params": {"query": ""}})
    asked = server.client.ask("wave/context/read", ContextRead(kinds=[]), FAR)
    question = server.protocol.send_request("window/showMessageRequest", QUESTION)
    outcomes = []
    asked.on_done(outcomes.append)
    editor.heard()
    await asyncio.sleep(0)

    editor.connection.lost()
    editor.connection.lost()
    await asyncio.wait_for(ended.wait(), FAR)
    bridge.forwarded[0][2].set("too late")
    assert question.cancelled()
    assert isinstance(outcomes[0], BridgeError)
    assert editor.heard() == []
    assert not bridge.editors


async def test_a_client_that_does_not_read_is_given_up_not_stored(editor):
    """pygls never drains, and grows without bound."""
    editor.outbox._reply_limit = 10_000
    editor.outbox.pause()
    for _ in range(100):
        editor.say({"id": 1, "method": "wave/daemon/status"})
    assert editor.outbox.overflow


# The process of `initialize`


@pytest.mark.parametrize("told", [True, False], ids=["told by the kernel", "looked at"])
async def test_the_connection_ends_when_its_process_is_gone(stranger, bridge, monkeypatch, told):
    if not told:
        monkeypatch.setattr(watch, "_descriptor_of", lambda _: None)
        monkeypatch.setattr(watch.ProcessWatch.__init__, "__defaults__", (0.01,))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    gone = asyncio.Event()
    stranger.connection._close = gone.set
    stranger.initialize(processId=process.pid)
    assert bridge.editors
    process.stdin.close()
    await asyncio.wait_for(gone.wait(), FAR)
    assert not bridge.editors
    await process.wait()


@pytest.mark.parametrize("pid", [None, os.getpid(), 2**22 + 1, -1, 2**31 - 1])
async def test_a_process_that_runs_or_was_never_here_ends_nothing(stranger, pid):
    """Through ssh, and out of a container, the id is another machine's."""
    stranger.initialize(processId=pid)
    watching = stranger.connection._watch
    if watching is not None and watching._timer is not None:
        watching._look()
    assert not stranger.closed
    stranger.connection.lost()
    assert watching is None or watching._timer is None or watching._timer.cancelled()
    assert watching is None or watching._told_by is None


# Settings and folders


async def test_changed_settings_and_folders_are_known(editor, bridge):
    (client,) = bridge.editors
    editor.say({"method": "workspace/didChangeConfiguration", "params": {"settings": {"wave": {"a": 1}, "b": 2}}})
    assert client.info.settings == {"a": 1}
    editor.say({"method": "workspace/didChangeConfiguration", "params": {"settings": 5}})
    assert client.info.settings == {"a": 1}
    change = {"added": [{"uri": "file:///n", "name": "n"}], "removed": []}
    editor.say({"method": "workspace/didChangeWorkspaceFolders", "params": {"event": change}})
    assert client.info.folders == ["/n"]
    change = {"added": [{"uri": "file:///m", "name": "m"}], "removed": [{"uri": "file:///n", "name": "n"}]}
    editor.say({"method": "workspace/didChangeWorkspaceFolders", "params": {"event": change}})
    assert client.info.folders == ["/m"]


async def test_a_client_that_sends_no_settings_is_asked(stranger, bridge):
    stranger.initialize(capabilities={"workspace": {"configuration": True}})
    (question,) = stranger.say({"method": "workspace/didChangeConfiguration", "params": {"settings": None}})
    assert question["method"] == "workspace/configuration"
    assert question["params"] == {"items": [{"section": "wave"}]}
    stranger.say({"id": question["id"], "result": [{"a": 1}]})
    (client,) = bridge.editors
    assert client.info.settings == {"a": 1}


async def test_no_payload_is_logged_above_debug(stranger, caplog):
    """pygls logs initialize, settings and all, at INFO."""
    caplog.set_level(logging.INFO)
    stranger.initialize(initializationOptions={"settings": {"apiKey": "s3cret"}})
    stranger.say({"method": "workspace/didChangeConfiguration", "params": {"settings": {"apiKey": "s3cret"}}})
    stranger.say({"id": 2, "method": "workspace/executeCommand", "params": {"command": "x", "arguments": ["s3cret"]}})
    assert "s3cret" not in caplog.text


async def test_no_thread_is_ever_started(editor):
    """pygls' threaded handlers share a pool with its reader, and answer from the wrong thread."""
    editor.ask("shutdown")
    assert editor.connection._server._thread_pool is None
