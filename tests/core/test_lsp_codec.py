"""Content-Length frames: the same whatever the chunks; what is no frame is said once, and the next is unharmed."""

from __future__ import annotations

import pytest
from cutting import cut, every_size, feed_all
from hypothesis import example, given
from hypothesis import strategies as st

from wave_bridge.core.limits import MAX_HEADER
from wave_bridge.core.lsp_codec import (
    BAD_LENGTH,
    HEADER_TOO_LARGE,
    NO_LENGTH,
    TOO_LARGE,
    FrameReader,
    Malformed,
    frame,
)

MAX = 64
GOOD = b'{"good":1}'

bodies = st.binary(max_size=MAX)
headers = st.sampled_from(
    [
        b"Content-Length: %d\r\n\r\n",
        b"content-length:%d\r\n\r\n",
        b"CONTENT-LENGTH :   %d  \r\n\r\n",
        b"Content-Length: %d\n\n",
        b"Content-Length: %d\n\r\n",
        b"Content-Length: %d\r\n\n",
        b"Content-Length: 000%d\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
        b"Content-Length: %d\r\nX-Anything: a:b:c\r\n\r\n",
        b"X-Content-Length: 3\r\nContent-Length: %d\r\n\r\n",
        b"\r\n\r\nContent-Length: %d\r\n\r\n",
    ]
)

# Bytes that are no frame, with what is said of them. Whatever stands before a good frame must leave it whole.
FAULTS = {
    "no header": (b"hello\r\n\r\n", NO_LENGTH),
    "no header, LF only": (b"hello\n\n", NO_LENGTH),
    "missing length": (b"Content-Type: x\r\n\r\n{}", NO_LENGTH),
    "empty length": (b"Content-Length:\r\n\r\n", BAD_LENGTH),
    "negative length": (b"Content-Length: -5\r\n\r\n12345", BAD_LENGTH),
    "signed length": (b"Content-Length: +5\r\n\r\n12345", BAD_LENGTH),
    "fraction": (b"Content-Length: 5.0\r\n\r\n12345", BAD_LENGTH),
    "words": (b"Content-Length: five\r\n\r\n12345", BAD_LENGTH),
    "other digits": ("Content-Length: ٥\r\n\r\n12345".encode(), BAD_LENGTH),
    "huge length": (b"Content-Length: " + b"9" * 30 + b"\r\n\r\n{}", BAD_LENGTH),
    "bad length, body like a header block": (b"Content-Length: x\r\n\r\n{\n\n}\r\n\r\n", BAD_LENGTH),
    "length said twice, the last one wrong": (b"Content-Length: 2\r\nContent-Length: x\r\n\r\n{}", BAD_LENGTH),
    "junk glued to the header": (b"Restoring session: 1", BAD_LENGTH),
    "binary glued to the header": (bytes(range(14, 256)), BAD_LENGTH),
    "too large": (b"Content-Length: %d\r\n\r\n%b" % (MAX + 1, b"x" * (MAX + 1)), TOO_LARGE),
    "too large, body like a frame": (
        b"Content-Length: %d\r\n\r\n%b" % (MAX + 6, frame(b"{}").ljust(MAX + 6, b"\n")),
        TOO_LARGE,
    ),
    "header block without end": (b"x" * (MAX_HEADER + 1), HEADER_TOO_LARGE),
    "several header blocks without end": (b"x: y\r\n" * MAX_HEADER, HEADER_TOO_LARGE),
}


def written(header: bytes, body: bytes) -> bytes:
    return header % len(body) + body


frames = st.builds(written, headers, bodies)
noise = st.sampled_from([fault for fault, _ in FAULTS.values()]) | st.binary(max_size=20)


@given(st.lists(st.tuples(headers, bodies), max_size=5), st.data())
def test_every_way_of_cutting_gives_the_bodies_that_were_written(messages, data):
    _, chunks = data.draw(cut(st.just(b"".join(written(header, body) for header, body in messages))))
    assert feed_all(FrameReader(MAX), chunks) == [body for _, body in messages]


@given(cut(st.lists(frames | noise, max_size=6).map(b"".join)))
@example((b"\n" * 10_000, [b"\n" * 10_000]))
def test_every_way_of_cutting_gives_the_same_frames_and_faults(drawn):
    stream, chunks = drawn
    assert feed_all(FrameReader(MAX), chunks) == FrameReader(MAX).feed(stream)


def test_every_chunk_size_gives_the_same():
    stream = (
        frame(b"{}") + b"junk\r\n\r\n" + written(b"content-length:%d\n\n", b"[1]") + b"Content-Length: -1\r\n\r\n{}"
    )
    stream += written(b"Content-Length: %d\r\n\r\n", b"y" * (MAX + 1)) + b"junk" + frame("é".encode())
    whole = FrameReader(MAX).feed(stream)
    assert [found for found in whole if isinstance(found, bytes)] == [b"{}", b"[1]", "é".encode()]
    for chunks in every_size(stream):
        assert feed_all(FrameReader(MAX), chunks) == whole


@pytest.mark.parametrize(("fault", "reason"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_said_once_and_the_frames_around_it_are_unharmed(fault, reason):
    before, said, *behind = FrameReader(MAX).feed(frame(b"{}") + fault + frame(GOOD) + frame(b"[]"))
    assert before == b"{}"
    assert isinstance(said, Malformed)
    assert said.reason == reason
    assert said.size > 0
    assert behind == [GOOD, b"[]"]


def test_a_frame_that_is_too_large_tells_its_size():
    assert FrameReader(MAX).feed(b"Content-Length: 1000\r\n\r\n") == [Malformed(TOO_LARGE, 1000)]


@given(st.binary(max_size=200).filter(lambda junk: b"\n" not in junk and b":" not in junk))
def test_junk_without_a_newline_leaves_the_next_frame_whole(junk):
    assert FrameReader(MAX).feed(junk + frame(GOOD))[-1] == GOOD


def test_a_header_that_a_broken_writer_left_behind_does_not_count():
    assert FrameReader(MAX).feed(b"Content-Length: 40\r\n" + frame(GOOD)) == [GOOD]


def test_a_body_of_no_bytes_is_a_body():
    assert FrameReader(MAX).feed(frame(b"") + frame(GOOD)) == [b"", GOOD]


@pytest.mark.parametrize(
    "junk", [b"x" * 997, b"\r\n" * 499, b"Content-Length: 1\r\n" * 50], ids=["x", "blank", "header"]
)
def test_junk_without_end_is_not_kept_in_memory(junk):
    reader = FrameReader(MAX)
    said = feed_all(reader, [junk] * 1000)
    assert len(reader._buffer) <= MAX_HEADER + len(junk)
    assert len(said) <= 1
    assert reader.feed(b"\r\n\r\n" + frame(GOOD))[-1] == GOOD


@given(bodies)
def test_what_is_framed_is_read_back(body):
    assert FrameReader(MAX).feed(frame(body)) == [body]
