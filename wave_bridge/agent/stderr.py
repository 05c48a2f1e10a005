"""The CLI's stderr: a bounded tail for diagnosis, and text to pass on as it comes (T7.3). Does no I/O."""

from __future__ import annotations

from typing import Final

from wave_bridge.core.limits import STDERR_LINE, STDERR_RATE, STDERR_TAIL

_WINDOW: Final = 1.0  # seconds over which STDERR_RATE is counted


class Stderr:
    """Takes bytes as they come; gives text by whole lines, at most about STDERR_RATE bytes a second."""

    def __init__(self) -> None:
        self._tail = bytearray()
        self._line = b""
        self._window_ends = 0.0
        self._passed = 0
        self._left_out = 0

    def feed(self, data: bytes, now: float) -> str:
        """Keep `data` in the tail and give what may be passed on; "" while a line is unfinished or in a flood."""
        self._remember(data)
        note = self._open_window(now) if now >= self._window_ends else ""
        if self._passed >= STDERR_RATE:
            self._left_out += len(data) + len(self._line)
            self._line = b""
            return note
        self._passed += len(data)
        return note + self._whole_lines(data)

    def close(self) -> str:
        """Give what is left: an unfinished line, and how much was left out."""
        rest, self._line = self._line, b""
        return self._note() + decode(rest)

    def tail(self) -> str:
        """Give the last STDERR_TAIL bytes as text, from the start of a line where it was cut."""
        if len(self._tail) <= STDERR_TAIL:
            return decode(bytes(self._tail))
        cut = bytes(self._tail[-STDERR_TAIL:])
        return decode(cut[cut.find(b"\n") + 1 :])

    def _remember(self, data: bytes) -> None:
        self._tail += data[-STDERR_TAIL - 1 :]
        if len(self._tail) > 2 * STDERR_TAIL:
            del self._tail[: -STDERR_TAIL - 1]

    def _open_window(self, now: float) -> str:
        self._window_ends = now + _WINDOW
        self._passed = 0
        return self._note()

    def _note(self) -> str:
        left_out, self._left_out = self._left_out, 0
        return f"[{left_out} bytes of stderr left out]\n" if left_out else ""

    def _whole_lines(self, data: bytes) -> str:
        whole, newline, self._line = (self._line + data).rpartition(b"\n")
        if len(self._line) <= STDERR_LINE:
            return decode(whole + newline)
        longest, self._line = self._line, b""
        return decode(whole + newline + longest)


def decode(data: bytes) -> str:
    """Decode as UTF-8, line by line as GBK where a line is not (tools on Chinese Windows), else with U+FFFD."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return "".join(_decode_line(line) for line in data.splitlines(keepends=True))


def _decode_line(line: bytes) -> str:
    for encoding in ("utf-8", "gbk"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("utf-8", "replace")
