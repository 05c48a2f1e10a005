"""The open documents of one editor, as text synchronisation tells them.

pygls goes through a whole document at each change; ours touches what changed. What is too long is known by name only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from wave_bridge.core.limits import DOCUMENT_CHARACTERS
from wave_bridge.document import Place, Text

if TYPE_CHECKING:
    from collections.abc import Callable


def place(position: types.Position) -> Place:
    """Give LSP's position as ours."""
    return Place(position.line, position.character)


class Documents:
    """Texts by URI. `changed` hears the URI of each that was opened, changed or closed."""

    def __init__(self, changed: Callable[[str], None]) -> None:
        self.encoding = "utf-16"
        self._texts: dict[str, Text] = {}
        self._changed = changed

    def find(self, uri: str) -> Text | None:
        """Give an open document."""
        return self._texts.get(uri)

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take a document."""
        item = params.text_document
        if len(item.text) <= DOCUMENT_CHARACTERS:
            self._texts[item.uri] = Text(item.text, item.version, self.encoding)
            self._changed(item.uri)

    def edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take changes, in order; those of a document that is not known are nobody's business."""
        text = self._texts.get(params.text_document.uri)
        if text is None:
            return
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                text.change(place(change.range.start), place(change.range.end), change.text)
            else:
                text.replace(change.text)
        text.version = params.text_document.version
        self._changed(params.text_document.uri)

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Let go of a document."""
        if self._texts.pop(params.text_document.uri, None) is not None:
            self._changed(params.text_document.uri)
