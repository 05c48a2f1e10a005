"""The text of an open document as its editor tells it: whole, then change by change.

A change costs what it touches, not what the document holds: a keystroke in a long file must not hold up the daemon.
Positions count in the units that were agreed; one that is out of range means the nearest place that is in it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_END: Final = "\r\n"
_WIDE: Final = 0xFFFF


class Place(NamedTuple):
    """A position: line and column count from 0, the column in units of the encoding."""

    line: int
    character: int


class Text:
    """One document. `encoding` is LSP's name: utf-8, utf-16 or utf-32."""

    def __init__(self, content: str, version: int = 0, encoding: str = "utf-16") -> None:
        self.version = version
        self._encoding = encoding
        self._lines = _split(content)

    @property
    def content(self) -> str:
        """The whole text."""
        return "".join(self._lines)

    def lines(self) -> list[str]:
        """Give the lines without what ends them; one more, empty, where the text ends with an end of line."""
        return [line.rstrip(_END) for line in self._lines] + ([""] if self._open_end() else [])

    def replace(self, content: str) -> None:
        """Take a new text."""
        self._lines = _split(content)

    def change(self, start: Place, end: Place, content: str) -> None:
        """Replace what is between two places."""
        first, last = self._clamped(start), self._clamped(end)
        if last < first:
            first, last = last, first
        before = self._line(first.line)[: first.character]
        after = self._line(last.line)[last.character :]
        self._lines[first.line : last.line + 1] = _split(before + content + after)

    def between(self, start: Place, end: Place) -> str:
        """Give what is between two places."""
        first, last = self._clamped(start), self._clamped(end)
        if last < first:
            first, last = last, first
        if first.line == last.line:
            return self._line(first.line)[first.character : last.character]
        inside = "".join(self._lines[first.line + 1 : last.line])
        return self._line(first.line)[first.character :] + inside + self._line(last.line)[: last.character]

    def until(self, place: Place) -> str:
        """Give what stands before a place in its line."""
        found = self._clamped(place)
        return self._line(found.line)[: found.character]

    def _open_end(self) -> bool:
        return not self._lines or self._lines[-1].endswith(("\r", "\n"))

    def _line(self, number: int) -> str:
        return self._lines[number] if number < len(self._lines) else ""

    def _clamped(self, place: Place) -> Place:
        """Give a place with its column in characters, inside the text."""
        last = len(self._lines) - (0 if self._open_end() else 1)
        if place.line > last:
            return Place(last, len(self._line(last).rstrip(_END)))
        line = self._line(max(place.line, 0)).rstrip(_END)
        return Place(max(place.line, 0), self._column(line, max(place.character, 0)))

    def _column(self, line: str, units: int) -> int:
        if units >= len(line) * 4:
            return len(line)
        if line.isascii() or self._encoding == "utf-32":
            return min(units, len(line))
        seen = 0
        for place, character in enumerate(line):
            if seen >= units:
                return place
            seen += _width(character, self._encoding)
        return len(line)


def units(content: str, encoding: str) -> int:
    """Give the length of a text in units of an encoding."""
    return len(content) if content.isascii() else sum(_width(character, encoding) for character in content)


def _width(character: str, encoding: str) -> int:
    match encoding:
        case "utf-8":
            return len(character.encode(errors="replace"))
        case "utf-32":
            return 1
        case _:
            return 1 + (ord(character) > _WIDE)


def _split(content: str) -> list[str]:
    return _LINE.findall(content)
