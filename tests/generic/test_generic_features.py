"""Actions, lenses, completion, selections and problems, as a generic editor asks for them."""

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.uris import to_fs_path

START, END = types.Position(1, 0), types.Position(2, 0)
HERE, SOME = types.Range(START, START), types.Range(START, END)
WRONG = types.Diagnostic(
    types.Range(START, types.Position(1, 3)),
    "name is not defined",
    source="lint",
    severity=types.DiagnosticSeverity.Error,
)


def document(uri):
    return types.TextDocumentIdentifier(uri)


@pytest.fixture
def code(work):
    path = work / "code.py"
    path.write_text("first\nold\nlast\n")
    return path.as_uri()


async def actions(editor, uri, where, *diagnostics, only=None):
    context = types.CodeActionContext(list(diagnostics), only=only)
    await editor.text_document_code_action_async(types.CodeActionParams(document(uri), where, context))
    return {action["title"].partition(": ")[2]: action for action in editor.result}


async def run(editor, command):
    return await editor.run(command["command"], *command["arguments"])


async def test_actions_are_offered_where_they_make_sense(editor, code):
    editor.open(code)
    assert await actions(editor, code, HERE) == {}
    assert set(await actions(editor, code, SOME)) == {"ask about the selection", "explain the selection"}
    assert set(await actions(editor, code, HERE, WRONG)) == {"fix the problem"}
    assert await actions(editor, code, SOME, WRONG, only=["source"]) == {}
    assert set(await actions(editor, code, SOME, WRONG, only=["quickfix"])) == {"fix the problem"}
    assert len(await actions(editor, code, SOME, WRONG, only=["refactor.rewrite"])) == 2


async def test_a_selection_is_explained_as_it_is_in_the_editor(editor, code):
    """Not as it is on disk: unsaved changes count."""
    buffer = editor.open(code)
    editor.type(buffer, "new ", at=buffer.text.index("old"))
    action = (await actions(editor, code, SOME))["explain the selection"]
    answer = await run(editor, action["command"])
    await editor.shows(answer["uri"], "Explain this code.", "code.py:2-3", "```\nnew old\n```")


async def test_a_question_about_a_selection_of_an_editor_that_does_not_synchronise(editor, code):
    answer = await editor.run("wave.askSelection", {"uri": code, "selection": "x = ```1```", "text": "Why?"})
    await editor.shows(answer["uri"], "Why?", "````\nx = ```1```\n````")
    with pytest.raises(Exception, match="is not open here"):
        await editor.run("wave.askSelection", {"uri": code})


async def test_the_diagnostics_sent_along_are_the_problems(editor, code):
    editor.open(code)
    action = (await actions(editor, code, HERE, WRONG))["fix the problem"]
    assert action["kind"] == "quickfix.wave"
    answer = await run(editor, action["command"])
    await editor.shows(
        answer["uri"], "Fix these problems.", "code.py: 1 problem", "2:1 error name is not defined [lint]"
    )


async def test_completion_offers_commands_files_and_mentions_in_the_draft(editor, work):
    (work / ".wave/commands").mkdir(parents=True)
    (work / ".wave/commands/tidy.md").write_text("---\ndescription: Tidy up\n---\nTidy.")
    (work / "engine.py").write_text("")
    answer = await editor.run("wave.ask")
    buffer = await editor.shows(answer["uri"], "wave: draft")

    async def offered():
        at = types.CompletionParams(document(buffer.uri), editor.end_of(buffer))
        found = await editor.text_document_completion_async(at)
        return {item.label: item for item in found.items}

    editor.type(buffer, "/")
    commands = await offered()
    assert commands["/tidy"].detail == "Tidy up"
    assert commands["/tidy"].text_edit.new_text == "/tidy "
    editor.type(buffer, "tidy é look at @")
    assert set(await offered()) >= {"@Terminal", "@Problems", "@engine.py"}
    editor.type(buffer, "eng")
    (label, item), *_ = (await offered()).items()
    assert label == "@engine.py"
    assert item.text_edit.range.end.character - item.text_edit.range.start.character == len("@eng")
    editor.type(buffer, "ine.py then /")
    assert await offered() == {}
    above = types.CompletionParams(document(buffer.uri), types.Position(0, 1))
    assert not (await editor.text_document_completion_async(above)).items


