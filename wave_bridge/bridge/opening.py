"""Sessions come to a client: new, loaded, resumed, subscribed to, cleared.

A snapshot is taken when the CLI's reply is read, not later: by the pipe's order it holds every event that came before
it, and the client's stream counts from there. So a joining panel loses nothing and sees nothing twice (T10.5).
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.bridge import asking
from wave_bridge.bridge.clients import Arrival
from wave_bridge.core import client_types as api
from wave_bridge.core.answer import Answer
from wave_bridge.core.limits import CLEAR_TIMEOUT
from wave_bridge.errors import BridgeError, Conflict, InvalidParams, WorkdirMissing

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.core.outbox import Stream


class Messages(msgspec.Struct):
    """The CLI's answer to `getMessages`."""

    messages: msgspec.Raw = msgspec.Raw(b"[]")


def new(bridge: Bridge, client: Client, params: api.SessionNew) -> Answer[Any]:
    """Start a session and attach the client."""
    workdir = folder(params.workdir)
    slot = bridge.slot_for(client)
    answer = Arrival()

    def attach(live: LiveSession) -> None:
        answer.set(live.opened(_watch(bridge, live, client, answer), bridge.desk.pending(live)))

    async def work() -> None:
        await slot.open(msgspec.to_builtins(params), workdir, attach)

    bridge.spawn(work, answer)
    return answer


def load(bridge: Bridge, client: Client, params: api.SessionOpen) -> Answer[Any]:
    """Attach the client and give it everything."""

    def attach(live: LiveSession, answer: Arrival) -> None:
        _send_snapshot(bridge, live, client, answer, answer)

    return _when_live(bridge, client, params, attach)


def resume(bridge: Bridge, client: Client, params: api.SessionOpen) -> Answer[Any]:
    """Attach the client."""

    def attach(live: LiveSession, answer: Arrival) -> None:
        answer.set(live.opened(_watch(bridge, live, client, answer), bridge.desk.pending(live)))

    return _when_live(bridge, client, params, attach)


def snapshot(bridge: Bridge, client: Client, params: api.OfSession) -> Answer[Any]:
    """Give everything of a session that is live; the client's copy counts from there."""
    live = bridge.live(params.session_id)
    answer = client.arrive(params.session_id)
    _send_snapshot(bridge, live, client, answer, answer)
    return answer


def subscribe(bridge: Bridge, client: Client, params: api.Subscribe) -> Answer[Any]:
    """Attach the client, with a snapshot unless its copy is current."""
    live = bridge.find(params.session_id)
    stream = live.watchers.get(client) if live else None
    if live and stream and _current(live, stream, params):
        now: Answer[Any] = Answer()
        now.set(api.Subscribed(session_id=live.id, epoch=live.slot.epoch, seq=stream.seq))
        return now

    def with_snapshot(live: LiveSession, answer: Arrival) -> None:
        whole: Answer[Any] = Answer()
        whole.on_done(lambda outcome: answer.set(_subscribed(outcome)))
        _send_snapshot(bridge, live, client, answer, whole)

    return _when_live(bridge, client, api.SessionOpen(session_id=params.session_id), with_snapshot)


def clear(bridge: Bridge, client: Client, params: api.OfSession) -> Answer[Any]:
    """Begin anew under a new id. The CLI may answer before it renames the session: the new id is waited for."""
    live = bridge.live(params.session_id)
    answer = client.arrive(params.session_id)
    live.in_order(lambda: _clear(bridge, live, client, answer))
    return answer


def folder(path: str) -> str:
    """Check a working directory. Raises InvalidParams unless it is absolute, WorkdirMissing unless it exists."""
    if not Path(path).is_absolute():
        raise InvalidParams(f"workdir must be an absolute path, not {path!r}")
    if not Path(path).is_dir():
        raise WorkdirMissing(f"The folder {path} does not exist.", workdir=path)
    return path


def _clear(bridge: Bridge, live: LiveSession, client: Client, answer: Arrival) -> None:
    if live.working:
        answer.set(Conflict("A turn is running; stop it before clearing the conversation."))
        return
    bridge.desk.deny_all(live)

    def cleared() -> None:
        live.session.cleared()
        answer.set(live.opened(_watch(bridge, live, client, answer), []))
        bridge.replaced(live)

    late = asyncio.get_running_loop().call_later(CLEAR_TIMEOUT, answer.set, Conflict("The session was not cleared."))
    answer.on_done(lambda _: late.cancel())
    live.on_rename(cleared)
    replied = asking.ask(live, "clearMessages", {})
    replied.on_done(lambda outcome: answer.set(outcome) if isinstance(outcome, BridgeError) else None)


def _when_live(
    bridge: Bridge,
    client: Client,
    params: api.SessionOpen,
    then: Callable[[LiveSession, Arrival], None],
) -> Answer[Any]:
    """Do `then` with the session, which is restored first when it is not live; two who ask share one restore."""
    answer = client.arrive(params.session_id)
    live = bridge.find(params.session_id)
    if live is not None:
        then(live, answer)
        return answer
    closing = bridge.closing.get(params.session_id)
    if closing is not None:
        closing.on_done(lambda _: _when_live(bridge, client, params, then).on_done(answer.set))
        return answer
    restored = bridge.opening.get(params.session_id) or _restore(bridge, client, params)

    def opened(outcome: LiveSession | BridgeError) -> None:
        if isinstance(outcome, BridgeError):
            answer.set(outcome)
        else:
            then(outcome, answer)

    restored.on_done(opened)
    return answer


def _restore(bridge: Bridge, client: Client, params: api.SessionOpen) -> Answer[LiveSession]:
    session_id, slot = params.session_id, bridge.slot_for(client)
    answer = bridge.opening[session_id] = Answer()
    answer.on_done(lambda _: bridge.opening.__delitem__(session_id))
    folder = bridge.folder_of(client, params.workdir)

    async def work() -> None:
        place = await bridge.library.place(session_id, folder)

        def opened(live: LiveSession) -> None:
            live.session.title = place.title
            answer.set(live)

        await slot.open({"workdir": place.workdir, "restoreSessionId": session_id}, place.workdir, opened)

    bridge.spawn(work, answer)
    return answer


def _send_snapshot(bridge: Bridge, live: LiveSession, client: Client, arrival: Arrival, answer: Answer[Any]) -> None:
    def replied(outcome: bytes | BridgeError) -> None:
        if isinstance(outcome, BridgeError):
            answer.set(outcome)
            return
        messages = msgspec.json.decode(outcome, type=Messages).messages
        answer.set(live.snapshot(_watch(bridge, live, client, arrival), messages, bridge.desk.pending(live)))

    asking.tell(live, "getMessages", {}, replied)


def _watch(bridge: Bridge, live: LiveSession, client: Client, arrival: Arrival) -> Stream:
    """Attach the client; one that has gone or left the session meanwhile gets a stream that leads nowhere."""
    if client.alive and not arrival.left:
        return live.watch(client)
    bridge.expire_later(live)
    return client.new_stream(live.id)


def _current(live: LiveSession, stream: Stream, params: api.Subscribe) -> bool:
    after = params.after
    return (
        isinstance(after, api.Epoch) and not stream.lost and (after.epoch, after.seq) == (live.slot.epoch, stream.seq)
    )


def _subscribed(outcome: api.Snapshot | BridgeError) -> api.Subscribed | BridgeError:
    if isinstance(outcome, BridgeError):
        return outcome
    return api.Subscribed(session_id=outcome.session_id, epoch=outcome.epoch, seq=outcome.seq, snapshot=outcome)
