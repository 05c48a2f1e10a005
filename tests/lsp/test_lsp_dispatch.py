"""Requests to handlers and back: order, cancellation, bounds, failures, panels, questions to the client."""

import asyncio
import json
import logging

import pytest
from lsprotocol import types

from wave_bridge.core.answer import Answer
from wave_bridge.core.client_types import ContextRead, Nothing, OpenUrl
from wave_bridge.core.limits import MAX_OUTSTANDING
from wave_bridge.errors import AgentError, EditorFailed, EditorTimeout

FAR = 30.0
QUESTION = types.ShowMessageRequestParams(types.MessageType.Error, "?")
PATH = "/secret/place"


def search(request_id, query="q"):
    return {"id": request_id, "method": "wave/files/search", "params": {"query": query}}


def cancel(request_id):
    return {"method": "$/cancelRequest", "params": {"id": request_id}}


# Answers


async def test_handlers_are_called_in_order_and_answered_in_any(editor, bridge):
    assert editor.say(*(search(n, str(n)) for n in range(5))) == []
    assert [params.query for _, params, _ in bridge.forwarded] == ["0", "1", "2", "3", "4"]
    for n in (3, 0, 4, 1, 2):
        bridge.forwarded[n][2].set(n)
    assert [item["result"] for item in editor.heard()] == [3, 0, 4, 1, 2]


async def test_the_response_leaves_before_what_follows_its_answer(editor, bridge):
    editor.say(search(1))
    (client,) = bridge.editors
    bridge.forwarded[0][2].set("first")
    client.notify("wave/agent/event", {"event": {}})
    assert [item.get("result", item.get("method")) for item in editor.heard()] == ["first", "wave/agent/event"]


async def test_standard_and_custom_messages_of_one_chunk_keep_their_order(editor):
    status = {"id": "w", "method": "wave/daemon/status"}
    heard = editor.say(status, {"id": "s", "method": "shutdown"}, {**status, "id": "late"})
    assert [(item["id"], "error" in item) for item in heard] == [("w", False), ("s", False), ("late", True)]


@pytest.mark.parametrize("value", [None, 0, "", [], {}, {"a": [1, None]}, Nothing(), False])
async def test_any_result_is_sent_null_too(editor, bridge, value):
    editor.say(search(1))
    bridge.forwarded[0][2].set(value)
    (answer,) = editor.heard()
    assert answer["result"] == ({} if isinstance(value, Nothing) else value)


async def test_an_error_of_ours_has_its_kind(editor, bridge):
    editor.say(search(1))
    bridge.forwarded[0][2].set(AgentError("no", agentCode="X"))
    (answer,) = editor.heard()
    assert answer["error"]["code"] == -31004
    assert answer["error"]["data"] == {
        "kind": "agentError",
        "fault": "agent",
        "advice": AgentError.advice,
        "agentCode": "X",
    }


@pytest.mark.parametrize("result", [object(), {1: object()}, "\ud800", 2**70])
async def test_a_failing_handler_is_answered_without_its_insides(editor, bridge, monkeypatch, caplog, result):
    def status(*_):
        if result == 2**70:
            raise ValueError(PATH)
        return result

    monkeypatch.setitem(bridge.handlers, "wave/daemon/status", status)
    text = json.dumps(editor.ask("wave/daemon/status"))
    assert json.loads(text)["error"]["code"] == -32603
    assert PATH not in text
    assert "Traceback" not in text
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert caplog.records[0].exc_info


@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_a_failing_standard_handler_is_answered_without_its_insides(editor, kind):
    server = editor.connection._server
    done = asyncio.Event()
    server.outbox._on_pending = done.set

    def fail(_):
        raise ValueError(PATH)

    async def fail_later(_):
        raise ValueError(PATH)

    server.feature("workspace/symbol")(fail if kind == "sync" else fail_later)
    heard = editor.say({"id": 1, "method": "workspace/symbol", "params": {"query": ""}})
    await asyncio.wait_for(done.wait(), FAR)
    (answer,) = heard or editor.heard()
    assert answer["error"]["code"] == -32603
    assert PATH not in json.dumps(answer)
    assert "traceback" not in json.dumps(answer)


async def test_a_failing_notification_is_no_popup(editor, caplog):
    server = editor.connection._server

    @server.feature("workspace/didRenameFiles")
    def fail(_):
        raise ValueError(PATH)

    assert editor.say({"method": "workspace/didRenameFiles", "params": {"files": []}}) == []
    (record,) = caplog.records
    assert record.exc_info[0] is ValueError
    server.report_server_error(ValueError(PATH), ValueError)
    assert editor.heard() == []


async def test_a_notification_leaves_nothing_behind(editor):
    """pygls keeps a future of each that it has a handler for."""
    editor.say(*[{"method": "$/setTrace", "params": {"value": "off"}}] * 50)
    assert not editor.connection._server.protocol._request_futures


# Cancellation


async def test_a_cancelled_request_is_answered_at_once_and_once(editor, bridge):
    heard = editor.say(search(1), cancel(1))
    assert [(item["id"], item["error"]["code"]) for item in heard] == [(1, -32800)]
    bridge.forwarded[0][2].set("late")
    assert editor.say(cancel(1), cancel("other")) == []
    assert editor.say(search(1)) == []  # the id is free again
    bridge.forwarded[1][2].set("new")
    assert [item["result"] for item in editor.heard()] == ["new"]


