"""One CLI process: bytes in, bytes out, and one ending. Callbacks only; no task, queue or stream reader in between.

Whatever is seen first of a death (exit, EOF of stdout, a broken stdin), the order after it is the same: no more writes;
a process that lives on is killed with its family; stdout is drained; then `on_ended`, once, and nothing after it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, cast

import anyio.to_thread
import msgspec

from wave_bridge.agent import family, orphans
from wave_bridge.agent.ending import Ended, EndReason, split_return_code
from wave_bridge.agent.stderr import Stderr

if TYPE_CHECKING:
    from collections.abc import Callable

    import psutil

    from wave_bridge.agent.timing import Timing

_STDIN, _STDOUT = 0, 1


class AgentCommand(msgspec.Struct, frozen=True):
    """How to start the CLI. `env` is the child's whole environment, None: inherited (TB10). Never through a shell."""

    argv: tuple[str, ...]
    env: dict[str, str] | None = None
    cwd: str | None = None


class AgentProcess(asyncio.SubprocessProtocol):
    """A child in a process group of its own. Make it with `spawn`."""

    def __init__(
        self,
        generation: int,
        timing: Timing,
        *,
        on_stdout: Callable[[bytes], None],
        on_stderr: Callable[[str], None],
        on_ended: Callable[[Ended], None],
    ) -> None:
        self.generation = generation
        self._timing = timing
        self._on_stdout = on_stdout
        self._on_stderr = on_stderr
        self._on_ended = on_ended
        self._loop = asyncio.get_running_loop()
        self._stderr = Stderr()
        self._sign: EndReason | None = None  # what was seen first of the end
        self._killed = False
        self._timer: asyncio.TimerHandle | None = None
        self._family: list[psutil.Process] = []
        self._gone: asyncio.Future[Ended] = self._loop.create_future()

    async def spawn(self, command: AgentCommand) -> None:
        """Start the process. Raises OSError or ValueError (a NUL in an argument) when the system refuses."""
        await self._loop.subprocess_exec(
            lambda: self, *command.argv, env=command.env, cwd=command.cwd, **family.OWN_GROUP
        )

    @property
    def pid(self) -> int:
        """The process id; of use as long as it has not ended."""
        return self._transport.get_pid()

    @property
    def ending(self) -> bool:
        """Whether its end has begun: nothing may be written any more."""
        return self._sign is not None

    @property
    def unread(self) -> int:
        """Bytes written that the CLI has not read, beyond the pipe's own buffer."""
        return self._stdin.get_write_buffer_size()

    def write(self, data: bytes) -> None:
        """Write to stdin, in order, never waiting. A pipe that breaks is an end like any other."""
        self._stdin.write(data)

    def shut(self, reason: EndReason) -> None:
        """Begin the ladder: EOF on stdin, `close_grace` seconds to save and leave, then a kill. Again: harmless (T7.4).

        SIGTERM has no place in it: the CLI would die of it at once, unsaved, and leave its commands running.
        """
        if self._sign is None:
            self._sign = reason
            self._family = family.descendants(self.pid)
            self._stdin.close()
            self._arm(self._timing.close_grace, self._kill)

    async def gone(self) -> Ended:
        """Wait until it has ended and what it left running, when it was told to leave, is over as well."""
        ended = await asyncio.shield(self._gone)
        if self._family:
            await family.end_survivors(self._family, self._timing.survivor_grace)
            self._family = []
        if not self._was_asked_to_leave():
            # Killed from outside, it could not end its commands, which lead sessions of their own.
            await anyio.to_thread.run_sync(partial(orphans.end_orphans, of_dead_daemons=False))
        return ended

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the ends of the pipes."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._stdin = cast("asyncio.WriteTransport", self._transport.get_pipe_transport(_STDIN))

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Hand on what came; `data` is always bytes."""
        chunk = cast("bytes", data)
        if fd == _STDOUT:
            self._on_stdout(chunk)
        elif text := self._stderr.feed(chunk, self._loop.time()):
            self._on_stderr(text)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Take a closed stdout or stdin for the beginning of the end; a closed stderr means nothing."""
        if fd == _STDOUT:
            self._dying("stdoutClosed")
        elif fd == _STDIN:
            self._dying("stdinClosed")

    def process_exited(self) -> None:
        """Drain what it has written, for a limited time: a grandchild may hold the pipes open."""
        self._dying("exited")
        if not self._was_asked_to_leave():
            family.kill_group(self.pid)
        if self.unread:
            self._stdin.abort()  # a close would wait for somebody to read it
        self._arm(self._timing.drain, self._transport.close)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Tell the end: the process is over and each of its pipes is read to EOF."""
        self._timer_off()
        self._transport.close()
        if text := self._stderr.close():
            self._on_stderr(text)
        ended = self._ended()
        try:
            self._on_ended(ended)
        finally:
            self._gone.set_result(ended)

    # The end

    def _dying(self, sign: EndReason) -> None:
        if self._sign is None:
            self._sign = sign
            self._stdin.close()
            self._arm(self._timing.death_grace, self._kill)

    def _was_asked_to_leave(self) -> bool:
        return self._sign in {"closed", "restarted", "unresponsive"}

    def _kill(self) -> None:
        """Kill the group, and the descendants in groups of their own: after the kill nobody could find them."""
        self._killed = True
        relatives = self._family + family.descendants(self.pid)
        family.kill_group(self.pid)
        family.kill(relatives)

    def _ended(self) -> Ended:
        code, signal_name = split_return_code(self._transport.get_returncode())
        by_itself = not self._killed and not self._was_asked_to_leave()
        reason = "exited" if by_itself or self._sign is None else self._sign
        return Ended(self.generation, reason, code, signal_name, self._stderr.tail())

    def _arm(self, seconds: float, action: Callable[[], None]) -> None:
        self._timer_off()
        self._timer = self._loop.call_later(seconds, action)

    def _timer_off(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
