"""What an attach process reads of a byte stream: whole frames, and of a message hardly more than its id and method.

`core/lsp_codec` and `core/envelope` do this for the daemon, strictly and with msgspec. Here nothing is judged: what is
no frame passes as it came, and the daemon answers for it. Standard library only: an editor waits for this module.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False  # `typing` costs an editor 5 ms
if TYPE_CHECKING:
    from typing import Any, Final

MAX_FRAME: Final = 64 * 1024 * 1024  # bytes of a body held to be whole; what is longer passes in pieces
MAX_HEADER: Final = 8 * 1024
END_MAX: Final = 256  # bytes of a `shutdown` or an `exit`

_LENGTH = re.compile(rb"(?:^|\n)content-length[ \t]*:[ \t]*(\d{1,15})[ \t]*\r?(?:\n|$)", re.IGNORECASE)
# How our daemon and most editors begin a message; any other order of members is read as JSON, whole.
_ID_FIRST = re.compile(
    rb'\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(?P<id>-?\d+|"(?:[^"\\]|\\.)*")\s*,'
    rb'\s*"(?:(?:result|error)"|method"\s*:\s*"(?P<method>[^"\\]*)")'
)
_PANEL = (
    rb'\{"jsonrpc":"2\.0","method":"wave/panel/message","params":\{"panelId":(?P<panel>"(?:[^"\\]|\\.)*"),"message":'
)
_PANEL_MESSAGE = re.compile(_PANEL)
_PANEL_NOTICE = re.compile(_PANEL + rb'\{"jsonrpc":"2\.0","method":')
_NOTICES = (  # the daemon's notifications that leave nothing open: most of what it says
    b'{"jsonrpc":"2.0","method":"wave/session/',
    b'{"jsonrpc":"2.0","method":"wave/agent/',
)
_NOTICE_FRAME = re.compile(
    rb'Content-Length: (\d{1,15})\r\n\r\n(?=\{"jsonrpc":"2\.0","method":"wave/(?:session/|agent/|panel/message",'
    rb'"params":\{"panelId":"(?:[^"\\]|\\.)*","message":\{"jsonrpc":"2\.0","method":))'
)
_READ_WHOLE = {b"initialize", b"wave/panel/open"}


class Frames:
    """Cuts a byte stream into `(frame, body)`; what is no frame passes as it came, with an empty body.

    With `daemon`, notifications that leave nothing open pass in runs, uncut and with an empty body: a stream of deltas
    costs hardly more than copying it.
    """

    def __init__(self, *, daemon: bool = False) -> None:
        self._daemon = daemon
        self._buffer = bytearray()
        self._passing = 0  # bytes of an over-long body that are still to come

    def feed(self, data: bytes) -> list[tuple[bytes, bytes]]:
        """Give what `data` completes, in order."""
        self._buffer += data
        found: list[tuple[bytes, bytes]] = []
        at = 0
        while (end := self._next(at, found)) > at:
            at = end
        del self._buffer[:at]
        return found

    def _next(self, at: int, found: list[tuple[bytes, bytes]]) -> int:
        """Take one piece that begins at `at`, and give where it ends; `at` when it is not whole yet."""
        size = len(self._buffer)
        if self._passing:
            end = min(size, at + self._passing)
            self._passing -= end - at
            return self._pass(at, end, found)
        if self._daemon and (end := self._end_of_notices(at, size)) > at:
            return self._pass(at, end, found)
        start = _body_start(self._buffer, at)
        if start < 0:
            return self._pass(at, size, found) if size - at > MAX_HEADER else at
        length = _LENGTH.search(bytes(self._buffer[at:start]))
        if length is None:
            return self._pass(at, start, found)
        end = start + int(length[1])
        if end - start > MAX_FRAME:
            self._passing = end - start
            return self._pass(at, start, found)
        if end > size:
            return at
        found.append((bytes(self._buffer[at:end]), bytes(self._buffer[start:end])))
        return end

    def _end_of_notices(self, at: int, size: int) -> int:
        """Give where the whole notifications end that begin at `at`; they look as our daemon writes them."""
        while notice := _NOTICE_FRAME.match(self._buffer, at):
            end = notice.end() + int(notice[1])
            if end > size:
                break
            at = end
        return at

    def _pass(self, at: int, end: int, found: list[tuple[bytes, bytes]]) -> int:
        if end > at:
            found.append((bytes(self._buffer[at:end]), b""))
        return end


def _body_start(buffer: bytearray, at: int) -> int:
    """Give where the header block that begins at `at` has ended; -1 when it has not."""
    limit = at + MAX_HEADER
    crlf = buffer.find(b"\r\n\r\n", at, limit)
    lf = buffer.find(b"\n\n", at, crlf if crlf >= 0 else limit)
    return lf + 2 if lf >= 0 else crlf + 4 if crlf >= 0 else -1


def frame(message: bytes | dict[str, Any]) -> bytes:
    """Give a message with its header."""
    body = message if isinstance(message, bytes) else json.dumps(message, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def head(body: bytes) -> dict[str, Any]:
    """Give id and method, and the rest where it is cheap or wanted; empty for what is no message.

    The id is a string, a number or None, whatever the peer wrote.
    """
    short = _ID_FIRST.match(body)
    try:
        if short and short["method"] not in _READ_WHOLE:
            method = {} if short["method"] is None else {"method": short["method"].decode()}
            return {"id": json.loads(short["id"]), **method}
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return {**found, "id": plain_id(found.get("id"))} if isinstance(found, dict) else {}


def plain_id(value: Any) -> str | int | float | None:
    """Give a JSON-RPC id, or None for what is none."""
    return value if isinstance(value, str | int | float) else None


def only_ends(pieces: list[tuple[bytes, bytes]]) -> bool:
    """Say whether the editor ends the conversation with these, and asks for nothing else."""
    methods = {head(body).get("method") if len(body) < END_MAX else None for _, body in pieces}
    return "exit" in methods and methods <= {"shutdown", "exit"}


def leaves_nothing_open(body: bytes) -> bool:
    """Say, quickly, whether this is one of the daemon's notifications that nobody has to remember."""
    return body.startswith(_NOTICES) or _PANEL_NOTICE.match(body) is not None


def answered_panel(body: bytes) -> tuple[str, str | int | float | None] | None:
    """Give panel and id when this is the daemon's answer to a panel, in its tunnel."""
    tunnel = _PANEL_MESSAGE.match(body)
    if tunnel is None:
        return None
    inner = _ID_FIRST.match(body, tunnel.end())
    if inner is None or inner["method"] is not None:
        return None
    return json.loads(tunnel["panel"]), json.loads(inner["id"])
