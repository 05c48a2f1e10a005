"""What an editor has open is known to the daemon that takes over as the editor has it."""

import json
import random

import pytest

from wave_bridge import buffers
from wave_bridge.buffers import Buffers
from wave_bridge.document import units


def opened(kept, text="one\ntwo\n", uri="file:///a"):
    kept.note("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "md", "version": 1, "text": text}})


def edited(kept, *edits, uri="file:///a", version=2):
    kept.note("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [*edits]})


def said(kept):
    return [json.loads(body)["params"]["textDocument"] for body in kept.said_again()]


def at(text, place, encoding):
    before = text[:place].split("\n")
    return {"line": len(before) - 1, "character": units(before[-1], encoding)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_thousands_of_edits_add_up(encoding):
    """More than are kept as they came: they were worked in several times."""
    chance, text = random.Random(7), "first 😀 line\nzwölf\n"
    kept = Buffers()
    kept.encoding = encoding
    opened(kept, text)
    for version in range(2, 4000):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 3]))
        new = chance.choice(["x", "ü\n", "😀", "", "words and words"])
        span = {"start": at(text, start, encoding), "end": at(text, end, encoding)}
        edited(kept, {"range": span, "text": new}, version=version)
        text = text[:start] + new + text[end:]
    assert said(kept) == [{"uri": "file:///a", "languageId": "md", "version": 3999, "text": text}]


def test_the_one_that_was_touched_last_is_said_last():
    kept = Buffers()
    opened(kept, uri="file:///a")
    opened(kept, uri="file:///b")
    opened(kept, uri="file:///c")
    edited(kept, {"text": "new"}, uri="file:///a")
    kept.note("textDocument/didClose", {"textDocument": {"uri": "file:///b"}})
    assert [(item["uri"], item["text"]) for item in said(kept)] == [("file:///c", "one\ntwo\n"), ("file:///a", "new")]


@pytest.mark.parametrize("edit", [{}, {"text": 1}, {"range": {}, "text": "x"}, 7, None])
def test_what_can_not_be_followed_is_let_go_of(edit):
    kept = Buffers()
    opened(kept)
    edited(kept, edit)
    edited(kept, {"text": "later"})
    assert said(kept) == []


@pytest.mark.parametrize("params", [None, [], {}, {"textDocument": {"uri": 1}}, {"textDocument": {"uri": "file:///b"}}])
@pytest.mark.parametrize("method", buffers.NOTED)
def test_what_makes_no_sense_changes_nothing(method, params):
    kept = Buffers()
    opened(kept)
    kept.note(method, params)
    assert len(said(kept)) == 1


def test_memory_has_bounds(monkeypatch):
    monkeypatch.setattr(buffers, "MAX_TEXT", 100)
    monkeypatch.setattr(buffers, "MAX_TEXTS", 150)
    kept = Buffers()
    opened(kept, "x" * 101, uri="file:///long")
    opened(kept, "x" * 90, uri="file:///a")
    opened(kept, "x" * 90, uri="file:///b")
    assert [item["uri"] for item in said(kept)] == ["file:///a"]
    edited(kept, {"text": "x" * 101})
    assert said(kept) == []
