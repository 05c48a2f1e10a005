"""How long to wait before the next start, and when to stop trying. Knows no clock: time is an argument."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wave_bridge.agent.timing import Timing


class Backoff:
    """Ends in a row without a generation that lived for `healthy_after` seconds."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._ends: deque[float] = deque(maxlen=timing.breaker_failures)
        self._in_a_row = 0

    def ended(self, now: float, ready_for: float) -> float | None:
        """Give the seconds to wait after an end at `now` of a generation that was ready for `ready_for` seconds.

        None: `breaker_failures` ends in a row came within `breaker_window` seconds, so only a person may try again.
        """
        if ready_for >= self._timing.healthy_after:
            self.reset()
        self._ends.append(now)
        self._in_a_row += 1
        if len(self._ends) == self._ends.maxlen and now - self._ends[0] <= self._timing.breaker_window:
            return None
        return self._delay()

    def reset(self) -> None:
        """Forget what was: a person wants another start, or the last generation was healthy."""
        self._ends.clear()
        self._in_a_row = 0

    def _delay(self) -> float:
        doublings = min(self._in_a_row - 1, 30)  # past it the product would only overflow
        return min(self._timing.backoff_first * 2.0**doublings, self._timing.backoff_last)
