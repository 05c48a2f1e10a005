"""How a generation of the CLI ended. However it happens (spawn error, exit, EOF, broken pipe), it is one event."""

from __future__ import annotations

import signal
from typing import Final, Literal

import msgspec

from wave_bridge.core.limits import STDERR_SHOWN
from wave_bridge.errors import AgentCrashed, AgentUnavailable, BridgeError

EndReason = Literal[
    "notSupplied",  # there was nothing to start; `stderr` says why, for a person
    "spawnFailed",  # no process came to be; `stderr` has the system's words
    "exited",  # by itself or by a signal from outside; code 0 too
    "stdoutClosed",  # it closed its stdout, lived on, and was killed
    "stdinClosed",  # it closed its stdin, lived on, and was killed
    "unresponsive",  # it never answered the health probe and was stopped
    "restarted",  # a person asked for a new one
    "closed",  # the bridge is done with it
]

_SAID: Final[dict[EndReason, str]] = {
    "notSupplied": "could not be found",
    "spawnFailed": "could not be started",
    "stdoutClosed": "closed its output",
    "stdinClosed": "closed its input",
    "unresponsive": "did not answer after its start",
    "restarted": "was restarted by hand",
    "closed": "was stopped",
}


class Ended(msgspec.Struct, frozen=True):
    """Generation `generation` is over. Both code and signal are None when there never was a process."""

    generation: int
    reason: EndReason
    exit_code: int | None = None
    signal: str | None = None
    stderr: str = ""
    was_ready: bool = False  # whether it ever served

    def summary(self) -> str:
        """Say in one line how it ended, with the last words on stderr."""
        if self.reason == "notSupplied":
            return self.stderr
        last_words = self.stderr.rstrip().rpartition("\n")[2].strip()
        return f"Wave {self.how()}" + (f": {last_words}" if last_words else "")

    def how(self) -> str:
        """Say what became of the process, to be read after its name."""
        if self.reason != "exited":
            return _SAID[self.reason]
        return f"was killed by {self.signal}" if self.signal else f"ended with exit code {self.exit_code}"

    def error(self) -> BridgeError:
        """Give the error of a request that was under way (T7.1). A new one each time: errors collect tracebacks."""
        if self.reason in {"closed", "notSupplied"}:
            return AgentUnavailable(self.summary())
        return AgentCrashed(
            self.summary(),
            exitCode=self.exit_code,
            signal=self.signal,
            stderr=self.stderr[-STDERR_SHOWN:],
            generation=self.generation,
        )


def split_return_code(code: int | None) -> tuple[int | None, str | None]:
    """Give (exit code, signal name) of a process' return code, which is negative after a signal."""
    if code is None or code >= 0:
        return code, None
    try:
        return None, signal.Signals(-code).name
    except ValueError:  # a real-time signal has no name
        return None, f"signal {-code}"
