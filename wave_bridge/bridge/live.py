"""One live session: its cached state, who watches it, and what waits for it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from wave_bridge.core.client_types import (
    Approval,
    Draft,
    SessionOpened,
    Snapshot,
    StateParams,
    TurnAccepted,
    TurnEnded,
)
from wave_bridge.core.turns import Began, Fact, Over, Queued
from wave_bridge.errors import AgentCrashed, AgentError, BridgeError, RequestCancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

    from wave_bridge.bridge.clients import Client
    from wave_bridge.bridge.slot import Slot
    from wave_bridge.core.agent_api import Wire
    from wave_bridge.core.answer import Answer
    from wave_bridge.core.outbox import Stream
    from wave_bridge.core.rpc import Event
    from wave_bridge.core.session import Session


class LiveSession:
    """A session in a CLI process, and its clients. Writes no state but by the CLI's events."""

    def __init__(self, session: Session, slot: Slot) -> None:
        self.session = session
        self.slot = slot
        self.watchers: dict[Client, Stream] = {}
        self.accepting: dict[str, Answer[TurnAccepted]] = {}  # by clientTurnId: answers not yet given
        self.closing: Answer[None] | None = None  # set once its end has begun
        self.resolving = False  # a message's mentions are being read: what follows must wait for it
        self.stops: set[object] = set()  # under way: the stopped turn has not said its last words
        self.answering = False  # the turn under way has shown a message of the assistant
        self._waiting: deque[Callable[[], None]] = deque()
        self._on_rename: list[Callable[[], None]] = []
        self._on_begin: list[Callable[[], None]] = []

    @property
    def id(self) -> str:
        """The current session id."""
        return self.session.id

    # Clients

    def watch(self, client: Client) -> Stream:
        """Let the client have the events from now on; again: its stream as it is."""
        stream = self.watchers.get(client)
        if stream is None:
            stream = self.watchers[client] = client.streams[self.id] = client.new_stream(self.id)
        return stream

    def unwatch(self, client: Client) -> bool:
        """Stop the client's events; False when it had none."""
        stream = self.watchers.pop(client, None)
        if stream is None:
            return False
        client.streams.pop(stream.session_id, None)
        client.outbox.forget(stream)
        return True

    def forward(self, event: Event) -> None:
        """Send an event of the CLI to every watcher, as it is (T9.2, T10.6)."""
        for client, stream in self.watchers.items():
            client.outbox.send_event(stream, event)

    def notify(self, method: str, params: Wire) -> None:
        """Tell every watcher a fact of the bridge."""
        for client in self.watchers:
            client.notify(method, params)

    def tell(self, **facts: Any) -> None:
        """Send `wave/session/state` to every watcher."""
        self.notify("wave/session/state", StateParams(session_id=self.id, **facts))

    def take_draft(self, draft_id: str) -> Draft | None:
        """Take a draft out and tell those who show it; None: there is none of that id."""
        draft = self.session.take_draft(draft_id)
        if draft is not None:
            self.tell(drafts=self.session.drafts)
        return draft

    def opened(self, stream: Stream, approvals: list[Approval]) -> SessionOpened:
        """Give what a client that attaches learns."""
        return SessionOpened(
            session_id=self.id,
            epoch=self.slot.epoch,
            seq=stream.seq,
            state=self.session.state(),
            approvals=approvals,
        )

    def snapshot(self, stream: Stream, messages: msgspec.Raw, approvals: list[Approval]) -> Snapshot:
        """Give everything a panel shows, as of the stream's number; its copy is whole from here on."""
        stream.lost = False
        return Snapshot(
            session_id=self.id,
            epoch=self.slot.epoch,
            seq=stream.seq,
            messages=messages,
            state=self.session.state(),
            approvals=approvals,
        )

    def renamed(self, new: str) -> None:
        """Follow the CLI's new id in every place that holds it."""
        old, self.session.id = self.session.id, new
        for client, stream in self.watchers.items():
            client.streams.pop(old, None)
            stream.session_id = new
            client.streams[new] = stream
        _call_all(self._on_rename)

    def on_rename(self, action: Callable[[], None]) -> None:
        """Do `action` once, when the session has its next id."""
        self._on_rename.append(action)

    def began(self) -> None:
        """Do what waited for a message or command to begin."""
        _call_all(self._on_begin)

    def on_begin(self, action: Callable[[], None]) -> None:
        """Do `action` once, when the next message has begun."""
        self._on_begin.append(action)

    # What may not be sent at present

    @property
    def blocked(self) -> bool:
        """Whether sends, clears and restores must wait.

        A compaction runs, a message before them is being made, or a stopped turn would speak in the midst of the next.
        """
        return self.session.compacting or self.resolving or bool(self.stops)

    @property
    def working(self) -> bool:
        """Whether a turn runs or is about to, or has not said its last words."""
        return self.session.busy or bool(self.session.turns.open("sending", "started"))

    def stopped(self, stop: object) -> None:
        """Go on: what was stopped has said its last words, or nobody will hear them."""
        self.stops.discard(stop)
        self.release()

    def in_order(self, action: Callable[[], None]) -> None:
        """Do it now, or behind what waits already."""
        self._waiting.append(action)
        self.release()

    def release(self) -> None:
        """Do what waited, as far as nothing blocks it."""
        while self._waiting and not self.blocked:
            self._waiting.popleft()()

    # Turns

    def take(self, facts: list[Fact]) -> None:
        """Tell the senders and the watchers what became of turns."""
        for fact in facts:
            match fact:
                case Queued(turn):
                    self._accept(turn.id, TurnAccepted(outcome="queued", queue_id=turn.queue_id or ""))
                case Began(turn):
                    self._accept(turn.id, TurnAccepted(outcome="started"))
                    self.tell(busy=True, turn_started=turn.id)
                case Over(turn, reason, detail):
                    self._refuse(turn.id, reason, detail)
                    over = TurnEnded(client_turn_id=turn.id, reason=reason, detail=detail) if detail else None
                    self.tell(
                        busy=self.session.busy,
                        turn_ended=over or TurnEnded(client_turn_id=turn.id, reason=reason),
                    )

    def _accept(self, turn_id: str, accepted: TurnAccepted) -> None:
        answer = self.accepting.pop(turn_id, None)
        if answer is not None:
            answer.set(accepted)

    def _refuse(self, turn_id: str, reason: str, detail: str) -> None:
        """Answer a sender whose turn ended before it was seen to begin."""
        answer = self.accepting.pop(turn_id, None)
        if answer is not None:
            answer.set(_refusal(reason, detail))


def _call_all(actions: list[Callable[[], None]]) -> None:
    todo, actions[:] = list(actions), []
    for action in todo:
        action()


def _refusal(reason: str, detail: str) -> BridgeError:
    match reason:
        case "agentCrashed":
            return AgentCrashed(detail or "The CLI ended before it took the message.")
        case "cancelled":
            return RequestCancelled("The message was taken back before it began.")
        case _:
            return AgentError(detail or "The CLI refused the message.")
