"""Shell commands, really run: own process group, output as it comes, killed as a group."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import signal
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_READ: Final = 1 << 16
_GRACE: Final = 0.5  # seconds between SIGTERM and SIGKILL
_LATE_OUTPUT: Final = 0.5  # seconds to wait for output after the exit, where a child of the command holds the pipe
_POSIX: Final = os.name == "posix"
ABORTED_EXIT: Final = 130

OnOutput = Callable[[str], None]


class Shell:
    """A running command. `output` hears stdout, `errors` stderr; without `errors` `output` hears both as they arrive.

    Both may be changed while it runs.
    """

    def __init__(self, process: asyncio.subprocess.Process, output: OnOutput, errors: OnOutput | None) -> None:
        self._process = process
        self.output = output
        self.errors = errors
        self._readers = [asyncio.create_task(_read(process.stdout, self._hear))]
        if errors is not None:
            self._readers.append(asyncio.create_task(_read(process.stderr, self._hear_errors)))

    async def wait(self) -> int:
        """Wait for the exit and for the output; give the exit code as a shell has it."""
        code = await self._process.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*self._readers), _LATE_OUTPUT)
        return code if code >= 0 else 128 - code

    def end(self) -> None:
        """Ask the whole group to end, and make it end soon."""
        self.signal(signal.SIGTERM)
        if _POSIX:
            asyncio.get_running_loop().call_later(_GRACE, self.signal, signal.SIGKILL)

    def signal(self, number: int) -> None:
        """Send a signal to the whole group; one that is gone is fine."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if _POSIX:
                os.killpg(self._process.pid, number)
            else:
                self._process.terminate()

    def _hear(self, text: str) -> None:
        self.output(text)

    def _hear_errors(self, text: str) -> None:
        if self.errors:
            self.errors(text)


async def start(
    command: str, folder: Path, environ: Mapping[str, str], output: OnOutput, errors: OnOutput | None = None
) -> Shell:
    """Start `command`. Raises OSError if there is no such folder or no shell."""
    process = await asyncio.create_subprocess_exec(
        *argv(command, environ),
        cwd=folder,
        env=environ,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT if errors is None else asyncio.subprocess.PIPE,
        start_new_session=_POSIX,
    )
    return Shell(process, output, errors)


def reporting_folder(command: str, report: Path) -> str:
    """Make a command write the folder in which it ends to `report`; line numbers in its messages stay as they are."""
    return f"trap 'pwd > \"{report}\" 2>/dev/null' EXIT; {command}" if _POSIX else command


def argv(command: str, environ: Mapping[str, str]) -> list[str]:
    """Give what to start for `command`: bash, or what WAVE_SHELL names."""
    shell = environ.get("WAVE_SHELL") or ("/bin/bash" if _POSIX else environ.get("COMSPEC", "cmd.exe"))
    return [shell, "/c" if shell.lower().endswith("cmd.exe") else "-c", command]


async def _read(stream: asyncio.StreamReader | None, heard: OnOutput) -> None:
    if stream is None:
        return
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while data := await stream.read(_READ):
        if text := decoder.decode(data):
            heard(text)
    if text := decoder.decode(b"", final=True):
        heard(text)
