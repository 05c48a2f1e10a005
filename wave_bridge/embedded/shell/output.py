"""Output of a command as it grows: what is kept of it, and how often it is shown."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT: Final = 30_000  # characters; the rest is in the middle of nobody's attention
_SHOWN_LINES: Final = 3
_PAUSE: Final = 0.03  # seconds between two updates, so that a flood of output is no flood of updates


class Tail:
    """The last `KEPT` characters of a text that grows."""

    def __init__(self) -> None:
        self._text = ""
        self._dropped = 0

    def add(self, text: str) -> None:
        """Take more."""
        self._text += text
        if len(self._text) > 2 * KEPT:
            self._dropped += len(self._text) - KEPT
            self._text = self._text[-KEPT:]

    def __str__(self) -> str:
        over = max(0, len(self._text) - KEPT)
        dropped = self._dropped + over
        return f"[{dropped} characters left out]\n{self._text[over:]}" if dropped else self._text


def joined(output: str, errors: str) -> str:
    """Give both streams as one text: what was said, a line break, what went wrong."""
    return f"{output}\n{errors}" if errors else output


def last_lines(text: str) -> str:
    """Give the last three lines and how many came before."""
    lines = text.strip().split("\n")
    hidden = len(lines) - _SHOWN_LINES
    return "\n".join(lines) if hidden <= 0 else "\n".join([f"... +{hidden} lines", *lines[hidden:]])


class Paced:
    """Calls `show` at once, but never twice within a short pause; the last state is always shown."""

    def __init__(self, show: Callable[[], None]) -> None:
        self._show = show
        self._pause: asyncio.TimerHandle | None = None
        self._changed = False

    def change(self) -> None:
        """Something changed."""
        if self._pause is not None:
            self._changed = True
            return
        self._pause = asyncio.get_running_loop().call_later(_PAUSE, self._resume)
        self._show()

    def stop(self) -> None:
        """Show what is still owed, then nothing more."""
        owed = self._changed
        self.cancel()
        if owed:
            self._show()

    def cancel(self) -> None:
        """Show nothing more; an ending that says it all comes next."""
        self._changed = False
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None

    def _resume(self) -> None:
        self._pause = None
        if self._changed:
            self._changed = False
            self.change()
