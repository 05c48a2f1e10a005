"""The stdio door: `wave-bridge --stdio` is this. It copies whole frames between an editor and the user's daemon.

When the daemon dies, the editor hears at once that its open requests failed, another daemon is found or started, and
the editor's introduction is said to it again; the editor's process stays. Blocking reads and writes give each side
the other's pace, so memory is bounded. Standard library only: an editor waits for this module.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time

from wave_bridge import __version__
from wave_bridge.conversation import Conversation
from wave_bridge.frames import Frames, only_ends
from wave_bridge.rendezvous import RendezvousError
from wave_bridge.summon import DAEMON, Summoner

if sys.platform == "win32":
    import msvcrt

TYPE_CHECKING = False  # `typing` costs an editor 5 ms
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

CHUNK: Final = 256 * 1024  # bytes
LAST_WORDS: Final = 0.5  # seconds between the editor's end and ours, for what the daemon still has to say
LOST: Final = "The bridge's daemon ended and is started again; send the request again."
REFUSAL_TIME: Final = 5.0  # seconds for the editor to send the request that hears why there is no daemon
MAX_LOSSES: Final = 5  # daemons lost …
LOSS_WINDOW: Final = 60.0  # … within so many seconds: the next one would die too
# What a daemon that another editor started can't know of this one
TOLD: Final = ("WAVE_CLI_PATH", "PATH", "LANG", "LC_ALL", "LC_MESSAGES", "TMUX", "TMUX_PANE")


def main(environ: Mapping[str, str], command: Sequence[str] = DAEMON) -> int:
    """Serve the editor at stdin and stdout until it ends; gives the exit code, 1 when there is no daemon for it."""
    hello = {
        "purpose": "attach",
        "pid": os.getpid(),
        "cwd": _cwd(),
        "env": {name: environ[name] for name in TOLD if name in environ},
    }
    _make_binary()
    return _Door(Summoner(environ, __version__, hello, command)).serve()


def _cwd() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder is gone
        return ""


def _make_binary() -> None:
    """Make stdin and stdout carry bytes, and block."""
    for descriptor in (0, 1):
        if sys.platform == "win32":
            msvcrt.setmode(descriptor, os.O_BINARY)
        else:
            os.set_blocking(descriptor, True)


class _EditorGone(Exception):
    """Nobody reads our stdout any more."""


class _Door:
    """Two copying threads. The main one owns the link to the daemon; the other one waits while there is none."""

    def __init__(self, summoner: Summoner) -> None:
        self._summoner = summoner
        self._parent = os.getppid()
        self._sending = threading.Lock()  # a link is not closed while the other thread writes to it
        self._ended = threading.Event()
        self._refused = threading.Event()
        self._changed = threading.Condition()  # guards what follows
        self._conversation = Conversation()
        self._link: socket.socket | None = None  # None while the editor's messages must wait
        self._refusal = ""  # why there is no daemon and will be none
        self._over = False  # the editor has ended the conversation

    def serve(self) -> int:
        """Copy until the end; gives the exit code."""
        threading.Thread(target=self._copy_from_editor, name="from-editor", daemon=True).start()
        try:
            return self._serve()
        except RendezvousError as fault:
            return self._refuse(str(fault))
        except _EditorGone:
            return 0
        finally:
            self._ended.set()

    def _serve(self) -> int:
        losses: list[float] = []
        while len(losses) <= MAX_LOSSES:
            link = self._summoner.reach()
            self._copy_to_editor(link, again=bool(losses))
            if self._part(link):
                return self._exit_code()
            now = time.monotonic()
            losses = [loss for loss in losses if loss > now - LOSS_WINDOW] + [now]
        return self._refuse(f"the daemon ended {len(losses)} times within {LOSS_WINDOW:.0f} s")

    def _copy_to_editor(self, link: socket.socket, *, again: bool) -> None:
        """Copy until the daemon hangs up; half a frame at its death goes nowhere."""
        frames = Frames(daemon=True)
        is_open = False
        try:
            link.sendall(self._conversation.introduction())
            while True:
                if not is_open and self._conversation.greeted:
                    is_open = True
                    self._open(link, again=again)
                data = link.recv(CHUNK)
                if not data:
                    return
                with self._changed:
                    passed = [whole for whole, body in frames.feed(data) if self._conversation.from_daemon(body)]
                _write(b"".join(passed))
        except OSError:
            return

    def _open(self, link: socket.socket, *, again: bool) -> None:
        """Let the editor's messages through; before that, the rest of what a daemon must know that took over."""
        link.sendall(self._conversation.rest_of_introduction())
        if again:
            _write(self._conversation.reattached())
        with self._changed:
            self._link = link
            self._changed.notify_all()

    def _part(self, link: socket.socket) -> bool:
        """Close the link and tell the editor what was lost with it; False when another daemon is to be found."""
        with self._changed:
            self._link = None
            over = self._over or self._conversation.exiting or self._conversation.shutdown or self._is_orphan()
            said = self._conversation.farewell(LOST, for_good=over)
        _hang_up(link)
        with self._sending:
            link.close()
        _write(said)
        return over

    def _is_orphan(self) -> bool:
        """Say whether our editor has died; the daemon, which watches its process, may have closed the link for that."""
        return os.getppid() != self._parent

    def _refuse(self, reason: str) -> int:
        """Answer what the editor asks, or the first thing that it will ask, with the reason; gives the exit code."""
        with self._changed:
            self._refusal = reason
            self._changed.notify_all()
        _complain(f"wave-bridge: {reason}\n")
        self._refused.wait(REFUSAL_TIME)
        return 1

    def _copy_from_editor(self) -> None:
        frames = Frames()
        try:
            while not self._conversation.exiting and (data := _read()):
                self._forward(frames.feed(data))
        except _EditorGone:
            pass
        self._end()

    def _forward(self, pieces: list[tuple[bytes, bytes]]) -> None:
        """Send the editor's frames on, once there is a daemon; a request is noted before it can be lost."""
        with self._changed:
            if not only_ends(pieces):  # for that, no daemon needs to be found
                self._changed.wait_for(lambda: self._link or self._refusal)
            passed = [whole for whole, body in pieces if self._conversation.from_editor(body)]
            link = self._link
            if link is None:
                reason = f"There is no daemon: {self._refusal}" if self._refusal else LOST
                _write(self._conversation.farewell(reason, for_good=True))
                self._refused.set()
                return
        with self._sending:
            try:
                link.sendall(b"".join(passed))
            except OSError:
                _hang_up(link)  # the other thread learns of it, and answers for what was lost

    def _end(self) -> None:
        """Let the daemon know that the editor is through, and see to it that this process ends."""
        with self._changed:
            self._over = True
            link = self._link
        self._refused.set()
        if link is not None:
            _hang_up(link, socket.SHUT_WR)
        if not self._ended.wait(LAST_WORDS):
            os._exit(self._exit_code())  # the other thread waits for an editor that does not read, or for a daemon

    def _exit_code(self) -> int:
        """Give 1 when the editor sent `exit` without `shutdown`, as LSP wants; a closed stdin is no fault."""
        return 1 if self._conversation.exiting and not self._conversation.shutdown else 0


def _hang_up(link: socket.socket, how: int = socket.SHUT_RDWR) -> None:
    try:
        link.shutdown(how)
    except OSError:  # it was gone already
        return


def _complain(text: str) -> None:
    """Write to stderr, if the editor has left us one that is read."""
    if sys.stderr is None:
        return  # closed; its number may be another file's by now
    try:
        os.write(2, text.encode(errors="replace"))  # past Python's buffer, which would complain again at the end
    except OSError:
        return


def _read() -> bytes:
    """Give the editor's next bytes; none at its end, however that came."""
    try:
        return os.read(0, CHUNK)
    except OSError:
        return b""


def _write(data: bytes) -> None:
    """Write all of it to the editor; raises _EditorGone when it can't be."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(1, rest) :]
    except OSError as fault:
        raise _EditorGone from fault
