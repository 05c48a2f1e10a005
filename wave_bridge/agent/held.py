"""Calls made while no CLI is ready: they wait for the next one, for a limited time, in order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wave_bridge.errors import AgentUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.agent.calls import Call, Caller


class HeldCalls:
    """What is to be sent when a CLI is ready. None of it was written, so failing it is always safe."""

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._next = 0
        self._calls: dict[int, Call] = {}

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, call: Call) -> None:
        """Hold a call for at most `limit` seconds; then it fails with AgentUnavailable."""
        self._next += 1
        call.timer = self._loop.call_later(self._limit, self._expire, self._next)
        self._calls[self._next] = call

    def send(self, caller: Caller) -> None:
        """Send all of them, oldest first."""
        for call in self._take_all():
            caller.place(call)

    def fail(self, error: Callable[[], AgentUnavailable]) -> None:
        """Answer each with an error of its own, in a loop turn of its own: one's fault is not the others'."""
        for call in self._take_all():
            self._loop.call_soon(call.on_reply, error())

    def _take_all(self) -> list[Call]:
        calls, self._calls = list(self._calls.values()), {}
        for call in calls:
            call.timer_off()
        return calls

    def _expire(self, number: int) -> None:
        self._calls.pop(number).on_reply(AgentUnavailable(f"Wave was not ready within {self._limit:g} s."))
