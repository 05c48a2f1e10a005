"""Bytes of a session file to lines, cut at 0x0A only: the CLI writes U+2028 raw, so a text reader would tear them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

NEWLINE = b"\n"


def forwards(data: bytes) -> Iterator[bytes]:
    """Give the lines from the first on, each with its newline; the last may lack it. Cuts no further than asked."""
    start = 0
    while start < len(data):
        end = data.find(NEWLINE, start) + 1 or len(data)
        yield data[start:end]
        start = end


def backwards(data: bytes) -> Iterator[bytes]:
    """Give the same lines from the last on."""
    end = len(data)
    while end > 0:
        start = data.rfind(NEWLINE, 0, end - 1) + 1
        yield data[start:end]
        end = start


def backwards_with(mark: bytes, data: bytes) -> Iterator[bytes]:
    """Give, from the last on, the lines that hold `mark`, without looking at the others."""
    end = len(data)
    while (at := data.rfind(mark, 0, end)) >= 0:
        start = data.rfind(NEWLINE, 0, at) + 1
        yield data[start : data.find(NEWLINE, at) + 1 or len(data)]
        end = start
