"""Pending approvals of one CLI process: the first answer wins, a late one is harmless.

The CLI's requests never expire, and one that stays open when its turn is stopped blocks the old turn for ever: so
whoever stops a turn withdraws them here and denies them there.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, Literal

from wave_bridge.core.client_types import Approval
from wave_bridge.core.limits import REMEMBERED_APPROVALS

Ended = Literal["answered", "withdrawn"]
Outcome = Literal["resolved", "alreadyResolved", "expired", "unknown"]


class Permissions:
    """What waits for an answer, oldest first, and how the latest ones ended."""

    def __init__(self) -> None:
        self._pending: dict[str, Approval] = {}
        self._ended: OrderedDict[str, Ended] = OrderedDict()

    def add(self, request_id: str, session_id: str, context: dict[str, Any]) -> Approval | None:
        """Keep a new request; None when it is known already (a re-attach repeats them)."""
        if request_id in self._pending or request_id in self._ended:
            return None
        approval = Approval(request_id=request_id, session_id=session_id, context=context)
        self._pending[request_id] = approval
        return approval

    def pending(self, session_id: str | None = None) -> list[Approval]:
        """Give what waits, of one session or of all, oldest first."""
        return [item for item in self._pending.values() if session_id in {None, item.session_id}]

    def answer(self, request_id: str) -> tuple[Outcome, Approval | None]:
        """Take an answer; the approval comes with `resolved` only: then, and only then, the CLI must be told."""
        approval = self._pending.pop(request_id, None)
        if approval is not None:
            self._remember(request_id, "answered")
            return "resolved", approval
        match self._ended.get(request_id):
            case "answered":
                return "alreadyResolved", None
            case "withdrawn":
                return "expired", None
            case None:
                return "unknown", None

    def withdraw(self, session_id: str | None = None) -> list[Approval]:
        """End the approvals of a session, or all, without an answer; give them so that the CLI can be told."""
        gone = self.pending(session_id)
        for approval in gone:
            del self._pending[approval.request_id]
            self._remember(approval.request_id, "withdrawn")
        return gone

    def rekey(self, old: str, new: str) -> None:
        """Follow a renamed session."""
        for key, item in self._pending.items():
            if item.session_id == old:
                self._pending[key] = Approval(request_id=key, session_id=new, context=item.context)

    def _remember(self, request_id: str, how: Ended) -> None:
        self._ended[request_id] = how
        while len(self._ended) > REMEMBERED_APPROVALS:
            self._ended.popitem(last=False)
