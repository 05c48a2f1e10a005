"""Lines in, lines out: reads requests, finds what answers them, and ends well when the input ends."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
import threading
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded import dependencies, failure, hooks, lifecycle
from wave_bridge.embedded.approvals import Approvals
from wave_bridge.embedded.failure import Refused
from wave_bridge.embedded.faults import Faults
from wave_bridge.embedded.lines import LineCutter
from wave_bridge.embedded.methods import METHODS, OfProcess, OfSession
from wave_bridge.embedded.session import Session, Shared
from wave_bridge.errors import BridgeError

if TYPE_CHECKING:
    from wave_bridge.embedded.host import Host
    from wave_bridge.embedded.outlet import Outlet

_READ: Final = 1 << 16
_FAREWELL_SECONDS: Final = 5.0  # from the end of the input to the exit
_HOOKS_SECONDS: Final = 2.0  # of it, for the hooks that want to know of the end
_BLANKS: Final = " \t\r\n\v\f\ufeff"


class Server:
    """One process's requests. They run concurrently; each begins in the order of its line."""

    def __init__(self, host: Host, outlet: Outlet) -> None:
        self._outlet = outlet
        self._faults = Faults(outlet, host.environ)
        self._shared = Shared(host, outlet, Approvals(), self._faults, {})
        self._cutter = LineCutter()
        self._running: set[asyncio.Task[None]] = set()
        self._ending = False
        self._ended = asyncio.Event()

    async def serve(self, fd: int) -> None:
        """Serve the lines of `fd` until it ends."""
        await self._faults.on("start")
        await asyncio.to_thread(dependencies.provide, self._shared.host)
        threading.Thread(target=_pump, args=(fd, asyncio.get_running_loop(), self._feed), daemon=True).start()
        await self._ended.wait()
        if self._faults.hung:
            await asyncio.Event().wait()
        await self._say_farewell()

    def _feed(self, data: bytes) -> None:
        """Take input; nothing at all is its end."""
        for line in self._cutter.feed(data) if data else self._cutter.finish():
            if not self._faults.hung:
                self._take(line)
        if not data:
            self._ended.set()

    def _take(self, line: str) -> None:
        text = line.strip(_BLANKS)
        if not text:
            return
        try:
            message = json.loads(text)
        except ValueError:
            self._outlet.refuse(None, failure.PARSE_ERROR, "Parse error: invalid JSON")
            return
        request_id = message.get("id") if isinstance(message, dict) else None
        identified = _is_id(request_id)
        if not isinstance(message, dict) or "method" not in message or not (identified or "id" not in message):
            text = "Invalid request: must have 'method' field"
            self._outlet.refuse(request_id if identified else None, failure.INVALID_REQUEST, text)
        elif identified:
            self._begin(self._answer(request_id, message))
        else:
            self._hear(message)

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _hear(self, message: dict[str, Any]) -> None:
        """Take a notification; all but one are ignored."""
        if message["method"] != "permissionResponse":
            return
        params = message.get("params")
        if not isinstance(params, dict):
            sys.stderr.write("Error handling notification permissionResponse: it has no params\n")
            return
        decision = params.get("decision")
        self._shared.approvals.decide(str(params.get("requestId")), decision if isinstance(decision, dict) else {})

    async def _answer(self, request_id: object, message: dict[str, Any]) -> None:
        """Answer a request: here, at the edge, whatever goes wrong becomes an error response."""
        try:
            await self._faults.on(str(message["method"]))
            result = self._call(message)
            if inspect.isawaitable(result):
                result = await result
        except Refused as refusal:
            self._outlet.refuse(request_id, refusal.code, refusal.message)
        except BridgeError as error:
            self._outlet.refuse(request_id, failure.INTERNAL_ERROR, error.message)
        except asyncio.CancelledError:
            if not self._ending:
                self._outlet.answer(request_id, None)  # its session was destroyed under it
            raise
        except Exception as error:  # noqa: BLE001  # the client is told and the process lives on, as the real CLI does
            traceback.print_exc()
            self._outlet.refuse(request_id, failure.INTERNAL_ERROR, str(error) or type(error).__name__)
        else:
            self._outlet.answer(request_id, result)

    def _call(self, message: dict[str, Any]) -> Any:
        method, params = message["method"], message.get("params")
        spec = METHODS.get(method) if isinstance(method, str) else None
        params = params if isinstance(params, dict) else {}
        match spec:
            case OfSession(run):
                return run(self._session(message), params)
            case OfProcess(run):
                return run(self._shared, params, self._shared.live.get(str(message.get("sessionId"))))
            case None:
                raise Refused(f"Method not found: {method}", failure.METHOD_NOT_FOUND)

    def _session(self, message: dict[str, Any]) -> Session:
        session_id = message.get("sessionId")
        if not session_id:
            raise Refused("sessionId is required for this request")
        session = self._shared.live.get(str(session_id))
        if session is None:
            raise Refused(f"Session not found: {session_id}")
        return session

    async def _say_farewell(self) -> None:
        """End every session, wait for their last words, not longer than the grace."""
        self._ending = True
        sessions = list(self._shared.live.values())
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*(hooks.end(each, "exit") for each in sessions)), _HOOKS_SECONDS)
        for session in sessions:
            lifecycle.farewell(session)
            self._shared.approvals.give_up(session)
        if self._running:
            await asyncio.wait(self._running, timeout=_FAREWELL_SECONDS - _HOOKS_SECONDS)
        for task in self._running:
            task.cancel()
        for session in sessions:
            session.cancel()


def _is_id(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _pump(fd: int, loop: asyncio.AbstractEventLoop, feed: Any) -> None:
    """Read on a thread of its own: that works for pipes, files and consoles, on every system."""
    while True:
        try:
            data = os.read(fd, _READ)
        except OSError:
            data = b""
        try:
            loop.call_soon_threadsafe(feed, data)
        except RuntimeError:
            return  # the loop has ended
        if not data:
            return
