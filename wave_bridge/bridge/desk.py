"""Approvals of all sessions: who is told, who is denied, and which process hears the answer.

The CLI counts its requests from one in every process; a client's late answer must not hit the next one's. So towards
clients a request is named by its epoch too.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Literal

from wave_bridge.core.agent_api import Decision, PermissionRequest
from wave_bridge.core.client_types import Approval, ApprovalEnded, Responded
from wave_bridge.core.permissions import Permissions
from wave_bridge.errors import AgentUnavailable

if TYPE_CHECKING:
    from wave_bridge.bridge.live import LiveSession

WITHDRAWN = Decision(behavior="deny", message="The turn was stopped before this was answered.")


class ApprovalDesk:
    """Pending approvals and the sessions that they belong to."""

    def __init__(self) -> None:
        self._permissions = Permissions()
        self._owners: dict[str, LiveSession] = {}

    def __len__(self) -> int:
        """Give how many wait, in all sessions."""
        return len(self._owners)

    def requested(self, live: LiveSession, request: PermissionRequest) -> None:
        """Take the CLI's request and show it to the session's watchers."""
        request_id = f"{live.slot.epoch}/{request.request_id}"
        approval = self._permissions.add(request_id, live.id, request.context)
        if approval is not None:
            self._owners[request_id] = live
            live.notify("wave/permission/requested", approval)

    def pending(self, live: LiveSession) -> list[Approval]:
        """Give what waits in a session, oldest first."""
        return self._permissions.pending(live.id)

    def respond(self, request_id: str, decision: Decision) -> Responded:
        """Take a client's answer; the first one goes to the CLI, later ones learn that they are late."""
        outcome, approval = self._permissions.answer(request_id)
        if approval is not None:
            live = self._owners.pop(request_id)
            _answer(live, request_id, decision)
            _tell(live, request_id, "allowed" if decision.behavior == "allow" else "denied")
        return Responded(outcome=outcome)

    def deny_all(self, live: LiveSession) -> None:
        """Deny whatever waits in a session: its turn is about to be stopped."""
        for request_id in self.withdraw(live):
            _answer(live, request_id, WITHDRAWN)

    def withdraw(self, live: LiveSession) -> list[str]:
        """End whatever waits in a session without telling the CLI; give the ids."""
        gone = [approval.request_id for approval in self._permissions.withdraw(live.id)]
        for request_id in gone:
            del self._owners[request_id]
            _tell(live, request_id, "withdrawn")
        return gone

    def rekey(self, old: str, new: str) -> None:
        """Follow a renamed session."""
        self._permissions.rekey(old, new)


def _tell(live: LiveSession, request_id: str, outcome: Literal["allowed", "denied", "withdrawn"]) -> None:
    ended = ApprovalEnded(request_id=request_id, session_id=live.id, outcome=outcome)
    live.notify("wave/permission/resolved", ended)


def _answer(live: LiveSession, request_id: str, decision: Decision) -> None:
    """Tell the CLI; a process that ended meanwhile needs no answer."""
    params = {"requestId": request_id.rpartition("/")[2], "decision": decision}
    with contextlib.suppress(AgentUnavailable):
        live.slot.supervisor.notify("permissionResponse", params, live.id)
