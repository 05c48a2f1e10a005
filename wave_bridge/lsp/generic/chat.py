"""One session as the editor shows it: what was said, what waits, and the document that has it all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wave_bridge.chat.markdown import message_lines, tool_summary
from wave_bridge.chat.thread import Thread
from wave_bridge.messages import text

if TYPE_CHECKING:
    from pathlib import Path

    from wave_bridge.core.client_types import Approval, SessionState
    from wave_bridge.lsp.generic.progress import Progress
    from wave_bridge.messages import Locale


class Chat:
    """A session's view. Only the surface that made it changes it, by what the bridge tells."""

    def __init__(self, session_id: str, path: Path, locale: Locale) -> None:
        self.session_id = session_id
        self.path = path
        self.uri = path.as_uri()
        self.thread = Thread()
        self.approvals: dict[str, Approval] = {}
        self.title: str | None = None
        self.busy = False
        self.queue: list[dict[str, Any]] = []
        self.progress: Progress | None = None
        self._locale = locale
        self._shown: list[list[str]] = []  # the lines of each message

    def take_state(self, state: SessionState, approvals: list[Approval]) -> None:
        """Take what is told when a session is attached."""
        self.title, self.busy, self.queue = state.title, state.busy, list(state.queue)
        self.approvals = {approval.request_id: approval for approval in approvals}

    def take_messages(self, messages: list[dict[str, Any]]) -> None:
        """Take all messages anew."""
        self.thread = Thread(messages)
        self._shown.clear()

    def take_event(self, method: str, params: dict[str, Any]) -> bool:
        """Take an event of the CLI; False when nothing that is shown changed."""
        if method == "queuedMessagesChange":
            self.queue = [item for item in params.get("messages") or [] if isinstance(item, dict)]
            return True
        first = self.thread.apply(method, params)
        if first is None:
            return False
        del self._shown[first:]
        return True

    def head(self) -> list[str]:
        """Give the document's lines above the marker."""
        for message in self.thread.messages[len(self._shown) :]:
            self._shown.append(message_lines(message, self._locale))
        title = " ".join((self.title or text("session.untitled", self._locale)).split())
        lines = [f"# {title}", ""]
        for shown in self._shown:
            lines += shown
        for item in self.queue:
            content = " ".join(str(item.get("content") or "").split())
            lines += [f"> {text('chat.queued', self._locale, content=content)}", ""]
        for approval in self.approvals.values():
            lines += [self.asking(approval), ""]
        if self.busy:
            lines += [f"*{text('chat.busy', self._locale)}*", ""]
        return lines

    def is_passing(self, line: str) -> bool:
        """Say whether a line tells of something that comes and goes: a title, a queue, an approval, work."""
        queued = text("chat.queued", self._locale, content="")
        return line.startswith(("# ", f"> {queued}", "> **[")) or line == f"*{text('chat.busy', self._locale)}*"

    def asking(self, approval: Approval) -> str:
        """Give the line that shows a pending approval; two that read alike are told apart by their numbers."""
        number = approval.request_id.rpartition("/")[2]
        return f"> **[{number}]** {self.question(approval)}"

    def question(self, approval: Approval) -> str:
        """Say in one line what waits for approval."""
        context = approval.context
        asked = {"compactParams": context.get("compactParams"), "parameters": context.get("toolInput")}
        question = text("chat.asks", self._locale, tool=context.get("toolName", ""), what=tool_summary(asked))
        return question.rstrip(" :：")

    def doing(self) -> str:
        """Say what the turn is at: the tool that runs, or the last words."""
        message = self.thread.messages[-1] if self.thread.messages else {}
        block: dict[str, Any] = next(reversed(message.get("blocks") or []), {})
        if block.get("type") == "tool":
            return f"{block.get('name', '')} {tool_summary(block)}".strip()[:80]
        return " ".join(str(block.get("content") or "")[-200:].split())[-80:]
