"""Messages go to the CLI: turns, stopping, and the queue, which the CLI owns."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.agent.supervisor import PROBE
from wave_bridge.bridge import asking, mentions
from wave_bridge.bridge.making import adopt_queue, from_draft
from wave_bridge.core import client_types as api
from wave_bridge.core.answer import Answer
from wave_bridge.core.limits import SETTLE
from wave_bridge.errors import BridgeError, Expired, InvalidParams

if TYPE_CHECKING:
    import msgspec

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.core.turns import Turn

_ROUNDS: Final = 2


def start(bridge: Bridge, client: Client, params: api.TurnStart) -> Answer[Any] | api.TurnAccepted:
    """Send a message or a command; answered when it is seen to run or to be queued."""
    live = bridge.live(params.session_id)
    known = live.session.turns.find(params.client_turn_id)
    if known is not None:
        return _again(live, known)
    if params.client_turn_id in live.accepting:
        return live.accepting[params.client_turn_id]
    _check(params)
    answer: Answer[Any] = Answer()
    live.accepting[params.client_turn_id] = answer
    live.in_order(lambda: mentions.send(bridge, live, client, params))
    return answer


def cancel(bridge: Bridge, _: Client, params: api.OfSession) -> Answer[Any]:
    """Stop the turn or the command. Open approvals are denied first: left open, they would hold it for ever."""
    live = bridge.live(params.session_id)
    bridge.desk.deny_all(live)
    live.session.turns.cancelling()
    answer: Answer[Any] = Answer()

    def stopped(outcome: msgspec.Raw | BridgeError) -> None:
        answer.set(outcome if isinstance(outcome, BridgeError) else api.Done(ok=True))

    _stop(live).on_done(stopped)
    return answer


def list_queue(bridge: Bridge, _: Client, params: api.OfSession) -> api.Queue:
    """Give the queue as the CLI last told it."""
    return api.Queue(messages=bridge.live(params.session_id).session.queue)


def remove(bridge: Bridge, _: Client, params: api.QueueItem) -> Answer[Any] | api.Done:
    """Take a message out of the queue, or throw a draft away."""
    live = bridge.live(params.session_id)
    if live.take_draft(params.id) is not None:
        return api.Done(ok=True)
    if _queued(live, params.id) is None:
        return api.Done(ok=False)
    answer: Answer[Any] = Answer()

    def removed(outcome: msgspec.Raw | BridgeError) -> None:
        if not isinstance(outcome, BridgeError):
            live.take(live.session.turns.removed(params.id))
        answer.set(outcome if isinstance(outcome, BridgeError) else api.Done(ok=True))

    asking.ask(live, "deleteQueuedMessageById", {"id": params.id}).on_done(removed)
    return answer


def send_now(bridge: Bridge, _: Client, params: api.QueueItem) -> Answer[Any] | api.Done:
    """Stop what runs and send this one. The CLI would throw the rest of the queue away: it is sent again (T11.4).

    A draft is sent like any message: it interrupts nothing.
    """
    live = bridge.live(params.session_id)
    draft = live.take_draft(params.id)
    if draft is not None:
        live.in_order(lambda: live.slot.start_turn(live, from_draft(draft)))
        return api.Done(ok=True)
    item = _queued(live, params.id)
    if item is None:
        raise Expired(f"Message {params.id} is no longer queued.", id=params.id)
    answer: Answer[Any] = Answer()
    live.in_order(lambda: _force(bridge, live, item, answer))
    return answer


def _check(params: api.TurnStart) -> None:
    """Refuse what would wedge the CLI: it checks nothing (wire facts: a command without text runs for ever)."""
    if not params.client_turn_id:
        raise InvalidParams("clientTurnId is empty")
    bangs = [part for part in params.parts if isinstance(part, api.BangPart)]
    if bangs and len(params.parts) > 1:
        raise InvalidParams("a bang part must be the only part")
    if bangs and not bangs[0].command.strip():
        raise InvalidParams("the command is empty")
    texts = [part.text for part in params.parts if isinstance(part, api.TextPart)]
    others = [part for part in params.parts if not isinstance(part, api.TextPart)]
    if not others and not any(text.strip() for text in texts):
        raise InvalidParams("the message is empty")


def _again(live: LiveSession, turn: Turn) -> Answer[Any] | api.TurnAccepted:
    """Answer a repeated clientTurnId with what became of the first one."""
    waiting = live.accepting.get(turn.id)
    if waiting is not None:
        return waiting
    if turn.phase == "queued":
        return api.TurnAccepted(outcome="queued", queue_id=turn.queue_id or "")
    return api.TurnAccepted(outcome="started")


def _queued(live: LiveSession, queue_id: str) -> dict[str, Any] | None:
    return next((item for item in live.session.queue if item.get("id") == queue_id), None)


def _force(bridge: Bridge, live: LiveSession, item: dict[str, Any], answer: Answer[Any]) -> None:
    bridge.desk.deny_all(live)
    turns = live.session.turns
    adopt_queue(live.session)
    forced = turns.force(item["id"])
    if forced is None:
        answer.set(Expired(f"Message {item['id']} is no longer queued.", id=item["id"]))
        return
    turns.cancelling()
    if forced.method == "bang":
        _force_command(live, forced, answer)
        return
    live.on_begin(lambda: _forced(live, answer))
    params = {**forced.params, "force": True}
    asking.tell(live, "sendMessage", params, lambda outcome: _refused(outcome, answer))


def _force_command(live: LiveSession, command: Turn, answer: Answer[Any]) -> None:
    """Stop what runs and send the command behind its last words: the CLI can force messages only."""
    command.phase = "held"
    _stop(live)

    def send() -> None:
        for turn in live.session.turns.resend(first=command):
            live.slot.send_turn(live, turn)
        answer.set(api.Done(ok=True))

    live.in_order(send)


def _stop(live: LiveSession) -> Answer[msgspec.Raw]:
    """Tell the CLI to stop, and send nothing new until the stopped turn has said its last words.

    The CLI answers before these (wire facts: abort). Two questions, one behind the other, make sure that it has come
    round to them, however long the machine leaves it waiting in between.
    """
    answer = asking.ask(live, "abortMessage", {})
    if live.working:
        live.stops.add(answer)
        answer.on_done(lambda outcome: _come_round(live, answer, _ROUNDS, outcome))
    return answer


def _come_round(live: LiveSession, stop: object, rounds: int, outcome: msgspec.Raw | BridgeError) -> None:
    if isinstance(outcome, BridgeError):
        live.stopped(stop)
    elif rounds:
        again = asking.ask_any(live.slot, PROBE, {})
        again.on_done(lambda outcome: _come_round(live, stop, rounds - 1, outcome))
    else:
        asyncio.get_running_loop().call_later(SETTLE, live.stopped, stop)


def _refused(outcome: bytes | BridgeError, answer: Answer[Any]) -> None:
    if isinstance(outcome, BridgeError):
        answer.set(outcome)


def _forced(live: LiveSession, answer: Answer[Any]) -> None:
    """Send again, in order, what the CLI threw away with the old turn: the forced message runs."""
    answer.set(api.Done(ok=True))
    for turn in live.session.turns.resend():
        live.slot.send_turn(live, turn)
