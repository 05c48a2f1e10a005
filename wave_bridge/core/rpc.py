"""JSON-RPC towards the CLI: increasing ids, the table of unanswered calls, lines out, Reply | Event | Garbage in.

Knows no time and no transport: a time limit is kept by whoever sends, who then `forget`s the call.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET

from wave_bridge.core.envelope import UNREADABLE, Envelope, Garbage, decode_envelope, decode_lines, decode_slowly

T = TypeVar("T")


class Reply(msgspec.Struct, frozen=True):
    """An answer. Exactly one of `result` and `error` counts; a missing result is null."""

    id: float | str | None
    result: bytes
    error: bytes | None


class Event(msgspec.Struct, frozen=True, gc=False):
    """A notification; `line` is its whole text, fit for splicing, `params` its raw parameters."""

    method: str
    session_id: str | None
    params: bytes
    line: bytes


_encode = msgspec.json.Encoder().encode


def read(line: bytes) -> Reply | Event | Garbage:
    """Say what one line of the CLI is (T5.2–T5.5). The CLI sends no requests: one with an id is garbage.

    `envelope.decode` is written out: a delta that comes alone takes this way.
    """
    try:
        if not line.isascii():
            line.decode()
        envelope = decode_envelope(line)
    except UNREADABLE:
        decoded = decode_slowly(line)
        if isinstance(decoded, Garbage):
            return decoded
        envelope, line = decoded
    method = envelope.method
    if method is UNSET:
        return _reply(envelope, line)
    if envelope.id is UNSET:
        return Event(method, envelope.session_id or None, envelope.params, line)
    return Garbage("a request from the CLI", is_json=True, line=line)


def read_all(lines: list[bytes]) -> list[Reply | Event | Garbage]:
    """Say what each line is, as `read` does, for a quarter of its price: most lines are deltas, and all are in order.

    msgspec reads the lines as one text of values, in which a value may have line ends inside and a line may have
    several values. It is told apart: between lines that begin with { and end with } no value goes on, so as many
    values as lines are one value a line.
    """
    text = b"\n".join(lines)
    if text.count(b"}\n{") != len(lines) - 1 or text[:1] != b"{" or text[-1:] != b"}":
        return [read(line) for line in lines]
    try:
        if not text.isascii():
            text.decode()
        envelopes = decode_lines(text)
    except UNREADABLE:
        return [read(line) for line in lines]
    if len(envelopes) != len(lines):
        return [read(line) for line in lines]
    return [
        Event(envelope.method, envelope.session_id or None, envelope.params, line)
        if envelope.id is UNSET and envelope.method is not UNSET
        else read(line)
        for envelope, line in zip(envelopes, lines, strict=True)
    ]


def _reply(envelope: Envelope, line: bytes) -> Reply | Garbage:
    if envelope.id is UNSET or (envelope.result is UNSET and envelope.error is UNSET):
        return Garbage("neither a response nor a notification", is_json=True, line=line)
    error = None if envelope.error is UNSET or bytes(envelope.error) == b"null" else bytes(envelope.error)
    result = b"null" if envelope.result is UNSET else bytes(envelope.result)
    return Reply(envelope.id, result, error)


def request_line(request_id: int, method: str, params: Any, session_id: str | None) -> bytes:
    """Give one request as a line (T5.1); `params` is anything that msgspec encodes, or UNSET to leave it out."""
    return _line({"id": request_id, "method": method, "params": params, "sessionId": session_id or UNSET})


def notification_line(method: str, params: Any, session_id: str | None) -> bytes:
    """Give one notification as a line (T5.6)."""
    return _line({"method": method, "params": params, "sessionId": session_id or UNSET})


def _line(message: dict[str, Any]) -> bytes:
    """Encode as one line for the CLI's reader, which also splits at CR and at raw U+2028 and U+2029.

    In JSON those two stand in strings only and go out escaped; CR and LF stand between values only, where an editor's
    raw parameters may have them, and become blanks.
    """
    text = _encode({name: value for name, value in message.items() if value is not UNSET})
    if not text.isascii():
        text = text.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return text.replace(b"\r", b" ").replace(b"\n", b" ") + b"\n"


class Unanswered(Generic[T]):
    """The calls that wait for an answer, by id, each with what its sender wants back."""

    def __init__(self) -> None:
        self._next = 1
        self._calls: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, call: T) -> int:
        """Keep `call` and give its id: increasing, never used twice (T5.1)."""
        request_id = self._next
        self._next += 1
        self._calls[request_id] = call
        return request_id

    def take(self, request_id: object) -> T | None:
        """Take the call that an answer names; None for one that is unknown, timed out or answered already."""
        return self._calls.pop(request_id, None) if isinstance(request_id, int) else None

    def drain(self) -> list[T]:
        """Take all of them, oldest first: the process has ended (T7.1)."""
        calls = list(self._calls.values())
        self._calls.clear()
        return calls
