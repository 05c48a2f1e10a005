"""Work that takes a while, shown by the editor and stopped from there: `$/progress`, no oftener than can be read."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wave_bridge.core.limits import EDITOR_TIMEOUT, PROGRESS_EVERY
from wave_bridge.errors import BridgeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.lsp.generic.editor import Editor


class Progress:
    """One piece of work. `stop` is called when the user wants it to end; None: it can't be stopped."""

    def __init__(self, editor: Editor, token: str, title: str, stop: Callable[[], None] | None = None) -> None:
        self.token = token
        self.stop = stop
        self._editor = editor
        self._title = title
        self._message = ""
        self._begun = self._ended = False
        self._timer: asyncio.TimerHandle | None = None
        asked = editor.client.ask("window/workDoneProgress/create", {"token": token}, EDITOR_TIMEOUT)
        asked.on_done(self._created)

    def report(self, message: str) -> None:
        """Say what is done at present."""
        if message == self._message or self._ended:
            return
        self._message = message
        if self._begun and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PROGRESS_EVERY, self._report)

    def end(self) -> None:
        """Say that it is over; again: nothing."""
        if self._timer is not None:
            self._timer.cancel()
        if self._begun and not self._ended:
            self._send({"kind": "end"})
        self._ended = True

    def _created(self, outcome: bytes | BridgeError) -> None:
        if self._ended or isinstance(outcome, BridgeError):
            return
        self._begun = True
        self._send({"kind": "begin", "title": self._title, "cancellable": self.stop is not None})
        if self._message:
            self._report()

    def _report(self) -> None:
        self._timer = None
        self._send({"kind": "report", "message": self._message, "cancellable": self.stop is not None})

    def _send(self, value: dict[str, object]) -> None:
        if self._editor.client.alive:
            self._editor.client.notify("$/progress", {"token": self.token, "value": value})
