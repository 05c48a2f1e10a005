"""The command line of a run: what the shell announced with E, corrected by what stands on the screen (T3).

Neither is enough. bash with HISTCONTROL=ignoreboth announces only the first simple command (`for i in 1 2 3` of a whole
loop); the screen lacks what a plug-in redrew, and shows prompts in between.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from wcwidth import wcwidth

from wave_bridge.providers.screen import render

if TYPE_CHECKING:
    from wave_bridge.providers.marks import Run, Span

TYPED_MAX: Final = 64 * 1024  # bytes of prompt and typing that are rendered; past it E alone counts

_UUID = re.compile(rb"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_WORD = re.compile(rb"[0-9A-Za-z_-]{4,64}")
_ESCAPE = re.compile(rb"\\(?:x([0-9a-fA-F]{2})|\\)")
_CONTROL = re.compile(
    rb"(\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f]+)"
)
_GOES_ON = re.compile(r"\s*[;&|<>()\n}]")  # what may follow the simple command at which bash stopped
_OPENS = re.compile(r"\s*(?:(?:[({!]|if|while|until|time(?: -p)?)\s*)+")  # what may stand in front of it
_COMPOUND = ("for ", "case ", "select ")  # announced up to the first `;` or newline only
_HIDDEN: Final = "\U0010fffd"  # a cell of a prompt; the last private character, which nobody types


def command_line(data: bytes, run: Run, cols: int | None, nonce: str | None) -> str | None:
    """Give the command line, "" where Enter was pressed on an empty one, None where nothing tells it."""
    typed = _typed(data, run, cols)
    announced = _announced(run.announced, nonce, typed) if run.announced is not None else None
    if announced is None:
        return _preferred(_from_parameters(run.parameters), typed)
    return typed if typed is not None and _cut_short(announced, typed) else announced


def _announced(fields: bytes, nonce: str | None, typed: str | None) -> str | None:
    r"""Decode E: fields joined by newlines (fish splits there), `\xAB` a byte, `\\` a backslash; last a nonce, or not.

    A line with another nonce than the editor's was printed by a program, not sent by the shell: None.
    """
    parts = fields.split(b";")
    if len(parts) > 1 and (_is_nonce(parts[-1], parts, typed) or parts[-1].decode("utf-8", "replace") == nonce):
        last = parts.pop().decode("utf-8", "replace")
        if nonce is not None and last != nonce:
            return None
    return b"\n".join(_ESCAPE.sub(_unescape, part) for part in parts).decode("utf-8", "replace").strip()


def _is_nonce(field: bytes, fields: list[bytes], typed: str | None) -> bool:
    """Tell a nonce from fish's last line: it is one word that is not on the screen.

    Where the screen does not tell: a UUID, a word with a digit, or any word of a shell that escapes its newlines.
    """
    if _UUID.fullmatch(field) or not _WORD.fullmatch(field):
        return _UUID.fullmatch(field) is not None
    if typed:
        return field.decode("ascii") not in typed
    return any(0x30 <= byte <= 0x39 for byte in field) or any(b"\\x0a" in part.lower() for part in fields)


def _unescape(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[1].decode("ascii")) if found[1] else b"\\"


def _from_parameters(parameters: bytes) -> str | None:
    """Give the line that C of family 133 may carry (kitty, fish 4): `cmdline_url=` percent-encoded."""
    for parameter in parameters.split(b";"):
        name, _, value = parameter.partition(b"=")
        if name == b"cmdline_url":
            return unquote_to_bytes(value).decode("utf-8", "replace").strip()
    return None


def _preferred(given: str | None, typed: str | None) -> str | None:
    """Between C's own line and the screen: the screen is what the user saw; where only blanks differ, C is exact."""
    if not given or not typed:
        return typed or given or (None if typed is None else "")
    return given if given.split() == typed.split() else typed


def _cut_short(announced: str, typed: str) -> bool:
    """Tell whether the shell announced only a part of what was typed.

    A right prompt without marks looks alike ("ls        12:30"), so what follows the part must go on as shells do.
    """
    part, whole = " ".join(announced.split()), re.sub(r"[^\S\n]+", " ", typed)
    if part not in whole or not part:
        return False
    before, _, after = whole.partition(part)
    if not (before.strip() or after.strip()):
        return False
    if before.strip() and not _OPENS.fullmatch(before):
        return False
    return not after.strip() or part.startswith(_COMPOUND) or bool(_GOES_ON.match(after))


def _typed(data: bytes, run: Run, cols: int | None) -> str | None:
    """Give the text between B and C as the screen shows it, without the cells of prompts; None if B is missing."""
    if run.typed is None:
        return None
    start = run.prompt[0] if run.prompt else run.typed[0]
    if run.typed[1] - start > TYPED_MAX:
        return None
    shown = b"".join(_hide_prompts(data, run.typed, run.hidden))
    prompt = _hide(data[slice(*run.prompt)]) if run.prompt else b""
    lines = render(prompt + shown, cols).split("\n")
    return "\n".join(line.replace(_HIDDEN, "").rstrip() for line in lines).strip()


def _hide_prompts(data: bytes, typed: Span, hidden: tuple[Span, ...]) -> list[bytes]:
    parts, place = [], typed[0]
    for start, end in hidden:
        parts += [data[place:start], _hide(data[start:end])]
        place = end
    return [*parts, data[place : typed[1]]]


def _hide(prompt: bytes) -> bytes:
    """Keep the control sequences and put as many hidden cells for each text: later cursor moves count on them."""
    pieces = _CONTROL.split(prompt)
    pieces[::2] = [_cells(piece.decode("utf-8", "replace")) for piece in pieces[::2]]
    return b"".join(pieces)


def _cells(text: str) -> bytes:
    return (_HIDDEN * sum(max(0, wcwidth(character)) for character in text)).encode()
