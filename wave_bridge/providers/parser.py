"""Control sequences: text in, calls of the emulator out, whatever the chunks.

Whole sequences in ground state are cut by one expression a chunk. Anything else (a sequence that the chunk's end cuts,
controls inside of a sequence, open strings, 8-bit introducers) goes through the state machine until it is done with.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wave_bridge.providers.controls import CSI, ESCAPE, EXECUTE, Control, ignore
from wave_bridge.providers.machine import MAX_PARAMS, MAX_VALUE, OSC_END, Machine, State
from wave_bridge.providers.motions import Params

if TYPE_CHECKING:
    from wave_bridge.providers.emulator import Emulator

MAX_DIGITS = 10
MAX_REMEMBERED = 4096
MAX_LENGTH = 32
"""Different sequences whose meaning is remembered, and the characters of one at most."""

Operation = tuple[Control, Params]

_PARAMS = r"[0-9:;]*"
_CSI = re.compile(rf"\x1b\[([<-?]?)({_PARAMS})([ -/]*[@-~])")
_ESC = re.compile(r"\x1b([0-OQ-WYZ\\`-~]|[ -/]+[0-~])")
_STRING = re.compile(rf"\x1b\][^{OSC_END}]*(?:\x07|\x1b\\)|\x1b[PX^_][ -~]*\x1b\\")
_PIECES = re.compile(
    r"[^\x00-\x1f\x7f-\x9f]+"
    rf"|\x1b\[[<-?]?{_PARAMS}[ -/]*[@-~]"
    rf"|{_STRING.pattern}"
    r"|\x1b(?:[0-OQ-WYZ\\`-~]|[ -/]+[0-~])"
    r"|\r\n"
    r"|[\x00-\x1a\x1c-\x1f\x80-\x8f\x91-\x97\x99\x9a]"
    r"|[\x1b\x90\x98\x9b-\x9f](?s:.*)"  # irregular: the rest of the chunk
)
"""DEL is in none of them and so is skipped, as in ground state it is."""
_C1_INTRODUCERS = "\x90\x98\x9b\x9c\x9d\x9e\x9f"


class Parser:
    """Feeds one emulator."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator
        self._machine = Machine(emulator)
        self._known: dict[str, Operation] = {code: (control, ()) for code, control in EXECUTE.items()}

    @property
    def is_idle(self) -> bool:
        """Tell whether no sequence is under way."""
        return self._machine.state is State.GROUND

    def feed(self, text: str) -> None:
        """Take the next characters of the stream."""
        if self._machine.state is not State.GROUND:
            text = self._machine.run(text)
        while text:
            text = self._take_pieces(text)

    def _take_pieces(self, text: str) -> str:
        """Handle the text up to its first irregular sequence and past that; give what is left after it."""
        emulator, known = self.emulator, self._known
        for piece in _PIECES.findall(text):
            if " " <= piece < "\x7f" or piece >= "\xa0":
                emulator.print(piece)
                continue
            operation = known.get(piece)
            if operation is None:
                operation = self._look_up(piece)
                if operation is None:
                    return self._machine.run(piece)
            control, params = operation
            if control is not ignore:
                control(emulator, params)
            emulator.joinable = 0
        return ""

    def _look_up(self, piece: str) -> Operation | None:
        """Give what a control or a whole sequence does; None for one that only the state machine understands."""
        if piece[0] in _C1_INTRODUCERS:
            return None
        if piece[0] != "\x1b":
            operation: Operation = (ignore, ())
        elif csi := _CSI.fullmatch(piece):
            operation = (CSI.get(csi[1] + csi[3], ignore), _parse_params(csi[2]))
        elif esc := _ESC.fullmatch(piece):
            operation = (ESCAPE.get(esc[1], ignore), (0,))
        else:
            return (ignore, ()) if _STRING.fullmatch(piece) else None
        if len(self._known) < MAX_REMEMBERED and len(piece) <= MAX_LENGTH:
            self._known[piece] = operation
        return operation


def _parse_params(text: str) -> Params:
    """Read `1;2:3;;4` as (1, 2, 0, 4)."""
    return tuple(_value(param.partition(":")[0]) for param in text.split(";", MAX_PARAMS)[:MAX_PARAMS])


def _value(digits: str) -> int:
    significant = digits.lstrip("0")
    return min(int(significant or "0"), MAX_VALUE) if len(significant) <= MAX_DIGITS else MAX_VALUE
