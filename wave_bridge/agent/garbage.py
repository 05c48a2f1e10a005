"""What the CLI printed that is no message: counted, sampled, never fatal (T5.4, T5.5).

Some of it is expected: the real CLI announces `Restoring session: <id>` on stdout as plain text.
"""

from __future__ import annotations

from collections import deque

import msgspec

from wave_bridge.core.limits import GARBAGE_SAMPLE, REMEMBERED_GARBAGE


class Sample(msgspec.Struct, frozen=True):
    """One line that was passed over: why, how long it was in bytes, and how it begins."""

    reason: str
    size: int
    start: str


class GarbageLog:
    """The count of all, and the last few."""

    def __init__(self) -> None:
        self.count = 0
        self.samples: deque[Sample] = deque(maxlen=REMEMBERED_GARBAGE)

    def add(self, reason: str, size: int, line: bytes) -> Sample:
        """Count one line of `size` bytes and give the sample that is kept of it."""
        self.count += 1
        sample = Sample(reason, size, line[:GARBAGE_SAMPLE].decode("utf-8", "replace"))
        self.samples.append(sample)
        return sample
