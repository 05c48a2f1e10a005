"""The daemon's side of the meeting place: one instance by an OS lock, the listening socket, and who may come in.

Only the lock decides who is the daemon. A socket that does not answer proves nothing: its owner may be stopped, or
slow. Files in the folder are touched by the holder of the lock alone.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import stat
import struct
import sys
import time
from hmac import compare_digest
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from filelock import FileLock, Timeout

from wave_bridge.rendezvous import (
    MARK,
    PROTOCOL,
    TCP_HOST,
    RendezvousError,
    open_owned,
    proof,
    somebody_listens,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wave_bridge.rendezvous import Place

BACKLOG: Final = 512  # connections that wait while the daemon imports
LEAVING_TIME: Final = 20.0  # seconds given to a daemon that has closed its socket and is ending
LOOK_AGAIN: Final = 0.05
_UCRED: Final = struct.Struct("3i")  # Linux: pid, uid, gid
_XUCRED: Final = struct.Struct("=IIh")  # macOS: version, uid, number of groups
_SOL_LOCAL, _LOCAL_PEERCRED = 0, 1


class AlreadyRunning(RendezvousError):
    """Another process is the daemon."""


class Denied(RendezvousError):
    """A visitor that may not come in; `kind` is what it is told."""

    def __init__(self, kind: Literal["build", "protocol", "denied"], message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Hello(msgspec.Struct, frozen=True, rename="camel"):
    """A visitor's first line. `env` and `cwd` are those of the process that an editor started."""

    wave_bridge: int = 0
    protocol: int = 0
    build: str = ""
    purpose: Literal["attach", "status", "stop", "retire"] = "attach"
    pid: int = 0
    cwd: str = ""
    env: dict[str, str] = {}
    nonce: str = ""
    proof: str = ""


class Claim:
    """The right to be the daemon of this build, with the socket that it listens at."""

    def __init__(self, place: Place, listener: socket.socket, secret: str) -> None:
        self.place = place
        self.listener = listener
        self._secret = secret

    def admit(self, line: bytes, visitor: socket.socket, *, uid: int | None = None) -> tuple[Hello, dict[str, object]]:
        """Give the visitor's hello and what to add to the answer; raises Denied.

        `uid` is the only user let in: without it, whoever runs this process.
        """
        found = peer_uid(visitor)
        if found is not None and found != (os.getuid() if uid is None else uid):
            raise Denied("denied", "this daemon belongs to another user")
        try:
            hello = msgspec.json.decode(line, type=Hello)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise Denied("denied", f"this is no hello: {fault}") from fault
        if hello.wave_bridge != MARK:
            raise Denied("denied", "this is no hello")
        known = not self._secret or compare_digest(hello.proof, proof(self._secret, "attach", hello.nonce))
        if not known:
            raise Denied("denied", "the visitor does not know this daemon's secret")
        if hello.protocol != PROTOCOL:
            raise Denied("protocol", f"this daemon speaks version {PROTOCOL} of the hello, not {hello.protocol}")
        if hello.purpose == "attach" and hello.build != self.place.build:
            raise Denied("build", f"this daemon is build {self.place.build}")
        return hello, {"proof": proof(self._secret, "daemon", hello.nonce)} if self._secret else {}


@contextlib.contextmanager
def claim(place: Place, leaving_time: float = LEAVING_TIME) -> Iterator[Claim]:
    """Become the daemon of this build and listen; raises AlreadyRunning, or RendezvousError when it can't listen."""
    lock = FileLock(place.lock, mode=0o600)
    _take(lock, place, leaving_time)
    try:
        listener, secret = _listen_tcp(place) if place.tcp else (_listen_unix(place), "")
        with listener:
            try:
                yield Claim(place, listener, secret)
            finally:
                with contextlib.suppress(OSError):
                    Path(place.socket).unlink()
    finally:
        lock.release()


def sweep(place: Place) -> None:
    """Remove what a dead daemon left at its place, unless another one is about to begin there."""
    lock = FileLock(place.lock, mode=0o600)
    with contextlib.suppress(Timeout, OSError), lock.acquire(timeout=0):
        Path(place.socket).unlink()
        Path(place.start_log).unlink(missing_ok=True)


def _take(lock: FileLock, place: Place, leaving_time: float) -> None:
    """Acquire the lock; when its holder has closed its socket it is ending, and is waited for."""
    deadline = time.monotonic() + leaving_time
    while True:
        try:
            lock.acquire(timeout=0)
        except Timeout as held:
            if somebody_listens(place):
                raise AlreadyRunning(f"the daemon of build {place.build} is running") from held
            if time.monotonic() > deadline:
                raise AlreadyRunning(f"a daemon holds {place.lock} and does not listen") from held
            time.sleep(LOOK_AGAIN)
        else:
            return


def _listen_unix(place: Place) -> socket.socket:
    """Listen at the socket's path. What a dead daemon left there goes away; anything else stays, and is an error."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.lstat(place.socket).st_mode):
            raise RendezvousError(f"{place.socket} is no socket; remove it")
        Path(place.socket).unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        before = os.umask(0o177)  # from its first moment the socket is the owner's only
        try:
            listener.bind(place.socket)
        finally:
            os.umask(before)
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def _listen_tcp(place: Place) -> tuple[socket.socket, str]:
    """Listen at a free loopback port, and leave port and secret where only the owner can read them."""
    listener = socket.create_server((TCP_HOST, 0), backlog=BACKLOG)
    secret = secrets.token_hex(32)
    draft = f"{place.socket}.new"
    try:
        with contextlib.suppress(FileNotFoundError):
            Path(draft).unlink()
        with os.fdopen(open_owned(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
            file.write(msgspec.json.encode({"port": listener.getsockname()[1], "secret": secret}))
        Path(draft).replace(place.socket)
    except BaseException:
        listener.close()
        raise
    return listener, secret


def peer_uid(visitor: socket.socket) -> int | None:
    """Give the user at the other end, where the system can tell."""
    if visitor.family != getattr(socket, "AF_UNIX", None):
        return None
    system: str = sys.platform  # a variable, or mypy takes what is not of this system for unreachable
    if system == "linux":
        return int(_UCRED.unpack(visitor.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))[1])
    if system == "darwin":
        return int(_XUCRED.unpack_from(visitor.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 128))[1])
    return None
