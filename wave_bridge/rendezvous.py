"""Where editors' attach processes and the daemon find each other: a folder of one user, names in it, and a hello.

A daemon is found by the build of its code, so that two builds never fight for one socket. The folder is the user's
alone; what lies in it is trusted only after a look at owner, mode and kind. Where there are no local sockets the
meeting place is a loopback port, and both sides prove that they know a secret from a file in the folder.
Standard library only, and of that the quick part: an editor waits for this module.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import zlib

TYPE_CHECKING = False  # `typing` costs an editor 5 ms
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Final

MARK: Final = 1  # value of `waveBridge` in a hello: this line is one
PROTOCOL: Final = 1  # of the hello and of what follows it
MAX_HELLO: Final = 64 * 1024  # bytes of a hello
MAX_ANSWER: Final = 16 * 1024 * 1024  # bytes of its answer; a status names every session and panel
HELLO_TIMEOUT: Final = 30.0  # seconds for the answer; a cold daemon on a busy machine imports first
MAX_SOCKET_PATH: Final = 100  # bytes; the smallest system limit is 104, with its final NUL
TCP_HOST: Final = "127.0.0.1"
OTHERS_WRITE: Final = 0o022
OTHERS_ANY: Final = 0o077


class RendezvousError(Exception):
    """Why there is no meeting; `str()` is a sentence for the user."""


class Untrusted(RendezvousError):
    """The folder, or a file in it, could be another user's work."""


class NotThere(RendezvousError):
    """Nobody listens."""


class Refused(RendezvousError):
    """The daemon said no; `kind` is `build`, `protocol` or `denied`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Place:
    """One build's meeting place. Paths are absolute; the folder exists and is the user's alone."""

    def __init__(self, folder: str, build: str, *, tcp: bool) -> None:
        self.folder = folder
        self.build = build
        self.tcp = tcp
        stem = os.path.join(folder, build)
        self.socket = f"{stem}.tcp" if tcp else f"{stem}.sock"
        self.lock = f"{stem}.tcp-lock" if tcp else f"{stem}.lock"  # held by the daemon for its life
        self.starting = f"{stem}.starting"  # held by the attach process that starts it
        self.start_log = f"{stem}.log"  # what the daemon said before it had a log, or instead of one

    def siblings(self) -> list[Place]:
        """Give the places in this folder where a daemon may listen, of whatever build, by name."""
        with os.scandir(self.folder) as entries:
            names = sorted(os.path.splitext(entry.name) for entry in entries)
        return [Place(self.folder, stem, tcp=end == ".tcp") for stem, end in names if end in {".sock", ".tcp"}]


def find_place(environ: Mapping[str, str], version: str) -> Place:
    """Give this build's place, its folder made if need be; raises Untrusted when the folder can't be trusted."""
    tcp = not hasattr(socket, "AF_UNIX") or sys.platform == "win32" or environ.get("WAVE_BRIDGE_TRANSPORT") == "tcp"
    build = f"{version}-{code_hash(os.path.dirname(os.path.abspath(__file__))):08x}"
    place = Place(own_folder(meeting_folder(environ)), build, tcp=tcp)
    if tcp or len(os.fsencode(place.socket)) <= MAX_SOCKET_PATH:
        return place
    # The same long path gives the same short one, for every process of this user.
    short = f"{_user_folder(environ)}-{zlib.crc32(os.fsencode(place.folder)):08x}"
    place = Place(own_folder(short), build, tcp=False)
    if len(os.fsencode(place.socket)) > MAX_SOCKET_PATH:
        raise RendezvousError(f"{place.socket} is too long for a socket; set WAVE_BRIDGE_DIR to a shorter folder")
    return place


def code_hash(package: str) -> int:
    """Give a number that changes with the code: CRC of every module's path and bytes. It names, it does not protect."""
    digest = 0
    for path in _modules(package):
        with open(path, "rb") as file:
            digest = zlib.crc32(file.read(), zlib.crc32(os.fsencode(path[len(package) :]), digest))
    return digest


