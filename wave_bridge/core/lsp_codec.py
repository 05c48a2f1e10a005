"""Bytes to Content-Length frames and back, for LSP's base protocol.

Header names are read without regard to case, lines may end in LF alone, unknown headers are ignored. What is not a
frame becomes a `Malformed` value and the reader goes on at the next header; the frame behind it is unharmed.
"""

from __future__ import annotations

import msgspec

from wave_bridge.core.limits import MAX_FRAME, MAX_HEADER

HEADER_NAME = b"content-length"


class Malformed(msgspec.Struct, frozen=True):
    """Bytes that are no frame. `reason` is one of the sentences below, `size` what was skipped, in bytes."""

    reason: str
    size: int


NO_LENGTH = "the header block has no Content-Length"
BAD_LENGTH = "Content-Length is not a number of bytes"
TOO_LARGE = "the frame is over the maximum size"
HEADER_TOO_LARGE = "the header block is over the maximum size"


def frame(body: bytes) -> bytes:
    """Give `body` with its header in front."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class FrameReader:
    """Cuts a byte stream into bodies, whatever way the stream is cut into chunks."""

    def __init__(self, max_bytes: int = MAX_FRAME) -> None:
        self._max = max_bytes
        self._buffer = bytearray()
        self._wanted: int | None = None  # length of the body under way; None while in a header block
        self._skip = 0  # bytes left of a body that is thrown away

    def feed(self, data: bytes) -> list[bytes | Malformed]:
        """Give the bodies, and the faults, that `data` completes, in order."""
        self._buffer += data
        found: list[bytes | Malformed] = []
        while self._step(found):
            pass
        return found

    def _step(self, found: list[bytes | Malformed]) -> bool:
        """Take one header block, or one body, off the buffer; False when more bytes are needed."""
        if self._skip:
            return self._skip_body()
        if self._wanted is None:
            return self._take_header(found)
        if len(self._buffer) < self._wanted:
            return False
        found.append(bytes(self._buffer[: self._wanted]))
        del self._buffer[: self._wanted]
        self._wanted = None
        return bool(self._buffer)

    def _skip_body(self) -> bool:
        gone = min(self._skip, len(self._buffer))
        del self._buffer[:gone]
        self._skip -= gone
        return self._skip == 0 and bool(self._buffer)

    def _take_header(self, found: list[bytes | Malformed]) -> bool:
        end, after = _header_end(self._buffer)
        if end < 0:
            if len(self._buffer) <= MAX_HEADER:
                return False
            return self._resync(found, HEADER_TOO_LARGE)
        block = bytes(self._buffer[:end])
        length = _content_length(block)
        if length is None:
            return self._resync(found, BAD_LENGTH if HEADER_NAME in block.lower() else NO_LENGTH, after)
        del self._buffer[:after]
        if length > self._max:
            found.append(Malformed(TOO_LARGE, length))
            self._skip = length
            return length > 0
        self._wanted = length
        return True

    def _resync(self, found: list[bytes | Malformed], reason: str, end: int | None = None) -> bool:
        """Throw away up to the next header name behind the first byte; without one, the block and no more."""
        limit = len(self._buffer) if end is None else end
        at = self._buffer.lower().find(HEADER_NAME, 1, limit)
        if at < 0:
            # A name cut in half by the chunk's end must survive the throwing away.
            at = limit if end is not None else max(limit - len(HEADER_NAME), 1)
        found.append(Malformed(reason, at))
        del self._buffer[:at]
        return bool(self._buffer)


def _header_end(buffer: bytearray) -> tuple[int, int]:
    """Give where the header block ends and where its body begins; (-1, -1) when the blank line is not there yet."""
    crlf = buffer.find(b"\r\n\r\n")
    lf = buffer.find(b"\n\n", 0, crlf if crlf >= 0 else MAX_HEADER)
    if lf >= 0:
        return lf, lf + 2
    return (crlf, crlf + 4) if crlf >= 0 else (-1, -1)


def _content_length(block: bytes) -> int | None:
    """Give the last valid Content-Length of the block, or None."""
    length: int | None = None
    for line in block.splitlines():
        name, colon, value = line.rpartition(b":") if line.count(b":") == 1 else line.partition(b":")
        if colon and name.strip().lower() == HEADER_NAME:
            text = value.strip()
            length = int(text) if text.isdigit() and len(text) < 16 else None
    return length
