"""The state machine of control sequences after the VT500 family: one character at a time, whatever may come.

Strings (OSC, DCS, SOS, PM, APC) and parameters are states: nothing is held back, however long they get.
"""

from __future__ import annotations

import re
from enum import IntEnum, auto
from typing import TYPE_CHECKING

from wave_bridge.providers.controls import CSI, ESCAPE, EXECUTE, Control, ignore

if TYPE_CHECKING:
    from wave_bridge.providers.emulator import Emulator
    from wave_bridge.providers.motions import Params

MAX_PARAMS = 32
MAX_VALUE = 0x7FFFFFFF
MAX_COLLECTED = 4
"""Prefix and intermediate bytes that are kept; no known sequence has more than two."""
OSC_END = r"\x07\x18\x1a\x1b\x80-\x9f"


class State(IntEnum):
    """States of the VT500 parser; SOS, PM and APC strings share one."""

    GROUND = auto()
    ESCAPE = auto()
    ESCAPE_INTERMEDIATE = auto()
    CSI_ENTRY = auto()
    CSI_PARAM = auto()
    CSI_INTERMEDIATE = auto()
    CSI_IGNORE = auto()
    OSC = auto()
    STRING = auto()
    DCS_ENTRY = auto()
    DCS_PARAM = auto()
    DCS_INTERMEDIATE = auto()
    DCS_IGNORE = auto()
    DCS_PASSTHROUGH = auto()


_ENDS = {
    State.OSC: re.compile(f"[{OSC_END}]"),
    State.STRING: re.compile(r"[^\x00-\x17\x19\x1c-\x7f]"),  # also ended by any character beyond ASCII
    State.DCS_IGNORE: re.compile(r"[\x18\x1a\x1b\x80-\x9f]"),
    State.DCS_PASSTHROUGH: re.compile(r"[\x18\x1a\x1b\x80-\x9f]"),
}
"""What a string state looks at; all before it is skipped at once."""

_PARAMS = re.compile(r"[0-9:;]+")

_C1_STATES = {
    "\x90": State.DCS_ENTRY,
    "\x98": State.STRING,
    "\x9b": State.CSI_ENTRY,
    "\x9c": State.GROUND,
    "\x9d": State.OSC,
    "\x9e": State.STRING,
    "\x9f": State.STRING,
}
_ESCAPE_STATES = {
    "P": State.DCS_ENTRY,
    "X": State.STRING,
    "[": State.CSI_ENTRY,
    "]": State.OSC,
    "^": State.STRING,
    "_": State.STRING,
}
_EXECUTING = {
    State.ESCAPE,
    State.ESCAPE_INTERMEDIATE,
    State.CSI_ENTRY,
    State.CSI_PARAM,
    State.CSI_INTERMEDIATE,
    State.CSI_IGNORE,
}
"""Sequences in whose midst a C0 control acts at once."""


_REPORTED = {State.OSC, State.DCS_PASSTHROUGH}
"""Strings whose end counts as a control: no mark joins a character from before."""
_TOLERANT = {State.OSC, State.CSI_IGNORE, State.DCS_IGNORE, State.DCS_PASSTHROUGH}
"""States that characters beyond ASCII do not end."""


