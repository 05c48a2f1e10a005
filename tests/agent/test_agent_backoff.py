"""Waits and the breaker; time is an argument."""

from __future__ import annotations

from wave_bridge.agent.backoff import Backoff
from wave_bridge.agent.timing import Timing

TIMING = Timing(backoff_first=0.25, backoff_last=10.0, breaker_failures=5, breaker_window=60.0, healthy_after=10.0)


def test_waits_double_up_to_the_last():
    """Ends so far apart that the breaker stays closed: a CLI that hangs at each start is tried again for ever."""
    backoff = Backoff(TIMING)
    waits = [backoff.ended(now * 70.0, 0.0) for now in range(8)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 10.0, 10.0]


def test_five_ends_in_a_row_within_the_window_open_the_breaker():
    backoff = Backoff(TIMING)
    assert [backoff.ended(float(now), 0.0) for now in range(5)] == [0.25, 0.5, 1.0, 2.0, None]


def test_the_window_slides():
    backoff = Backoff(TIMING)
    assert None not in [backoff.ended(now, 0.0) for now in (0.0, 20.0, 30.0, 40.0, 61.0)]
    assert backoff.ended(62.0, 0.0) is None


def test_a_healthy_generation_and_a_person_begin_anew():
    backoff = Backoff(TIMING)
    for now in range(4):
        backoff.ended(float(now), 0.0)
    assert backoff.ended(20.0, 10.0) == 0.25
    for now in range(3):
        backoff.ended(20.0 + now, 9.9)
    backoff.reset()
    assert backoff.ended(24.0, 0.0) == 0.25
