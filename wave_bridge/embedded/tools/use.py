"""One tool call under way: what a tool gets, and how its block changes and ends."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from wave_bridge.embedded.failure import ToolFailed

if TYPE_CHECKING:
    from wave_bridge.embedded.aborting import Abort
    from wave_bridge.embedded.reply import Call
    from wave_bridge.embedded.session import Session
    from wave_bridge.embedded.thread import Thread

_TRUNCATED: Final = (
    "\n\nTool arguments were truncated (likely exceeded max output tokens). "
    "Please reduce your output or split into multiple tool calls."
)
_REPAIRS: Final = ("", '"}', "}", '"]}', "]}", '": ""}')


class TellWaiting(Protocol):
    """Hears whether the user is being asked."""

    def __call__(self, *, waiting: bool) -> None: ...  # noqa: D102


class Outcome(NamedTuple):
    """How a tool call ended. `more` are further members of the block, `backgroundTaskId` or the like."""

    result: str
    success: bool = True
    error: str | None = None
    short: str | None = None
    more: dict[str, Any] = {}  # never changed; a NamedTuple default is shared on purpose


def failed(error: str) -> Outcome:
    """Give the outcome of a call that failed."""
    return Outcome(f"Error: {error}", success=False, error=error)


class ToolUse:
    """A call, its parsed arguments, and its block."""

    def __init__(self, session: Session, thread: Thread, abort: Abort, call: Call, waiting: TellWaiting) -> None:
        self.session = session
        self.thread = thread
        self.abort = abort
        self.call = call
        self.arguments, self.cut = _parse(call.parameters)
        self.tool = session.tools.get(call.name)
        self.ended = False
        self.handed_over = False  # moved to the background by the user: the turn ends here
        self.after: list[str] = []  # hidden messages for the model, once the call has ended
        self.tell_waiting = waiting
        self.compact = self.tool.summary(self) if self.tool else ""
        self._result = ""

    def argument(self, name: str) -> str:
        """Give a required text argument."""
        value = self.arguments.get(name)
        if not isinstance(value, str):
            raise ToolFailed(f"{name} parameter is required and must be a string")
        return value

    def shown_arguments(self) -> dict[str, Any]:
        """Give the arguments as the question to the user shows them."""
        return {**self.arguments, **(self.tool.shown(self) if self.tool else {})}

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let the turn know that it waits for the user: an abort does not end that."""
        self.tell_waiting(waiting=True)
        try:
            yield
        finally:
            self.tell_waiting(waiting=False)

    def show(self) -> None:
        """Announce that the call is complete and about to run."""
        self.thread.update_tool(
            self.call.id,
            self.call.name,
            "running",
            parameters=self.call.parameters,
            parametersChunk="",
            compactParams=self.compact,
        )

    def progress(self, **changed: object) -> None:
        """Announce what changed while it runs: `shortResult` or `result`, each whole."""
        if not self.ended:
            self.thread.update_tool(self.call.id, self.call.name, "running", compactParams=self.compact, **changed)

    def end(self, outcome: Outcome) -> None:
        """End the block; once."""
        if self.ended:
            return
        self.ended = True
        ending: dict[str, Any] = {
            "parameters": self.call.parameters,
            "result": outcome.result + (_TRUNCATED if self.cut and outcome.success else ""),
            "success": outcome.success,
            "compactParams": self.compact,
            **outcome.more,
        }
        if outcome.error is not None:
            ending["error"] = outcome.error
        if outcome.short is not None:
            ending["shortResult"] = outcome.short
        self._result = str(ending["result"])
        self.thread.update_tool(self.call.id, self.call.name, "end", **ending)

    def append_to_result(self, note: str) -> None:
        """Add a note for the model to a result that was sent already: a second `end`."""
        self.thread.amend_tool(self.call.id, self._result + note)


Run = Callable[[ToolUse], Awaitable[Outcome]]


class Tool(NamedTuple):
    """A tool: what it does and its one-line summary.

    `reading`: it may run beside others. `asks_itself`: the question to the user is its whole purpose. `shown`: what a
    question shows besides the arguments.
    """

    run: Run
    summary: Callable[[ToolUse], str] = lambda _: ""
    reading: bool = False
    asks_itself: bool = False
    shown: Callable[[ToolUse], dict[str, Any]] = lambda _: {}


def _parse(parameters: str) -> tuple[dict[str, Any], bool]:
    """Read the arguments; text that was cut is completed where that is easy. Gives whether it was cut."""
    for repair in _REPAIRS:
        try:
            value = json.loads((parameters or "{}") + repair)
        except ValueError:
            continue
        return (value if isinstance(value, dict) else {}), bool(repair)
    return {}, True