async def test_the_terminal_of_an_editor_without_one_is_named_unavailable(editor):
    answer = await editor.run("wave.ask", {"text": "What happened?", "mentions": ["terminal"]})
    await editor.shows(answer["uri"], "What happened?", "no terminal is open")


async def test_a_shell_command_runs_with_a_bang(editor):
    answer = await editor.run("wave.ask", {"text": "!echo from the shell"})
    await editor.shows(answer["uri"], "from the shell")


async def test_a_panel_opens_in_the_browser(editor):
    answer = await editor.run("wave.openPanel")
    (shown,) = editor.shown_documents
    assert shown.external
    assert shown.uri == answer["url"]
    assert answer["url"].startswith("http://")


async def test_a_closed_document_goes_on_as_a_file_with_the_draft_that_was_saved_there(editor):
    answer = await editor.run("wave.ask")
    buffer = await editor.shows(answer["uri"], "wave: draft")
    editor.close(buffer)
    editor.opens = False
    path = Path(to_fs_path(answer["uri"]))
    path.write_text(path.read_text("utf-8").rstrip("\n") + "\nnot sent yet\n")
    await editor.run("wave.ask", {"text": 'While closed [[{"text": "Written down."}]]'})
    while "## Wave" not in (text := path.read_text("utf-8")):
        await editor.run("wave.status")
    assert text.endswith("<!-- wave: draft -->\nnot sent yet\n")
    reopened = editor.open(answer["uri"])
    await editor.shows(answer["uri"], "Written down.")
    assert reopened.draft == "not sent yet\n"


async def test_a_refused_edit_is_made_later(editor):
    answer = await editor.run("wave.ask")
    buffer = await editor.shows(answer["uri"], "wave: draft")
    editor.applies = False
    await editor.run("wave.ask", {"text": 'Now [[{"text": "Said in vain?"}]]'})
    await editor.until(lambda: [m for m, _ in editor.heard].count("workspace/applyEdit") > 1, "another try")
    assert "Said in vain?" not in buffer.text
    editor.applies = True
    await editor.shows(answer["uri"], "Said in vain?")


WRONG_COMMANDS = [
    ("wave.noSuch", [], "no such command"),
    ("wave.ask", [{"text": 5}], "wave.ask: .*text"),
    ("wave.ask", ["text"], "wave.ask"),
    ("wave.ask", [{}, {}], "one object"),
    ("wave.rename", [], "title"),
    ("wave.respond", [{"decision": "perhaps"}], "decision"),
    ("wave.respond", [{"decision": "allow"}], "Nothing waits"),
    ("wave.resume", [{"sessionId": "../../etc/passwd"}], "."),
    ("wave.resume", [{"sessionId": "0b0e7f3e-0000-4000-8000-000000000000"}], "no stored session"),
    ("wave.queue", [{"action": "remove"}], "which queued message"),
]


async def test_a_wrong_command_says_what_is_wrong(editor):
    for command, arguments, message in WRONG_COMMANDS:
        with pytest.raises(Exception, match=message):
            await editor.run(command, *arguments)


async def test_a_draft_in_a_file_that_is_not_open_is_sent(editor):
    editor.opens = False
    answer = await editor.run("wave.ask")
    path = Path(to_fs_path(answer["uri"]))
    path.write_text(path.read_text("utf-8").rstrip("\n") + '\nFrom the file [[{"text": "Read."}]]\n')
    await editor.run("wave.send", {"uri": answer["uri"]})
    while not (text := path.read_text("utf-8")).endswith("Read.\n\n<!-- wave: draft -->\n\n"):
        await editor.run("wave.status")
    assert text.count("From the file") == 1
