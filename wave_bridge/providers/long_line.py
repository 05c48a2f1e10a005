"""One line that goes on over many rows: bounded memory, however long it gets, and the counts of the whole."""

from __future__ import annotations

SLACK = 1 << 16
"""Characters that may gather before the surplus is dropped."""


def size(line: str) -> int:
    """Count a line's UTF-8 bytes, and one for its end."""
    return (len(line) if line.isascii() else len(line.encode())) + 1


def cut_line(head: str, missing: int) -> str:
    """Say how many characters of a line are not shown."""
    return f"{head}...[+{missing} chars]"


def last_bytes(line: str, limit: int) -> str:
    """Give the end of a line, in whole characters that take at most `limit` bytes."""
    return line.encode()[-limit:].decode(errors="ignore") if limit > 0 else ""


class LongLine:
    """Keeps the first `line_chars` characters, or else the last `keep_bytes`, of what is added."""

    def __init__(self, line_chars: int, keep_bytes: int) -> None:
        self._line_chars = line_chars
        self._keep_bytes = keep_bytes
        self._parts: list[str] = []
        self._chars = 0
        self._over = 0
        """Characters after the kept head."""
        self._solid = 0
        """Of them, those up to the last that is no blank."""
        self._lost_bytes = 0

    def add(self, part: str) -> None:
        """Go on with a row's text."""
        self._parts.append(part)
        self._chars += len(part)
        if self._chars > SLACK:
            self._shrink()

    def end(self, last: str) -> tuple[str, int]:
        """End the line; give what is kept of it, right-trimmed, and the size of the whole line as it is shown."""
        self._parts.append(last)
        if self._over or sum(map(len, self._parts)) > self._line_chars:
            self._drop_surplus()
        text = "".join(self._parts)
        text = cut_line(text, self._solid) if self._solid else text.rstrip(" ")
        return text, size(text) + self._lost_bytes

    def _shrink(self) -> None:
        if self._chars > self._line_chars + SLACK:
            self._drop_surplus()
        elif self._line_chars > self._keep_bytes and self._chars > self._keep_bytes + SLACK:
            text = "".join(self._parts)
            kept = text[-self._keep_bytes :]
            self._lost_bytes += size(text) - size(kept)
            self._parts, self._chars = [kept], len(kept)

    def _drop_surplus(self) -> None:
        text = "".join(self._parts)
        surplus = text[self._line_chars :]
        solid = surplus.rstrip(" ")
        if solid:
            self._solid = self._over + len(solid)
        self._over += len(surplus)
        self._parts = [text[: self._line_chars]]
        self._chars = self._line_chars
