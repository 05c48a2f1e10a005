"""Diagnostics as editors really send them, read without ever raising: members missing, of wrong types, doubled.

Positions count from 1, columns in UTF-16 units, as editors show them (P2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wave_bridge.providers.plain import one_line, without_controls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ERROR, WARNING, INFO, HINT = 1, 2, 3, 4  # as in LSP
LARGEST: Final = 2**31 - 1  # LSP's largest position
WORD_MAX: Final = 200  # characters of a source or a code
NAMED_MAX: Final = 8  # sources, and codes, named for merged entries
RELATED_MAX: Final = 3

_SEVERITIES: Final[dict[object, int]] = {ERROR: ERROR, WARNING: WARNING, INFO: INFO, HINT: HINT}
_LINE_END = re.compile(r"\r\n|\n|\r")

Entry = dict[str, Any]  # one diagnostic, as it came


class Problem(NamedTuple):
    """What tells one problem from another (P8). The order of members is the order in which a limit keeps them (P4)."""

    severity: int
    line: int
    column: int
    message: str  # lines without control sequences, blank ones left out; "" for none


class Related(NamedTuple):
    """Another place that has to do with a problem (P9)."""

    uri: str
    line: int
    column: int
    message: str


class Columns:
    """Converts the columns of a document whose positions are not in UTF-16 units; without its text it can't."""

    def __init__(self, text: str | None, encoding: str) -> None:
        self._encoding = encoding.lower()
        self._lines = _LINE_END.split(text) if text is not None and self._encoding in {"utf-8", "utf-32"} else None

    def utf16(self, line: int, character: int) -> int:
        """Give the UTF-16 column, both from 0. A column past the line's end stays as far past it."""
        if self._lines is None or line >= len(self._lines):
            return character
        text = self._lines[line]
        if text.isascii():
            return character
        units = text.encode("utf-8", "surrogatepass") if self._encoding == "utf-8" else text
        head = units[:character]
        before = head.decode("utf-8", "ignore") if isinstance(head, bytes) else head
        return len(before.encode("utf-16-le", "surrogatepass")) // 2 + max(0, character - len(units))


def merged(entries: Iterable[object], columns: Columns) -> dict[Problem, list[Entry]]:
    """Give each problem with the entries that report it (P8). What is no object is no entry."""
    found: dict[Problem, list[Entry]] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        line, character = _start(entry.get("range"))
        problem = Problem(
            _severity(entry.get("severity")),
            line + 1,
            columns.utf16(line, character) + 1,
            _message(entry.get("message")),
        )
        same = found.get(problem)
        if same is None:
            found[problem] = [entry]
        else:
            same.append(entry)
    return found


def tag(entries: list[Entry]) -> str:
    """Name the sources, then the codes (P7), each once: `ts, eslint 6133, no-unused-vars`."""
    sources = dict.fromkeys(filter(None, (_word(entry.get("source")) for entry in entries)))
    codes = dict.fromkeys(filter(None, (_word(entry.get("code")) for entry in entries)))
    return " ".join(", ".join(list(words)[:NAMED_MAX]) for words in (sources, codes) if words)


def related(entries: list[Entry]) -> list[Related]:
    """Give the first related places (P9); one without an address is left out."""
    return [place for _, place in zip(range(RELATED_MAX), _related(entries), strict=False)]


def _related(entries: list[Entry]) -> Iterator[Related]:
    for entry in entries:
        places = entry.get("relatedInformation")
        for place in places if isinstance(places, list) else ():
            location = place.get("location") if isinstance(place, dict) else None
            if isinstance(location, dict) and isinstance(location.get("uri"), str):
                line, character = _start(location.get("range"))
                yield Related(location["uri"], line + 1, character + 1, one_line(_message(place.get("message")), 1000))


def _severity(value: object) -> int:
    """Give 1 to 4; missing, 0 and unknown mean error, as LSP recommends (P3)."""
    try:
        return _SEVERITIES.get(value, ERROR)
    except TypeError:  # a list or an object
        return ERROR


def _start(value: object) -> tuple[int, int]:
    """Give a range's start from 0. Missing, negative or odd numbers mean 0."""
    start = value.get("start") if isinstance(value, dict) else None
    if not isinstance(start, dict):
        return 0, 0
    return _place(start.get("line")), _place(start.get("character"))


def _place(value: object) -> int:
    if type(value) is int:
        return value if 0 <= value <= LARGEST else 0 if value < 0 else LARGEST
    return int(value) if isinstance(value, float) and 0 <= value <= LARGEST else 0


def _message(value: object) -> str:
    """Give the message's lines (P6): no control sequences, no blank lines, the first one's indentation gone."""
    if isinstance(value, dict):  # LSP 3.18: a MarkupContent
        value = value.get("value")
    if not isinstance(value, str):
        return ""
    if value.isprintable() and value.strip() == value:
        return value
    lines = [line.rstrip() for line in without_controls(value).splitlines()]
    return "\n".join([line for line in lines if line]).lstrip()


def _word(value: object) -> str:
    """Give a source or a code: a string, a number (0 counts), or the `value` of an object; its address never."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return one_line(str(value), WORD_MAX)
