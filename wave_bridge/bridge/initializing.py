"""The CLI's `initialize`: what it answers is taken while it is read, at its place in the pipe.

A waiting coroutine would learn of it a moment later; by then the process may have ended, or an event that followed
the answer may have found nobody (wire facts: early events).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.agent.calls import decode_initialized, promise
from wave_bridge.core.rpc import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.core.agent_api import Initialized
    from wave_bridge.core.router import Router
    from wave_bridge.errors import BridgeError


async def initialize(
    router: Router[LiveSession],
    call: Callable[..., None],
    params: dict[str, Any],
    opened: Callable[[Initialized, list[Event]], None],
) -> None:
    """Ask for a session, and wait until `opened` has taken it. Raises BridgeError, also what `opened` raises.

    While the CLI works on it, events without an id are that session's own: `opened` gets them with its id.
    """
    sent: list[bool] = []
    unnamed: list[Event] = []

    def on_sent() -> None:
        router.open_session()
        sent.append(True)

    def take(result: bytes) -> None:
        answer = decode_initialized(result)
        opened(answer, [named(event, answer.session_id) for event in unnamed if event.method != "sessionIdChange"])

    taken, settle = promise(take)

    def on_reply(outcome: bytes | BridgeError) -> None:
        if sent:
            unnamed.extend(router.opened())
        settle(outcome)

    call("initialize", params, None, on_reply, on_sent=on_sent)
    await taken


def named(event: Event, session_id: str) -> Event:
    """Give an early event with the id that its session turned out to have."""
    params = msgspec.Raw(event.params)
    line = msgspec.json.encode({"method": event.method, "params": params, "sessionId": session_id})
    return Event(event.method, session_id, event.params, line)


def id_changed(old: str, new: str) -> Event:
    """Give the event that a session goes by another id now, as the CLI would have told it."""
    params = msgspec.json.encode({"sessionId": new})
    return named(Event("sessionIdChange", None, params, b""), old)
