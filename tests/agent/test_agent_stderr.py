"""What becomes of stderr's bytes; time is an argument."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wave_bridge.agent.stderr import Stderr, decode
from wave_bridge.core.limits import STDERR_LINE, STDERR_RATE, STDERR_TAIL


@pytest.mark.req("T7.3")
@given(st.lists(st.integers(0, 40)))
def test_however_it_is_cut_the_text_is_the_same(cuts):
    data = "plain\n警告\r\n\n\U0001f600 end\n".encode() + "错误\n".encode("gbk") + b"last \xff\xfe\xfd"
    stderr, start, text = Stderr(), 0, ""
    for end in [*sorted({cut for cut in cuts if cut < len(data)}), len(data)]:
        text += stderr.feed(data[start:end], 0.0)
        start = end
    text += stderr.close()
    assert text == "plain\n警告\r\n\n\U0001f600 end\n错误\nlast \ufffd\ufffd\ufffd"
    assert stderr.tail() == text


def test_a_line_is_passed_on_when_it_is_whole_or_long():
    stderr = Stderr()
    assert stderr.feed(b"half", 0.0) == ""
    assert stderr.feed(b" a line\nnext", 0.0) == "half a line\n"
    long = b"x" * STDERR_LINE
    assert stderr.feed(long, 0.0) == "next" + long.decode()


def test_a_flood_is_thinned_and_says_by_how_much():
    stderr = Stderr()
    chunk = b"y" * (STDERR_RATE - 1) + b"\n"
    passed = [stderr.feed(chunk, 0.0) for _ in range(10)]
    assert [len(text) for text in passed] == [STDERR_RATE] + [0] * 9
    assert stderr.feed(b"calm\n", 1.5) == f"[{9 * STDERR_RATE} bytes of stderr left out]\ncalm\n"
    assert stderr.close() == ""


def test_a_flood_at_the_end_says_so_too():
    stderr = Stderr()
    for _ in range(2):
        stderr.feed(b"z" * STDERR_RATE, 0.0)
    assert stderr.close() == f"[{STDERR_RATE} bytes of stderr left out]\n"


def test_the_tail_is_the_last_whole_lines():
    stderr = Stderr()
    for number in range(20_000):
        stderr.feed(b"line %06d\n" % number, 0.0)
    tail = stderr.tail()
    assert STDERR_TAIL - 12 <= len(tail) <= STDERR_TAIL
    assert tail.startswith("line ")
    assert tail.endswith("line 019999\n")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("é漢".encode(), "é漢"),
        ("磁盘已满".encode("gbk"), "磁盘已满"),
        ("é\n".encode() + "磁盘\n".encode("gbk"), "é\n磁盘\n"),
        (b"\xff\xff", "\ufffd\ufffd"),
    ],
)
def test_utf8_then_gbk_then_replacement(data, text):
    assert decode(data) == text
