"""What an editor has open, by its own telling, so that a daemon that takes over knows it as the dead one did.

LSP says a document whole once and only its changes from then on. Changes are kept as they come and worked in when they
have become more than the text, so a keystroke costs nothing here. Standard library only: an editor waits for this.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False  # `typing` costs an editor 5 ms
if TYPE_CHECKING:
    from typing import Any, Final

MAX_TEXT: Final = 8 * 1024 * 1024  # characters of one document; the daemon keeps no longer one either
MAX_TEXTS: Final = 64 * 1024 * 1024  # characters of all
CHANGES: Final = 64 * 1024  # characters of changes that may always wait
CHANGE: Final = 100  # characters that one counts for beside its text

OPENED: Final = "textDocument/didOpen"
NOTED: Final = (OPENED, "textDocument/didChange", "textDocument/didClose")


class Buffers:
    """Open documents by URI, the one that was touched last at the end. What is malformed or too long is let go of."""

    def __init__(self) -> None:
        self.encoding = "utf-16"  # as the daemon has agreed with the editor
        self._buffers: dict[str, _Buffer] = {}

    def note(self, method: str, params: Any) -> None:
        """Take what the editor says of a document."""
        match method, params:
            case "textDocument/didOpen", {"textDocument": {"uri": str() as uri, "text": str() as text, **more}}:
                self._buffers.pop(uri, None)
                if len(text) <= MAX_TEXT and len(text) + sum(map(len, self._buffers.values())) <= MAX_TEXTS:
                    self._buffers[uri] = _Buffer(text, more)
            case "textDocument/didChange", {
                "textDocument": {"uri": str() as uri, **more},
                "contentChanges": list(new),
            }:
                buffer = self._buffers.pop(uri, None)
                if buffer is not None and buffer.edit(new, more.get("version"), self.encoding):
                    self._buffers[uri] = buffer
            case _, {"textDocument": {"uri": str() as uri}}:  # closed; or in no form that we know
                self._buffers.pop(uri, None)

    def said_again(self) -> list[bytes]:
        """Give what opens the documents as they are now."""
        return [_opening(uri, buffer, self.encoding) for uri, buffer in self._buffers.items()]


class _Buffer:
    """One document: the text as of some change, and the changes since, `(range, text)`."""

    def __init__(self, text: str, more: dict[Any, Any]) -> None:
        self.more = more
        self._text = text
        self._changes: list[tuple[list[int], str]] = []
        self._waiting = 0

    def __len__(self) -> int:
        return len(self._text) + self._waiting

    def edit(self, edits: list[Any], version: Any, encoding: str) -> bool:
        """Take changes; False when they can't be followed."""
        self.more["version"] = version
        for edit in edits:
            match edit:
                case {
                    "range": {
                        "start": {"line": int() as first, "character": int() as begin},
                        "end": {"line": int() as last, "character": int() as end},
                    },
                    "text": str() as text,
                }:
                    self._changes.append(([first, begin, last, end], text))
                    self._waiting += len(text) + CHANGE
                case {"text": str() as text} if edit.get("range") is None:
                    self._text, self._changes, self._waiting = text, [], 0
                case _:
                    return False
        if self._waiting > max(CHANGES, len(self._text)):
            self.content(encoding)
        return len(self) <= MAX_TEXT

    def content(self, encoding: str) -> str:
        """Give the text as it is now."""
        if self._changes:
            from wave_bridge.document import Place, Text  # noqa: PLC0415 - it imports `typing`; few editors need it

            text = Text(self._text, encoding=encoding)
            for (first, begin, last, end), new in self._changes:
                text.change(Place(first, begin), Place(last, end), new)
            self._text, self._changes, self._waiting = text.content, [], 0
        return self._text


def _opening(uri: str, buffer: _Buffer, encoding: str) -> bytes:
    item = {"uri": uri, **buffer.more, "text": buffer.content(encoding)}
    return json.dumps({"jsonrpc": "2.0", "method": OPENED, "params": {"textDocument": item}}).encode()
