"""The transport of `--standalone`: this process's own standard streams, read and written by threads.

No event loop can wait for them on every system, and a blocking write in one would stop every other thing in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from wave_bridge.core.limits import TRANSPORT_HIGH_WATER
from wave_bridge.endpoints import LINGER, Channel
from wave_bridge.frames import head

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.core.lsp_codec import Malformed
    from wave_bridge.endpoints import Connect, Origin

CHUNK: Final = 64 * 1024  # bytes
CHUNKS: Final = 4  # read from stdin and not looked at yet


class StdioEndpoint:
    """One editor at this process's own standard streams. `ended` is set when it is through, or asked to be."""

    def __init__(self, connect: Connect, origin: Origin, incoming: int, outgoing: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._incoming, self._outgoing = incoming, outgoing
        self._budget = threading.Semaphore(CHUNKS)
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._unwritten = 0
        self._paused = False
        self.ended = asyncio.Event()
        self.asked_to_end = False  # by `shutdown`, as LSP wants it before `exit`
        self.exited = False  # by `exit`
        self._channel = Channel(connect, origin, write=self._put, end=self._end, abort=self.ended.set)
        self._writer = threading.Thread(target=self._write, name="stdout", daemon=True)
        self._reader = threading.Thread(target=self._read, name="stdin", daemon=True)
        self._writer.start()
        self._reader.start()

    async def close(self) -> None:
        """End the connection, and wait a while for the editor to take what it was sent."""
        self._channel.lost()
        self._queue.put(None)
        await asyncio.to_thread(self._writer.join, LINGER)

    def _end(self) -> None:
        self.exited = True
        self._channel.flush()
        self.ended.set()

    def _received(self, data: bytes) -> None:
        self._budget.release()
        if not data:
            self.ended.set()
        elif not self.ended.is_set():
            found = self._channel.received(data)
            self.asked_to_end |= any(_is_shutdown(body) for body in found)

    def _put(self, data: bytes) -> None:
        self._queue.put(data)
        self._unwritten += len(data)
        if self._unwritten > TRANSPORT_HIGH_WATER and not self._paused:
            self._paused = True
            self._channel.pause()

    def _written(self, size: int) -> None:
        self._unwritten -= size
        if self._paused and self._unwritten <= TRANSPORT_HIGH_WATER // 4:
            self._paused = False
            self._channel.resume()

    # The two threads

    def _read(self) -> None:
        data = b"."
        while data:
            self._budget.acquire()
            try:
                data = os.read(self._incoming, CHUNK)
            except OSError:
                data = b""
            self._tell(self._received, data)

    def _write(self) -> None:
        while (data := self._queue.get()) is not None:
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[os.write(self._outgoing, rest) :]
            except OSError:  # the editor is gone
                self._tell(self.ended.set)
                return
            self._tell(self._written, len(data))

    def _tell(self, callback: Callable[..., object], *values: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody is left to care
            self._loop.call_soon_threadsafe(callback, *values)


def _is_shutdown(body: bytes | Malformed) -> bool:
    return isinstance(body, bytes) and head(body).get("method") == "shutdown"


def take_standard_streams() -> tuple[int, int]:
    """Give descriptors of stdin and stdout to the protocol alone: nothing else, a child neither, gets at them."""
    incoming, outgoing = os.dup(0), os.dup(1)
    for descriptor in (incoming, outgoing):
        if os.name != "nt":
            os.set_blocking(descriptor, True)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)  # a stray print goes where the editor logs it
    return incoming, outgoing
