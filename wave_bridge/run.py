"""`wave-bridge run -- COMMAND`: runs a command as it is and keeps its output as the folder's last one, for @terminal.

For editors whose terminals can't be read. A command that marks what runs in it (a shell with `shell-init`) is kept as a
stream, whose last marked command counts. The command gets a pseudo-terminal of its own, of the size that the user's
has; every byte passes unchanged, either way, and the exit code is the command's. With the standard library: pexpect's
`interact` wants a terminal at both ends, and an output that is piped on must pass as well.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
import select
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import platformdirs

from wave_bridge.store import terminals

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

CHUNK: Final = 64 * 1024
KEPT: Final = 512 * 1024  # bytes of the end of the output; a message takes far less
KEEP_EVERY: Final = 1.0  # seconds: a command that still runs can be asked about
SIGNALLED: Final = 128  # plus the signal's number: a shell's exit code for a command that a signal ended
USAGE: Final = 2
MARK: Final = re.compile(rb"\x1b\](?:133|633);C")  # a shell's: the output of one of its commands begins


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount the sub-command `run`."""
    parser = subparsers.add_parser("run", help="run a command and keep its output for @terminal")
    parser.add_argument("program", nargs="+", metavar="COMMAND", help="the command and its arguments, behind `--`")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run it; gives its exit code."""
    try:
        import pty  # noqa: PLC0415 - Unix only, and needed by this sub-command alone
    except ImportError:
        sys.stderr.write("wave-bridge run needs a Unix pseudo-terminal\n")
        return USAGE
    argv: list[str] = options.program
    pid, master = pty.fork()
    if pid == 0:
        _become(argv)
    record = _Record(shlex.join(argv))
    with _raw_input(), _same_size(master):
        _pass_on(master, record)
    _, status = os.waitpid(pid, 0)  # first: one that closes its streams before it exits would be hung up on
    os.close(master)
    code = os.waitstatus_to_exitcode(status)
    record.end(code if code >= 0 else SIGNALLED - code)
    return code if code >= 0 else SIGNALLED - code


class _Record:
    """The command and the end of its output; written when it began, now and then, and when it ended."""

    def __init__(self, command: str) -> None:
        self._state = Path(platformdirs.user_state_dir("wave-bridge", appauthor=False))
        self._folder = str(Path.cwd())
        self._command = command
        self._output = bytearray()
        self._omitted = 0
        self._kept_at = time.monotonic() - KEEP_EVERY
        self._fresh = True
        self._told = False

    def add(self, data: bytes) -> None:
        """Take a piece of output."""
        self._output += data
        if len(self._output) > 2 * KEPT:
            self._cut()
        self._fresh = True

    def wait(self) -> float | None:
        """Keep what is due; gives the seconds until something is due again, None while nothing is."""
        if not self._fresh:
            return None
        left = self._kept_at + KEEP_EVERY - time.monotonic()
        if left <= 0:
            self._fresh = False
            self._keep(running=True)
            return None
        return left

    def end(self, code: int) -> None:
        """Take the exit code."""
        self._keep(exitCode=code)

    def _cut(self) -> None:
        over = len(self._output) - KEPT
        if over > 0:
            self._omitted += over
            del self._output[:over]

    def _keep(self, **more: Any) -> None:
        """Keep it; a state that can't be written costs the user nothing but a sentence."""
        self._cut()
        self._kept_at = time.monotonic()
        columns, rows = _size()
        output = bytes(self._output)
        own = {"source": "stream"} if MARK.search(output) else {"source": "command", "command": self._command, **more}
        facts = {
            **own,
            "outputBytes": base64.b64encode(output).decode(),
            "omittedBytes": self._omitted,
            "cols": columns,
            "rows": rows,
        }
        try:
            terminals.remember(self._state, self._folder, facts)
        except OSError as fault:
            if not self._told:
                sys.stderr.write(f"wave-bridge run: the output is not kept: {fault}\r\n")
            self._told = True


def _become(argv: list[str]) -> None:
    """Turn this forked process into the command; never returns."""
    for name in ("SIGHUP", "SIGINT", "SIGPIPE"):  # as a shell leaves them: Python ignores the last, `nohup` the first
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(argv[0], argv)  # noqa: S606 - no shell: that is the point
    except OSError as fault:
        os.write(2, f"wave-bridge run: {argv[0]}: {fault.strerror}\r\n".encode())
    os._exit(127)


def _pass_on(master: int, record: _Record) -> None:
    """Copy both ways until the command's terminal is closed."""
    sources = [master, 0]
    while True:
        ready, _, _ = select.select(sources, [], [], record.wait())
        if 0 in ready:
            typed = os.read(0, CHUNK)
            if typed:
                _write(master, typed)
            else:
                sources.remove(0)
                _write(master, b"\x04")  # the terminal's end of input
        if master in ready:
            try:
                data = os.read(master, CHUNK)
            except OSError:  # Linux says EIO when the last process let go of it
                return
            if not data:
                return
            _write(1, data)
            record.add(data)


def _write(fd: int, data: bytes) -> None:
    """Write all of it; to whom is gone, nothing: the command goes on as under a closed pager."""
    with contextlib.suppress(BrokenPipeError, OSError):
        while data:
            data = data[os.write(fd, data) :]


def _size() -> tuple[int, int]:
    for fd in (0, 1, 2):
        with contextlib.suppress(OSError):
            found = os.get_terminal_size(fd)
            return found.columns, found.lines
    return 80, 24


@contextlib.contextmanager
def _raw_input() -> Iterator[None]:
    """Let every key reach the command as it is; the user's terminal is as before afterwards."""
    import termios  # noqa: PLC0415 - Unix only
    import tty  # noqa: PLC0415 - likewise

    if not os.isatty(0):
        yield
        return
    before = termios.tcgetattr(0)
    tty.setraw(0)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSAFLUSH, before)


@contextlib.contextmanager
def _same_size(master: int) -> Iterator[None]:
    """Give the command's terminal the size of the user's, now and whenever that changes."""
    import termios  # noqa: PLC0415 - Unix only

    def resize(*_: object) -> None:
        columns, rows = _size()
        termios.tcsetwinsize(master, (rows, columns))

    resize()
    before = signal.signal(signal.SIGWINCH, resize)
    try:
        yield
    finally:
        signal.signal(signal.SIGWINCH, before)
