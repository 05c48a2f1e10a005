"""A user of an editor that knows nothing of ours asks, sees, allows, stops, resumes and renames."""

import asyncio
import stat
from pathlib import Path

import pytest
from generic_editor import HAND_MADE, RECORDED, plain
from lsprotocol import types
from pygls.uris import to_fs_path

SLOW = '[[{"text": "' + "word " * 40 + '", "chunks": 40, "delay": 0.05}]]'
TOUCH = '[[{"tool": {"name": "Bash", "args": {"command": "touch made.txt"}}}]][[{"text": "It is there."}]]'
ALL = [*RECORDED, *HAND_MADE]


async def asked(editor, text, **more):
    """Ask, and give the document once it shows the question."""
    answer = await editor.run("wave.ask", {"text": text, **more})
    return answer, await editor.shows(answer["uri"], "## You")


@pytest.mark.parametrize("name", ALL)
async def test_every_editor_can_ask_and_read(start, name):
    """Nothing is sent that was not announced: the editor checks it when it quits."""
    editor = await start(name)
    answer = await editor.run("wave.ask", {"text": 'Hello [[{"text": "Hello back, in *Markdown*."}]]'})
    path = Path(to_fs_path(answer["uri"]))
    if not editor.shown_documents:  # it is told where the document is, and the user opens it
        await editor.until(lambda: any(str(path) in m.message for m in editor.messages), "the place of the document")
        editor.open(answer["uri"])
    if (editor.announced.workspace or None) and editor.announced.workspace.apply_edit:
        await editor.shows(answer["uri"], "Hello back, in *Markdown*.", "## You", "## Wave")
    else:
        editor.close(editor.buffers[answer["uri"]])
        while "Hello back, in *Markdown*." not in path.read_text("utf-8"):
            await asyncio.sleep(0.02)  # the file is another process's
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_what_the_user_types_meanwhile_stays(editor):
    answer, buffer = await asked(editor, f"Slowly {SLOW}")
    typed = ""
    for letter in "a draft, ünder a stream 😀\nof words":
        editor.type(buffer, letter)
        typed += letter
        await asyncio.sleep(0.03)  # a person's pace: edits of the stream come in between
    await editor.shows(answer["uri"], " ".join(["word"] * 40))
    await idle(editor, answer["uri"])
    assert buffer.draft == typed
    assert buffer.text.count("## Wave") == 1


async def test_what_the_user_types_above_stays_too(editor):
    answer, buffer = await asked(editor, f"Slowly {SLOW}")
    await editor.shows(answer["uri"], "word word")
    editor.type(buffer, "MY NOTE ", at=buffer.text.index("## You"))
    editor.type(buffer, "INSIDE ", at=buffer.text.rindex("word"))
    await idle(editor, answer["uri"])
    assert "MY NOTE " in buffer.text
    assert "INSIDE " in buffer.text
    assert " ".join(["word"] * 40) in buffer.text


async def test_a_draft_is_sent_and_leaves_the_document(editor):
    answer = await editor.run("wave.ask")
    buffer = await editor.shows(answer["uri"], "wave: draft")
    editor.type(buffer, 'First line\nsecond [[{"text": "Got it."}]]')
    await editor.run("wave.send", {"uri": answer["uri"]})
    await editor.shows(answer["uri"], "First line", "Got it.")
    await editor.until(lambda: buffer.draft == "", "an empty draft")
    assert "sessionId" in answer


async def test_an_empty_draft_is_refused(editor):
    answer = await editor.run("wave.ask")
    await editor.shows(answer["uri"], "wave: draft")
    with pytest.raises(Exception, match="nothing below the marker"):
        await editor.run("wave.send", {"uri": answer["uri"]})


async def test_without_the_marker_the_document_is_left_alone(editor):
    answer, buffer = await asked(editor, f"Slowly {SLOW}")
    await editor.shows(answer["uri"], "word")
    buffer.text = "all mine now"
    editor.tell(buffer, [{"text": buffer.text}])
    await editor.until(editor.ended, "the turn's end")
    assert buffer.text == "all mine now"


async def test_a_tool_waits_for_the_user(editor, work):
    answer, _ = await asked(editor, f"Do {TOUCH}")
    await editor.until(lambda: editor.questions, "a question")
    assert "touch made.txt" in editor.questions[0].message
    assert [action.title for action in editor.questions[0].actions] == ["Allow", "Deny"]
    editor.answers.append("Allow")
    editor.news()
    await idle(editor, answer["uri"])
    assert (work / "made.txt").exists()


