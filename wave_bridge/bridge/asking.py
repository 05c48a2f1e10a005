"""Requests about a session to the CLI that it lives in, under whatever id it has by then.

A session may get another id (cleared, restored empty) or end while a request is on its way; the CLI then refuses the
id that it was sent with. The first is asked again under the new id, the second is told as what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.core.answer import Answer
from wave_bridge.errors import AgentError, BridgeError, SessionNotFound

if TYPE_CHECKING:
    from wave_bridge.agent.calls import OnReply
    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.bridge.slot import Slot


def tell(live: LiveSession, method: str, params: dict[str, Any], on_reply: OnReply) -> None:
    """Send a request about the session; `on_reply` hears the answer in the order of the CLI's pipe."""
    asked = live.id

    def replied(outcome: bytes | BridgeError) -> None:
        if not isinstance(outcome, AgentError):
            on_reply(outcome)
        elif live.id != asked:
            tell(live, method, params, on_reply)
        elif live.slot.find(asked) is not live:
            on_reply(SessionNotFound(f"Session {asked} has ended.", sessionId=asked))
        else:
            on_reply(outcome)

    live.slot.supervisor.call(method, params, asked, replied)


def ask(live: LiveSession, method: str, params: dict[str, Any]) -> Answer[msgspec.Raw]:
    """Do as `tell`; the answer is the CLI's own, unread."""
    answer: Answer[msgspec.Raw] = Answer()
    tell(live, method, params, lambda outcome: _settle(answer, outcome))
    return answer


def ask_any(slot: Slot, method: str, params: dict[str, Any]) -> Answer[msgspec.Raw]:
    """Ask something that is about no session."""
    answer: Answer[msgspec.Raw] = Answer()
    slot.supervisor.call(method, params, None, lambda outcome: _settle(answer, outcome))
    return answer


def _settle(answer: Answer[msgspec.Raw], outcome: bytes | BridgeError) -> None:
    answer.set(outcome if isinstance(outcome, BridgeError) else msgspec.Raw(outcome))
