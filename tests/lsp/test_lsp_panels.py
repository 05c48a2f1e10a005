"""A panel is a client like any other; only what carries its frames differs."""

import pytest


def search(request_id):
    return {"id": request_id, "method": "wave/files/search", "params": {"query": "q"}}


def cancel(request_id):
    return {"method": "$/cancelRequest", "params": {"id": request_id}}


def in_panel(message, panel="p1"):
    return {"method": "wave/panel/message", "params": {"panelId": panel, "message": message}}


@pytest.fixture
async def panel(editor):
    opened = editor.ask("wave/panel/open", {"panelId": "p1", "kind": "sidebar"})
    assert opened["result"] == {"protocolVersion": 1}
    return editor


async def test_a_panel_is_answered_through_the_tunnel(panel, bridge):
    status = {"jsonrpc": "2.0", "id": 1, "method": "wave/daemon/status"}
    (carried,) = panel.say(in_panel(status))
    assert (carried["method"], carried["params"]["panelId"]) == ("wave/panel/message", "p1")
    assert carried["params"]["message"]["result"]["clients"][0]["panels"] == ["p1"]
    panel.say(in_panel(search(1)), search(1))  # ids are a client's own
    bridge.forwarded[0][2].set("panel")
    bridge.forwarded[1][2].set("editor")
    first, second = panel.heard()
    assert first["params"]["message"]["result"] == "panel"
    assert second["result"] == "editor"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ([], -32600),
        (3, -32600),
        ({"id": 1, "method": "initialize", "params": {}}, -32601),
        ({"id": 1, "method": "wave/panel/open", "params": {"panelId": "x", "kind": "tab"}}, -32601),
        ({"id": 1, "method": "wave/panel/message", "params": {"panelId": "p1", "message": {}}}, -32601),
        ({"id": 1, "method": "wave/turn/start"}, -32602),
        ({"id": None, "method": "wave/daemon/status"}, -32600),
    ],
)
async def test_a_panel_s_faults_are_its_own(panel, message, code):
    (carried,) = panel.say(in_panel(message))
    assert carried["params"]["message"]["error"]["code"] == code


@pytest.mark.parametrize(
    "params", [{"panelId": "no", "message": {"id": 1}}, {"panelId": "p1"}, {"message": {}}, 3, None]
)
async def test_a_message_of_no_panel_is_ignored(panel, params):
    assert panel.say({"method": "wave/panel/message", "params": params}) == []
    assert "result" in panel.ask("wave/daemon/status")


async def test_a_panel_cancels_its_own_requests_only(panel):
    panel.say(search(1), in_panel(search(1)))
    (cancelled,) = panel.say(in_panel(cancel(1)))
    assert cancelled["params"]["message"]["error"]["code"] == -32800
    (cancelled,) = panel.say(cancel(1))
    assert cancelled["error"]["code"] == -32800


async def test_a_closed_or_reloaded_panel_gets_no_old_answers(panel, bridge):
    panel.say(in_panel(search(1)))
    panel.ask("wave/panel/open", {"panelId": "p1", "kind": "sidebar"})
    panel.say(in_panel(search(1)), in_panel(search(2)), {"method": "wave/panel/close", "params": {"panelId": "p1"}})
    panel.say({"method": "wave/panel/close", "params": {"panelId": "p1"}})
    for _, _, answer in bridge.forwarded:
        answer.set("late")
    assert panel.heard() == []
    (editor,) = bridge.editors
    assert not editor.panels


async def test_a_panel_asks_its_editor(panel):
    (question,) = panel.say(in_panel({"id": 1, "method": "wave/editor/openUrl", "params": {"url": "https://x"}}))
    assert (question["method"], question["params"]) == ("wave/editor/openUrl", {"url": "https://x"})
    (carried,) = panel.say({"id": question["id"], "result": {"ok": True}})
    assert carried["params"]["message"] == {"jsonrpc": "2.0", "id": 1, "result": {"ok": True}}
