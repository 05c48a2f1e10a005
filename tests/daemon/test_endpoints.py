"""Transports: one write per batch, a bound for who does not read, and nobody else slowed by it."""

import asyncio
import contextlib
import os
import select
import socket

import pytest

from wave_bridge.core.limits import OUTBOX_REPLIES, TRANSPORT_HIGH_WATER
from wave_bridge.core.lsp_codec import FrameReader, frame
from wave_bridge.endpoints import Origin, SocketEndpoint
from wave_bridge.stdio import StdioEndpoint

WAIT = 10.0


class Echo:
    """A connection that says everything twice, and closes when it hears `exit`."""

    def __init__(self, outbox, close, origin):
        self.outbox, self.close, self.origin = outbox, close, origin
        self.batches = []
        self.lost_count = 0

    def receive(self, found):
        self.batches.append(found)
        for body in found:
            if b'"exit"' in body:
                self.close()
            else:
                self.outbox.send(body)
                self.outbox.send(body)

    def lost(self):
        self.lost_count += 1


class Made:
    """What a test's endpoints have made."""

    def __init__(self):
        self.connections = []
        self.gone = asyncio.Event()

    def connect(self, *made):
        self.connections.append(Echo(*made))
        return self.connections[-1]

    def greet(self, endpoint, line):
        if line == b"no":
            endpoint.answer({"ok": False})
        else:
            endpoint.open(self.connect, Origin(env={"A": "b"}), {"ok": True})

    def left(self, _):
        self.gone.set()


@pytest.fixture
async def made():
    return Made()


@pytest.fixture
async def visitor(made):
    """A socket at an endpoint's other end."""
    theirs, ours = socket.socketpair()
    ours.setblocking(False)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_accepted_socket(lambda: SocketEndpoint(made.greet, made.left), theirs)
    yield ours
    ours.close()
    transport.abort()
    await asyncio.sleep(0)


async def say(link, data):
    await asyncio.get_running_loop().sock_sendall(link, data)


async def hear(link, size):
    data = b""
    async with asyncio.timeout(WAIT):
        while len(data) < size and (more := await asyncio.get_running_loop().sock_recv(link, 1 << 20)):
            data += more
    return data


async def test_frames_may_follow_the_hello_in_the_same_chunk(made, visitor):
    body = b'{"a":1}'
    await say(visitor, b"hello\n" + frame(body) + frame(body)[:5])
    wanted = b'{"ok":true}\n' + frame(body) * 2
    assert await hear(visitor, len(wanted)) == wanted
    assert made.connections[0].origin.env == {"A": "b"}
    await say(visitor, frame(body)[5:])
    assert await hear(visitor, 1) == frame(body) * 2  # one batch, one write


async def test_a_hello_may_come_byte_by_byte(visitor):
    for byte in b"hello\n":
        await say(visitor, bytes([byte]))
        await asyncio.sleep(0)
    assert await hear(visitor, 1) == b'{"ok":true}\n'


async def test_who_is_refused_hears_why_and_is_sent_away(made, visitor):
    await say(visitor, b"no\n" + frame(b"{}"))
    assert await hear(visitor, 1 << 20) == b'{"ok":false}\n'
    assert not made.connections


async def test_who_does_not_greet_in_time_is_cut_off(made, visitor, monkeypatch):
    monkeypatch.setattr("wave_bridge.endpoints.HELLO_TIME", 0.01)
    theirs, ours = socket.socketpair()
    ours.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.connect_accepted_socket(lambda: SocketEndpoint(made.greet, made.left), theirs)
    with ours:
        assert await hear(ours, 1) == b""


async def test_an_end_is_told_once_and_the_last_words_arrive(made, visitor):
    await say(visitor, b"hello\n" + frame(b'"last"') + frame(b'"exit"'))
    assert (await hear(visitor, 1 << 20)).endswith(frame(b'"last"') * 2)
    await asyncio.wait_for(made.gone.wait(), WAIT)
    assert made.connections[0].lost_count == 1


async def test_a_vanished_editor_is_told_to_its_connection(made, visitor):
    await say(visitor, b"hello\n")
    await hear(visitor, 1)
    visitor.close()
    await asyncio.wait_for(made.gone.wait(), WAIT)
    assert made.connections[0].lost_count == 1


