"""The daemon's life: one instance, whoever visits, an orderly end. What is said to it is for others to understand.

It ends on a signal, when it is told to, or when it has had no client for a grace time and nothing runs. Sessions are
ended first, then the CLI (T6.7). A daemon of another build is told to retire: it ends as soon as it has no client and
nothing runs. Until then both run, each for its own clients: they are found by build.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
import psutil
from msgspec import Struct

from wave_bridge import log as logs
from wave_bridge.agent.orphans import end_orphans
from wave_bridge.agent.supply import Supplier
from wave_bridge.bridge import facts
from wave_bridge.bridge.bridge import Bridge
from wave_bridge.core.limits import CLOSE_GRACE, DAEMON_GRACE, SESSION_GRACE
from wave_bridge.endpoints import Origin, SocketEndpoint
from wave_bridge.instance import BACKLOG, AlreadyRunning, Claim, Denied, Hello, claim, sweep
from wave_bridge.lsp.connection import LspConnection
from wave_bridge.rendezvous import PROTOCOL, NotThere, RendezvousError, find_place, visit
from wave_bridge.stdio import StdioEndpoint, take_standard_streams
from wave_bridge.web.door import DEFAULT as WEB_DEFAULT
from wave_bridge.web.door import Door

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.agent.wanted import CliWanted
    from wave_bridge.core.client_types import Diagnosis
    from wave_bridge.core.outbox import Outbox
    from wave_bridge.endpoints import Connect
    from wave_bridge.rendezvous import Place

LOOK_AGAIN: Final = 1.0  # seconds between two looks whether a turn without clients has ended
PARTING: Final = 1.0  # seconds for the connections to take their last bytes
RETIRE_TIMEOUT: Final = 2.0  # seconds for another build's daemon to hear that it is wanted no more
ENDING_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)
)
log = logging.getLogger(__name__)


class Settings(Struct, frozen=True):
    """What the command line and the environment say; times in seconds."""

    environment: Mapping[str, str]
    version: str
    grace: float = DAEMON_GRACE
    session_grace: float = SESSION_GRACE
    log_level: str = "INFO"

    def log_to(self, name: str) -> Path:
        """Give the log file of a process of this kind."""
        return logs.log_path(self.environment.get("WAVE_BRIDGE_LOG"), name)


def run(settings: Settings) -> int:
    """Be the daemon until the end; 0, also when another one runs already."""
    logs.set_up(settings.log_to("daemon"), settings.log_level)
    place = find_place(settings.environment, settings.version)
    try:
        with claim(place) as mine:
            anyio.run(_Daemon(settings, mine).serve)
    except AlreadyRunning as running:
        log.info("%s", running)
    except Exception:
        log.exception("the daemon failed")
        raise
    return 0


def run_standalone(settings: Settings) -> int:
    """Serve the editor at this process's standard streams, with no daemon; 1 after `exit` without `shutdown`."""
    incoming, outgoing = take_standard_streams()
    logs.set_up(settings.log_to("standalone"), settings.log_level)
    return anyio.run(_standalone, settings, incoming, outgoing)


async def _standalone(settings: Settings, incoming: int, outgoing: int) -> int:
    bridge = _bridge(settings, "standalone")
    bridge.door = Door(bridge, _web_address(settings)).url
    async with anyio.create_task_group() as tasks:
        await tasks.start(bridge.run)
        endpoint = StdioEndpoint(_connector(bridge), Origin(env=dict(settings.environment)), incoming, outgoing)
        tasks.start_soon(_on_signal, endpoint.ended.set)
        _settle_memory()
        await endpoint.ended.wait()
        await endpoint.close()
        await bridge.close()
        tasks.cancel_scope.cancel()
    return 1 if endpoint.exited and not endpoint.asked_to_end else 0


