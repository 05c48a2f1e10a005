"""The document of a session: what is written above the marker never costs the user a letter, above or below."""

from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.chat import page
from wave_bridge.chat.markdown import MARKER

LINES = st.lists(st.sampled_from(["", "a", "b", "## You", "word"]), max_size=8)


def applied(document, edit):
    return document if edit is None else [*document[: edit.start], *edit.lines, *document[edit.end :]]


@given(LINES, LINES, LINES)
def test_an_edit_makes_the_head_and_leaves_the_draft(shown, wanted, draft):
    document = [*shown, MARKER, *draft]
    assert applied(document, page.edit(document, shown, wanted)) == [*wanted, MARKER, *draft]


@given(LINES, LINES, LINES, st.data())
def test_what_the_user_typed_above_is_still_there(shown, wanted, draft, data):
    at = data.draw(st.integers(0, len(shown)))
    document = [*shown[:at], "the user's own line", *shown[at:], MARKER, *draft]
    after = applied(document, page.edit(document, shown, wanted))
    assert after.count("the user's own line") == 1
    assert after[after.index(MARKER) + 1 :] == draft
    same = page.differ(shown, wanted)
    new = wanted[same:]
    assert after[after.index(MARKER) - len(new) : after.index(MARKER)] == new


@given(LINES, LINES, st.data())
def test_what_the_user_typed_above_is_there_when_somebody_else_goes_on(older, more, data):
    """Another daemon finds the document as it was left, knows what was said since, and not who wrote which line."""
    at = data.draw(st.integers(0, len(older)))
    found, wanted = [*older[:at], "the user's own line", *older[at:]], [*older, *more]
    ours = page.recognised(found, wanted, lambda _: False)
    assert "the user's own line" not in ours
    after = applied([*found, MARKER], page.edit([*found, MARKER], ours, wanted))
    assert after.count("the user's own line") == 1
    rest = iter(after)
    assert all(line in rest for line in wanted)  # all of it, in its order


def test_what_came_and_went_and_what_has_grown_is_the_conversations():
    found = ["# title", "", "one tw", "my note", "*working*", ""]
    wanted = ["# title", "", "one two three", "", "and more", ""]
    ours = page.recognised(found, wanted, "*working*".__eq__)
    assert ours == ["# title", "", "one tw", "*working*", ""]


def test_an_edit_is_no_larger_than_needed():
    shown = ["# title", "", "one two", "", "*working*", ""]
    wanted = ["# title", "", "one two three", "", "*working*", ""]
    assert page.edit([*shown, MARKER, "draft"], shown, wanted) == (2, 3, ["one two three"])


def test_without_the_marker_there_is_no_edit():
    assert page.edit(["all mine"], ["x"], ["y"]) is None
    assert page.draft(["all mine"]) == ""
    assert page.marker([]) is None


def test_the_draft_is_everything_below():
    text = page.whole(["head"], "one\n\ntwo")
    assert page.draft(text.split("\n")) == "one\n\ntwo\n"
    assert page.whole(["head"], "one\n\ntwo\n") == text  # it does not grow from time to time
    assert page.draft(["head", f"{MARKER}typed behind it", "and below"]) == "typed behind it\nand below"
