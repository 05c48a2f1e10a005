"""The wish to stop one turn, and who wants to hear of it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Abort:
    """Fires once. What listens is called at once and in order, so that what must end first ends first."""

    def __init__(self) -> None:
        self.fired = False
        self._listeners: list[Callable[[], object]] = []

    def fire(self) -> None:
        """Stop: call the listeners. A second time does nothing."""
        if self.fired:
            return
        self.fired = True
        for listener in tuple(self._listeners):
            listener()

    @contextmanager
    def listening(self, listener: Callable[[], object]) -> Iterator[None]:
        """Have `listener` called if the abort fires within the block (or at once, if it has fired already)."""
        if self.fired:
            listener()
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)
