"""A request to the CLI as a value, and the ways to make one: with a callback, or with a future."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET

from wave_bridge.core.agent_api import REQUESTS, Initialized
from wave_bridge.core.envelope import decode_any
from wave_bridge.errors import AgentError, BridgeError

OnReply = Callable[[bytes | BridgeError], None]

T = TypeVar("T")


class Call(msgspec.Struct):
    """One request. `timeout` is in seconds from the write, None: no limit; the timer is its sender's."""

    method: str
    params: Any
    session_id: str | None
    on_reply: OnReply
    timeout: float | None
    on_sent: Callable[[], None] | None = None
    timer: asyncio.TimerHandle | None = None

    def timer_off(self) -> None:
        """Stop the time limit that runs."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Caller(ABC):
    """Whatever takes requests to the CLI: one generation of it, or the supervisor for whichever is there."""

    @abstractmethod
    def place(self, call: Call) -> None:
        """Send the call now, or when its turn comes; answer it exactly once."""

    def call(
        self,
        method: str,
        params: Any,
        session_id: str | None,
        on_reply: OnReply,
        *,
        timeout: float | None = None,
        on_sent: Callable[[], None] | None = None,
    ) -> None:
        """Send a request (T5.1). `on_reply` gets the raw result or an error, exactly once, in pipe order (T5.2).

        `timeout` defaults to the method's own. `initialize` and `updateConfig` are sent one at a time; `on_sent` tells
        when it is this one's turn, before any event that it causes. Errors: AgentError (the CLI's own), AgentTimeout,
        AgentCrashed; AgentUnavailable and Overloaded when nothing was written.
        """
        self.place(Call(method, params, session_id, on_reply, timeout or REQUESTS[method].timeout, on_sent))

    def request(
        self, method: str, params: Any = UNSET, session_id: str | None = None, *, timeout: float | None = None
    ) -> asyncio.Future[bytes]:
        """Send a request and give its raw result to come. Unlike with `call`, its awaiter learns a loop turn later."""
        future, on_reply = promise(bytes)
        self.call(method, params, session_id, on_reply, timeout=timeout)
        return future

    def initialize(self, params: Any, on_sent: Callable[[], None] | None = None) -> asyncio.Future[Initialized]:
        """Open or restore a session."""
        future, on_reply = promise(decode_initialized)
        self.call("initialize", params, None, on_reply, on_sent=on_sent)
        return future


def agent_error(error: bytes) -> AgentError:
    """Give the CLI's error object as ours; its code may be a string, and nothing in it is promised."""
    value = decode_any(error)
    members = value if isinstance(value, dict) else {"message": value}
    return AgentError(str(members.get("message")), agentCode=members.get("code"))


def decode_initialized(result: bytes) -> Initialized:
    """Decode the answer to `initialize`. Raises AgentError when it has another shape."""
    try:
        return msgspec.json.decode(result, type=Initialized)
    except msgspec.DecodeError as fault:
        raise AgentError(f"Wave answered initialize with something else: {fault}", agentCode=None) from fault


def promise(convert: Callable[[bytes], T]) -> tuple[asyncio.Future[T], OnReply]:
    """Give a future and the callback that settles it with the converted result; one that was cancelled is left be."""
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def on_reply(answer: bytes | BridgeError) -> None:
        if future.done():
            return
        if isinstance(answer, BridgeError):
            future.set_exception(answer)
            return
        try:
            future.set_result(convert(answer))
        except BridgeError as fault:
            future.set_exception(fault)

    return future, on_reply
