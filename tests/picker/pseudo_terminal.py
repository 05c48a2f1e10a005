"""A program in a real pseudo-terminal: keys go in, pyte reads the screen, bytes that matter are kept.

pyte has no alternate screen: there is a second one here, as terminals have it.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

import pyte

PATIENCE = 30.0  # seconds for the screen to show what must come; two cores are shared with all other tests
QUIET = 0.03  # seconds without a byte: the screen has been drawn
DRAWN_WITHIN = 0.5  # seconds for it, where a program never stops writing


class PseudoTerminal:
    """One program. `screen` is its text, a line per row, without trailing blanks; `written` all that it wrote."""

    def __init__(self, argv, *, cwd, env, columns=100, rows=24):
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvpe(argv[0], argv, env)
        self._primary = self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.written = b""
        self.resize(columns, rows)

    @property
    def screen(self):
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self):
        return "\n".join(self.screen)

    @property
    def cursor(self):
        return self._screen.cursor

    def resize(self, columns, rows):
        for screen in {id(each): each for each in (self._primary, self._screen)}.values():
            screen.resize(rows, columns)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        data = keys if isinstance(keys, bytes) else keys.encode()
        os.write(self._master, data)

    def wait(self, found, what=None):
        """Read until `found` (a text on the screen, or a function of this terminal) holds, and give its value."""
        deadline = time.monotonic() + PATIENCE
        test = (lambda terminal: found in terminal.text) if isinstance(found, str) else found
        while not (value := test(self)):
            if not self._read(deadline):
                raise AssertionError(f"{what or found!r} never came; the screen:\n{self.text}")
        return self._settled(test) or value

    def _settled(self, test):
        """Let a screen that is being drawn be finished: its first lines are there before its last."""
        end = time.monotonic() + DRAWN_WITHIN
        while self._read(min(end, time.monotonic() + QUIET)):
            pass
        return test(self)

    def wait_gone(self, text):
        return self.wait(lambda terminal: text not in terminal.text, f"{text!r} gone")

    def wait_end(self):
        """Read until the program has ended and give its exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = None
        return os.waitstatus_to_exitcode(status)

    def close(self):
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._master)

    def _read(self, deadline):
        ready, _, _ = select.select([self._master], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # how Linux says that the program has gone
            return False
        self.written += data
        for part in re.split(rb"(\x1b\[\?1049[hl])", data):
            self._switch(part) if part[:7] == b"\x1b[?1049" else self._stream.feed(part)
        if b"\x1b[6n" in data:  # a terminal answers where its cursor is
            self.type(f"\x1b[{self._screen.cursor.y + 1};{self._screen.cursor.x + 1}R")
        return bool(data)

    def _switch(self, sequence):
        columns, rows = self._screen.columns, self._screen.lines
        self._screen = pyte.Screen(columns, rows) if sequence.endswith(b"h") else self._primary
        self._stream = pyte.ByteStream(self._screen)
