"""The daemon's transports: bytes to frames, outbox to bytes. Nothing here waits or knows what a message means.

A connection writes once per batch of what it was given to send. A peer that does not read fills its own outbox, which
has a bound, and nobody else's.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from wave_bridge.core.limits import TRANSPORT_HIGH_WATER
from wave_bridge.core.lsp_codec import FrameReader, Malformed
from wave_bridge.core.outbox import Outbox
from wave_bridge.rendezvous import MAX_HELLO

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    # Makes an editor's connection; the function that it is given closes the transport, after what is still to be sent
    Connect = Callable[[Outbox, Callable[[], None], "Origin"], "Connection"]

HELLO_TIME: Final = 10.0  # seconds for a visitor to say hello
LINGER: Final = 5.0  # seconds for a peer to take the last bytes of a connection that we close
log = logging.getLogger(__name__)


class Origin(msgspec.Struct, frozen=True):
    """The process that an editor started: what the daemon can't know of its surroundings."""

    pid: int = 0
    cwd: str = ""
    env: dict[str, str] = {}


class Connection(Protocol):
    """What an endpoint feeds. It answers through the outbox that it was made with."""

    def receive(self, found: list[bytes | Malformed]) -> None:
        """Take what one chunk of bytes completed."""

    def lost(self) -> None:
        """Let go of the peer: it is gone, or was sent away. May be called again."""


class Channel:
    """One connection's framing and outbox, over whatever writes its bytes; `end` closes that, `abort` cuts it off."""

    def __init__(
        self,
        connect: Connect,
        origin: Origin,
        *,
        write: Callable[[bytes], None],
        end: Callable[[], None],
        abort: Callable[[], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._write = write
        self._abort = abort
        self._reader = FrameReader()
        self._outbox = Outbox(self._schedule)
        self._receiving = False
        self._due = False  # something to write came up while receiving
        self._connection = connect(self._outbox, end, origin)

    def received(self, data: bytes) -> list[bytes | Malformed]:
        """Take the peer's bytes; gives what they completed, after it was dealt with."""
        found = self._reader.feed(data)
        if found:
            self._receiving = True
            try:
                self._connection.receive(found)
            finally:
                self._receiving = False
            if self._due:
                self._due = False
                self.flush()
        return found

    def lost(self) -> None:
        """Let the connection know that its peer is gone."""
        self._connection.lost()

    def flush(self) -> None:
        """Write all that may be written now, at once."""
        if self._outbox.overflow:
            log.warning("a client does not read its answers; its connection is closed")
            self._abort()
            return
        data = self._outbox.take()
        if data:
            self._write(data)

    def pause(self) -> None:
        """Hold back: what was written has not been taken."""
        self._outbox.pause()

    def resume(self) -> None:
        """Go on."""
        self._outbox.resume()
        self.flush()

    def _schedule(self) -> None:
        """See to it that what came up is written: behind this chunk when one is being dealt with, else soon."""
        if self._receiving:
            self._due = True
        else:
            self._loop.call_soon(self.flush)


class SocketEndpoint(asyncio.Protocol):
    """A visitor at the daemon's socket. Its first line goes to `greet`, which opens it, or answers and closes."""

    def __init__(self, greet: Callable[[SocketEndpoint, bytes], None], gone: Callable[[SocketEndpoint], None]) -> None:
        self._greet = greet
        self._gone = gone
        self._first: bytearray | None = bytearray()  # until the first line is whole
        self._transport: asyncio.Transport
        self._timer: asyncio.TimerHandle | None = None
        self.channel: Channel | None = None  # once opened

    @property
    def socket(self) -> socket.socket:
        """The visitor's socket, to be asked who is there."""
        found: socket.socket = self._transport.get_extra_info("socket")
        return found

    def open(self, connect: Connect, origin: Origin, answer: dict[str, Any]) -> None:
        """Answer the hello, and make it a connection."""
        self._transport.write(msgspec.json.encode(answer) + b"\n")
        self.channel = Channel(connect, origin, write=self._transport.write, end=self.end, abort=self._transport.abort)

    def answer(self, answer: dict[str, Any], *, close: bool = True) -> None:
        """Answer the hello; that is all."""
        self._transport.write(msgspec.json.encode(answer) + b"\n")
        if close:
            self.end()

    def end(self) -> None:
        """Close, when what is still to be said has been taken; a peer that does not take it in time is cut off."""
        if self._transport.is_closing():
            return
        if self.channel is not None:
            self.channel.flush()
        self._transport.close()
        self._set_timer(LINGER)

    # asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the hello, for a while."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - a stream server makes no other
        self._transport = transport
        transport.set_write_buffer_limits(high=TRANSPORT_HIGH_WATER)
        self._set_timer(HELLO_TIME)

    def data_received(self, data: bytes) -> None:
        """Take the hello, or what follows it."""
        if self._first is None:
            if self.channel is not None:
                self.channel.received(data)
            return
        self._first += data
        line, newline, rest = self._first.partition(b"\n")
        if newline:
            self._first = None
            self._cancel_timer()
            self._greet(self, bytes(line))
            if rest:
                self.data_received(bytes(rest))
        elif len(self._first) > MAX_HELLO:
            self._transport.abort()

    def pause_writing(self) -> None:
        """Let the outbox hold back."""
        if self.channel is not None:
            self.channel.pause()

    def resume_writing(self) -> None:
        """Let the outbox go on."""
        if self.channel is not None:
            self.channel.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free what the connection held."""
        log.debug("a connection ended: %s", exc or "closed")
        self._cancel_timer()
        if self.channel is not None:
            self.channel.lost()
        self._gone(self)

    def _set_timer(self, seconds: float) -> None:
        self._cancel_timer()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._transport.abort)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
