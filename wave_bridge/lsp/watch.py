"""Watches the process that `initialize` names: an editor that died without a word still frees what it held."""

from __future__ import annotations

import asyncio
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
        try:
            self._process = psutil.Process(pid)  # remembers the start time, so a reused id is told apart
        except (psutil.Error, ValueError, OverflowError):
            return
        self._wait()

    def stop(self) -> None:
        """Stop watching."""
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._every, self._look)

    def _look(self) -> None:
        if _runs(self._process):
            self._wait()
        else:
            self._gone()


def _runs(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
