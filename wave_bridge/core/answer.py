"""A result that comes later, told the moment it is there.

A future tells its waiters in a later turn of the loop; by then events that followed the CLI's reply on the pipe have
been sent on, and a snapshot would reach the client behind events that it does not hold. This one tells at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.errors import BridgeError

T = TypeVar("T")


class Answer(Generic[T]):
    """Set once, to a value or to an error; setting it again changes nothing."""

    def __init__(self) -> None:
        self._outcome: list[T | BridgeError] = []
        self._waiters: list[Callable[[T | BridgeError], None]] = []

    @property
    def done(self) -> bool:
        """Whether it is set."""
        return bool(self._outcome)

    def set(self, outcome: T | BridgeError) -> None:
        """Tell everybody who waits, now, in the order in which they asked."""
        if not self._outcome:
            self._outcome.append(outcome)
            waiters, self._waiters = self._waiters, []
            for tell in waiters:
                tell(outcome)

    def on_done(self, tell: Callable[[T | BridgeError], None]) -> None:
        """Call `tell` with the outcome: now when it is there, else when it comes."""
        if self._outcome:
            tell(self._outcome[0])
        else:
            self._waiters.append(tell)
