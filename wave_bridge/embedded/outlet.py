"""stdout: whole lines from one writer thread. Never blocks the caller: it buffers without limit."""

from __future__ import annotations

import contextlib
import os
import threading
import traceback
from queue import Empty, SimpleQueue
from typing import Any, Final

from wave_bridge.embedded.lines import encode

_LARGEST_WRITE: Final = 1 << 20  # bytes joined into one write
_BROKEN_PIPE_EXIT: Final = 1


class Outlet:
    """The only writer of stdout. A reader that has gone ends the process with exit code 1, as the real one does."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="stdout", daemon=True)
        self._thread.start()

    def notify(self, method: str, params: dict[str, Any], session_id: str | None) -> None:
        """Send a notification; `session_id` None leaves the envelope's member out."""
        message: dict[str, Any] = {"method": method, "params": params}
        if session_id is not None:
            message["sessionId"] = session_id
        self._lines.put(encode(message))

    def answer(self, request_id: object, result: object) -> None:
        """Send a response; None is sent as null."""
        self._lines.put(encode({"id": request_id, "result": result}))

    def refuse(self, request_id: object, code: int | str, message: str) -> None:
        """Send an error response. The real CLI's codes are not always integers."""
        self._lines.put(encode({"id": request_id, "error": {"code": code, "message": message}}))

    def raw(self, line: str) -> None:
        """Send a line that is not JSON: stdout of the real CLI is not purely JSON."""
        self._lines.put(line.encode(errors="replace") + b"\n")

    def close(self, seconds: float) -> None:
        """Write what is left, waiting no longer than `seconds`."""
        self._lines.put(None)
        self._thread.join(seconds)

    def _write(self) -> None:
        try:
            while (chunk := self._next_chunk()) is not None:
                _write_whole(self._fd, chunk)
        except OSError:
            with contextlib.suppress(OSError):
                traceback.print_exc()
            os._exit(_BROKEN_PIPE_EXIT)

    def _next_chunk(self) -> bytes | None:
        """Wait for a line and join what else is there already. None: closed."""
        first = self._lines.get()
        if first is None:
            return None
        lines, size = [first], len(first)
        while size < _LARGEST_WRITE:
            try:
                line = self._lines.get_nowait()
            except Empty:
                break
            if line is None:
                self._lines.put(None)  # close() is the last to put anything, so order is kept
                break
            lines.append(line)
            size += len(line)
        return b"".join(lines)


def _write_whole(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