class _Daemon:
    """One run of the daemon."""

    def __init__(self, settings: Settings, mine: Claim) -> None:
        self._settings = settings
        self._claim = mine
        self._bridge = _bridge(settings, mine.place.build)
        self._door = Door(self._bridge, _web_address(settings), self._wait_for_clients)
        self._bridge.door = self._door.url
        self._visitors: set[SocketEndpoint] = set()
        self._nobody = asyncio.Event()  # no visitor is connected; of use once nobody can come
        self._ending = asyncio.Event()
        self._grace = settings.grace
        self._timer: asyncio.TimerHandle | None = None

    async def serve(self) -> None:
        """Listen until the end."""
        loop = asyncio.get_running_loop()
        async with anyio.create_task_group() as tasks:
            await tasks.start(self._bridge.run)
            server = await loop.create_server(self._visitor, sock=self._claim.listener, backlog=BACKLOG)
            tasks.start_soon(_on_signal, self._ending.set)
            tasks.start_soon(anyio.to_thread.run_sync, _retire_others, self._claim.place)
            tasks.start_soon(_end_orphans)
            self._wait_for_clients()
            _settle_memory()
            log.info("daemon of build %s listens at %s", self._claim.place.build, self._claim.place.socket)
            await self._ending.wait()
            server.close()
            await self._close()
            tasks.cancel_scope.cancel()
        log.info("the daemon ends")

    async def _close(self) -> None:
        """Say good-bye: sessions, then the CLI, then the connections, which may still hear of it."""
        await self._bridge.close()
        self._nobody.clear()
        for visitor in list(self._visitors):
            visitor.end()
        with anyio.move_on_after(PARTING):
            if self._visitors:
                await self._nobody.wait()

    # Visitors

    def _visitor(self) -> SocketEndpoint:
        visitor = SocketEndpoint(self._greet, self._gone)
        self._visitors.add(visitor)
        return visitor

    def _greet(self, visitor: SocketEndpoint, line: bytes) -> None:
        """Answer a hello. The answer is a line; a client's frames follow it."""
        try:
            hello, more = self._claim.admit(line, visitor.socket)
        except Denied as fault:
            log.warning("a visitor was refused (%s): %s", fault.kind, fault)
            visitor.answer({"ok": False, "kind": fault.kind, "message": str(fault)})
            return
        answer = {
            "ok": True,
            "protocol": PROTOCOL,
            "build": self._claim.place.build,
            "epoch": self._bridge.epoch,
            "pid": os.getpid(),
            **more,
        }
        log.debug("process %d comes to %s", hello.pid, hello.purpose)
        match hello.purpose:
            case "attach":
                self._attach(visitor, hello, answer)
            case "status":
                visitor.answer({**answer, "status": facts.status(self._bridge), "process": self._process_facts()})
            case "stop":
                visitor.answer(answer)
                self._ending.set()
            case "retire":
                log.info("build %s has come: retire when nobody needs this one", hello.build)
                visitor.answer(answer)
                self._grace = 0.0
                self._wait_for_clients()

    def _process_facts(self) -> dict[str, Any]:
        return {
            "rssBytes": psutil.Process().memory_info().rss,
            "graceSeconds": self._grace,
            "connections": sum(visitor.channel is not None for visitor in self._visitors),
            "socket": self._claim.place.socket,
            "log": str(self._settings.log_to("daemon")),
        }

    def _attach(self, visitor: SocketEndpoint, hello: Hello, answer: dict[str, object]) -> None:
        if self._ending.is_set():
            visitor.end()  # it finds the next daemon by itself
            return
        if self._timer is not None:
            self._timer.cancel()
        visitor.open(_connector(self._bridge), Origin(hello.pid, hello.cwd, hello.env), answer)

    def _gone(self, visitor: SocketEndpoint) -> None:
        self._visitors.discard(visitor)
        if not self._visitors:
            self._nobody.set()
        if visitor.channel is not None:
            self._wait_for_clients()

    # The idle end

    def _wait_for_clients(self) -> None:
        """End when nobody has come within the grace time and nothing runs; look again while something does."""
        if self._timer is not None:
            self._timer.cancel()
        if not any(visitor.channel for visitor in self._visitors):
            wait = self._grace if self._unused else max(self._grace, LOOK_AGAIN)
            self._timer = asyncio.get_running_loop().call_later(wait, self._end_if_unused)

    @property
    def _unused(self) -> bool:
        return self._bridge.idle and not self._door.in_use

    def _end_if_unused(self) -> None:
        if self._unused:
            log.info("no client for %g s and nothing runs", self._grace)
            self._ending.set()
        else:
            self._wait_for_clients()


def _bridge(settings: Settings, build: str) -> Bridge:
    home = Path(settings.environment.get("HOME") or Path.home())
    bridge = Bridge(Supplier(settings.environment), home, build=build, session_grace=settings.session_grace)
    bridge.examine = partial(_examine, settings.environment)
    return bridge


def _examine(environment: Mapping[str, str], wanted: CliWanted) -> Diagnosis:
    from wave_bridge.doctor import examine  # noqa: PLC0415 - hardly ever asked for

    return examine(environment, wanted)


def _web_address(settings: Settings) -> str:
    return settings.environment.get("WAVE_BRIDGE_WEB") or WEB_DEFAULT


def _connector(bridge: Bridge) -> Connect:
    def connect(outbox: Outbox, close: Callable[[], None], origin: Origin) -> LspConnection:
        return LspConnection(bridge, outbox, close, origin.env, origin.pid)

    return connect


def _settle_memory() -> None:
    """Take what lives for ever out of the collector's sight: a full collection would pause every client by 20 ms."""
    gc.collect()
    gc.freeze()


async def _on_signal(end: Callable[[], None]) -> None:
    """End in order when asked to by a signal; where a loop can't take signals, the default stays."""
    with suppress(NotImplementedError), anyio.open_signal_receiver(*ENDING_SIGNALS) as signals:
        async for number in signals:
            log.info("signal %s", number.name)
            end()


async def _end_orphans() -> None:
    """End what a daemon that was killed left behind, once its CLI had the time to end by itself."""
    await anyio.sleep(CLOSE_GRACE)
    ended = await anyio.to_thread.run_sync(partial(end_orphans, of_dead_daemons=True))
    for orphan in ended:
        log.warning("ended %s, process %d, which daemon %s left", orphan.name, orphan.pid, orphan.daemon)


def _retire_others(place: Place) -> None:
    """Let daemons of other builds end when nobody needs them any more, and clear away what dead ones left."""
    for other in place.siblings():
        if other.build == place.build:
            continue
        try:
            visit(other, {"purpose": "retire"}, timeout=RETIRE_TIMEOUT)[0].close()
        except NotThere:
            sweep(other)
        except (RendezvousError, OSError) as fault:
            log.info("the daemon of build %s: %s", other.build, fault)