async def test_a_dismissed_question_is_not_refused(editor, work):
    """It stays pending, in the document with its buttons, and can be asked again."""
    answer, buffer = await asked(editor, f"Do {TOUCH}")
    await editor.until(lambda: editor.questions, "a question")
    editor.answers.append(None)
    editor.news()
    pending = (await editor.run("wave.permissions"))["requests"]
    assert [one["context"]["toolName"] for one in pending] == ["Bash"]
    await editor.until(lambda: len(editor.questions) == 2, "the question again")
    await editor.shows(answer["uri"], "Wave wants to use Bash")
    lenses = await lenses_of(editor, answer["uri"])
    (allow,) = [lens.command for lens in lenses if lens.command.title == "Allow"]
    assert {lens.command.title for lens in lenses} >= {"Allow", "Deny", "Stop"}
    assert "Wave wants" in buffer.text.split("\n")[lenses[0].range.start.line]
    await editor.run(allow.command, *[dict_of(argument) for argument in allow.arguments])
    await idle(editor, answer["uri"])
    assert "Wave wants" not in buffer.text
    assert (work / "made.txt").exists()


async def test_a_denied_tool_does_not_run(editor, work):
    answer, _ = await asked(editor, f"Do {TOUCH}")
    await editor.until(lambda: editor.questions, "a question")
    editor.answers.append("Deny")
    editor.news()
    await editor.shows(answer["uri"], "denied")
    assert not (work / "made.txt").exists()


async def test_a_question_of_the_model_is_answered_by_its_options(editor):
    question = '{"question": "Which?", "header": "W", "options": [{"label": "Red"}, {"label": "Blue"}]}'
    tool = f'{{"name": "AskUserQuestion", "args": {{"questions": [{question}]}}}}'
    answer, _ = await asked(editor, f'Ask [[{{"tool": {tool}}}]][[{{"text": "Thanks."}}]]')
    await editor.until(lambda: editor.questions, "a question")
    assert editor.questions[0].message == "Which?"
    assert [action.title for action in editor.questions[0].actions] == ["Red", "Blue", "Deny"]
    editor.answers.append("Blue")
    editor.news()
    await editor.shows(answer["uri"], "Thanks.", "Blue")


async def test_a_turn_is_stopped_by_its_progress(editor):
    answer, buffer = await asked(editor, f"Slowly {SLOW}")
    token = await editor.until(
        lambda: next((t for t, r in editor.progress_reports.items() if r and r[0]["cancellable"]), None), "a progress"
    )
    await editor.shows(answer["uri"], "word")
    editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    await editor.until(lambda: editor.progress_reports[token][-1]["kind"] == "end", "its end")
    await idle(editor, answer["uri"])
    assert buffer.text.partition("## Wave")[2].count("word") < 40


async def test_progress_is_throttled(editor):
    await asked(editor, f"Slowly {SLOW}")
    await editor.until(editor.ended, "")
    (reports,) = [r for r in editor.progress_reports.values() if r and r[0]["cancellable"]]
    assert 3 <= len(reports) <= 14  # 40 pieces in two seconds


async def test_a_stored_session_is_chosen_renamed_and_resumed(start):
    first = await start()
    answer, _ = await asked(first, 'Remember the blue house [[{"text": "A house of blue."}]]')
    await first.shows(answer["uri"], "A house of blue.")
    await idle(first, answer["uri"])
    await first.run("wave.rename", {"title": "Blue house"})
    await first.shows(answer["uri"], "# Blue house")
    second = await start()
    choosing = asyncio.create_task(second.run("wave.resume"))
    await second.until(lambda: second.questions, "a list of sessions")
    assert [action.title for action in second.questions[0].actions] == ["Blue house"]
    second.answers.append("Blue house")
    second.news()
    assert (await choosing)["sessionId"] == answer["sessionId"]
    await second.shows(answer["uri"], "A house of blue.")


async def test_four_editors_see_one_session(start):
    editors = [await start(name) for name in ("neovim_v0.11.0", "emacs_v29.1", "zed", "neovim_v0.9.1")]
    answer = await editors[0].run("wave.newSession")
    for editor in editors[1:]:
        await editor.run("wave.resume", {"sessionId": answer["sessionId"]})
    for editor in editors:
        if answer["uri"] not in editor.buffers:
            editor.open(answer["uri"])
    await editors[1].run("wave.ask", {"text": 'All [[{"text": "Seen by all of you."}]]'})
    for editor in editors:
        await editor.shows(answer["uri"], "Seen by all of you.")


async def test_messages_queue_behind_a_turn(editor):
    answer, _ = await asked(editor, f"Slowly {SLOW}")
    queued = await editor.run("wave.ask", {"text": 'Then this [[{"text": "Second answer."}]]'})
    assert queued["outcome"] == "queued"
    await editor.shows(answer["uri"], "Queued: Then this")
    assert "Queue (1)" in {lens.command.title for lens in await lenses_of(editor, answer["uri"])}
    (item,) = (await editor.run("wave.queue"))["messages"]
    await editor.run("wave.queue", {"action": "sendNow", "id": item["id"]})
    await editor.shows(answer["uri"], "Second answer.")


async def test_modes_models_status_and_restart(editor):
    answer, _ = await asked(editor, 'One [[{"text": "First."}]]')
    await editor.run("wave.setMode", {"mode": "plan"})
    status = await editor.run("wave.status")
    assert status["clients"][0]["name"] == "plain"
    await editor.run("wave.setModel", {"model": "scripted"})
    await editor.shows(answer["uri"], "First.")
    await idle(editor, answer["uri"])
    await editor.run("wave.restart")
    while (await editor.run("wave.status"))["agents"][0]["status"]["state"] != "ready":
        pass
    await editor.run("wave.ask", {"text": 'Two [[{"text": "Second."}]]'})
    await editor.shows(answer["uri"], "First.", "Second.")