async def test_a_running_standard_handler_is_cancelled(editor):
    server = editor.connection._server
    answered = asyncio.Event()

    @server.feature("workspace/symbol")
    async def symbol(_):
        await asyncio.sleep(FAR)

    editor.say({"id": 5, "method": "workspace/symbol", "params": {"query": ""}})
    server.outbox._on_pending = answered.set
    editor.say(cancel(5))
    await asyncio.wait_for(answered.wait(), FAR)
    assert [(item["id"], item["error"]["code"]) for item in editor.heard()] == [(5, -32800)]


async def test_a_cancellation_can_not_end_a_question_of_ours(editor):
    protocol = editor.connection._server.protocol
    question = protocol.send_request("window/showMessageRequest", QUESTION)
    (asked,) = editor.heard()
    editor.say(cancel(asked["id"]))
    assert not question.done()


# Bounds


async def test_one_request_too_many_is_refused_and_the_rest_goes_on(editor, bridge):
    assert editor.say(*(search(n) for n in range(MAX_OUTSTANDING))) == []
    (refused,) = editor.say(search("more"))
    assert refused["error"]["data"]["kind"] == "overloaded"
    bridge.forwarded[0][2].set(None)
    assert editor.heard()[0]["id"] == 0
    assert editor.say(search("more")) == []


async def test_an_id_that_is_under_way_is_refused(editor, bridge):
    editor.say(search(1))
    (refused,) = editor.say(search(1))
    assert refused["error"]["code"] == -32600
    bridge.forwarded[0][2].set("ok")
    assert editor.heard()[0]["result"] == "ok"


# Questions to the client


@pytest.mark.parametrize(
    ("response", "outcome"),
    [({"result": {"class": 1}}, b'{"class":1}'), ({"result": None}, b"null"), ({}, b"null")],
)
async def test_the_bridge_asks_and_hears(editor, bridge, response, outcome):
    (client,) = bridge.editors
    outcomes = []
    client.ask("wave/context/read", ContextRead(kinds=["terminal"]), FAR).on_done(outcomes.append)
    (question,) = editor.heard()
    assert question["params"] == {"kinds": ["terminal"]}
    body = json.dumps({"id": question["id"], **response}, separators=(",", ":")).encode()
    assert editor.say(body, body) == []
    assert outcomes == [outcome]


@pytest.mark.parametrize("error", [{"code": -32601, "message": "what?"}, "what?", {}, 5])
async def test_an_error_of_the_client_is_one(editor, bridge, error):
    (client,) = bridge.editors
    outcomes = []
    client.ask("wave/editor/openUrl", OpenUrl(url="x"), FAR).on_done(outcomes.append)
    editor.say({"id": editor.heard()[0]["id"], "error": error})
    assert isinstance(outcomes[0], EditorFailed)


async def test_a_late_response_is_harmless(editor, bridge):
    (client,) = bridge.editors
    outcome: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    client.ask("wave/editor/openUrl", OpenUrl(url="x"), 0.001).on_done(outcome.set_result)
    assert isinstance(await outcome, EditorTimeout)
    assert editor.say({"id": editor.heard()[0]["id"], "result": {}}) == []


@pytest.mark.parametrize("response", [{"result": None}, {}, {"result": {"title": "Yes"}}])
async def test_a_standard_question_is_resolved(editor, response):
    protocol = editor.connection._server.protocol
    question = protocol.send_request("window/showMessageRequest", QUESTION)
    editor.say({"id": editor.heard()[0]["id"], **response})
    assert question.result() == (types.MessageActionItem("Yes") if response.get("result") else None)


async def test_a_missing_result_is_null_for_a_method_that_pygls_does_not_know(editor):
    question = editor.connection._server.protocol.send_request("custom/question", {"a": 1})
    editor.say({"id": editor.heard()[0]["id"]})
    assert question.result() is None


@pytest.mark.parametrize("response", [{"result": 5}, {"error": {"code": 1, "message": "no"}}, {"error": "no"}])
async def test_a_standard_question_answered_badly_fails_and_does_not_leak(editor, response):
    protocol = editor.connection._server.protocol
    question = protocol.send_request("window/showMessageRequest", QUESTION)
    editor.say({"id": editor.heard()[0]["id"], **response})
    assert question.exception() is not None
    assert not protocol._request_futures


async def test_a_response_after_its_asker_was_cancelled_is_harmless(editor, caplog):
    """pygls 2.1.1 raises InvalidStateError in the reader."""
    protocol = editor.connection._server.protocol
    asker = asyncio.ensure_future(protocol.send_request_async("window/showMessageRequest", QUESTION))
    (question,) = editor.heard()
    asker.cancel()
    await asyncio.wait([asker])
    assert editor.say({"id": question["id"], "result": None}) == []
    assert not protocol._request_futures
    assert caplog.text == ""


async def test_what_pygls_sends_goes_through_the_outbox_with_explicit_nulls(editor):
    server = editor.connection._server
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, "é"))
    raw = server.outbox.take()
    assert "é".encode() in raw  # pygls would escape it
    assert json.loads(raw.split(b"\r\n\r\n")[1]) == {
        "jsonrpc": "2.0",
        "method": "window/showMessage",
        "params": {"type": 3, "message": "é"},
    }


async def test_an_answer_that_is_there_already_is_sent_at_once(editor, bridge, monkeypatch):
    answer = Answer()
    answer.set({"now": True})
    monkeypatch.setitem(bridge.handlers, "wave/daemon/status", lambda *_: answer)
    assert editor.ask("wave/daemon/status")["result"] == {"now": True}
