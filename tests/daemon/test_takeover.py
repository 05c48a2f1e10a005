"""What an editor hears when its daemon dies and another one takes its place."""

import subprocess
import sys

from house import BRIDGE, until
from players import INITIALIZE, Editor, introduced, last, taken_over

from wave_bridge.frames import frame


def test_open_requests_fail_at_once_when_the_daemon_dies_and_later_ones_work(house, fake):
    editor, link = introduced(house, fake)
    asked = editor.ask("wave/session/new", workdir="/")
    assert link.hear()["method"] == "wave/session/new"
    link.close()
    error = editor.reply(asked)["error"]
    assert error["code"] == -31001
    assert error["data"]["kind"] == "agentUnavailable"
    assert "again" in error["message"]
    link = taken_over(fake)
    assert editor.told("wave/daemon/reattached")["params"] == {}
    asked = editor.ask("wave/session/new", workdir="/")
    link.say(id=link.hear()["id"], result={"sessionId": "s"})
    assert editor.reply(asked)["result"] == {"sessionId": "s"}


def test_the_answer_to_the_introduction_is_heard_once(house, fake):
    editor, link = introduced(house, fake)
    link.close()
    link = taken_over(fake)
    editor.told("wave/daemon/reattached")
    assert last(editor, link) == []
    answers = [message for message in editor.seen if message.get("id") == 1]
    assert len(answers) == 1


def test_an_unanswered_introduction_is_answered_by_the_next_daemon(house, fake):
    editor = house.editor()
    link = fake.accept()
    asked = editor.ask("initialize", **INITIALIZE)
    link.hear()
    link.close()
    link = fake.accept()
    assert link.hear()["id"] == asked
    link.say(id=asked, result={"capabilities": {"x": 1}})
    assert editor.reply(asked)["result"] == {"capabilities": {"x": 1}}


def test_half_a_frame_at_death_goes_nowhere(house, fake):
    editor, link = introduced(house, fake)
    whole = frame({"jsonrpc": "2.0", "method": "whole"})
    link.send(whole + frame({"jsonrpc": "2.0", "method": "half"})[:-1])
    editor.told("whole")
    end = len(editor.raw)
    link.close()
    taken_over(fake)
    editor.told("wave/daemon/reattached")
    assert editor.raw[end:].startswith(b"Content-Length")


def test_what_the_editor_sends_meanwhile_waits_for_the_next_daemon(house, fake):
    editor, link = introduced(house, fake)
    link.close()
    link = fake.accept()
    first = link.hear()
    assert first["method"] == "initialize"
    asked = editor.ask("wave/daemon/status")
    link.say(id=first["id"], result={})
    assert [link.hear()["method"] for _ in range(2)] == ["initialized", "wave/daemon/status"]
    link.say(id=asked, result=7)
    assert editor.reply(asked)["result"] == 7


def test_a_late_answer_does_not_hit_the_next_daemons_question(house, fake):
    """Ids are the daemon's own count: the second one's first question has the name of the first one's."""
    editor, link = introduced(house, fake)
    link.say(id="wave-1", method="window/showMessageRequest", params={"message": "Allow rm?"})
    editor.told("window/showMessageRequest")
    link.close()
    assert editor.told("$/cancelRequest")["params"] == {"id": "wave-1"}
    link = taken_over(fake)
    editor.answer("wave-1", {"title": "Allow"})
    editor.notify("after")
    assert link.hear()["method"] == "after"
    link.say(id="wave-1", method="wave/context/read")
    editor.told("wave/context/read")
    editor.answer("wave-1", {})
    assert link.hear() == {"jsonrpc": "2.0", "id": "wave-1", "result": {}}


def test_progress_of_a_dead_daemon_ends(house, fake):
    editor, link = introduced(house, fake)
    for token, kind in (("a", "begin"), ("b", "begin"), ("b", "end")):
        link.say(method="$/progress", params={"token": token, "value": {"kind": kind}})
    last(editor, link)
    link.close()
    taken_over(fake)
    editor.told("wave/daemon/reattached")
    ends = [message["params"] for message in editor.seen if message.get("method") == "$/progress"][3:]
    assert ends == [{"token": "a", "value": {"kind": "end"}}]


def test_open_documents_are_said_again_as_they_are_now(house, fake):
    """In the units that the dead daemon had agreed to."""
    editor = house.editor()
    link = fake.accept()
    editor.ask("initialize", capabilities={})
    link.say(id=link.hear()["id"], result={"capabilities": {"positionEncoding": "utf-8"}})
    place = {"line": 0, "character": 4}
    editor.notify("textDocument/didOpen", textDocument={"uri": "file:///a", "version": 1, "text": "ää"})
    edit = {"range": {"start": place, "end": place}, "text": "!"}
    editor.notify("textDocument/didChange", textDocument={"uri": "file:///a", "version": 2}, contentChanges=[edit])
    for _ in range(2):
        link.hear()
    link.close()
    link = fake.accept()
    link.say(id=link.hear()["id"], result={"capabilities": {"positionEncoding": "utf-8"}})
    said = link.hear()
    assert said["method"] == "textDocument/didOpen"
    assert said["params"] == {"textDocument": {"uri": "file:///a", "version": 2, "text": "ää!"}}


