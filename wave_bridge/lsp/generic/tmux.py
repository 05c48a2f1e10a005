"""What the user sees in tmux beside an editor that runs in it: @terminal where there is no editor API.

tmux keeps no marks of the shell, so this is the visible text with its history, labelled as such (M1, ScreenFacts).
"""

from __future__ import annotations

import logging
import subprocess
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anyio

from wave_bridge.core.limits import TMUX_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    Facts = dict[str, Any]

HISTORY: Final = 2_000  # lines above the visible ones: more than a message takes
VARIABLES: Final = ("TMUX", "TMUX_PANE")  # of an editor that runs in it; the attach process tells them
_FIELDS: Final = ("pane_id", "window_id", "pane_last", "window_last_flag", "pane_active", "session_created")
_FORMAT: Final = "\t".join(f"#{{{name}}}" for name in _FIELDS)

log = logging.getLogger(__name__)


class Pane(NamedTuple):
    """One pane of the editor's tmux session."""

    id: str
    window: str
    last: bool  # the pane of its window that was used before the one that is used now
    last_window: bool
    active: bool
    since: float  # when the session was made, seconds of the clock


class Neighbour(NamedTuple):
    """The pane that `@terminal` is about: its facts, in the form of an editor's answer, and its session's age."""

    facts: Facts
    since: float


async def terminal(environment: Mapping[str, str], kept: Callable[..., Awaitable[Facts | None]]) -> Facts:
    """Give the facts of an editor's terminal: what `wave-bridge run` kept, else the pane beside the editor.

    `kept` gives what was kept since a time. What is older than the tmux session says less than a pane of it.
    """
    seen = await neighbour(environment)
    if seen is None:
        return await kept() or {"source": "unavailable", "reason": "noTerminal"}
    return await kept(since=seen.since) or seen.facts


async def neighbour(environment: Mapping[str, str]) -> Neighbour | None:
    """Read the pane beside the editor's; None when the editor does not run in tmux, or has no other pane there."""
    socket, own = environment.get("TMUX", "").partition(",")[0], environment.get("TMUX_PANE", "")
    if not socket or not own:
        return None
    try:
        with anyio.fail_after(TMUX_TIMEOUT):
            tmux = ("tmux", "-S", socket)
            listed = await _output(*tmux, "list-panes", "-s", "-t", own, "-F", _FORMAT)
            pane = beside([_pane(line) for line in listed.splitlines()], own)
            if pane is None:
                return None
            text = await _output(*tmux, "capture-pane", "-p", "-J", "-S", f"-{HISTORY}", "-t", pane.id)
    except (OSError, subprocess.CalledProcessError, TimeoutError, ValueError) as fault:
        log.warning("tmux can't be read: %r", fault)
        return None
    shown = text.rstrip("\n")
    return Neighbour({"source": "screen", "text": shown}, pane.since) if shown.strip() else None


def beside(panes: Sequence[Pane], own: str) -> Pane | None:
    """Choose: of the editor's window the pane used last, else another of it; else the window used last."""
    here = next((pane.window for pane in panes if pane.id == own), None)
    others = [pane for pane in panes if pane.id != own]
    same = [pane for pane in others if pane.window == here]
    fronts = [pane for pane in others if pane.window != here and pane.active]
    choice = [
        *(pane for pane in same if pane.last),
        *same,
        *(pane for pane in fronts if pane.last_window),
        *fronts,
    ]
    return choice[0] if choice else None


def _pane(line: str) -> Pane:
    name, window, last, last_window, active, since = line.split("\t")
    return Pane(name, window, last == "1", last_window == "1", active == "1", float(since))


async def _output(*command: str) -> str:
    done = await anyio.run_process(command, stdin=subprocess.DEVNULL)
    return done.stdout.decode(errors="replace")
