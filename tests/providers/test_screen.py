"""The screen model shows what VS Code's terminal shows, whatever the chunks."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from terminal_corpus import Case, fuzzed, recorded, reported, session_commands

from wave_bridge.providers.screen import Screen, ScreenText, render

RECORDED = recorded()
ALL = [*RECORDED, *reported(), *session_commands(), *fuzzed("command-0"), *fuzzed("full-0")]
SMALL = [case for case in ALL if len(case.raw) <= 120]


def show(case: Case, chunks) -> ScreenText:
    screen = Screen(case.cols, case.rows)
    for chunk in chunks:
        screen.feed(chunk)
    return screen.finish()


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def ids(case: Case) -> str:
    return case.name


@pytest.mark.req("M1.3")
@pytest.mark.parametrize("case", RECORDED, ids=ids)
def test_recorded_output_is_shown_as_by_the_terminal(case):
    for size in (len(case.raw) or 1, 997, 7, 1):
        shown = show(case, cut(case.raw, size))
        assert "\n".join(shown.lines) == case.text, f"in chunks of {size}"
        assert shown.alternate_active is case.alternate


@pytest.mark.req("M1.3")
@pytest.mark.parametrize("case", [*reported(), *session_commands()], ids=ids)
def test_reported_cases_and_commands_of_sessions_are_shown_as_by_the_terminal(case):
    for size in (len(case.raw) or 1, 7, 1):
        assert "\n".join(show(case, cut(case.raw, size)).lines) == case.text, f"in chunks of {size}"


@pytest.mark.req("M1.3")
@pytest.mark.parametrize("profile", ["command-0", "full-0"])
def test_random_streams_are_shown_as_by_the_terminal(profile):
    cases = fuzzed(profile)
    assert len(cases) >= 200
    wrong = [case.name for case in cases if render(case.raw, case.cols, case.rows) != case.text]
    assert wrong == []


@pytest.mark.parametrize("size", [1, 7])
def test_random_streams_do_not_depend_on_chunks(size):
    cases = [*fuzzed("command-0"), *fuzzed("full-0")]
    assert [c.name for c in cases if "\n".join(show(c, cut(c.raw, size)).lines) != c.text] == []


def test_small_outputs_can_be_cut_anywhere():
    """At every position; the rest goes in whole."""
    assert len(SMALL) > 40
    for case in SMALL:
        for at in range(len(case.raw) + 1):
            shown = show(case, [case.raw[:at], case.raw[at:]])
            assert "\n".join(shown.lines) == case.text, (case.name, at)


@settings(max_examples=60)
@given(st.data())
def test_outputs_can_be_cut_at_random(data):
    case = data.draw(st.sampled_from(ALL))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(case.raw)), max_size=12)))
    bounds = [0, *cuts, len(case.raw)]
    chunks = [case.raw[a:b] for a, b in itertools.pairwise(bounds)]
    assert "\n".join(show(case, chunks).lines) == case.text


LINE = st.lists(
    st.sampled_from(
        [
            "word ",
            "x",
            "  ",
            "中文",
            "é",
            "\x1b[1;31m",
            "\x1b[0m",
            "\x1b[K",
            "\x1b[J",
            "long" * 30,
            "😀",
            "█",
            "e\u0301",
            "\x85",
        ]
    ),
    max_size=4,
).map("".join)
END = st.sampled_from(["\r\n"] * 9 + ["\n", "\r"])
PLAIN = st.lists(st.tuples(LINE, END).map("".join), min_size=8, max_size=60).map("".join)
BEFORE = st.sampled_from(
    ["", "abc", "\x1b[3;5Hx\x1b[H", "\x1b[1;2r", "\x1b[4h", "\x1b[?1049h", "\x1b7", "\x1b(0", "中" * 9]
)
AFTER = st.sampled_from(["", "\x1b[2Ax", "\x1b8y", "\x1b[Hz\x1b[K", "\x1b[?1049lq", "\rz", "\x1b[3J", "\x1b["])


@given(BEFORE, PLAIN, AFTER, st.sampled_from([3, 20, 80]), st.integers(1, 3))
def test_plain_lines_in_bulk_are_the_same_as_one_by_one(before, lines, after, cols, rows):
    """Whole chunks of lines bypass the screen; single bytes never do."""
    raw = (before + lines + after).encode()
    case = Case("", raw, cols, rows, "")
    whole = show(case, [raw])
    assert show(case, cut(raw, 1)) == whole
    assert show(case, cut(raw, 301)) == whole


OTHER_THAN_THE_TERMINAL = [
    pytest.param(
        b"78z\x1b[H\x1b[2Jq\x1b[1J",
        2,
        "78\nz",
        id="ED 1 in the last column: the terminal counts the next row from the start of the scrollback, by mistake, and"
        " so cuts a joined line there; the scrollback has left this model by then",
    ),
    pytest.param(
        b"\x1b[?7l\xe4\xb8\xad\xe6",
        2,
        "中",
        id="wrapping off and a character over half of a wide one at the edge: the terminal hides the new one behind the"
        " old one's other half, unless a chunk ends between the two",
    ),
]


@pytest.mark.xfail(strict=True, reason="known exceptions, each with its reason as its id")
@pytest.mark.parametrize(("raw", "cols", "text"), OTHER_THAN_THE_TERMINAL)
def test_known_exceptions(raw, cols, text):
    assert render(raw, cols) == text
