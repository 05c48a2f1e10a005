"""The two directions of the CLI's stdio, as the real one treats them. Pure.

In: a line ends at LF, CRLF, a lone CR, and at raw U+2028 and U+2029; invalid UTF-8 becomes U+FFFD. Out: one JSON
object and LF, U+2028 and U+2029 raw, lone surrogates escaped.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, Final

_LINE_END: Final = re.compile("\r\n|[\n\r\u2028\u2029]")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class LineCutter:
    """Bytes in any pieces → lines without their ends."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest: list[str] = []
        self._after_cr = False

    def feed(self, data: bytes) -> list[str]:
        """Give the lines that `data` completes. A CR ends its line at once; an LF right after it belongs to it."""
        text = self._decoder.decode(data)
        if self._after_cr and text:
            text = text.removeprefix("\n")
        if not text:
            return []
        self._after_cr = text.endswith("\r")
        first, *others = _LINE_END.split(text)
        self._rest.append(first)
        if not others:
            return []
        whole = "".join(self._rest)
        self._rest = [others.pop()]
        return [whole, *others]

    def finish(self) -> list[str]:
        """Give the last line if the input ended without an end of line."""
        last = "".join(self._rest) + self._decoder.decode(b"", final=True)
        self._rest = []
        return [last] if last else []


def encode(message: dict[str, Any]) -> bytes:
    """Give `message` as one line of output."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub(_escape, text).encode() + b"\n"


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
