"""JSON-RPC with one generation of the CLI: calls and their time limits, replies in pipe order, events as they come.

Everything happens while the line that causes it is processed: no queue, no task. When the process has ended, every
call has been answered, and none was answered twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

import msgspec

from wave_bridge.agent.calls import Call, Caller, agent_error
from wave_bridge.agent.ending import Ended, EndReason
from wave_bridge.agent.process import AgentProcess
from wave_bridge.core import rpc
from wave_bridge.core.envelope import Garbage
from wave_bridge.core.jsonl import LineSplitter, TooLong
from wave_bridge.core.limits import STDIN_BUFFER
from wave_bridge.errors import AgentTimeout, AgentUnavailable, BridgeError, Overloaded

if TYPE_CHECKING:
    from wave_bridge.agent.process import AgentCommand
    from wave_bridge.agent.timing import Timing

# While one of these runs the CLI speaks of the session without naming it: two at once could not be told apart.
ONE_AT_A_TIME: Final = frozenset({"initialize", "updateConfig"})


class Ports(msgspec.Struct, frozen=True):
    """Where a client's news goes. All are called in pipe order, and none may wait."""

    on_event: Callable[[rpc.Event], None]
    on_batch_end: Callable[[], None]  # after the lines of one read: the time to flush
    on_stderr: Callable[[str], None]
    on_garbage: Callable[[str, int, bytes], None]  # why, size of the line, the line
    on_ended: Callable[[Ended], None]  # once; the calls have been answered before


class AgentClient(Caller):
    """One CLI process, spoken to. `spawn` makes it."""

    def __init__(self, generation: int, ports: Ports, timing: Timing) -> None:
        self.generation = generation
        self._ports = ports
        self._loop = asyncio.get_running_loop()
        self._splitter = LineSplitter()
        self._calls: rpc.Unanswered[Call] = rpc.Unanswered()
        self._alone: Call | None = None
        self._in_line: deque[Call] = deque()
        self._process = AgentProcess(
            generation, timing, on_stdout=self._received, on_stderr=ports.on_stderr, on_ended=self._ended
        )

    @classmethod
    async def spawn(cls, command: AgentCommand, generation: int, ports: Ports, timing: Timing) -> AgentClient:
        """Start `command` and give its client. Raises OSError or ValueError when the system can't start it."""
        client = cls(generation, ports, timing)
        await client._process.spawn(command)
        return client

    @property
    def pid(self) -> int:
        """The CLI's process id."""
        return self._process.pid

    @property
    def ending(self) -> bool:
        """Whether its end has begun: calls are refused from then on (T7.2)."""
        return self._process.ending

    @property
    def unanswered(self) -> int:
        """The calls that wait for an answer, or for their turn to be sent."""
        return len(self._calls) + len(self._in_line)

    def place(self, call: Call) -> None:
        """Send it, or keep it in line behind another that must be alone; refuse it when the end has begun (T7.2)."""
        if self.ending:
            call.on_reply(self._unavailable())
        elif self._process.unread > STDIN_BUFFER:
            call.on_reply(Overloaded("Wave does not read what it is sent.", limit=STDIN_BUFFER))
        elif call.method not in ONE_AT_A_TIME:
            self._send(call)
        elif self._alone is None:
            self._send_alone(call)
        else:
            self._in_line.append(call)

    def notify(self, method: str, params: Any, session_id: str | None = None) -> None:
        """Send a notification (T5.6). Raises AgentUnavailable when the process has ended or is about to."""
        if self.ending:
            raise self._unavailable()
        self._process.write(rpc.notification_line(method, params, session_id))

    def shut(self, reason: EndReason) -> None:
        """Begin to stop the process: EOF, grace, kill. Again: harmless (T7.4)."""
        self._process.shut(reason)

    async def gone(self) -> Ended:
        """Wait until the process has ended, all was told, and nothing that it started is left."""
        return await self._process.gone()

    async def close(self) -> None:
        """Stop the process and wait until it has gone."""
        self.shut("closed")
        await self.gone()

    # Out

    def _send(self, call: Call) -> None:
        request_id = self._calls.add(call)
        line = rpc.request_line(request_id, call.method, call.params, call.session_id)
        if call.timeout is not None:
            call.timer = self._loop.call_later(call.timeout, self._expire, request_id)
        if call.on_sent is not None:
            call.on_sent()
        self._process.write(line)

    def _send_alone(self, call: Call) -> None:
        self._alone = call
        self._send(call)

    # In

    def _received(self, data: bytes) -> None:
        self._take_all(self._splitter.feed(data))

    def _take_all(self, lines: list[bytes | TooLong]) -> None:
        """Take one read's lines. Most are events: what the loop does for one of them is what streaming costs."""
        on_event = self._ports.on_event
        for line, message in zip(lines, _read_all(lines), strict=True):
            try:
                if isinstance(message, rpc.Event):
                    on_event(message)
                else:
                    self._take_other(line, message)
            except Exception as fault:  # noqa: BLE001 - as in _safely, without its cost for each line
                self._report(fault)
        if lines:
            self._safely(self._ports.on_batch_end)

    def _take_other(self, line: bytes | TooLong, message: rpc.Reply | Garbage | TooLong) -> None:
        match line, message:
            case bytes(), rpc.Reply() as reply:
                self._answer(reply, line)
            case bytes(), Garbage(reason=reason):
                self._ports.on_garbage(reason, len(line), line)
            case TooLong(size=size), _:
                self._ports.on_garbage("longer than the maximum", size, b"")

    def _answer(self, reply: rpc.Reply, line: bytes) -> None:
        call = self._calls.take(reply.id)
        if call is None:
            self._ports.on_garbage("an answer that nobody waits for", len(line), line)
        else:
            self._settle(call, reply.result if reply.error is None else agent_error(reply.error))

    def _expire(self, request_id: int) -> None:
        call = self._calls.take(request_id)
        if call is not None:
            self._settle(call, AgentTimeout(f"Wave did not answer {call.method} within {call.timeout:g} s."))

    def _settle(self, call: Call, answer: bytes | BridgeError) -> None:
        call.timer_off()
        self._safely(call.on_reply, answer)
        if call is self._alone:
            self._alone = None
            if self._in_line and not self.ending:
                self._send_alone(self._in_line.popleft())

    def _ended(self, ended: Ended) -> None:
        self._take_all(self._splitter.close())
        for call in (*self._calls.drain(), *self._in_line):
            self._settle(call, ended.error())
        self._in_line.clear()
        self._safely(self._ports.on_ended, ended)

    def _unavailable(self) -> AgentUnavailable:
        return AgentUnavailable("Wave has ended or is being stopped.", generation=self.generation)

    def _safely(self, callback: Callable[..., None], *args: Any) -> None:
        """Call; a fault of one consumer is reported and must not cost the others their lines or answers."""
        try:
            callback(*args)
        except Exception as fault:  # noqa: BLE001 - the edge between the pipe and its consumers
            self._report(fault)

    def _report(self, fault: Exception) -> None:
        self._loop.call_exception_handler({"message": "A consumer of the CLI's output failed", "exception": fault})


def _read_all(lines: list[bytes | TooLong]) -> Iterable[rpc.Reply | rpc.Event | Garbage | TooLong]:
    """Read one chunk's lines together; where one was too long, one by one."""
    whole = [line for line in lines if isinstance(line, bytes)]
    if len(whole) == len(lines):
        return rpc.read_all(whole) if len(whole) > 1 else map(rpc.read, whole)
    return (rpc.read(line) if isinstance(line, bytes) else line for line in lines)
