"""One connection's outgoing messages: a budget, and what is done past it.

While the transport takes bytes, messages go out as they come. While it does not, they are held: past OUTBOX_SOFT the
deltas of one block merge; past OUTBOX_HARD the held events are dropped and each session that lost some is told to
resync. Answers are never dropped; past OUTBOX_REPLIES of them the connection is given up (`overflow`).
Never waits, never knows a transport; memory is bounded whatever the client does.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.core.agent_api import DELTAS
from wave_bridge.core.client_types import StateParams
from wave_bridge.core.envelope import around_event, decode_any, event_body, notification_body, panel_body
from wave_bridge.core.limits import OUTBOX_HARD, OUTBOX_REPLIES, OUTBOX_SOFT
from wave_bridge.core.lsp_codec import HEADER

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.core.rpc import Event

STREAMING = "streaming"
CHUNK_OVERHEAD = 64  # what a merged chunk costs beside its text, in bytes
_encode = msgspec.json.encode


class Stream:
    """One session's events to one client: their numbering, and whether the client's copy is whole."""

    def __init__(self, session_id: str, panel: bytes | None = None, seq: int = 0) -> None:
        self.session_id = session_id
        self._panel = panel  # the panel's id as JSON text when the events are tunnelled
        before, self.after = around_event(panel)
        self.before = HEADER + before  # takes the body's length and the event's number
        self.seq = seq
        # The body's length without the line, for numbers below `_longer_at`
        self._around = len(before % seq) + len(self.after)
        self._longer_at = 10 ** len(str(seq))
        self.lost = False  # events were dropped: nothing more goes out until the client has a snapshot

    def head(self, line: bytes) -> bytes:
        """Give what stands in front of the next event's line in its frame; the event is numbered."""
        self.seq = seq = self.seq + 1
        if seq == self._longer_at:
            self._longer_at *= 10
            self._around += 1
        return self.before % (self._around + len(line), seq)

    def wrap(self, body: bytes) -> bytes:
        """Give the message in the form that its carrier wants."""
        return body if self._panel is None else panel_body(self._panel, body)


class _HeldEvent:
    """An event that waits; `chunks` is set once it has been merged with what followed."""

    __slots__ = ("chunks", "event", "from_seq", "params", "seq", "size", "stream")

    def __init__(self, stream: Stream, event: Event) -> None:
        self.stream = stream
        self.event = event
        self.seq = self.from_seq = stream.seq
        self.size = len(event.line)  # bytes that it counts for
        self.params: dict[str, Any] | None = None
        self.chunks: list[str] | None = None

    def delta(self) -> dict[str, Any] | None:
        """Give the parameters when this is a streaming delta of a named block; decoded once."""
        if self.params is None:
            block = DELTAS.get(self.event.method)
            params = decode_any(self.event.params) if block else None
            fits = isinstance(params, dict) and params.get("stage") == STREAMING and block in params
            self.params = params if fits else {}
        return self.params or None

    def merge(self, later: _HeldEvent) -> bool:
        """Take in `later` when both are deltas of one block; False when they are not."""
        mine, its = self.delta(), later.delta()
        if mine is None or its is None or self.event.method != later.event.method:
            return False
        block, chunk = DELTAS[self.event.method], _chunk_name(self.event.method)
        if mine[block] != its[block] or chunk not in mine or chunk not in its:
            return False
        if self.chunks is None:
            self.chunks = [mine[chunk]]
        self.chunks.append(its[chunk])
        self.size += len(its[chunk]) + CHUNK_OVERHEAD
        self.seq = later.seq
        return True

    def body(self) -> bytes:
        line = self.event.line
        if self.chunks is not None and self.params is not None:
            whole = "".join(self.chunks)
            params = {**self.params, _chunk_name(self.event.method): whole}
            line = _encode({"method": self.event.method, "params": params, "sessionId": self.event.session_id})
        return self.stream.wrap(event_body(self.seq, self.from_seq, line))


