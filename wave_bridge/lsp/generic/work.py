"""What runs, as the editor's progress: the turns of sessions, which the user can stop there, and the CLI's start."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from wave_bridge.lsp.generic.progress import Progress
from wave_bridge.messages import text

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.core.client_types import AgentStatus
    from wave_bridge.lsp.generic.chat import Chat
    from wave_bridge.lsp.generic.editor import Editor
    from wave_bridge.messages import Locale

STARTING = ("starting", "restarting")


class Work:
    """One editor's progress; nothing at all for an editor that shows none."""

    def __init__(self, editor: Editor, locale: Locale) -> None:
        self._editor = editor
        self._locale = locale
        self._starting: Progress | None = None
        self._turns: dict[str, Progress] = {}  # by token

    def show(self, chat: Chat, stop: Callable[[], None]) -> None:
        """Show that a session is busy, or that it is no longer."""
        if chat.progress is not None:
            self._turns.pop(chat.progress.token, None)
            chat.progress.end()
            chat.progress = None
        if chat.busy and self._editor.can.progress:
            title = text("chat.working", self._locale)
            chat.progress = Progress(self._editor, f"wave-turn-{secrets.token_hex(4)}", title, stop)
            self._turns[chat.progress.token] = chat.progress

    def starts(self, status: AgentStatus) -> None:
        """Show the phases of a start, until it is over."""
        if status.state not in STARTING:
            self.lost()
        elif self._editor.can.progress:
            if self._starting is None:
                title = text("phase.title", self._locale)
                self._starting = Progress(self._editor, f"wave-start-{secrets.token_hex(4)}", title)
            if isinstance(status.phase, str):
                self._starting.report(text(f"phase.{status.phase}", self._locale))

    def stop(self, token: str | int) -> None:
        """Stop the turn that is shown under the token; another's token is nobody's business here."""
        progress = self._turns.get(str(token))
        if progress is not None and progress.stop is not None:
            progress.stop()

    def lost(self) -> None:
        """End what is shown of a start."""
        if self._starting is not None:
            self._starting.end()
            self._starting = None
