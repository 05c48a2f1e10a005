"""Watches the process that `initialize` names: an editor that died without a word still frees what it held.

The kernel tells its end, through a descriptor that the event loop waits for: an idle daemon is not woken. Where no
kernel offers one (Windows, an old Linux), a look every few seconds does.
"""

from __future__ import annotations

import asyncio
import os
import select
import sys
from typing import TYPE_CHECKING, Final

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY: Final = 3.0  # seconds between two looks


class ProcessWatch:
    """Calls `gone` once, when the process has ended.

    A process that is not there at the start is never called gone: the id may be another machine's (ssh, containers).
    """

    def __init__(self, pid: int, gone: Callable[[], None], every: float = EVERY) -> None:
        self._gone = gone
        self._every = every
        self._timer: asyncio.TimerHandle | None = None
        self._told_by: _Descriptor | None = None
        try:
            self._process = psutil.Process(pid)  # remembers the start time, so a reused id is told apart
            self._told_by = _descriptor_of(pid)
        except (psutil.Error, ValueError, OverflowError, ProcessLookupError):
            return
        if self._told_by is None:
            self._wait()
        else:
            asyncio.get_running_loop().add_reader(self._told_by.fileno(), self._ended)

    def stop(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()
        if self._told_by is not None:
            asyncio.get_running_loop().remove_reader(self._told_by.fileno())
            self._told_by.close()
            self._told_by = None

    def _ended(self) -> None:
        self.stop()
        self._gone()

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._every, self._look)

    def _look(self) -> None:
        if _runs(self._process):
            self._wait()
        else:
            self._gone()


class _PidFd:
    """Linux's: readable once the process has ended."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def close(self) -> None:
        os.close(self._fd)


if sys.platform == "win32":
    _Descriptor = _PidFd

    def _descriptor_of(_: int) -> _Descriptor | None:
        return None

elif sys.platform == "linux":
    _Descriptor = _PidFd

    def _descriptor_of(pid: int) -> _Descriptor | None:
        """Give what becomes readable when the process ends; None on a kernel without it. Raises ProcessLookupError."""
        try:
            return _PidFd(os.pidfd_open(pid))
        except ProcessLookupError:
            raise
        except OSError:  # not in this kernel, or a sandbox forbids it
            return None

else:
    _Descriptor = select.kqueue

    def _descriptor_of(pid: int) -> _Descriptor | None:
        """Give what becomes readable when the process ends. Raises ProcessLookupError."""
        queue = select.kqueue()
        event = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        queue.control([event], 0)
        return queue


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
