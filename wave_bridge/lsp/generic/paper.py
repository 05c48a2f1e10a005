"""Keeps a session's document up to date: as a file while it is closed, by edits while it is open.

One edit is under way at a time. What the editor answers is not relied on (some say "applied" when they found the
document newer than the edit): what the document then holds is looked at.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.chat import page
from wave_bridge.chat.markdown import MARKER
from wave_bridge.core.limits import EDIT_AGAIN, EDIT_EVERY
from wave_bridge.lsp.generic import files

if TYPE_CHECKING:
    from wave_bridge.document import Text
    from wave_bridge.lsp.generic.chat import Chat
    from wave_bridge.lsp.generic.documents import Documents
    from wave_bridge.lsp.generic.editor import Editor

CONTEXT: Final = 3  # lines above an edit that tell where it was made
log = logging.getLogger(__name__)


class _Sent:
    """An edit that was sent: the head before and after, where they begin to differ, and the document's version."""

    def __init__(self, before: list[str], after: list[str], version: int) -> None:
        self.before = before
        self.after = after
        self.version = version
        self.applied: bool | None = None  # as the editor says; None: it has not answered


class Paper:
    """One session's document."""

    def __init__(self, chat: Chat, documents: Documents, editor: Editor) -> None:
        self._chat = chat
        self._documents = documents
        self._editor = editor
        self._shown: list[str] = []  # the head as the document has it
        self._draft = ""  # what the user had written when the document was closed
        self._spent = ""  # a draft that was sent, and is to be taken away
        self._sent: _Sent | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._open = False

    def create(self) -> None:
        """Write the document, unless the editor has it open. Raises OSError."""
        if self._documents.find(self._chat.uri) is None:
            self._write()

    def update(self, delay: float = EDIT_EVERY) -> None:
        """Bring the document up to date, soon."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(delay, self._flush)

    def take_draft(self) -> str:
        """Give what the user has written; it leaves the document once it is the same there still."""
        document = self._documents.find(self._chat.uri)
        written = page.draft(document.lines()) if document else self._file_draft()
        self._spent = written
        return written.strip()

    def document_changed(self) -> None:
        """Look at the document: it was opened, changed or closed."""
        document = self._documents.find(self._chat.uri)
        if document is None:
            self._open, self._sent = False, None
            self.update()
            return
        lines = document.lines()
        if page.marker(lines) is not None:
            self._draft = page.draft(lines)
            self._spent = self._spent if self._draft == self._spent else ""
        if not self._open:
            self._open = True
            place = page.marker(lines)
            head = [] if place is None else lines[:place]
            self._shown = page.recognised(head, self._chat.head(), self._chat.is_passing)
            self.update()
        self._judge()

    def close(self) -> None:
        """Stop."""
        if self._timer is not None:
            self._timer.cancel()

    def _flush(self) -> None:
        self._timer = None
        document = self._documents.find(self._chat.uri)
        if document is None:
            try:
                self._write()
            except OSError as fault:
                log.warning("%s can't be written: %s", self._chat.path, fault)
        elif self._sent is None and self._editor.can.apply_edit and self._editor.client.alive:
            self._edit(document)

    def _write(self) -> None:
        self._shown = self._chat.head()
        found = self._file_draft()
        written, self._spent = ("" if self._spent == found else found), ""
        files.write(self._chat.path, page.whole(self._shown, written))

    def _file_draft(self) -> str:
        """Give what the user has written in the file: an editor that does not open it to us may save it."""
        content = files.read(self._chat.path)
        return self._draft if content is None else page.draft(content.split("\n"))

    def _edit(self, document: Text) -> None:
        lines, wanted = document.lines(), self._chat.head()
        edits = [] if (found := page.edit(lines, self._shown, wanted)) is None else [_replacing(found)]
        place = page.marker(lines)
        if self._spent and place is not None and page.draft(lines) == self._spent:
            edits.append(_emptying(place, lines))
        if not edits:
            self._shown = wanted if place is not None else self._shown
            return
        self._sent = _Sent(self._shown, wanted, document.version)
        self._editor.edit(self._chat.uri, document.version, edits, self._answered)

    def _answered(self, applied: bool) -> None:  # noqa: FBT001 - a callback's only value
        sent = self._sent
        if sent is None:
            return
        sent.applied = applied
        document = self._documents.find(self._chat.uri)
        if document is not None and document.version == sent.version and not applied:
            self._sent = None
            self.update(EDIT_AGAIN)
        else:
            self._judge()

    def _judge(self) -> None:
        """Say what became of the edit, once the document is another one than it was made for."""
        document, sent = self._documents.find(self._chat.uri), self._sent
        if document is None or sent is None or sent.applied is None or document.version == sent.version:
            return
        self._sent = None
        since = max(page.differ(sent.before, sent.after) - CONTEXT, 0)
        lines, applied = document.lines(), sent.applied
        for head in sorted((sent.before, sent.after), key=len, reverse=True):  # one may end as the other does
            if page.shows(lines, head, since):
                applied = head is sent.after
                break
        if applied:
            self._shown = sent.after
        self.update()


def _replacing(edit: page.Edit) -> dict[str, Any]:
    return _text_edit((edit.start, 0), (edit.end, 0), "".join(f"{line}\n" for line in edit.lines))


def _emptying(marker: int, lines: list[str]) -> dict[str, Any]:
    """Take the draft away; a line to write in stays."""
    last = len(lines) - 1
    units = len(lines[last].encode())  # in whatever unit, never too few; what is behind the end means the end
    behind = lines[marker].index(MARKER) + len(MARKER)
    return _text_edit((marker, behind), (last, units), "\n")


def _text_edit(start: tuple[int, int], end: tuple[int, int], content: str) -> dict[str, Any]:
    places = ({"line": line, "character": character} for line, character in (start, end))
    return {"range": dict(zip(("start", "end"), places, strict=True)), "newText": content}
