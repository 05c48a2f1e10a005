"""Ways of cutting a byte stream into the chunks that a pipe or socket might deliver."""

from __future__ import annotations

from hypothesis import strategies as st


@st.composite
def cut(draw, streams):
    """Draw a stream and one way of cutting it: `(stream, chunks)`; empty chunks included."""
    stream = draw(streams)
    at = sorted(draw(st.lists(st.integers(0, len(stream)), max_size=12)))
    return stream, [stream[start:end] for start, end in zip([0, *at], [*at, len(stream)], strict=True)]


def every_size(stream: bytes):
    """Give the stream in chunks of 1, 2, 3, … bytes up to the whole."""
    for size in range(1, len(stream) + 1):
        yield [stream[start : start + size] for start in range(0, len(stream), size)]


def feed_all(reader, chunks):
    """Give all that the reader finds in the chunks, one after the other."""
    return [found for chunk in chunks for found in reader.feed(chunk)]
