"""One decode of a message's envelope: method, id, sessionId. params, result and error stay raw bytes.

msgspec rejects lone surrogate escapes and NaN even inside raw members, and does not check UTF-8 inside them, while a
JavaScript peer emits both; such a message takes the slow path here and comes out clean (U+FFFD, null).
"""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

NULL = msgspec.Raw(b"null")
BOM = b"\xef\xbb\xbf"


class Envelope(msgspec.Struct, rename={"session_id": "sessionId"}, gc=False):
    """A JSON-RPC message whose payload was not looked at. UNSET tells "absent" from null.

    It holds nothing that could refer back to it, so the collector need not know it (`gc`).
    """

    method: str | UnsetType = UNSET
    id: int | float | str | UnsetType | None = UNSET
    session_id: str | UnsetType | None = UNSET
    params: msgspec.Raw = NULL
    result: msgspec.Raw | UnsetType = UNSET
    error: msgspec.Raw | UnsetType = UNSET


class Garbage(msgspec.Struct, frozen=True):
    """Bytes that are no message; `is_json` tells a parse error from an invalid request."""

    reason: str
    is_json: bool
    line: bytes


_decoder = msgspec.json.Decoder(Envelope)
decode_envelope, decode_lines = _decoder.decode, _decoder.decode_lines
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)  # what it raises, and a check of UTF-8 does
_encode = msgspec.json.Encoder().encode


def decode(line: bytes) -> tuple[Envelope, bytes] | Garbage:
    """Give the envelope and the bytes that may be spliced on: valid UTF-8, valid JSON, one object."""
    try:
        if not line.isascii():
            line.decode()
        return decode_envelope(line), line
    except UNREADABLE:
        return decode_slowly(line)


def decode_slowly(line: bytes) -> tuple[Envelope, bytes] | Garbage:
    """Do as `decode`, for what msgspec does not take."""
    text = line.removeprefix(BOM).decode("utf-8", "replace")
    try:
        value = json.loads(text)
        clean = _encode(_clean(value))
    except (ValueError, RecursionError) as fault:
        return Garbage(f"not JSON: {fault}", is_json=False, line=line)
    try:
        return decode_envelope(clean), clean
    except (msgspec.DecodeError, RecursionError) as fault:
        return Garbage(f"not a message: {fault}", is_json=True, line=line)


def _clean(value: Any) -> Any:
    """Give the value with lone surrogates as U+FFFD and non-finite numbers as null."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case float() if not math.isfinite(value):
            return None
        case list():
            return [_clean(item) for item in value]
        case dict():
            return {_clean(key): _clean(item) for key, item in value.items()}
        case _:
            return value


def decode_any(data: bytes | msgspec.Raw) -> Any:
    """Give `data` as plain JSON values; raises ValueError when it is no JSON, or nested deeper than the stack."""
    try:
        try:
            return msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _clean(json.loads(bytes(data).decode("utf-8", "replace")))
    except RecursionError:
        raise ValueError("nested too deeply") from None


# Templates, filled in as bytes: a notification costs one formatting, not one encoding.
_EVENT = b'{"jsonrpc":"2.0","method":"wave/session/event","params":{"seq":%d,"event":%b}}'
_MERGED = b'{"jsonrpc":"2.0","method":"wave/session/event","params":{"seq":%d,"fromSeq":%d,"event":%b}}'
_PANEL = b'{"jsonrpc":"2.0","method":"wave/panel/message","params":{"panelId":%b,"message":%b}}'
_RESULT = b'{"jsonrpc":"2.0","id":%b,"result":%b}'
_PLACE = b"\0"  # in no JSON text


def event_body(seq: int, from_seq: int, line: bytes) -> bytes:
    """Give the `wave/session/event` notification around the CLI's own line; merged ones say where they begin."""
    return _EVENT % (seq, line) if seq == from_seq else _MERGED % (seq, from_seq, line)


def around_event(panel_id_json: bytes | None) -> tuple[bytes, bytes]:
    """Give what stands before a line in its notification, a template for the sequence number, and what behind it."""
    event = _EVENT.replace(b"%b", _PLACE)
    body = event if panel_id_json is None else panel_body(panel_id_json.replace(b"%", b"%%"), event)
    before, _, after = body.partition(_PLACE)
    return before, after


def panel_body(panel_id_json: bytes, message: bytes) -> bytes:
    """Give the tunnel notification that carries `message` to a panel; the id is JSON text already."""
    return _PANEL % (panel_id_json, message)


def result_body(request_id: float | str | None, result: bytes) -> bytes:
    """Give the response with `result`, which is JSON text."""
    return _RESULT % (_encode(request_id), result)


def error_body(request_id: float | str | None, error: dict[str, object]) -> bytes:
    """Give the error response; `error` is a JSON-RPC error object."""
    return _encode({"jsonrpc": "2.0", "id": request_id, "error": error})


def notification_body(method: str, params: object) -> bytes:
    """Give a notification; `params` is anything that msgspec encodes."""
    return _encode({"jsonrpc": "2.0", "method": method, "params": params})


def request_body(request_id: float | str, method: str, params: object) -> bytes:
    """Give a request; `params` is anything that msgspec encodes."""
    return _encode({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