async def test_a_crash_of_the_cli_is_told_and_survived(editor):
    answer, buffer = await asked(editor, 'Die [[{"text": "Last words", "fault": "kill"}]]')
    await editor.until(lambda: editor.messages, "a message")
    await editor.run("wave.ask", {"text": 'Again [[{"text": "Alive again."}]]'})
    await editor.shows(answer["uri"], "Alive again.")
    assert buffer.text.count("Alive again.") <= 2  # the question holds it as well


async def test_another_daemon_goes_on_with_the_open_document(editor, machine):
    """The first one is killed, as by the system: what was said and what the user types stay, the next answer comes."""
    answer, buffer = await asked(editor, 'One [[{"text": "First answer."}]]')
    await editor.shows(answer["uri"], "First answer.")
    await idle(editor, answer["uri"])
    editor.type(buffer, "half a ")
    editor.type(buffer, "MY NOTE\n", at=buffer.text.index("## Wave"))
    for process in machine.running("daemon"):
        process.kill()
    editor.type(buffer, "sentence")  # nobody is there to hear it
    await editor.until(lambda: any("restarted" in said for said in editor.logged), "another daemon")
    again = await editor.run("wave.ask", {"text": 'Two [[{"text": "Second answer."}]]'})
    assert again["uri"] == answer["uri"]
    await editor.shows(answer["uri"], "Second answer.")
    await idle(editor, answer["uri"])
    assert [buffer.text.count(f"{number} answer.") for number in ("First", "Second")] == [2, 2]  # asked, and answered
    assert buffer.draft == "half a sentence"
    assert buffer.text.count("MY NOTE") == 1
    editor.type(buffer, ' [[{"text": "Third answer."}]]')
    await editor.run("wave.send", {"uri": answer["uri"]})
    await editor.shows(answer["uri"], "half a sentence", "Third answer.")
    await editor.until(lambda: buffer.draft == "", "an empty draft")


async def test_a_document_follows_the_new_id_of_its_session_to_another_daemon(editor, machine):
    """A cleared session has a new id; the document keeps its name, and must not bring the old one back."""
    answer, buffer = await asked(editor, 'One [[{"text": "First answer."}]]')
    await idle(editor, answer["uri"])
    await editor.protocol.send_request_async("wave/session/clear", {"sessionId": answer["sessionId"]})
    await editor.until(lambda: "First answer." not in buffer.text, "an empty conversation")
    await editor.run("wave.ask", {"text": 'Begin [[{"text": "A new beginning."}]]'})
    await editor.shows(answer["uri"], "A new beginning.")
    await idle(editor, answer["uri"])
    (agent,) = (await editor.run("wave.status"))["agents"]
    (session,) = agent["sessions"]
    assert session["sessionId"] != answer["sessionId"]
    for process in machine.running("daemon"):
        process.kill()
    await editor.until(lambda: any("restarted" in said for said in editor.logged), "another daemon")
    editor.type(buffer, 'Two [[{"text": "Second answer."}]]')
    await editor.run("wave.send", {"uri": answer["uri"]})
    await editor.shows(answer["uri"], "Second answer.")
    await idle(editor, answer["uri"])
    (agent,) = (await editor.run("wave.status"))["agents"]
    assert [shown["sessionId"] for shown in agent["sessions"]] == [session["sessionId"]]


@pytest.mark.parametrize("name", ["emacs_v29.1", "kate"])
async def test_the_session_used_last_is_still_that_under_another_daemon(start, machine, name):
    """Its document is open in no buffer of the editor: it was told where that lies, and its user reads the file."""
    editor = await start(name)
    editor.opens = False
    answer = await editor.run("wave.ask", {"text": 'One [[{"text": "First answer."}]]'})
    for process in machine.running("daemon"):
        process.kill()
    await editor.until(lambda: any("restarted" in said for said in editor.logged), "another daemon")
    assert (await editor.run("wave.ask", {"text": "Two"}))["sessionId"] == answer["sessionId"]


async def test_a_document_of_another_day_goes_on(start):
    """Its editor opens the file, and it is the session again."""
    first = await start()
    answer, _ = await asked(first, 'One [[{"text": "Early answer."}]]')
    await idle(first, answer["uri"])
    later = await start()
    later.open(answer["uri"])
    await later.run("wave.ask", {"text": 'Two [[{"text": "Late answer."}]]'})
    await later.shows(answer["uri"], "Early answer.", "Late answer.")


async def idle(editor, uri):
    """Wait until the document says that the turn is over."""
    await editor.until(lambda: "## Wave" in editor.buffers[uri].text, "an answer")
    await editor.until(lambda: "Wave is working" not in editor.buffers[uri].text, "the end of the turn")


async def lenses_of(editor, uri):
    return await editor.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))


def dict_of(value):
    return plain(value)
