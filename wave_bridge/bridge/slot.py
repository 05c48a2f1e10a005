"""One CLI process and the sessions that live in it: its events in, its deaths, its next generation.

The hot path is `_on_event`: find the session, hand the line to its watchers, and only for the few events that touch
cached state decode it. Nothing here waits on it.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.agent.fault import SupplyFault
from wave_bridge.agent.supervisor import Supervisor
from wave_bridge.bridge import asking
from wave_bridge.bridge.initializing import id_changed, initialize
from wave_bridge.bridge.live import LiveSession
from wave_bridge.bridge.making import adopt_queue
from wave_bridge.core import limits
from wave_bridge.core.agent_api import EVENTS, PermissionRequest, SessionIdChange
from wave_bridge.core.router import Router, is_global
from wave_bridge.core.session import BEGINNINGS, Session
from wave_bridge.errors import AgentCrashed, BridgeError, Conflict

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.agent.client import AgentClient
    from wave_bridge.agent.ending import Ended
    from wave_bridge.agent.garbage import Sample
    from wave_bridge.agent.process import AgentCommand
    from wave_bridge.agent.supply import Supply
    from wave_bridge.bridge.desk import ApprovalDesk
    from wave_bridge.core.agent_api import Initialized
    from wave_bridge.core.client_types import AgentStatus
    from wave_bridge.core.rpc import Event
    from wave_bridge.core.turns import Turn

log = logging.getLogger(__name__)

STATEFUL = BEGINNINGS | {name for name, spec in EVENTS.items() if spec.params is not None}
# A prompt that a hook refuses vanishes again; a turn stopped before its first token has no message of its own.
ANSWERING = frozenset({"assistantMessageAdded"})
NOTED = STATEFUL | ANSWERING | {"errorBlockAdded"}


@dataclass(frozen=True)
class SlotListener:
    """What a slot tells the bridge."""

    on_status: Callable[[Slot, AgentStatus], None]
    on_global: Callable[[Slot, Event], None]
    on_stderr: Callable[[Slot, str], None]
    on_idle: Callable[[LiveSession], None]
    on_ended: Callable[[Slot, Ended], None]


class Slot:
    """A CLI child, kept alive, and its live sessions. `supplies`: where it comes from, that which works first."""

    def __init__(self, name: str, supply: Supply, desk: ApprovalDesk, listener: SlotListener) -> None:
        self.name = name
        self.supplies = [supply]
        self.sessions: Router[LiveSession] = Router()
        self._desk = desk
        self._listener = listener
        self._survivors: list[LiveSession] = []
        self._settling: set[LiveSession] = set()
        self.supervisor = Supervisor(
            self._prepare,
            on_event=self._on_event,
            on_batch_end=self._on_batch_end,
            on_status=partial(listener.on_status, self),
            on_ended=self._on_ended,
            restore=self._restore,
            on_stderr=partial(listener.on_stderr, self),
            on_garbage=_log_garbage,
        )

    @property
    def epoch(self) -> str:
        """Names this generation of this process; sequence numbers of another one mean nothing here."""
        return f"{self.name}-{self.supervisor.status.generation}"

    def live(self) -> list[LiveSession]:
        """Give the live sessions, those that wait for the next generation too."""
        return [*self.sessions.targets(), *self._survivors]

    def find(self, session_id: str) -> LiveSession | None:
        """Give the live session of this id; one whose end has begun is not found."""
        waiting = (live for live in self._survivors if live.id == session_id)
        live = self.sessions.find(session_id) or next(waiting, None)
        return None if live is None or live.closing is not None else live

    async def _prepare(self, phase: Callable[[str], None], *, fresh: bool) -> AgentCommand:
        """Give the command of the first supply that has one: what one editor lacks, a runtime say, another brings."""
        faults: list[SupplyFault] = []
        for supply in list(self.supplies):
            try:
                command = await supply.prepare(phase, fresh=fresh)
            except SupplyFault as fault:
                faults.append(fault)
            else:
                self.supplies.sort(key=lambda other: other is not supply)
                return command
        raise faults[0]

    # Opening

    async def open(self, params: dict[str, Any], home: str, then: Callable[[LiveSession], None]) -> None:
        """Start or restore a session; `params` are `initialize`'s. Raises BridgeError.

        `then` is called with it at the answer's place in the CLI's pipe, and what it attaches hears every event of the
        session: those that came before the answer follow at once.
        """
        wanted = params.get("restoreSessionId")

        def opened(answer: Initialized, unnamed: list[Event]) -> None:
            live = self.sessions.find(answer.session_id)
            if live is not None:
                then(live)
                return
            if wanted not in {None, answer.session_id}:
                raise Conflict(f"The CLI opened {answer.session_id} when asked for {wanted}.")
            options = {name: value for name, value in params.items() if name not in {"workdir", "restoreSessionId"}}
            live = LiveSession(Session(answer.session_id, home, options), self)
            live.session.opened(answer)
            live.session.has_messages = wanted is not None
            early = self._register(live, unnamed)
            then(live)
            self._deliver(live, early)

        await initialize(self.sessions, self.supervisor.call, params, opened)

    def close_session(self, live: LiveSession) -> None:
        """Forget a destroyed session (T6.6)."""
        self.sessions.unregister(live.id)
        self._forget(live)

    def _deliver(self, live: LiveSession, events: list[Event]) -> None:
        """Let early events take their way."""
        for event in events:
            live.forward(event)
            self._note(live, event)

    def _register(self, live: LiveSession, unnamed: list[Event]) -> list[Event]:
        return [*unnamed, *self.sessions.register(live.id, live)]

    # Events

    def _on_event(self, event: Event) -> None:
        live = self.sessions.find(event.session_id)
        if live is not None:
            live.forward(event)
            if event.method in NOTED:
                self._note(live, event)
        elif is_global(event):
            self._listener.on_global(self, event)
        else:
            self.sessions.park(event)

    def _note(self, live: LiveSession, event: Event) -> None:
        if event.method in ANSWERING:
            live.answering = True
            return
        try:
            self._apply(live, event)
        except msgspec.ValidationError as fault:
            log.warning("an event of an unknown shape: %s: %s", event.method, fault)

    def _apply(self, live: LiveSession, event: Event) -> None:
        was_busy, was_compacting = live.session.busy, live.session.compacting
        match event.method:
            case "sessionIdChange":
                self._rename(live, msgspec.json.decode(event.params, type=SessionIdChange).session_id)
            case "permissionRequest":
                request = msgspec.json.decode(event.params, type=PermissionRequest)
                self._desk.requested(live, request)
            case "errorBlockAdded":
                if not live.answering:
                    live.tell(resync=True, reason="messagesReplaced")
            case _:
                live.take(live.session.apply(event))
        if event.method in BEGINNINGS:
            live.answering = False
            live.began()
        if was_busy and not live.session.busy:
            self._settling.add(live)
        if was_compacting and not live.session.compacting:
            live.tell(resync=True, reason="messagesReplaced")
            live.release()

    def _rename(self, live: LiveSession, new: str) -> None:
        old = live.id
        if new == old:
            return
        early = self.sessions.rekey(old, new)
        self._desk.rekey(old, new)
        live.renamed(new)
        self._deliver(live, early)

    def _on_batch_end(self) -> None:
        loop = asyncio.get_running_loop()
        for live in self._settling:
            loop.call_later(limits.SETTLE, self._settle, live)
        self._settling.clear()

    def _settle(self, live: LiveSession) -> None:
        if not live.session.busy:
            live.take(live.session.settle())
            self._listener.on_idle(live)

    # Turns

    def start_turn(self, live: LiveSession, turn: Turn) -> None:
        """Begin a turn that is new."""
        live.session.turns.send(turn)
        self.send_turn(live, turn)

    def send_turn(self, live: LiveSession, turn: Turn) -> None:
        """Write a turn to the CLI; what becomes of it shows in the events."""
        asking.tell(live, turn.method, turn.params, partial(self._turn_answered, live, turn))

    def _turn_answered(self, live: LiveSession, turn: Turn, outcome: bytes | BridgeError) -> None:
        if isinstance(outcome, AgentCrashed):
            return  # _on_ended speaks for every open turn
        if isinstance(outcome, BridgeError):
            live.take(live.session.turns.failed(turn, outcome.message))
            return
        live.take(live.session.turns.answered(turn))
        if not live.session.busy:
            asyncio.get_running_loop().call_later(limits.SETTLE, self._settle, live)

    # Death and the next generation

    def _on_ended(self, ended: Ended) -> None:
        """Take the end of a generation: every approval is withdrawn, every open turn ends; the view stays."""
        self._survivors = [*self._survivors, *self.sessions.targets()]
        self.sessions.clear()
        self._settling.clear()
        for live in self._survivors:
            self._desk.withdraw(live)
            live.stops.clear()
            adopt_queue(live.session)
            live.take(live.session.crashed(ended.summary()))
            if live.session.drafts:
                live.tell(drafts=live.session.drafts)
        self._listener.on_ended(self, ended)

    async def _restore(self, client: AgentClient) -> None:
        """Bring the sessions back, one after another, each where it was made (wire facts: restart)."""
        while self._survivors:
            live = self._survivors[0]
            if live.closing is not None:
                self._forget(live)
                continue
            try:
                await self._reopen(live, client)
            except AgentCrashed:
                raise  # this generation ended as well: the rest waits for the next
            except BridgeError as fault:
                log.warning("session %s could not be restored: %s", live.id, fault.message)
                live.tell(reason="lost", resync=True)
                self._forget(live)

    def _forget(self, live: LiveSession) -> None:
        """Let it wait for no generation any more."""
        if live in self._survivors:
            self._survivors.remove(live)

    async def _reopen(self, live: LiveSession, client: AgentClient) -> None:
        params = {**live.session.options, "workdir": live.session.home, "permissionMode": live.session.mode}
        if live.session.has_messages:
            params["restoreSessionId"] = live.id

        def opened(answer: Initialized, unnamed: list[Event]) -> None:
            self._forget(live)
            early = self._register_again(live, answer, unnamed)
            live.session.opened(answer)
            live.tell(epoch=self.epoch, resync=True, reason="restored")
            self._deliver(live, early)
            live.release()

        await initialize(self.sessions, client.call, params, opened)

    def _register_again(self, live: LiveSession, answer: Initialized, unnamed: list[Event]) -> list[Event]:
        """Register a restored session; one that was never written comes back empty, under a new id."""
        if answer.session_id != live.id:
            live.forward(id_changed(live.id, answer.session_id))
            live.renamed(answer.session_id)
        return self._register(live, unnamed)


def _log_garbage(sample: Sample) -> None:
    log.debug("not a message of the CLI: %s", sample)
