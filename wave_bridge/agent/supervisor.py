"""Keeps one CLI running: generations, their one failure path, back-off, breaker, restart by hand.

Whatever way a generation ends, the order is: its stdout is drained, its calls are answered, `on_ended`, then the wait
and the next generation. Only `run` starts processes, so there are never two.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Literal, Protocol

import anyio
import msgspec
from msgspec import UNSET, UnsetType

from wave_bridge.agent import timing as timings
from wave_bridge.agent.backoff import Backoff
from wave_bridge.agent.calls import Call, Caller
from wave_bridge.agent.client import AgentClient, Ports
from wave_bridge.agent.ending import Ended
from wave_bridge.agent.fault import AgentLost, SupplyFault
from wave_bridge.agent.garbage import GarbageLog
from wave_bridge.agent.held import HeldCalls
from wave_bridge.core.client_types import AgentStatus
from wave_bridge.errors import AgentTimeout, AgentUnavailable, BridgeError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wave_bridge.agent.garbage import Sample
    from wave_bridge.agent.process import AgentCommand
    from wave_bridge.agent.timing import Timing
    from wave_bridge.core.rpc import Event

State = Literal["down", "starting", "ready", "degraded", "restarting", "stopped"]

PROBE = "listDaemonSessions"  # works before the first initialize and touches nothing


class Prepare(Protocol):
    """Gives what to start."""

    async def __call__(self, phase: Callable[[str], None], *, fresh: bool) -> AgentCommand:
        """Take the time it takes; tell the name of each step. Raises SupplyFault, which is final for this start."""


class Supervisor(Caller):
    """The CLI as the bridge sees it: always one, whichever generation. Make it inside the event loop."""

    def __init__(
        self,
        prepare: Prepare,
        *,
        on_event: Callable[[Event], None],
        on_batch_end: Callable[[], None],
        on_status: Callable[[AgentStatus], None],
        on_ended: Callable[[Ended], None],
        restore: Callable[[AgentClient], Awaitable[None]],
        on_stderr: Callable[[str], None],
        on_garbage: Callable[[Sample], None],
        timing: Timing = timings.DEFAULT,
    ) -> None:
        self.prepare = prepare
        self.command: AgentCommand | None = None  # what was started last
        self.fault: SupplyFault | None = None  # why nothing could be started, when that is so
        self.client: AgentClient | None = None
        self.status = AgentStatus("starting", 0, phase="locate")
        self.garbage = GarbageLog()
        self._on_status = on_status
        self._on_ended = on_ended
        self._on_garbage = on_garbage
        self._restore = restore
        self._timing = timing
        self._loop = asyncio.get_running_loop()
        self._backoff = Backoff(timing)
        self._held = HeldCalls(timing.start)
        self._ports = Ports(on_event, on_batch_end, on_stderr, self._sample, self._client_ended)
        self._ready_since: float | None = None  # set: calls go straight to the client
        self._ready_for = 0.0  # seconds, of the generation that ended last
        self._fresh = False  # whether what a start needs is to be looked for again
        self._bringing_up = anyio.CancelScope()
        self._wake = anyio.Event()
        self._stopping = False
        self._finished: anyio.Event | None = None

    # Life

    async def run(self) -> None:
        """Keep a CLI running until `close`. Cancelling it stops the CLI as `close` does."""
        self._finished = anyio.Event()
        try:
            while not self._stopping:
                await self._pause_after(await self._live())
        finally:
            with anyio.CancelScope(shield=True):
                await self._end()
            self._finished.set()

    async def close(self) -> None:
        """Stop the CLI (EOF, grace, kill) and `run`; wait for both. Calling it again is harmless (T7.4)."""
        self._stopping = True
        self._wake.set()
        self._bringing_up.cancel()
        if self.client is not None:
            self.client.shut("closed")
        if self._finished is not None:
            await self._finished.wait()

    def restart(self) -> AgentStatus:
        """Start a new CLI now: ends the one that runs, the wait, or the breaker's rest. Gives the status after it."""
        self._backoff.reset()
        self._fresh = True
        if self.client is not None and not self.client.ending:
            self._report("restarting", reason="restarted by hand")
            self.client.shut("restarted")
        self._wake.set()
        return self.status

    async def _live(self) -> Ended:
        """Live one generation, from spawn to end, and give how it ended."""
        generation = self.status.generation + 1
        self.fault = None
        self._report("starting", phase="locate", generation=generation)
        try:
            with anyio.CancelScope() as self._bringing_up:
                command = self.command = await self.prepare(self._phase, fresh=self._fresh)
            if self._bringing_up.cancelled_caught:
                return self._never_began(Ended(generation, "closed"))
            self._phase("spawn")
            self.client = await AgentClient.spawn(command, generation, self._ports, self._timing)
        except SupplyFault as fault:
            self.fault = fault
            return self._never_began(Ended(generation, "notSupplied", stderr=fault.message))
        except (OSError, ValueError) as fault:
            return self._never_began(Ended(generation, "spawnFailed", stderr=str(fault)))
        await self._bring_up(self.client)
        ended = await self.client.gone()
        self.client = None
        return ended

    def _never_began(self, ended: Ended) -> Ended:
        self._client_ended(ended)
        return ended

    def _phase(self, name: str) -> None:
        self._report("starting", phase=name)

    async def _bring_up(self, client: AgentClient) -> None:
        """Probe and restore; cut short when the process ends meanwhile."""
        if self._stopping:
            client.shut("closed")
        with anyio.CancelScope() as self._bringing_up:
            self._phase("handshake")
            if not await self._answers(client):
                client.shut("unresponsive")
            if client.ending:
                return
            self._phase("restore")
            fault = await self._restored(client)
            if not client.ending:
                self._ready(client, fault)

    async def _answers(self, client: AgentClient) -> bool:
        try:
            await client.request(PROBE, timeout=self._timing.start)
        except AgentTimeout:
            return False
        except BridgeError:  # an error is an answer, too; an end tells itself
            return True
        return True

    async def _restored(self, client: AgentClient) -> BridgeError | None:
        try:
            await self._restore(client)
        except BridgeError as fault:
            return fault
        return None

    def _ready(self, client: AgentClient, fault: BridgeError | None) -> None:
        self._ready_since = self._loop.time()
        self._fresh = False
        if fault is None:
            self._report("ready")
        else:
            self._report("degraded", reason=fault.message)
        self._held.send(client)

    def _client_ended(self, ended: Ended) -> None:
        was_ready = self._ready_since is not None
        self._ready_for = 0.0 if self._ready_since is None else self._loop.time() - self._ready_since
        self._ready_since = None
        self._fresh = self._fresh or not was_ready  # what did not work may have changed, or must be made again
        self._bringing_up.cancel()
        self._on_ended(msgspec.structs.replace(ended, was_ready=was_ready))

    async def _pause_after(self, ended: Ended) -> None:
        """Wait as long as the back-off says, or until `restart` or `close`."""
        if self._stopping or ended.reason == "restarted":
            return
        self._wake = anyio.Event()
        delay = None if self.fault else self._backoff.ended(self._loop.time(), self._ready_for)
        if delay is None:
            self._report("down", reason=ended.summary())
            self._held.fail(self._unavailable)
            await self._wake.wait()
        else:
            self._report("restarting", reason=ended.summary(), retry_at=time.time() + delay)
            with anyio.move_on_after(delay):
                await self._wake.wait()

    async def _end(self) -> None:
        if self.client is not None:
            self.client.shut("closed")
            await self.client.gone()
            self.client = None
        self._held.fail(lambda: AgentUnavailable("Wave is being stopped."))
        self._report("stopped")

    # Calls

    @property
    def unanswered(self) -> int:
        """The calls that wait for an answer, those that wait for a CLI too."""
        return len(self._held) + (0 if self.client is None else self.client.unanswered)

    def place(self, call: Call) -> None:
        """Send it to the ready generation or, while one is on its way, hold it for the next.

        AgentUnavailable at once when the CLI is down or stopped, and when none gets ready within `Timing.start`.
        """
        client = self.client
        if client is not None and self._ready_since is not None and not client.ending:
            client.place(call)
        elif self.status.state in {"down", "stopped"}:
            call.on_reply(self._unavailable())
        else:
            self._held.add(call)

    def notify(self, method: str, params: Any, session_id: str | None = None) -> None:
        """Send a notification to the ready generation. Raises AgentUnavailable when there is none: it would be late."""
        if self.client is None or self._ready_since is None:
            raise AgentUnavailable(f"Wave is {self.status.state}.")
        self.client.notify(method, params, session_id)

    def _unavailable(self) -> AgentUnavailable:
        """Give the error of a request that comes while there is no CLI."""
        if self.fault is not None:
            return self.fault.again()
        if self.status.state == "down":
            return AgentLost(self.status.reason or "")
        return AgentUnavailable(f"Wave is {self.status.state}: {self.status.reason or 'it was stopped'}")

    def _sample(self, reason: str, size: int, line: bytes) -> None:
        self._on_garbage(self.garbage.add(reason, size, line))

    def _report(
        self,
        state: State,
        *,
        generation: int | None = None,
        phase: str | UnsetType = UNSET,
        reason: str | UnsetType = UNSET,
        retry_at: float | UnsetType = UNSET,
    ) -> None:
        number = self.status.generation if generation is None else generation
        self.status = AgentStatus(state, number, phase, reason, retry_at)
        self._on_status(self.status)
