"""Turns of one session: from "sent" to "ended", derived from the CLI's events alone.

The CLI answers a message when its turn ends, or when the next queued one has begun, so its answer says little: what was
queued is seen in the queue, what began in the message that appears, what ended in the session becoming idle.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Literal

import msgspec

from wave_bridge.core.limits import REMEMBERED_TURNS

Phase = Literal["sending", "queued", "leaving", "held", "started", "ended"]
Reason = Literal["completed", "cancelled", "agentCrashed", "failed"]


class Turn(msgspec.Struct):
    """One message of a client; `method` and `params` are what the CLI is sent.

    `leaving`: out of the queue and not begun. `held`: out of the queue by the bridge, to be sent again.
    """

    id: str
    method: Literal["sendMessage", "bang"]
    params: dict[str, Any]
    phase: Phase = "sending"
    queue_id: str | None = None
    accepted: Literal["started", "queued"] | None = None


class Began(msgspec.Struct, frozen=True):
    """The turn runs."""

    turn: Turn


class Queued(msgspec.Struct, frozen=True):
    """The turn waits in the CLI's queue as `turn.queue_id`."""

    turn: Turn


class Over(msgspec.Struct, frozen=True):
    """The turn ended."""

    turn: Turn
    reason: Reason
    detail: str = ""


Fact = Began | Queued | Over


class Turns:
    """The open turns, oldest first, and the ids of the latest ended ones. Methods give what became true."""

    def __init__(self) -> None:
        self._open: list[Turn] = []
        self._known: OrderedDict[str, Turn] = OrderedDict()
        self._queue_ids: set[str] = set()
        self._cancelling = False

    def find(self, turn_id: str) -> Turn | None:
        """Give the turn of this id, ended ones too: the same id twice is one turn."""
        return self._known.get(turn_id)

    def send(self, turn: Turn) -> None:
        """Keep a turn that is being written to the CLI."""
        self._open.append(turn)
        self._known[turn.id] = turn
        while len(self._known) > REMEMBERED_TURNS + len(self._open):
            self._known.popitem(last=False)

    def open(self, *phases: Phase) -> list[Turn]:
        """Give the open turns in one of the phases, oldest first; without phases, all."""
        return [turn for turn in self._open if not phases or turn.phase in phases]

    def queue_changed(self, ids: list[str]) -> list[Fact]:
        """Take the queue's new content."""
        facts: list[Fact] = []
        fresh = [item for item in ids if item not in self._queue_ids]
        for queue_id, turn in zip(fresh, self.open("sending"), strict=False):
            turn.queue_id, turn.phase = queue_id, "queued"
            facts.append(Queued(turn))
        for turn in self.open("queued"):
            if turn.queue_id not in ids:
                turn.phase = "leaving"
        self._queue_ids = set(ids)
        return facts

    def message_began(self) -> list[Fact]:
        """Take the appearance of a user's message or command: what ran before is over, the next one runs."""
        waiting = self.open("leaving") or self.open("sending")
        if not waiting:
            return []
        over = self._end(self.open("started"), self._why())
        turn = waiting[0]
        turn.phase = "started"
        return [*over, Began(turn)]

    def answered(self, turn: Turn) -> list[Fact]:
        """Take the CLI's answer to the turn: a turn that nothing was seen of has begun and ended unseen."""
        if turn.phase == "sending":
            turn.phase = "started"
            return [Began(turn)]
        return []

    def failed(self, turn: Turn, detail: str) -> list[Fact]:
        """Take the CLI's refusal of the turn."""
        return self._end([turn], "failed", detail) if turn.phase != "ended" else []

    def cancelling(self) -> None:
        """Remember that the user stopped the session: what ends next was cancelled."""
        self._cancelling = True

    def adopt(self, queued: list[Turn]) -> None:
        """Take in queued messages that are no turn of ours yet, and the queue's order and texts as they are now."""
        mine = {turn.queue_id: turn for turn in self.open("queued")}
        for turn in mine.values():
            self._open.remove(turn)
        for turn in queued:
            known = mine.get(turn.queue_id)
            if known is not None:
                known.params = turn.params
            self._open.append(known or turn)

    def force(self, queue_id: str) -> Turn | None:
        """Prepare to send one queued turn at once: it leaves the queue, the others are held. None: no such item."""
        forced = next((turn for turn in self.open("queued") if turn.queue_id == queue_id), None)
        if forced is None:
            return None  # nothing is sent, so the queue stays as it is
        for turn in self.open("queued"):
            turn.phase = "leaving" if turn is forced else "held"
        return forced

    def resend(self, first: Turn | None = None) -> list[Turn]:
        """Give the held turns, `first` and then the oldest first: they are being written to the CLI again."""
        held = sorted(self.open("held"), key=lambda turn: turn is not first)
        for turn in held:
            turn.phase, turn.queue_id = "sending", None
            self._open.remove(turn)  # the order of the open turns is that in which they were sent
            self._open.append(turn)
        return held

    def removed(self, queue_id: str) -> list[Fact]:
        """End the turn that the user took out of the queue."""
        return self._end([turn for turn in self._open if turn.queue_id == queue_id], "cancelled")

    def idle(self) -> list[Fact]:
        """Take the session's becoming idle: what ran is over, what left the queue without beginning was dropped."""
        over = self._end(self.open("started"), self._why())
        return over + self._end(self.open("leaving"), "cancelled")

    def _why(self) -> Reason:
        """Say why the running turn ended: the user stopped it, or it was through."""
        cancelled, self._cancelling = self._cancelling, False
        return "cancelled" if cancelled else "completed"

    def crashed(self, detail: str) -> list[Fact]:
        """Take the end of the CLI: every turn is over."""
        self._queue_ids.clear()
        self._cancelling = False
        return self._end(list(self._open), "agentCrashed", detail)

    def _end(self, turns: list[Turn], reason: Reason, detail: str = "") -> list[Fact]:
        for turn in turns:
            turn.phase = "ended"
            turn.params = {}  # remembered turns keep their id, not the message
            self._open.remove(turn)
        return [Over(turn, reason, detail) for turn in turns]
