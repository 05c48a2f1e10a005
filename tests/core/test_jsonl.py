"""Lines of the CLI: cut at 0x0A and nowhere else, whatever the chunks, and never more than the maximum kept."""

from __future__ import annotations

import pytest
from cutting import cut, every_size, feed_all
from hypothesis import example, given
from hypothesis import strategies as st

from wave_bridge.core.jsonl import LineSplitter, TooLong

MAX = 16

# What text readers take for the end of a line, and must not be one here.
NOT_ENDS = ["\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"]

pieces = st.sampled_from(
    [b"\n", b"\n\n", b"\r\n", b" ", b"\t", b"{}", b"\xff", b"\x00", b"x" * (MAX - 1), b"x" * MAX, b" " * MAX]
)
streams = st.lists(pieces | st.binary(max_size=5), max_size=16).map(b"".join)


def expected(stream: bytes) -> list[bytes | TooLong]:
    """Say the rule over the whole stream at once: split at LF, leave blanks out, refuse what is too long."""
    *ended, _unfinished = stream.split(b"\n")
    found = [line if len(line) <= MAX else TooLong(len(line)) for line in ended]
    return [line for line in found if isinstance(line, TooLong) or line.strip()]


@given(cut(streams))
@example((b"\n" + b" " * (MAX + 1) + b"\n", [b"\n" + b" " * (MAX + 1) + b"\n"]))
def test_every_way_of_cutting_gives_the_lines_of_the_whole(drawn):
    stream, chunks = drawn
    assert feed_all(LineSplitter(MAX), chunks) == expected(stream)


def test_every_chunk_size_gives_the_same_lines():
    stream = b'{"a":1}\n\n  \r\n' + b"y" * (MAX + 1) + b"\n" + "é\u2028é".encode() + b"\nlast\n"
    whole = expected(stream)
    assert len(whole) == 4
    for chunks in every_size(stream):
        assert feed_all(LineSplitter(MAX), chunks) == whole


@pytest.mark.parametrize("end", NOT_ENDS, ids=ascii)
def test_only_a_newline_ends_a_line(end):
    line = f'{{"text":"a{end}b"}}'.encode()
    assert LineSplitter().feed(line + b"\n") == [line]


def test_a_line_of_the_maximum_is_kept_and_one_more_byte_is_not():
    assert LineSplitter(MAX).feed(b"x" * MAX + b"\n" + b"x" * (MAX + 1) + b"\n") == [b"x" * MAX, TooLong(MAX + 1)]


@given(st.integers(MAX + 1, 400), st.integers(1, 50))
def test_a_line_that_is_too_long_is_measured_and_the_next_is_unharmed(size, chunk):
    splitter = LineSplitter(MAX)
    stream = b"x" * size + b"\nnext\n"
    chunks = [stream[start : start + chunk] for start in range(0, len(stream), chunk)]
    assert feed_all(splitter, chunks) == [TooLong(size), b"next"]


def test_a_line_without_end_is_not_kept_in_memory():
    splitter = LineSplitter(MAX)
    for _ in range(1000):
        assert splitter.feed(b"x" * 1000) == []
        assert sum(map(len, splitter._parts)) <= MAX
    assert splitter.feed(b"\nnext\n") == [TooLong(1_000_000), b"next"]


@given(cut(streams))
def test_the_end_of_the_stream_ends_the_last_line(drawn):
    stream, chunks = drawn
    splitter = LineSplitter(MAX)
    assert [*feed_all(splitter, chunks), *splitter.close()] == expected(stream + b"\n")
    assert splitter.close() == []
