"""Bytes of the CLI's stdout to lines, split at 0x0A only.

The CLI writes U+2028 and U+2029 raw, so a text reader would tear its lines (wire facts: framing). Keeps at most
`max_bytes` of an unfinished line; a longer line is skipped up to its end and reported, the next is unharmed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from wave_bridge.core.limits import MAX_LINE

if TYPE_CHECKING:
    from collections.abc import Iterable

NEWLINE = b"\n"


class TooLong(msgspec.Struct, frozen=True):
    """A line over the maximum: skipped. `size` is what was thrown away, in bytes."""

    size: int


class LineSplitter:
    """Cuts a byte stream into lines, whatever way the stream is cut into chunks."""

    def __init__(self, max_bytes: int = MAX_LINE) -> None:
        self._max = max_bytes
        self._parts: list[bytes] = []
        self._size = 0
        self._skipped = 0

    def feed(self, data: bytes) -> list[bytes | TooLong]:
        """Give the lines that `data` completes, without their newline; blank ones are left out."""
        cut = data.rfind(NEWLINE)
        if cut < 0:
            self._hold(data)
            return []
        first, *others = data[:cut].split(NEWLINE)
        self._hold(first)
        lines: list[bytes | TooLong] = []
        lines += self.close()
        if len(data) > self._max:
            lines += self._keep(others)
        else:  # written out: this is what streaming costs
            lines += [line for line in others if line and not line.isspace()]
        self._hold(data[cut + 1 :])
        return lines

    def close(self) -> list[bytes | TooLong]:
        """End the line under way (a newline, or the end of the stream) and give it."""
        if self._skipped:
            skipped, self._skipped = self._skipped, 0
            return [TooLong(skipped)]
        line = b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        return self._keep([line])

    def _keep(self, lines: Iterable[bytes]) -> list[bytes | TooLong]:
        kept: list[bytes | TooLong] = []
        for line in lines:
            if len(line) > self._max:
                kept.append(TooLong(len(line)))
            elif line and not line.isspace():
                kept.append(line)
        return kept

    def _hold(self, part: bytes) -> None:
        if self._skipped:
            self._skipped += len(part)
        elif self._size + len(part) > self._max:
            self._skipped = self._size + len(part)
            self._parts.clear()
            self._size = 0
        elif part:
            self._parts.append(part)
            self._size += len(part)
