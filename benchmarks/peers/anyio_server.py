"""What one writes with anyio: its process, its buffered streams, one memory object stream towards the editor."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import AsyncIterator

import anyio
import anyio.to_thread
from anyio.abc import ByteReceiveStream, Process
from anyio.streams.buffered import BufferedByteReceiveStream

MAX = 1 << 20


class Bytes(ByteReceiveStream):
    """Standard input as a stream of bytes."""

    async def receive(self, max_bytes: int = 65536) -> bytes:
        data = await anyio.to_thread.run_sync(os.read, 0, max_bytes)
        if not data:
            raise anyio.EndOfStream
        return data

    async def aclose(self) -> None:
        pass


class Server:
    def __init__(self) -> None:
        self.out, self._to_write = anyio.create_memory_object_stream[dict](1000)
        self._waiting: dict[int, object] = {}
        self._ids = itertools.count(1)
        self._agent: Process | None = None

    async def write(self) -> None:
        async for message in self._to_write:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            os.write(1, b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    async def forward(self) -> None:
        async for line in _lines(self._agent.stdout):
            message = json.loads(line)
            if "method" in message:
                await self.out.send({"method": "wave/session/event", "params": {"seq": 1, "event": message}})
            else:
                await self.out.send({"id": self._waiting.pop(message["id"]), "result": message["result"]})

    async def serve(self) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.write)
            stream = BufferedByteReceiveStream(Bytes())
            while True:
                try:
                    header = await stream.receive_until(b"\r\n\r\n", MAX)
                except (anyio.EndOfStream, anyio.IncompleteRead):
                    break
                body = await stream.receive_exactly(int(header.rpartition(b" ")[2]))
                await self.take(json.loads(body), tasks)
            if self._agent is not None:
                self._agent.kill()
            tasks.cancel_scope.cancel()

    async def take(self, message: dict, tasks) -> None:
        match message["method"]:
            case "initialize":
                await self.out.send({"id": message["id"], "result": {"capabilities": {}}})
            case "initialized" if sys.argv[1:]:
                self._agent = await anyio.open_process(sys.argv[1:], stderr=None)
                tasks.start_soon(self.forward)
            case "bench/local":
                await self.out.send({"id": message["id"], "result": {"approvals": []}})
            case "bench/agent":
                number = next(self._ids)
                self._waiting[number] = message["id"]
                request = {"id": number, "method": "getConfiguredModels", "params": {}, "sessionId": "s"}
                await self._agent.stdin.send(json.dumps(request).encode() + b"\n")


async def _lines(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    rest = b""
    async for chunk in stream:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line


if __name__ == "__main__":
    anyio.run(Server().serve)