def test_settings_and_folders_are_said_again(house, fake):
    editor, link = introduced(house, fake)
    for text in ("old", "new"):
        editor.notify("workspace/didChangeConfiguration", settings={"wave": text})
    for name in ("a", "b"):
        editor.notify("workspace/didChangeWorkspaceFolders", event={"added": [name], "removed": []})
    for _ in range(4):
        link.hear()
    link.close()
    link = taken_over(fake)
    heard = [link.hear() for _ in range(3)]
    assert [message["params"] for message in heard] == [
        {"settings": {"wave": "new"}},
        {"event": {"added": ["a"], "removed": []}},
        {"event": {"added": ["b"], "removed": []}},
    ]


def test_panels_are_opened_again_and_their_open_requests_fail(house, fake):
    editor, link = introduced(house, fake)
    for panel in ("p1", "p2", "p3"):
        asked = editor.ask("wave/panel/open", panelId=panel, kind="tab")
        link.hear()
        link.say(id=asked, result={"protocolVersion": 1})
        editor.reply(asked)
    editor.notify("wave/panel/close", panelId="p3")
    for request_id in (1, 2):
        message = {"jsonrpc": "2.0", "id": request_id, "method": "wave/turn/start", "params": {}}
        editor.notify("wave/panel/message", panelId="p1", message=message)
    for _ in range(3):
        link.hear()
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    link.say(method="wave/panel/message", params={"panelId": "p1", "message": answer})
    last(editor, link)
    link.close()
    link = taken_over(fake)
    opened = [link.hear() for _ in range(2)]
    assert [message["params"]["panelId"] for message in opened] == ["p1", "p2"]
    for message in opened:
        link.say(id=message["id"], result={"protocolVersion": 1})
    editor.told("wave/daemon/reattached")
    start = len(editor.seen)
    last(editor, link)
    tunnelled = [m["params"] for m in editor.seen if m.get("method") == "wave/panel/message"][1:]
    failed, *notices = tunnelled
    assert failed["panelId"] == "p1"
    assert failed["message"]["id"] == 2
    assert failed["message"]["error"]["data"]["kind"] == "agentUnavailable"
    told = [(notice["panelId"], notice["message"]["method"]) for notice in notices]
    assert told == [("p1", "wave/daemon/reattached"), ("p2", "wave/daemon/reattached")]
    assert not [message for message in editor.seen[start:] if "id" in message]  # the second opening's answers


def test_a_reloaded_panel_hears_nothing_of_what_its_old_page_had_asked(house, fake):
    """The bridge let go of the old page's requests when the panel was opened again, so nobody else will answer them."""
    editor, link = introduced(house, fake)
    for _ in range(2):
        asked = editor.ask("wave/panel/open", panelId="p1", kind="tab")
        link.hear()
        link.say(id=asked, result={"protocolVersion": 1})
        editor.reply(asked)
        message = {"jsonrpc": "2.0", "id": asked, "method": "wave/turn/start", "params": {}}
        editor.notify("wave/panel/message", panelId="p1", message=message)
        link.hear()
    last(editor, link)
    link.close()
    link = taken_over(fake)
    link.say(id=link.hear()["id"], result={"protocolVersion": 1})
    editor.told("wave/daemon/reattached")
    last(editor, link)
    carried = [m["params"]["message"] for m in editor.seen if m.get("method") == "wave/panel/message"]
    assert [message["id"] for message in carried if "error" in message] == [asked]


def test_an_editor_that_does_not_know_us_is_told_in_its_own_words(house, fake):
    editor, link = introduced(house, fake, capabilities={})
    link.close()
    link = taken_over(fake)
    assert "restarted" in editor.told("window/logMessage")["params"]["message"]
    assert not [message for message in editor.seen if message.get("method", "").startswith("wave/")]


def test_a_daemon_that_dies_during_shutdown_owes_nothing(house, fake):
    editor, link = introduced(house, fake)
    asked = editor.ask("shutdown")
    link.hear()
    link.close()
    assert editor.reply(asked)["result"] is None
    assert editor.process.wait(5) == 0


def test_a_daemon_that_dies_again_and_again_is_given_up(house, fake):
    editor, link = introduced(house, fake)
    for _ in range(5):
        link.close()
        link = taken_over(fake)
        editor.told("wave/daemon/reattached")
    asked = editor.ask("wave/daemon/status")
    link.hear()
    link.close()
    assert "error" in editor.reply(asked)
    assert "6 times" in editor.reply(editor.ask("wave/daemon/status"))["error"]["message"]
    assert editor.process.wait(10) == 1


def test_a_link_that_is_closed_because_the_editor_died_is_the_end(house, fake):
    """The daemon watches the editor's process; something else may still hold our stdin open."""
    program = f"import subprocess, sys; sys.exit(subprocess.call({[*BRIDGE, '--stdio']!r}))"
    pipe = subprocess.PIPE
    editor = Editor(house.spawn([sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=pipe))
    link = fake.accept()
    editor.process.kill()
    editor.process.wait()
    link.close()
    until(lambda: not house.processes(), "the attach process has ended")
    editor.process.stdin.close()
