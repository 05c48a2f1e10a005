"""Bytes to Content-Length frames and back, for LSP's base protocol.

Header names are read without regard to case, lines may end in LF alone, other headers and blank lines between frames
are ignored. A run of bytes that is no frame becomes one `Malformed` value, given as soon as it is known, and the reader
goes on at the next header; the frame behind it is unharmed. What is found never depends on how the stream was cut.
"""

from __future__ import annotations

import re

import msgspec

from wave_bridge.core.limits import MAX_FRAME, MAX_HEADER

HEADER_NAME = b"content-length"
BLANK_LINE = re.compile(rb"\r?\n\r?\n")
LENGTH_DIGITS = 12  # a longer number is no length: nobody could wait for the end of such a body


class Malformed(msgspec.Struct, frozen=True):
    """Bytes that are no frame. `reason` is one of the sentences below, `size` what was skipped when it was noticed."""

    reason: str
    size: int


NO_LENGTH = "the header block has no Content-Length"
BAD_LENGTH = "Content-Length is not a number of bytes"
TOO_LARGE = "the frame is over the maximum size"
HEADER_TOO_LARGE = "the header block is over the maximum size"


HEADER = b"Content-Length: %d\r\n\r\n"  # takes the body's length in bytes


def frame(body: bytes) -> bytes:
    """Give `body` with its header in front."""
    return HEADER % len(body) + body


class FrameReader:
    """Cuts a byte stream into bodies, whatever way the stream is cut into chunks."""

    def __init__(self, max_bytes: int = MAX_FRAME) -> None:
        self._max = max_bytes
        self._buffer = bytearray()
        self._wanted: int | None = None  # length of the body under way; None while in a header block
        self._parts: list[bytes] = []  # a body that comes in many chunks is put together once, at its end
        self._missing = 0  # bytes until then
        self._skip = 0  # bytes left of a body that is thrown away
        self._lost = False  # within a run of bytes that is no frame, and was reported

    def feed(self, data: bytes) -> list[bytes | Malformed]:
        """Give the bodies, and the faults, that `data` completes, in order."""
        found: list[bytes | Malformed] = []
        if self._missing:
            if len(data) < self._missing:
                self._parts.append(data)
                self._missing -= len(data)
                return found
            self._parts.append(data[: self._missing])
            data = data[self._missing :]
            found.append(b"".join(self._parts))
            self._parts.clear()
            self._missing = 0
        self._buffer += data
        while self._step(found):
            pass
        return found

    def _step(self, found: list[bytes | Malformed]) -> bool:
        """Take one header block, or one body, off the buffer; False when more bytes are needed."""
        if self._skip:
            return self._skip_body()
        if self._wanted is None:
            return self._take_header(found)
        length, self._wanted = self._wanted, None
        if len(self._buffer) < length:
            self._parts.append(bytes(self._buffer))
            self._missing = length - len(self._buffer)
            self._buffer.clear()
            return False
        found.append(bytes(self._buffer[:length]))
        del self._buffer[:length]
        return bool(self._buffer)

    def _skip_body(self) -> bool:
        gone = min(self._skip, len(self._buffer))
        del self._buffer[:gone]
        self._skip -= gone
        return self._skip == 0 and bool(self._buffer)

    def _take_header(self, found: list[bytes | Malformed]) -> bool:
        """Take the header block at the buffer's start, looking at no more than MAX_HEADER bytes of it."""
        blank = BLANK_LINE.search(self._buffer, 0, MAX_HEADER)
        if blank is None:
            if len(self._buffer) < MAX_HEADER:
                return False
            # A name that the window's end cuts in half must survive the throwing away.
            self._resync(found, HEADER_TOO_LARGE, MAX_HEADER, MAX_HEADER - len(HEADER_NAME) + 1)
            return True
        block = bytes(self._buffer[: blank.start()])
        length = _content_length(block)
        if length is not None:
            del self._buffer[: blank.end()]
            self._begin_body(found, length)
        elif block.strip():
            reason = BAD_LENGTH if HEADER_NAME in block.lower() else NO_LENGTH
            self._resync(found, reason, blank.end(), blank.end())
        else:
            del self._buffer[: blank.end()]
        return True

    def _begin_body(self, found: list[bytes | Malformed], length: int) -> None:
        self._lost = False
        if length > self._max:
            found.append(Malformed(TOO_LARGE, length))
            self._skip = length
        else:
            self._wanted = length

    def _resync(self, found: list[bytes | Malformed], reason: str, window: int, otherwise: int) -> None:
        """Throw away up to the last header name in the window; without one, `otherwise` bytes.

        The last one, since it stands next to the blank line, and since going from one to the next would let a peer
        make us read the window once for each.
        """
        at = self._buffer[:window].lower().rfind(HEADER_NAME, 1)
        size = at if at > 0 else otherwise
        del self._buffer[:size]
        if not self._lost:
            self._lost = True
            found.append(Malformed(reason, size))


def _content_length(block: bytes) -> int | None:
    """Give the block's Content-Length, the last one where a broken frame left its header in front; None if invalid."""
    length: int | None = None
    for line in block.splitlines():
        name, _, value = line.partition(b":")
        if name.strip().lower() == HEADER_NAME:
            digits = value.strip()
            length = int(digits) if digits.isdigit() and len(digits) <= LENGTH_DIGITS else None
    return length