def _modules(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name.endswith(".py"):
            yield entry.path
        elif entry.name != "__pycache__" and entry.is_dir():
            yield from _modules(entry.path)


def meeting_folder(environ: Mapping[str, str]) -> str:
    """Give the folder that every process of this user finds, whatever session it runs in."""
    if chosen := environ.get("WAVE_BRIDGE_DIR"):
        return os.path.abspath(chosen)
    if sys.platform == "win32":
        return os.path.join(environ.get("LOCALAPPDATA") or _temp(environ), "wave-bridge", "run")
    # A shell without XDG_RUNTIME_DIR (ssh, cron) must meet the daemon of the desktop's editors.
    for runtime in (environ.get("XDG_RUNTIME_DIR"), f"/run/user/{os.getuid()}"):
        if runtime and _is_own_folder(runtime):
            return os.path.join(runtime, "wave-bridge")
    return _user_folder(environ)


def _user_folder(environ: Mapping[str, str]) -> str:
    owner = environ.get("USERNAME", "user") if sys.platform == "win32" else str(os.getuid())
    return os.path.join(_temp(environ), f"wave-bridge-{owner}")


def _temp(environ: Mapping[str, str]) -> str:
    return environ.get("TMPDIR") or environ.get("TEMP") or "/tmp"  # noqa: S108 - the folder made in it is checked


def _is_own_folder(path: str) -> bool:
    try:
        found = os.stat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and (sys.platform == "win32" or found.st_uid == os.getuid())


def own_folder(path: str) -> str:
    """Make the folder if need be and give it back; raises Untrusted unless it is a real one, ours and only ours."""
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        found = os.lstat(path)
    except OSError as fault:
        raise Untrusted(f"{path} can't be made: {fault.strerror}; set WAVE_BRIDGE_DIR to another folder") from fault
    if not stat.S_ISDIR(found.st_mode):
        raise Untrusted(f"{path} is not a folder, or a link to one; remove it or set WAVE_BRIDGE_DIR")
    if sys.platform != "win32":
        if found.st_uid != os.getuid():
            raise Untrusted(f"{path} belongs to another user (uid {found.st_uid}); set WAVE_BRIDGE_DIR")
        if found.st_mode & OTHERS_WRITE:
            raise Untrusted(f"others may write to {path}; remove it, or set WAVE_BRIDGE_DIR")
        if found.st_mode & OTHERS_ANY:
            os.chmod(path, 0o700)
    return path


def open_owned(path: str, flags: int) -> int:
    """Open a file in the folder for its owner only, never through a link; gives a descriptor."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0), 0o600)


def read_secret(place: Place) -> tuple[int, str]:
    """Give the port and the secret of a loopback daemon; NotThere when the file is missing or no such thing."""
    try:
        with open(open_owned(place.socket, os.O_RDONLY), encoding="ascii") as file:
            found = json.loads(file.read(MAX_HELLO))
        return int(found["port"]), str(found["secret"])
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise NotThere(f"no daemon has left its port in {place.socket}") from fault


def proof(secret: str, role: str, nonce: str) -> str:
    """Give what only a holder of `secret` can say for `nonce`; each side has its `role`, so none can echo."""
    import hmac  # noqa: PLC0415 - 3 ms that a local socket does not need

    return hmac.digest(secret.encode(), f"{role}:{nonce}".encode(), "sha256").hex()


def visit(place: Place, hello: dict[str, Any], timeout: float = HELLO_TIMEOUT) -> tuple[socket.socket, dict[str, Any]]:
    """Connect, say hello, and give the open connection with the daemon's answer.

    Raises NotThere when nobody listens or the daemon is just leaving, Refused, or TimeoutError: not answering is not
    being gone. The answer is a line; the daemon says nothing more until it hears more.
    """
    line = {"waveBridge": MARK, "protocol": PROTOCOL, "build": place.build, **hello}
    address, secret = _address(place)
    if secret:
        nonce = os.urandom(16).hex()
        line |= {"nonce": nonce, "proof": proof(secret, "attach", nonce)}
    link = _connect(address, timeout)
    try:
        link.sendall(json.dumps(line).encode() + b"\n")
        answer = _read_line(link)
        _check(answer, proof(secret, "daemon", line["nonce"]) if secret else None)
        link.settimeout(None)
    except (ConnectionError, ValueError) as fault:
        link.close()
        raise NotThere("the daemon hung up during the hello") from fault
    except BaseException:
        link.close()
        raise
    return link, answer


def _check(answer: dict[str, Any], wanted_proof: str | None) -> None:
    if not answer.get("ok"):
        raise Refused(str(answer.get("kind", "denied")), str(answer.get("message", "the daemon refused")))
    if wanted_proof is not None and answer.get("proof") != wanted_proof:
        raise NotThere("another program listens at the daemon's port")


def somebody_listens(place: Place) -> bool:
    """Say whether a connection is taken there, or would be if its queue were not full."""
    try:
        _connect(_address(place)[0], HELLO_TIMEOUT).close()
    except NotThere:
        return False
    except OSError:
        return True
    return True


def _address(place: Place) -> tuple[str | tuple[str, int], str]:
    """Give where to connect, and the secret to prove there; "" where the folder is proof enough."""
    if not place.tcp:
        return place.socket, ""
    port, secret = read_secret(place)
    return (TCP_HOST, port), secret


def _connect(address: str | tuple[str, int], timeout: float) -> socket.socket:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    link = socket.socket(family, socket.SOCK_STREAM)
    try:
        link.settimeout(timeout)
        link.connect(address)
        if family == socket.AF_INET:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (FileNotFoundError, ConnectionError) as fault:
        link.close()
        raise NotThere("nobody listens") from fault
    except BaseException:
        link.close()
        raise
    return link


def _read_line(link: socket.socket) -> dict[str, Any]:
    """Read one line of JSON; raises ValueError when it is something else, ConnectionError when it is cut short."""
    data = bytearray()
    while not data.endswith(b"\n"):
        more = link.recv(MAX_HELLO)
        if not more:
            raise ConnectionResetError("no answer")
        data += more
        if len(data) > MAX_ANSWER:
            raise ValueError("the answer is too long")
    found = json.loads(data)
    return found if isinstance(found, dict) else {}
