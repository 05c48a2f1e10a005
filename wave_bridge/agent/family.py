"""The processes that a CLI started. Its Bash children have process groups of their own, so its group is not all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import anyio
import psutil

if TYPE_CHECKING:
    from collections.abc import Iterable

if sys.platform == "win32":
    OWN_GROUP: Final[dict[str, Any]] = {
        "creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW,
    }
else:
    OWN_GROUP: Final[dict[str, Any]] = {"start_new_session": True}

_POLL: Final = 0.01  # seconds


def descendants(pid: int) -> list[psutil.Process]:
    """Give the children of `pid`, theirs, and so on; none when it has gone. Takes milliseconds: it reads all of them.

    What a command detached on purpose (its parent ended, as a build daemon's does) is not among them.
    """
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def kill_group(pid: int) -> None:
    """Kill the process group that `pid` leads, also when its leader has ended; on Windows only the leader.

    Not by way of Popen: its kill looks first whether the child has ended, and takes the exit status from asyncio.
    """
    if sys.platform == "win32":
        with suppress(psutil.Error):
            psutil.Process(pid).kill()
    else:
        with suppress(ProcessLookupError, PermissionError):  # macOS: EPERM when only zombies are left
            os.killpg(pid, signal.SIGKILL)


def kill(processes: Iterable[psutil.Process]) -> None:
    """Kill each, if it is still the process that it was: psutil compares start times."""
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


async def end_survivors(processes: list[psutil.Process], grace: float) -> None:
    """Let `processes` end by themselves for `grace` seconds, then kill the others, and wait until they are over."""
    await _wait(processes, grace)
    kill(processes)
    await _wait(processes, grace)


async def _wait(processes: list[psutil.Process], seconds: float) -> None:
    """Wait for their ends, at most `seconds`."""
    with anyio.move_on_after(seconds):
        while any(map(_is_alive, processes)):  # noqa: ASYNC110 - nothing tells of the end of another's child
            await anyio.sleep(_POLL)


def _is_alive(process: psutil.Process) -> bool:
    """Tell whether it runs. A zombie does not; an orphan stays one for as long as the system's init likes."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