def _chunk_name(method: str) -> str:
    return "parametersChunk" if method == "toolBlockUpdated" else "chunk"


class Outbox:
    """Holds what one connection is to be sent. The endpoint takes it; the bridge and the dispatcher fill it."""

    def __init__(
        self,
        on_pending: Callable[[], None],
        *,
        soft: int = OUTBOX_SOFT,
        hard: int = OUTBOX_HARD,
        replies: int = OUTBOX_REPLIES,
    ) -> None:
        self._on_pending = on_pending
        self._soft, self._hard, self._reply_limit = soft, hard, replies
        self._ready: list[bytes] = []
        self._held: deque[bytes | _HeldEvent] = deque()
        self._tails: dict[Stream, _HeldEvent] = {}  # the last held event of a stream, if nothing unordered follows it
        self._event_bytes = 0
        self._reply_bytes = 0
        self._paused = False
        self.overflow = False

    def send(self, body: bytes) -> None:
        """Queue a message that may not be lost. Events behind it never merge with events before it."""
        if not self._paused:
            self._put(body)
            return
        self._tails.clear()
        self._held.append(body)
        self._reply_bytes += len(body)
        if self._reply_bytes > self._reply_limit:
            self.overflow = True
            self._on_pending()

    def send_event(self, stream: Stream, event: Event) -> None:
        """Queue the next event of `stream`; it is numbered, but dropped, when the stream has lost some already."""
        line = event.line
        head = stream.head(line)
        if stream.lost:
            return
        if self._paused:
            self._hold(_HeldEvent(stream, event))
            return
        # Spliced, not copied: `take` joins the parts. This is what streaming costs.
        ready = self._ready
        if not ready:
            self._on_pending()
        ready += (head, line, stream.after)

    def take(self) -> bytes:
        """Give everything that may be written now, framed; empty while the transport is full."""
        if self._paused or not self._ready:
            return b""
        data = b"".join(self._ready)
        self._ready.clear()
        return data

    def pause(self) -> None:
        """Hold back: the transport is full."""
        self._paused = True

    def resume(self) -> None:
        """Go on: the transport takes bytes again."""
        self._paused = False
        held, self._held = self._held, deque()
        self._tails.clear()
        self._event_bytes = self._reply_bytes = 0
        for item in held:
            self._put(item if isinstance(item, bytes) else item.body())

    def forget(self, stream: Stream) -> None:
        """Drop what is held for a stream that ended."""
        self._tails.pop(stream, None)
        kept: deque[bytes | _HeldEvent] = deque()
        for item in self._held:
            if isinstance(item, bytes) or item.stream is not stream:
                kept.append(item)
            else:
                self._event_bytes -= item.size
        self._held = kept

    @property
    def held_bytes(self) -> int:
        """What is held back at present, in bytes."""
        return self._event_bytes + self._reply_bytes

    def _put(self, body: bytes) -> None:
        if not self._ready:
            self._on_pending()
        self._ready += (HEADER % len(body), body)

    def _hold(self, item: _HeldEvent) -> None:
        tail = self._tails.get(item.stream)
        before = 0 if tail is None else tail.size
        if self._event_bytes > self._soft and tail is not None and tail.merge(item):
            self._event_bytes += tail.size - before
        else:
            self._held.append(item)
            self._tails[item.stream] = item
            self._event_bytes += item.size
        if self._event_bytes > self._hard:
            self._drop_events()

    def _drop_events(self) -> None:
        """Give up every held event; each stream that lost one is told so, once."""
        lagging = dict.fromkeys(item.stream for item in self._held if not isinstance(item, bytes))
        self._held = deque(item for item in self._held if isinstance(item, bytes))
        self._event_bytes = 0
        for stream in lagging:
            stream.lost = True
            notice = StateParams(session_id=stream.session_id, resync=True, reason="lagging")
            self.send(stream.wrap(notification_body("wave/session/state", notice)))
