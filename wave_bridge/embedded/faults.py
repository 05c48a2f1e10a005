"""Ways to misbehave, for tests of whoever runs the CLI: asked for by a directive or by the environment.

`{"fault": "exit", "code": 0}` ends the process without a word; `kill` ends it by SIGKILL; `hang` answers nothing any
more, not even the end of the input; `stderr` floods stderr with `bytes`; `line` sends one line of `bytes`; `junk`
sends the strings of `lines`, or some lines that are no messages; `message` goes to stderr before an exit.
In the environment, WAVE_EMBEDDED_FAULT holds such an object with `on`: `start`, or the method whose request does it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from typing import TYPE_CHECKING, Final

from wave_bridge.embedded.models.directives import Directive, checked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wave_bridge.embedded.outlet import Outlet

VARIABLE: Final = "WAVE_EMBEDDED_FAULT"
_MIB: Final = 1 << 20
_LINE_BYTES: Final = 16 * _MIB
_STDERR_BYTES: Final = 8 * _MIB
_STDERR_LINE: Final = "embedded CLI: noise on stderr, as asked for by a fault directive\n"
_JUNK: Final = ("not json", "null", "[]", '"text"', "42", "{", "", '{"id":', '{"method":5}', "Restoring session: x")
_DRAIN_SECONDS: Final = 2.0


class Faults:
    """Carries out fault directives."""

    def __init__(self, outlet: Outlet, environ: Mapping[str, str]) -> None:
        self._outlet = outlet
        self._asked = checked(json.loads(environ.get(VARIABLE) or "{}"))
        self.hung = False

    async def on(self, occasion: str) -> None:
        """Do what the environment asked for on this occasion, if anything."""
        if self._asked.on == occasion:
            await self.strike(self._asked)

    async def strike(self, directive: Directive) -> None:
        """Carry out `directive`; returns for those that the process survives."""
        match directive.fault:
            case "exit" | "kill":
                self._end(directive)
            case "hang":
                self.hung = True
                await asyncio.Event().wait()
            case "stderr":
                _flood(directive.bytes or _STDERR_BYTES)
            case "line":
                self._outlet.notify("hugeLine", {"text": "x" * (directive.bytes or _LINE_BYTES)}, None)
            case "junk":
                for line in directive.lines or _JUNK:
                    self._outlet.raw(line)
            case None:
                pass

    def _end(self, directive: Directive) -> None:
        if directive.message:
            sys.stderr.write(f"{directive.message}\n")
            sys.stderr.flush()
        self._outlet.close(_DRAIN_SECONDS)
        if directive.fault == "kill" and hasattr(signal, "SIGKILL"):
            os.kill(os.getpid(), signal.SIGKILL)
        os._exit(directive.code)


def _flood(size: int) -> None:
    sys.stderr.write(_STDERR_LINE * (size // len(_STDERR_LINE) + 1))
    sys.stderr.flush()
