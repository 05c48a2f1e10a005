"""What a CLI that was killed, or the CLI of a daemon that was, left running. Knows it by a mark in its environment.

Only two kinds are ended, both leaders of a session of their own, for so they are started: a command of the CLI (a
shell, or what it became, which still writes into the CLI's pipe), and a CLI. Whatever else carries the mark was
detached on purpose, an editor opened by a command for instance: it is reported, never ended.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import msgspec
import psutil

from wave_bridge.agent import family

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK: Final = "WAVE_BRIDGE_DAEMON"  # variable of every CLI and of what it starts: process id and start of its daemon
_SHELLS: Final = frozenset({"bash", "dash", "fish", "ksh", "sh", "zsh"})


class Orphan(msgspec.Struct, frozen=True):
    """A process without its CLI. `ended`: whether the daemon ends such a one; else a command detached it."""

    pid: int
    name: str
    daemon: str  # the mark's value
    ended: bool


@cache
def own_mark() -> str:
    """Give this process's mark; the start time tells a reused process id apart."""
    return _mark_of(psutil.Process())


def orphans() -> list[Orphan]:
    """Give the marked processes of this user whose parent is neither their daemon nor marked. Takes milliseconds."""
    marks = dict(_marked())
    return [
        Orphan(process.pid, _name(process), mark, ended=_is_ours(process, mark))
        for process, mark in marks.items()
        if not _has_parent(process, mark, {other.pid for other in marks})
    ]


def end_orphans(*, of_dead_daemons: bool) -> list[Orphan]:
    """Kill what this process's CLIs left, or what the CLIs of dead daemons are and left; gives what was killed."""
    ended = []
    for orphan in orphans():
        wanted = not _daemon_lives(orphan.daemon) if of_dead_daemons else orphan.daemon == own_mark()
        if orphan.ended and wanted:
            relatives = family.descendants(orphan.pid)
            family.kill_group(orphan.pid)  # it leads one: see _is_ours
            family.kill(relatives)
            ended.append(orphan)
    return ended


def _marked() -> Iterator[tuple[psutil.Process, str]]:
    for process in psutil.process_iter():
        try:
            if process.status() != psutil.STATUS_ZOMBIE and (mark := process.environ().get(MARK)):
                yield process, mark
        except (psutil.Error, OSError):  # gone, or another user's
            continue


def _has_parent(process: psutil.Process, mark: str, marked: set[int]) -> bool:
    try:
        parent = process.parent()
        return parent is not None and (parent.pid in marked or _mark_of(parent) == mark)
    except psutil.Error:
        return True  # it went this moment


def _is_ours(process: psutil.Process, mark: str) -> bool:
    if sys.platform == "win32":
        return False  # no sessions there: nothing tells a command from what it detached
    try:
        if os.getsid(process.pid) != process.pid:
            return False
        is_command = _name(process) in _SHELLS or _writes_into_pipe(process.pid)
        return is_command or (not _daemon_lives(mark) and "--stdio" in process.cmdline())
    except (psutil.Error, OSError):
        return False


def _writes_into_pipe(pid: int) -> bool:
    """Tell it where the system can: a shell that has one command to run becomes it, so that its name says nothing."""
    try:
        return os.readlink(f"/proc/{pid}/fd/1").startswith(("pipe:", "socket:"))  # noqa: PTH115 - no path, a kind
    except OSError:
        return False


def _name(process: psutil.Process) -> str:
    """Give the program's name; not its arguments, which may hold secrets."""
    try:
        return PurePath(process.name()).name
    except psutil.Error:
        return ""


def _daemon_lives(mark: str) -> bool:
    try:
        return _mark_of(psutil.Process(int(mark.partition(":")[0]))) == mark
    except (psutil.Error, ValueError, OverflowError):
        return False


def _mark_of(process: psutil.Process) -> str:
    return f"{process.pid}:{process.create_time():.2f}"
