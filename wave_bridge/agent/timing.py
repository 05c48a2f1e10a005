"""How long the bridge waits for the CLI, as one value. Tests shorten it; everybody else takes the defaults."""

from __future__ import annotations

import msgspec

from wave_bridge.core import limits


class Timing(msgspec.Struct, frozen=True):
    """Limits of one CLI's life, in seconds; `core.limits` says what each is for."""

    start: float = limits.INITIALIZE_TIMEOUT
    close_grace: float = limits.CLOSE_GRACE
    death_grace: float = limits.DEATH_GRACE
    drain: float = limits.DRAIN_LIMIT
    survivor_grace: float = limits.SURVIVOR_GRACE
    backoff_first: float = limits.BACKOFF_FIRST
    backoff_last: float = limits.BACKOFF_LAST
    breaker_failures: int = limits.BREAKER_FAILURES
    breaker_window: float = limits.BREAKER_WINDOW
    healthy_after: float = limits.HEALTHY_AFTER


DEFAULT = Timing()
