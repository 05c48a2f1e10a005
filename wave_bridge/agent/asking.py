"""Asks a program a short question: closed stdin, a process group of its own, a limit of time and of words. No shell."""

from __future__ import annotations

import asyncio
import subprocess
from typing import TYPE_CHECKING, Final, cast

import anyio
import msgspec

from wave_bridge.agent import family
from wave_bridge.core.limits import ASKED_OUTPUT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
_DRAIN: Final = 0.2  # seconds between the program's end and that of its output, which a child of it may hold open


class Said(msgspec.Struct, frozen=True):
    """What came of it. `code` is None when it was still running at the end of its time; `fault`: it did not start."""

    code: int | None
    output: bytes = b""
    fault: str = ""

    @property
    def timed_out(self) -> bool:
        """Whether its time ran out."""
        return self.code is None and not self.fault

    def why(self) -> str:
        """Say in English why this is no good answer."""
        if self.fault:
            return f"can't be run ({self.fault})"
        if self.timed_out:
            return "did not answer in time"
        if self.code:
            how = f"was killed by signal {-self.code}" if self.code < 0 else f"ended with exit code {self.code}"
            return f"{how} instead of answering"
        return f"answered {self.output[:60].decode(errors='replace').strip()!r}"


async def ask(argv: Sequence[str], seconds: float, *, env: Mapping[str, str] | None = None, until: bytes = b"") -> Said:
    """Run `argv` and give what it writes to stdout, at most ASKED_OUTPUT bytes; `until`: these end the answer.

    Whatever still runs of it at the end of its time, or when this is cancelled, is killed with its family.
    """
    loop = asyncio.get_running_loop()
    listener = _Listener(until)
    try:
        transport, _ = await loop.subprocess_exec(
            lambda: listener,
            *argv,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=None if env is None else dict(env),
            **family.OWN_GROUP,
        )
    except (OSError, ValueError) as fault:  # ValueError: a NUL in an argument
        return Said(None, fault=getattr(fault, "strerror", None) or str(fault))
    try:
        with anyio.move_on_after(seconds):
            await listener.heard.wait()
            with anyio.move_on_after(_DRAIN):
                await listener.over.wait()
        return Said(transport.get_returncode(), bytes(listener.output))
    finally:
        with anyio.CancelScope(shield=True):
            if transport.get_returncode() is None:
                relatives = family.descendants(transport.get_pid())
                family.kill_group(transport.get_pid())
                family.kill(relatives)
            await listener.exited.wait()
            transport.close()


class _Listener(asyncio.SubprocessProtocol):
    """Collects. `heard`: nothing more is to be expected, but perhaps the end of the output; `over`: that has come."""

    def __init__(self, until: bytes) -> None:
        self.output = bytearray()
        self.heard = asyncio.Event()
        self.over = asyncio.Event()
        self.exited = asyncio.Event()
        self._until = until

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:  # noqa: ARG002 - asyncio's signature
        """Keep what fits; a flood is heard out no further, and ends with the program's time."""
        room = ASKED_OUTPUT - len(self.output)
        self.output += cast("bytes", data)[:room]
        if self._until and self._until in self.output:
            self.heard.set()

    def process_exited(self) -> None:
        """Note the end."""
        self.exited.set()
        self.heard.set()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Note that the program is over and its output read."""
        self.over.set()
