"""Text made fit to be shown and sent: well-formed, without control sequences, bounded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wave_bridge.messages import text as message

if TYPE_CHECKING:
    from wave_bridge.messages import Locale

_SURROGATE = re.compile("[\ud800-\udfff]")
_SEQUENCE = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]"  # CSI
    "|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?"  # OSC, DCS, SOS, PM, APC with all they carry
    "|\x1b[ -/]*[0-~]?"
)
_CONTROLS = re.compile("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")  # C0 and C1 but line ends and tabs
_CUT = re.compile(r"(?:…|\.\.\.)\[\+([0-9]+) chars\]")
ONE_LINE_MAX: Final = 300  # characters of a reason or another short word of the editor's


def well_formed(text: str) -> str:
    """Join surrogate pairs and put U+FFFD for lone ones, which no encoder takes (editors cut strings in mid-emoji)."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def without_controls(text: str) -> str:
    """Drop control sequences; a tab becomes a blank, line ends stay."""
    text = well_formed(text)
    text = _SEQUENCE.sub("", text) if "\x1b" in text else text
    return _CONTROLS.sub("", text).replace("\t", " ")


def one_line(text: str, most: int = ONE_LINE_MAX) -> str:
    """Give the text on one line of at most `most` characters."""
    line = " ".join(without_controls(text[: most * 8]).split())
    return line if len(line) <= most else line[:most] + "…"


def cut_line(line: str, most: int, locale: Locale) -> str:
    """Cut a line to its first `most` characters and say how many are missing (S3); the screen may have done so."""
    if len(line) <= most:
        return line
    noted = _CUT.fullmatch(line, most)
    return line[:most] + message("mention.cut", locale, count=noted[1] if noted else len(line) - most)


def size(line: str) -> int:
    """Count a line's UTF-8 bytes, its end included (S4)."""
    return (len(line) if line.isascii() else len(line.encode("utf-8", "replace"))) + 1