async def test_who_does_not_read_is_held_back_and_then_goes_on(made, visitor):
    await say(visitor, b"hello\n")
    await hear(visitor, 1)
    outbox = made.connections[0].outbox
    body = b'"' + b"x" * 100_000 + b'"'
    count = 100
    for _ in range(count):
        outbox.send(body)
        await asyncio.sleep(0)
    assert outbox.held_bytes > count * len(body) - 8 * TRANSPORT_HIGH_WATER
    reader = FrameReader()
    found = []
    while len(found) < count:
        found += reader.feed(await hear(visitor, 1))
    assert found == [body] * count
    assert outbox.held_bytes == 0


async def test_who_never_reads_its_answers_is_cut_off(made, visitor):
    await say(visitor, b"hello\n")
    await hear(visitor, 1)
    body = b'"' + b"x" * 8_000_000 + b'"'
    for _ in range(OUTBOX_REPLIES // len(body) + 3):
        made.connections[0].outbox.send(body)
        await asyncio.sleep(0)
    await asyncio.wait_for(made.gone.wait(), WAIT)


class Pipes:
    """An editor's ends of a standalone bridge's standard streams."""

    def __init__(self):
        self.incoming, self.to_bridge = os.pipe()
        self.from_bridge, self.outgoing = os.pipe()

    def close(self):
        for descriptor in (self.incoming, self.to_bridge, self.from_bridge, self.outgoing):
            with contextlib.suppress(OSError):
                os.close(descriptor)


@pytest.fixture
async def pipes():
    pipes = Pipes()
    yield pipes
    pipes.close()


async def read(descriptor, size):
    data = b""
    while len(data) < size:
        data += await asyncio.to_thread(os.read, descriptor, 1 << 20)
    return data


async def test_standard_streams_carry_frames_both_ways(made, pipes):
    endpoint = StdioEndpoint(made.connect, Origin(), pipes.incoming, pipes.outgoing)
    body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
    os.write(pipes.to_bridge, frame(body))
    assert await read(pipes.from_bridge, 1) == frame(body) * 2
    os.write(pipes.to_bridge, frame(b'"exit"'))
    await asyncio.wait_for(endpoint.ended.wait(), WAIT)
    assert (endpoint.asked_to_end, endpoint.exited) == (True, True)
    os.close(pipes.to_bridge)
    await endpoint.close()
    assert made.connections[0].lost_count == 1


async def test_a_closed_stdin_ends_it(made, pipes):
    endpoint = StdioEndpoint(made.connect, Origin(), pipes.incoming, pipes.outgoing)
    os.close(pipes.to_bridge)
    await asyncio.wait_for(endpoint.ended.wait(), WAIT)
    assert not endpoint.exited
    await endpoint.close()


async def test_an_editor_that_does_not_read_does_not_stop_the_loop(made, pipes):
    endpoint = StdioEndpoint(made.connect, Origin(), pipes.incoming, pipes.outgoing)
    outbox = made.connections[0].outbox
    body = b'"' + b"x" * 100_000 + b'"'
    count = 50
    for _ in range(count):
        outbox.send(body)
        await asyncio.sleep(0)  # returns: the loop is alive
    assert outbox.held_bytes > 0
    data = await read(pipes.from_bridge, count * len(frame(body)))
    assert data == frame(body) * count
    os.close(pipes.to_bridge)
    await asyncio.wait_for(endpoint.ended.wait(), WAIT)
    await endpoint.close()


def pour(descriptor, limit):
    """Write until nobody takes any more, or `limit` is reached; gives how much was taken."""
    os.set_blocking(descriptor, False)
    written = 0
    while written < limit and select.select([], [descriptor], [], 0.3)[1]:
        written += os.write(descriptor, b"X: y\r\n" * 10_000)
    return written


async def test_a_flood_from_the_editor_is_read_at_our_pace(made, pipes):
    """The reader thread does not run ahead of a busy loop: what it has read and nobody took is bounded."""
    endpoint = StdioEndpoint(made.connect, Origin(), pipes.incoming, pipes.outgoing)
    limit = 8 << 20
    assert pour(pipes.to_bridge, limit) < limit  # the loop does not run meanwhile
    os.close(pipes.to_bridge)
    await asyncio.wait_for(endpoint.ended.wait(), WAIT)
    await endpoint.close()


async def test_a_broken_stdout_ends_it(made, pipes):
    endpoint = StdioEndpoint(made.connect, Origin(), pipes.incoming, pipes.outgoing)
    os.close(pipes.from_bridge)
    made.connections[0].outbox.send(b"{}")
    await asyncio.wait_for(endpoint.ended.wait(), WAIT)
    os.close(pipes.to_bridge)
    await endpoint.close()
