"""The daemon's state: which clients there are, which CLI serves whom, which sessions live and who watches them.

Knows no transport and no LSP. Everything that a client may do comes in through handlers.HANDLERS or `forward`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import msgspec
import platformdirs
from msgspec import UNSET

from wave_bridge.bridge import asking, serving
from wave_bridge.bridge.clients import Client
from wave_bridge.bridge.desk import ApprovalDesk
from wave_bridge.bridge.handlers import HANDLERS
from wave_bridge.bridge.library import Library
from wave_bridge.bridge.slot import Slot, SlotListener
from wave_bridge.core import limits
from wave_bridge.core.agent_api import REQUESTS
from wave_bridge.core.answer import Answer
from wave_bridge.errors import AgentUnavailable, BridgeError, InvalidParams, SessionNotFound

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from anyio.abc import TaskGroup

    from wave_bridge.agent.supply import Supplier, Supply
    from wave_bridge.agent.wanted import CliWanted
    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.bridge.serving import Served
    from wave_bridge.core.agent_api import Wire
    from wave_bridge.core.client_api import Method
    from wave_bridge.core.client_types import Diagnosis, PanelOpen, PanelUrl

log = logging.getLogger(__name__)

SlotKey = tuple[object, ...]


class Bridge:
    """One per daemon. `supplier` finds the CLIs that serve the clients; `home` is the user's, with `.wave` in it.

    `state` is the folder for what is our own and outlives the daemon.
    """

    def __init__(
        self,
        supplier: Supplier,
        home: Path,
        *,
        state: Path | None = None,
        build: str = "",
        session_grace: float = limits.SESSION_GRACE,
    ) -> None:
        self.supplier = supplier
        self.home = home
        self.state = state or Path(platformdirs.user_state_dir("wave-bridge", appauthor=False))
        self.session_grace = session_grace
        self._slot_numbers = count(1)
        self.build = build
        self.epoch = secrets.token_hex(4)
        self.started = time.time()
        self.desk = ApprovalDesk()
        self.editors: dict[Client, None] = {}  # and panels that have a connection of their own
        self.slots: dict[SlotKey, Slot] = {}
        self.served: dict[Client, Served] = {}  # by editor
        self.noticed: dict[Client, str] = {}  # the notice that an editor shows
        self.opening: dict[str, Answer[LiveSession]] = {}  # stored sessions that are being restored
        self.closing: dict[str, Answer[None]] = {}  # sessions that are being ended
        self.signing_in: Client | None = None  # who asked last
        self.library = Library(home / ".wave", self.state)
        self.handlers = HANDLERS
        self.door: Callable[[Client, PanelUrl], Awaitable[str]] | None = None  # gives the address of a browser's panel
        self.examine: Callable[[CliWanted], Diagnosis] | None = None  # looks at the machine; blocks
        self._tasks: TaskGroup | None = None
        self._closed = anyio.Event()

    # Life

    async def run(self, *, task_status: anyio.abc.TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Serve until `close`."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            task_status.started()
            await self._closed.wait()
            self._tasks = None
            tasks.cancel_scope.cancel()

    async def close(self) -> None:
        """Destroy the sessions, then end the CLI (T6.7); shielded, and bounded by the CLI's own limits."""
        with anyio.CancelScope(shield=True):
            async with anyio.create_task_group() as closing:
                for slot in self.slots.values():
                    closing.start_soon(self._close_slot, slot)
            self._closed.set()

    @property
    def idle(self) -> bool:
        """Whether nothing runs that would be lost; a turn that waits for an approval does not run."""
        lives = [live for slot in self.slots.values() for live in slot.live()]
        return not any(live.session.busy and not self.desk.pending(live) for live in lives)

    def spawn(self, work: Callable[[], Awaitable[None]], answer: Answer[Any]) -> None:
        """Run `work` in the bridge's task group; what it raises becomes the answer."""

        async def answering() -> None:
            try:
                await work()
            except BridgeError as fault:
                answer.set(fault)
            except Exception as fault:
                log.exception("a request failed")
                answer.set(BridgeError(f"internal error: {type(fault).__name__}"))

        if self._tasks is None:
            answer.set(AgentUnavailable("The daemon is shutting down."))
        else:
            self._tasks.start_soon(answering)

    # Clients

    def connect(self, client: Client) -> Client:
        """Take in an editor, or a panel with a connection of its own."""
        self.editors[client] = None
        return client

    def greet(self, client: Client) -> None:
        """Start the client's CLI, once it was told who we are, and say how the CLI is."""
        serving.greet(self, client)

    def restart_asked(self, editor: Client) -> None:
        """Start the CLI anew because an editor's notice was answered so."""
        serving.restart_asked(self, editor)

    def disconnect(self, client: Client) -> None:
        """Let go of an editor and its panels. The sessions live on for their grace time, the CLI too (T6.6)."""
        for panel in list(client.panels.values()):
            self._let_go(panel)
        self._let_go(client)
        self.editors.pop(client, None)
        serving.let_go(self, client)

    def open_panel(self, editor: Client, params: PanelOpen) -> Client:
        """Take in a panel of an editor; the same id again replaces the old one (a reloaded page)."""
        self.close_panel(editor, params.panel_id)
        panel = Client(editor.outbox, editor.info, editor=editor, opened=params)
        editor.panels[params.panel_id] = panel
        return panel

    def close_panel(self, editor: Client, panel_id: str) -> None:
        """Let go of a panel."""
        panel = editor.panels.pop(panel_id, None)
        if panel is not None:
            self._let_go(panel)

    def _let_go(self, client: Client) -> None:
        client.alive = False
        client.gone()
        for session_id in list(client.streams):
            live = self.find(session_id)
            if live is not None:
                self.unwatch(live, client)

    # Slots and sessions

    def slot_for(self, client: Client) -> Slot:
        """Give the CLI that serves the client; it is started when there is none yet. Raises AgentUnavailable."""
        return serving.slot_for(self, client)

    def start_slot(self, supply: Supply) -> Slot:
        """Start a CLI. Raises AgentUnavailable."""
        if self._tasks is None:
            raise AgentUnavailable("The daemon is shutting down.")
        listener = SlotListener(
            on_status=partial(serving.status_changed, self),
            on_global=partial(serving.global_event, self),
            on_stderr=partial(serving.said, self),
            on_idle=self.expire_later,
            on_ended=partial(serving.ended, self),
        )
        name = f"{self.epoch}.{next(self._slot_numbers)}"
        slot = self.slots[supply.key] = Slot(name, supply, self.desk, listener)
        self._tasks.start_soon(slot.supervisor.run)
        return slot

    def find(self, session_id: str) -> LiveSession | None:
        """Give the live session of this id, whichever CLI it lives in."""
        found = (slot.find(session_id) for slot in self.slots.values())
        return next((live for live in found if live is not None), None)

    def live(self, session_id: str) -> LiveSession:
        """Give the live session of this id. Raises SessionNotFound."""
        live = self.find(session_id)
        if live is None:
            raise SessionNotFound(f"Session {session_id} is not open.", sessionId=session_id)
        return live

    def unwatch(self, live: LiveSession, client: Client) -> bool:
        """Stop a client's events; a session that nobody watches ends after its grace time."""
        was = live.unwatch(client)
        self.expire_later(live)
        return was

    def expire_later(self, live: LiveSession) -> None:
        """See to it that an idle session that nobody watches ends."""
        if not live.watchers:
            asyncio.get_running_loop().call_later(self.session_grace, self._expire, live)

    def replaced(self, live: LiveSession) -> None:
        """Tell the watchers that the message list they show is not the session's any more (T8.1)."""
        live.tell(resync=True, reason="messagesReplaced")

    def folder_of(self, client: Client, named: object = UNSET) -> str:
        """Give the folder that a request is about: the one that it names, else the panel's, else the editor's."""
        opened = client.opened.workdir if client.opened is not None else UNSET
        candidates = [named, opened, *client.place.folders]
        return next((folder for folder in candidates if isinstance(folder, str)), str(Path.home()))

    def _expire(self, live: LiveSession) -> None:
        running = any(task.get("status") == "running" for task in live.session.background_tasks)
        if self.find(live.id) is live and not (live.watchers or live.session.busy or running):
            self.destroy(live)

    def destroy(self, live: LiveSession) -> Answer[None]:
        """End a session in the CLI; its approvals are denied first (wire facts: a pending one holds the turn).

        From now on it is not found. Whoever wants it waits for its end, and gets it from the disk.
        """
        if live.closing is not None:
            return live.closing
        answer = live.closing = self.closing[live.id] = Answer()
        answer.on_done(partial(self._closed_as, live.id))
        self.desk.deny_all(live)

        def destroyed(_: bytes | BridgeError) -> None:
            live.slot.close_session(live)
            serving.retire_later(self, live.slot)
            answer.set(None)

        asking.tell(live, "destroy", {}, destroyed)
        return answer

    def _closed_as(self, session_id: str, _: object) -> None:
        del self.closing[session_id]

    async def _close_slot(self, slot: Slot) -> None:
        done = anyio.Event()
        waiting = {live.id for live in slot.live()}

        def destroyed(session_id: str, _: object) -> None:
            waiting.discard(session_id)
            if not waiting:
                done.set()

        with anyio.move_on_after(limits.CLOSE_GRACE):
            for live in slot.live():
                self.destroy(live).on_done(partial(destroyed, live.id))
            if waiting:
                await done.wait()
        await slot.supervisor.close()

    # Requests that only pass on

    def forward(self, client: Client, row: Method, params: Wire) -> Answer[msgspec.Raw]:
        """Pass a row's parameters to the CLI; `sessionId` goes to the envelope. Raises BridgeError."""
        assert row.forward is not None  # noqa: S101 - the dispatcher looked at the row
        values: dict[str, Any] = msgspec.to_builtins(params)
        session_id = values.pop("sessionId", None)
        if session_id is not None:
            return asking.ask(self.live(session_id), row.forward, values)
        if REQUESTS[row.forward].session == "required":
            raise InvalidParams("sessionId is missing")
        slot = self.slot_for(client)
        if row.forward == "login":
            self.signing_in = client
        return asking.ask_any(slot, row.forward, values)
