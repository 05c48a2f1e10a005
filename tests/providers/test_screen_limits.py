"""Whatever the output is, the screen model keeps its tail exactly and little else."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from terminal_shapes import SHAPES, log_line

from wave_bridge.providers.screen import Screen, ScreenText, render

MB = 1_000_000


def show(chunks, cols: int | None = 80, rows: int = 24, **keep: int) -> ScreenText:
    screen = Screen(cols, rows, **keep)
    for chunk in chunks:
        screen.feed(chunk)
    return screen.finish()


@pytest.mark.req("M1.3")
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_huge_shapes_are_right(shape):
    """At a hundredth of their size."""
    parts, expected = shape(0.01)
    shown = show(parts)
    assert shown.total_lines == len(shown.lines) == expected.lines
    assert shown.lines[-1] == expected.last
    assert list(shown.lines[: len(expected.first)]) == expected.first
    assert shown.total_bytes == sum(len(line.encode()) + 1 for line in shown.lines)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_bounds_change_what_is_kept_and_no_count(shape):
    whole, bounded = (show(shape(0.004)[0], **keep) for keep in ({}, {"keep_lines": 40, "keep_bytes": 3000}))
    assert (bounded.total_lines, bounded.total_bytes) == (whole.total_lines, whole.total_bytes)
    assert bounded.lines == last_of(whole.lines, 40, 3000)


def last_of(lines, most_lines: int, most_bytes: int) -> tuple[str, ...]:
    """Say the rule once more: whole lines from the end, or the end of the last one."""
    kept: list[str] = []
    for line in reversed(lines[-most_lines:]):
        most_bytes -= len(line.encode()) + 1
        if most_bytes < 0:
            break
        kept.insert(0, line)
    if lines and not kept:
        room = most_bytes + len(lines[-1].encode())
        return (lines[-1].encode()[-room:].decode(errors="ignore"),)
    return tuple(kept)


TEXT_LINES = st.lists(st.text("ab é中  ", max_size=30), max_size=40)


@given(TEXT_LINES, st.integers(1, 12), st.integers(2, 200), st.integers(1, 4))
def test_the_tail_is_the_end_of_the_whole_text(lines, keep_lines, keep_bytes, rows):
    raw = "".join(line + "\r\n" for line in lines).encode()
    whole = show([raw], 10, rows)
    assert show([raw], 10, rows, keep_lines=keep_lines, keep_bytes=keep_bytes) == ScreenText(
        last_of(whole.lines, keep_lines, keep_bytes), whole.total_lines, whole.total_bytes, alternate_active=False
    )


@given(TEXT_LINES, st.integers(1, 25), st.integers(1, 4))
def test_long_lines_are_cut_at_their_end_and_counted_as_cut(lines, line_chars, rows):
    raw = "".join(line + "\r\n" for line in lines).encode()
    whole = show([raw], 10, rows)
    cut = [
        line if len(line) <= line_chars else f"{line[:line_chars]}...[+{len(line) - line_chars} chars]"
        for line in whole.lines
    ]
    shown = show([raw], 10, rows, line_chars=line_chars)
    assert list(shown.lines) == cut
    assert shown.total_bytes == sum(len(line.encode()) + 1 for line in cut)


@pytest.mark.parametrize("cols", [80, None])
def test_a_line_of_ten_megabytes_is_cut(cols):
    parts, _ = SHAPES["one_line"]()
    shown = show(parts, cols, keep_lines=500, keep_bytes=32768, line_chars=2000)
    assert shown.lines == ("0123456789" * 200 + f"...[+{10 * MB - 2000} chars]", "end")
    assert shown.total_bytes == len(shown.lines[0]) + 1 + 4


def test_of_a_line_that_is_too_long_alone_the_end_is_kept():
    shown = show([b"x" * 300_000 + "é".encode() * 100], keep_bytes=100)
    assert shown == ScreenText(("é" * 49,), 1, 300_201, alternate_active=False)


@pytest.mark.parametrize("name", ["clean_log", "coloured_log", "open_osc", "clipboard", "equal_lines", "blank_lines"])
def test_memory_does_not_grow_with_the_output(name):
    parts, _ = SHAPES[name](0.05)
    chunks = list(parts)
    tracemalloc.start()
    show(chunks, keep_lines=500, keep_bytes=32768, line_chars=2000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * MB


def test_memory_does_not_grow_with_one_line():
    tracemalloc.start()
    shown = show((b"y" * 65536 for _ in range(100)), None, keep_bytes=32768)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert shown.total_bytes == 6_553_601
    assert peak < 8 * MB


def test_a_clear_forgets_lines_and_counts():
    log = b"".join(log_line(i) + b"\r\n" for i in range(500))
    for clear in (b"\x1b[H\x1b[2J\x1b[3J", b"\x1bc"):
        assert show([log, clear, b"after\r\n"]) == ScreenText(("after",), 1, 6, alternate_active=False)


def test_the_screen_that_a_full_screen_program_left_open_is_not_shown():
    assert show([b"before\r\n\x1b[?1049h\x1b[Hframe"]) == ScreenText(("before",), 1, 7, alternate_active=True)


@pytest.mark.parametrize(
    ("raw", "cols", "rows", "text"),
    [
        pytest.param(b"", 80, 24, "", id="nothing"),
        pytest.param(b"a\0b\0\0c\x7fd", 80, 24, "abcd", id="NUL and DEL"),
        pytest.param(b"x" * 300, 0, 24, "x" * 300, id="no columns known"),
        pytest.param(b"x" * 300, -5, 24, "x" * 300, id="negative columns"),
        pytest.param(b"x" * 300, None, 0, "x" * 300, id="nothing known"),
        pytest.param(b"abc\rX", 1, 1, "abX", id="smaller than any terminal"),
        pytest.param(b"x" * 10_050 + b"\rY", 10_000, 24, "x" * 10_000 + "Y" + "x" * 49, id="10,000 columns"),
        pytest.param(b"\x1b[2147483647;2147483647Hx", 80, 24, "\n" * 23 + " " * 79 + "x", id="far away"),
        pytest.param(b"\x1b[99999999999999999999Cx", 80, 24, " " * 79 + "x", id="a number of twenty digits"),
        pytest.param(b"a\x1b[" + b"1" * 6000 + b"Dx", 80, 24, "x", id="a number of six thousand digits"),
        pytest.param(b"a\x1b[" + b"0" * 6000 + b"1Dx", 80, 24, "x", id="six thousand zeros before it"),
        pytest.param(b"a\x1b[" + b"1;" * 6000 + b"mx", 80, 24, "ax", id="six thousand parameters"),
        pytest.param(b"a\x1b[999999999Lb", 80, 24, "b", id="a thousand million lines inserted"),
        pytest.param(b"\x1b[999999999I\x1b[999999999Zx", 80, 24, "x", id="a thousand million tabs"),
        pytest.param(b"ab\x1b[999999999@", 80, 24, "ab", id="a thousand million cells inserted"),
        pytest.param(
            b"\xff\xc3\xe4\xb8(\xed\xa0\x80\xf0\x9f\x98", 80, 24, "\ufffd" * 3 + "(" + "\ufffd" * 4, id="bad UTF-8"
        ),
        pytest.param(b"ok\x1b]0;title", 80, 24, "ok", id="an unfinished string"),
        pytest.param(b"ok\x1b[3", 80, 24, "ok", id="an unfinished sequence"),
        pytest.param(b"\x1bPq" + b"#1~" * 9000 + b"\x1b\\ok", 80, 24, "ok", id="a picture"),
    ],
)
def test_odd_input(raw, cols, rows, text):
    assert render(raw, cols, rows) == text


def test_a_repeat_of_two_thousand_million_characters_is_bounded():
    assert len(render(b"a\x1b[2147483647b")) < 100_000
