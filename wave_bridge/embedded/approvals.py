"""Open permission requests of the whole process: a notification out, a notification back, matched by request id."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from wave_bridge.embedded.thread import Emit

Decision = dict[str, Any]


class _Open(NamedTuple):
    owner: object
    session_id: str
    context: dict[str, Any]
    decision: asyncio.Future[Decision]


class Approvals:
    """Who waits for a decision. Requests do not expire; one counter serves all sessions."""

    def __init__(self) -> None:
        self._count = 0
        self._open: dict[str, _Open] = {}

    async def ask(self, owner: object, session_id: str, emit: Emit, context: dict[str, Any]) -> Decision:
        """Announce a request of `owner` and wait for its decision, however long."""
        self._count += 1
        request_id = f"perm_{self._count}"
        decision: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self._open[request_id] = _Open(owner, session_id, context, decision)
        emit("permissionRequest", {"requestId": request_id, "context": context})
        try:
            return await decision
        finally:
            self._open.pop(request_id, None)

    def decide(self, request_id: str, decision: Decision) -> None:
        """Take an answer; one for an unknown or answered request is ignored."""
        request = self._open.pop(request_id, None)
        if request and not request.decision.done():
            request.decision.set_result(decision)

    def give_up(self, owner: object) -> None:
        """Let those who wait on behalf of `owner` be cancelled: it is being destroyed."""
        for request in tuple(self._open.values()):
            if request.owner is owner:
                request.decision.cancel()

    def listed(self) -> list[dict[str, Any]]:
        """Give the open requests, oldest first; `sessionId` is the id at the time of the request."""
        return [
            {"requestId": request_id, "sessionId": request.session_id, "context": request.context}
            for request_id, request in self._open.items()
        ]
