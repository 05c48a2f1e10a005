"""Session id to whoever takes its events: the only place where a session is renamed.

Events of an id that nobody knows yet are parked, within bounds, until it is registered: the CLI speaks of a session
before it has answered `initialize` (T6.3–T6.6). While an `initialize` is under way, events of sessions that carry no id
belong to it; there is one at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from wave_bridge.core.agent_api import EVENTS
from wave_bridge.core.limits import PARKED_BYTES, PARKED_LINES

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.core.rpc import Event

T = TypeVar("T")


class Router(Generic[T]):
    """The live sessions of one CLI process."""

    def __init__(self) -> None:
        self._targets: dict[str | None, T] = {}  # None is never a key
        # Who takes the events of an id, or None. Asked for every event, so it is the table's own method.
        self.find: Callable[[str | None], T | None] = self._targets.get
        self._parked: dict[str, list[Event]] = {}
        self._parked_bytes = 0
        self._opening: list[Event] | None = None
        self.dropped = 0  # events that belonged to nobody; shown by status

    def targets(self) -> list[T]:
        """Give who takes events, in the order of registration."""
        return list(self._targets.values())

    def register(self, session_id: str, target: T) -> list[Event]:
        """Make the id known and give the events that came before, in order."""
        self._targets[session_id] = target
        early = self._parked.pop(session_id, [])
        self._parked_bytes -= sum(len(event.line) for event in early)
        return early

    def unregister(self, session_id: str) -> None:
        """Forget the id (T6.6)."""
        self._targets.pop(session_id, None)

    def rekey(self, old: str, new: str) -> list[Event]:
        """Let the target of `old` be known as `new` (T6.5); give what was parked for the new id."""
        target = self._targets.pop(old, None)
        return [] if target is None else self.register(new, target)

    def open_session(self) -> None:
        """Begin an `initialize`: events without an id are its own from now on."""
        self._opening = []

    def opened(self) -> list[Event]:
        """End the `initialize` and give its events without an id."""
        events, self._opening = self._opening or [], None
        return events

    def park(self, event: Event) -> bool:
        """Keep an event of no known session; False when it can't be anybody's or the bounds are reached."""
        if event.session_id is None:
            if self._opening is not None and not is_global(event):
                self._opening.append(event)
                return True
        elif self._room_for(event):
            self._parked.setdefault(event.session_id, []).append(event)
            self._parked_bytes += len(event.line)
            return True
        self.dropped += 1
        return False

    def clear(self) -> None:
        """Forget everything: the process has ended."""
        self._targets.clear()
        self._parked.clear()
        self._parked_bytes = 0
        self._opening = None

    def _room_for(self, event: Event) -> bool:
        parked = self._parked.get(event.session_id or "", ())
        return len(parked) < PARKED_LINES and self._parked_bytes + len(event.line) <= PARKED_BYTES


def is_global(event: Event) -> bool:
    """Say whether the event belongs to no session (T6.4); an unknown one without an id does."""
    if event.session_id is not None:
        return False
    spec = EVENTS.get(event.method)
    return spec is None or spec.scope == "global"
