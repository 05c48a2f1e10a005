"""Asking the bridge in an editor's name, by the methods of the protocol."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from wave_bridge.core.answer import Answer
from wave_bridge.core.client_api import METHODS
from wave_bridge.errors import BridgeError, InvalidParams

if TYPE_CHECKING:
    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client

ROWS = {row.name: row for row in METHODS if row.direction == "toBridge"}
T = TypeVar("T")


def ask(bridge: Bridge, client: Client, method: str, params: dict[str, Any]) -> Answer[Any]:
    """Ask; parameters in the protocol's own names. The answer comes at its place among events. Raises BridgeError."""
    row = ROWS[method]
    try:
        decoded = msgspec.convert(params, row.params)
    except msgspec.ValidationError as fault:
        raise InvalidParams(f"{method}: {fault}") from fault
    outcome = bridge.forward(client, row, decoded) if row.forward else bridge.handlers[method](bridge, client, decoded)
    if isinstance(outcome, Answer):
        return outcome
    now: Answer[Any] = Answer()
    now.set(outcome)
    return now


async def result(answer: Answer[T]) -> T:
    """Wait for an answer. Raises BridgeError."""
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def take(outcome: T | BridgeError) -> None:
        if future.done():
            return
        if isinstance(outcome, BridgeError):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)

    answer.on_done(take)
    return await future
