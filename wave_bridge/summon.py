"""Reach the user's daemon, and start it when there is none. However many do so at once, one daemon results.

Two locks of the operating system make that so: whoever holds `starting` may start a daemon, the others wait for its
socket; and a daemon that does not get the daemon's own lock ends. Standard library only: an editor waits for this.
"""

from __future__ import annotations

import os
import stat
import sys
import time

from wave_bridge.rendezvous import NotThere, Refused, RendezvousError, find_place, open_owned, visit

if sys.platform != "win32":
    import fcntl

TYPE_CHECKING = False  # `typing` costs an editor 5 ms
if TYPE_CHECKING:
    import socket
    import subprocess
    from collections.abc import Mapping, Sequence
    from typing import Any, Final

    from wave_bridge.rendezvous import Place

START_TIMEOUT: Final = 40.0  # seconds; a daemon that is just leaving may take its CLI's close ladder first
LOOK_AGAIN: Final = 0.01  # seconds between two looks for a socket that is about to appear
START_AGAIN: Final = 0.25  # seconds before the next try when a started daemon ended at once
CODE_TIME: Final = 1.0  # seconds between two looks whether the code is still the one that we wait for
MAX_STARTS: Final = 5
START_LOG_MAX: Final = 256 * 1024  # bytes; then it begins anew
TAIL: Final = 4 * 1024  # bytes of it shown when the start failed
# -P: a folder that is open in an editor must not provide our modules
DAEMON: Final = (sys.executable, "-P", "-m", "wave_bridge", "daemon")


class Unreachable(RendezvousError):
    """There is no daemon and none could be started; the sentence names the file that says more."""


class Summoner:
    """Gives connections to a daemon of this build. It keeps the process that it started, to see it end."""

    def __init__(
        self, environ: Mapping[str, str], version: str, hello: dict[str, Any], command: Sequence[str] = DAEMON
    ) -> None:
        self._environ = environ
        self._version = version
        self._hello = hello
        self._command = command
        self._child: subprocess.Popen[bytes] | None = None

    def reach(self) -> socket.socket:
        """Give a connection to a daemon that has greeted; raises Unreachable or Untrusted."""
        deadline = time.monotonic() + START_TIMEOUT
        while True:
            place = self._place()
            link = self._reach(place, deadline)
            if link is not None:
                return link
            if time.monotonic() >= deadline:
                raise Unreachable(f"no daemon came up within {START_TIMEOUT:.0f} s; see {place.start_log}")

    def _place(self) -> Place:
        return find_place(self._environ, self._version)

    def _reach(self, place: Place, deadline: float) -> socket.socket | None:
        """Give the connection; None when time is up, or the code was replaced: our daemon is then another build."""
        attempt = _Attempt(place)
        look = time.monotonic() + CODE_TIME
        try:
            while (now := time.monotonic()) < deadline:
                link = _visit(place, self._hello)
                if link is not None:
                    return link
                if now > look:
                    if self._place().build != place.build:
                        return None
                    look = now + CODE_TIME
                if attempt.may_start(self._child_lives()):
                    self._child = _spawn(self._command, place)
                time.sleep(LOOK_AGAIN)
        except OSError as fault:
            raise Unreachable(f"{fault.filename or place.socket}: {fault.strerror}") from fault
        finally:
            attempt.close()
        return None

    def _child_lives(self) -> bool:
        """Say so, and clear it away if it does not."""
        return self._child is not None and self._child.poll() is None


def _visit(place: Place, hello: dict[str, Any]) -> socket.socket | None:
    """Give the connection, or None while nobody listens or the queue before the daemon is full."""
    try:
        return visit(place, hello)[0]
    except (NotThere, BlockingIOError):
        return None
    except Refused as fault:
        raise Unreachable(f"the daemon refused ({fault.kind}): {fault}") from fault
    except TimeoutError as fault:
        # Not answering is not being gone: a second daemon beside a stopped one would do everything twice.
        raise Unreachable(f"a daemon listens at {place.socket} but does not answer") from fault


class _Attempt:
    """One reach's right to start daemons, and how often it did."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock: int | None = None
        self._starts = 0
        self._ended_at: float | None = None

    def may_start(self, child_lives: bool) -> bool:  # noqa: FBT001 - a fact, not an option
        """Say whether to start one now; raises Unreachable when MAX_STARTS of them ended without listening."""
        if child_lives or not self._try_lock():
            return False
        if self._starts and self._ended_at is None:
            self._ended_at = time.monotonic()
        if self._ended_at is not None and time.monotonic() < self._ended_at + START_AGAIN:
            return False
        if self._starts == MAX_STARTS:
            raise Unreachable(f"the daemon does not start; {self._place.start_log} ends with:\n{self._log_tail()}")
        self._starts += 1
        self._ended_at = None
        return True

    def close(self) -> None:
        """Let others start daemons again."""
        if self._lock is not None:
            os.close(self._lock)

    def _try_lock(self) -> bool:
        if sys.platform == "win32":
            return True  # the daemon's own lock decides
        if self._lock is None:
            self._lock = open_owned(self._place.starting, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _log_tail(self) -> str:
        with open(open_owned(self._place.start_log, os.O_RDONLY), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL))
            return file.read().decode(errors="replace").strip()


def _spawn(command: Sequence[str], place: Place) -> subprocess.Popen[bytes]:
    """Start a daemon that outlives us: own session, no handle of ours, its early words in the start log."""
    import subprocess  # noqa: PLC0415 - 10 ms that a warm attach does not need

    log = open_owned(place.start_log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        if not stat.S_ISREG(os.fstat(log).st_mode):
            raise Unreachable(f"{place.start_log} is no plain file; remove it")
        if os.fstat(log).st_size > START_LOG_MAX:
            os.ftruncate(log, 0)
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=place.folder,
            start_new_session=True,
            creationflags=flags,
        )
    finally:
        os.close(log)
