"""A panel that follows one session as docs/PROTOCOL.md tells a client to, and notes each promise that is broken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from lean_editor import Gone, LeanEditor, Panel, Refused
from view import View

DEATHS = {"agentCrashed", "agentUnavailable"}
LATE = {"sessionNotFound", "conflict", "expired", "cancelled"}  # somebody else was first, or the session went


class Abandoned(Exception):
    """What was waited for can't come any more: the session, its daemon or the window has gone."""


class Follower:
    """One panel and its view. `on_approval` hears of each tool that waits for an answer."""

    def __init__(self, name: str, folder: str, on_approval: Callable[[str], None]) -> None:
        self.name = name
        self.folder = folder
        self.view = View()
        self.session_id = ""
        self.lost = True  # the session is to be opened, again
        self.compared = 0
        self.state: dict[str, Any] = {}  # as the last snapshot had it
        self.approvals: dict[str, None] = {}
        self.panel: Panel | None = None
        self._on_approval = on_approval
        self._turns: dict[str, asyncio.Future[str]] = {}
        self._fetching: asyncio.Task[None] | None = None

    # The panel's life

    async def open(self, editor: LeanEditor) -> None:
        """Open the panel, or open it again: its page was loaded anew, or its window."""
        self.left()
        self.panel = None  # the old page says nothing any more
        panel = await editor.open_panel(self.name, self.folder)
        panel.told, panel.strays = self._told, self.view.faults
        self.panel = panel

    def left(self) -> None:
        """Forget all but the session's name: the window has gone, or the daemon."""
        self.lost = True
        self.view.stale = True
        self.approvals.clear()
        turns, self._turns = self._turns, {}
        for over in turns.values():
            over.cancel()

    async def ask(self, method: str, on_result: Callable[[Any], None] | None = None, **params: Any) -> Any:
        """Ask something of the session."""
        if self.panel is None:
            raise Gone(self.name)
        return await self.panel.ask(method, on_result, sessionId=self.session_id, **params)

    # Sessions

    async def new(self) -> None:
        """Begin a session."""
        self.left()
        options = {"workdir": self.folder, "permissionMode": "default"}
        if self.panel is None:
            raise Gone(self.name)
        await self.panel.ask("wave/session/new", self._opened, **options)

    async def load(self, session_id: str) -> None:
        """Show a session, live or stored."""
        self.left()
        self.session_id = session_id
        await self.ask("wave/session/load", self._loaded, workdir=self.folder)

    async def reopen(self) -> None:
        """Show the session of before, or a new one when it is no more."""
        if not self.session_id:
            await self.new()
            return
        try:
            await self.load(self.session_id)
        except Refused as refused:
            if refused.kind != "sessionNotFound":
                raise
            await self.new()

    async def compare(self) -> None:
        """Fetch the CLI's own list and compare it with what is shown."""
        await self.ask("wave/session/snapshot", self._compared)

    def _opened(self, opened: dict[str, Any]) -> None:
        self.session_id = opened["sessionId"]
        self._loaded({**opened, "messages": []})

    def _loaded(self, snapshot: dict[str, Any]) -> None:
        self.state = snapshot["state"]
        self.view.replace(snapshot)
        self.lost = False
        for approval in snapshot["approvals"]:
            self._wanted(approval["requestId"])

    def _compared(self, snapshot: dict[str, Any]) -> None:
        if snapshot["sessionId"] == self.session_id:
            self.state = snapshot["state"]
            self.compared += self.view.compare(snapshot)
            self.view.replace(snapshot)

    def _fetched(self, snapshot: dict[str, Any]) -> None:
        if snapshot["sessionId"] == self.session_id:  # else of one that was left meanwhile
            self.view.replace(snapshot)

    # What comes

    def _told(self, method: str, params: dict[str, Any]) -> None:
        if method == "wave/daemon/reattached":
            self.left()
        elif params.get("sessionId", self.session_id) != self.session_id:
            return  # of a session that was left a moment ago
        elif method == "wave/session/event":
            self._event(params)
        elif method == "wave/session/state":
            self._state(params)
        elif method == "wave/permission/requested":
            self._wanted(params["requestId"])
        elif method == "wave/permission/resolved":
            self.approvals.pop(params["requestId"], None)

    def _event(self, params: dict[str, Any]) -> None:
        event = params["event"]
        if event.get("sessionId") != self.session_id or self.lost:
            return
        self.view.trace.append((params["seq"], str(event)[:300]))
        self.view.number(params["seq"], params.get("fromSeq"))
        self.view.event(event["method"], event["params"])
        if event["method"] == "sessionIdChange":
            self.session_id = event["params"]["sessionId"]

    def _state(self, params: dict[str, Any]) -> None:
        if (ended := params.get("turnEnded")) is not None:
            self._ended(ended["clientTurnId"], ended["reason"])
        if params.get("reason") == "lost":
            self.left()
        elif params.get("resync"):
            self.view.stale = True
            if self._fetching is None or self._fetching.done():
                self._fetching = asyncio.create_task(self._fetch())

    async def _fetch(self) -> None:
        """Fetch what was missed; if the CLI dies over it, the notice that it is back begins this anew."""
        try:
            while self.view.stale and not self.lost:
                await self.ask("wave/session/snapshot", self._fetched)
        except Gone:
            pass
        except Refused as refused:
            if refused.kind not in DEATHS | LATE:
                self.view.faults.append(f"a snapshot was refused: {refused}")

    def _wanted(self, request_id: str) -> None:
        if request_id not in self.approvals:
            self.approvals[request_id] = None
            self._on_approval(request_id)

    # Turns

    def expect(self, turn: str) -> asyncio.Future[str]:
        """Give the reason, to come, for which a turn ends; cancelled when nobody will say so any more."""
        over = self._turns[turn] = asyncio.get_running_loop().create_future()
        return over

    def _ended(self, turn: str, reason: str) -> None:
        over = self._turns.pop(turn, None)
        if over is not None and not over.done():
            over.set_result(reason)

    def settled(self) -> bool:
        """Say whether nothing is under way on this side."""
        return not (self.lost or self.view.stale or self._turns or self.approvals)

    def doing(self) -> str:
        """Say what is under way."""
        return (
            f"session {self.session_id}, lost {self.lost}, stale {self.view.stale}, turns {list(self._turns)}, "
            f"approvals {list(self.approvals)}, last state {self.state}"
        )