class Machine:
    """Runs from where ground state ends until it is reached again."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator
        self.state = State.GROUND
        self._enter(State.GROUND)

    def run(self, text: str) -> str:
        """Consume characters until the machine is in ground state; give the rest."""
        position = 0
        while position < len(text):
            ends = _ENDS.get(self.state)
            if ends is not None:
                end = ends.search(text, position)
                if end is None:
                    return ""
                position = end.start()
            elif self.state is State.CSI_PARAM:
                run = _PARAMS.match(text, position)
                if run is not None:
                    for char in run[0]:
                        self._add_to_params(char)
                    position = run.end()
                    continue
            self._step(text[position])
            position += 1
            if self.state is State.GROUND:
                return text[position:]
        return ""

    def _step(self, char: str) -> None:
        if char == "\x1b":
            if self.state in _REPORTED:
                self.emulator.joinable = 0
            self._enter(State.ESCAPE)
        elif char in "\x18\x1a":
            self._execute(char)
            self.state = State.GROUND
        elif "\x80" <= char <= "\x9f":
            self._step_c1(char)
        elif char < " ":
            self._step_c0(char)
        elif char >= "\x7f":
            self._step_unexpected(char)
        else:
            self._step_printable(char)

    def _enter(self, state: State) -> None:
        self.state = state
        self._collected = ""
        self._params = [0]
        self._digits_count = True

    def _execute(self, char: str) -> None:
        EXECUTE.get(char, ignore)(self.emulator, ())
        self.emulator.joinable = 0

    def _step_c1(self, char: str) -> None:
        """8-bit controls act anywhere, strings included."""
        if char not in _C1_STATES:
            self._execute(char)
            self.state = State.GROUND
            return
        if char == "\x9c" and self.state in _REPORTED:
            self.emulator.joinable = 0
        self._enter(_C1_STATES[char])

    def _step_c0(self, char: str) -> None:
        if self.state in _EXECUTING:
            self._execute(char)
        elif self.state is State.OSC and char == "\x07":
            self.emulator.joinable = 0
            self.state = State.GROUND

    def _step_unexpected(self, char: str) -> None:
        """DEL is ignored; a character beyond ASCII ends a sequence and is lost with it, except where it is payload."""
        if char != "\x7f" and self.state not in _TOLERANT:
            self.state = State.GROUND

    def _step_printable(self, char: str) -> None:
        match self.state:
            case State.ESCAPE | State.ESCAPE_INTERMEDIATE:
                self._step_escape(char)
            case State.CSI_ENTRY | State.CSI_PARAM | State.CSI_INTERMEDIATE | State.CSI_IGNORE:
                self._step_csi(char)
            case State.DCS_ENTRY | State.DCS_PARAM | State.DCS_INTERMEDIATE:
                self._step_dcs(char)
            case _:
                pass  # the payload of a string

    def _step_escape(self, char: str) -> None:
        if char < "0":
            self._collect(char)
            self.state = State.ESCAPE_INTERMEDIATE
        elif self.state is State.ESCAPE and char in _ESCAPE_STATES:
            self._enter(_ESCAPE_STATES[char])
        else:
            self.state = State.GROUND
            self._dispatch(ESCAPE.get(self._collected + char, ignore), (0,))

    def _step_csi(self, char: str) -> None:
        if char >= "@":
            ignored = self.state is State.CSI_IGNORE
            self.state = State.GROUND
            if not ignored:
                self._dispatch(CSI.get(self._collected + char, ignore), tuple(self._params))
        elif self.state is not State.CSI_IGNORE:
            self._step_parameters(char, State.CSI_ENTRY, State.CSI_PARAM, State.CSI_INTERMEDIATE, State.CSI_IGNORE)

    def _step_dcs(self, char: str) -> None:
        if char >= "@":
            self.state = State.DCS_PASSTHROUGH
        else:
            self._step_parameters(char, State.DCS_ENTRY, State.DCS_PARAM, State.DCS_INTERMEDIATE, State.DCS_IGNORE)

    def _step_parameters(self, char: str, entry: State, param: State, intermediate: State, bad: State) -> None:
        """CSI and DCS have the same head: a prefix, parameters, intermediate bytes, in this order."""
        if char < "0":
            self._collect(char)
            self.state = intermediate
        elif self.state is intermediate or (char >= "<" and self.state is not entry):
            self.state = bad
        else:
            self.state = param
            if char >= "<":
                self._collect(char)
            else:
                self._add_to_params(char)

    def _add_to_params(self, char: str) -> None:
        if char == ":":
            self._digits_count = False  # a subparameter: colours only
        elif char == ";":
            self._digits_count = len(self._params) < MAX_PARAMS
            if self._digits_count:
                self._params.append(0)
        elif self._digits_count:
            self._params[-1] = min(self._params[-1] * 10 + int(char), MAX_VALUE)

    def _collect(self, char: str) -> None:
        if len(self._collected) < MAX_COLLECTED:
            self._collected += char

    def _dispatch(self, control: Control, params: Params) -> None:
        control(self.emulator, params)
        self.emulator.joinable = 0
