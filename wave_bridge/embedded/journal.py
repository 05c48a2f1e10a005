"""A thread on disk: each message goes into its file once, when it is complete, and the file is made by a real one."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wave_bridge.embedded.git import current_branch
from wave_bridge.errors import BridgeError
from wave_bridge.store.writing import Transcript, header, restore

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from wave_bridge.embedded.blocks import Message
    from wave_bridge.store.transcript import Loaded


class Journal:
    """The file of one thread. Failing to write costs the record only, never the conversation: stderr is told."""

    def __init__(self, path: Path, workdir: str, folder: Path) -> None:
        self.path = path
        self._workdir = workdir
        self._folder = folder
        self._transcript: Transcript | None = None
        self._written: set[str] = set()

    def restore(self) -> Loaded:
        """Read the file and go on behind what it holds. Raises SessionNotFound or SessionUnreadable."""
        self._transcript, loaded = restore(self.path)
        self._written = {str(body.get("id")) for body in loaded.thread}
        return loaded

    def save(self, messages: Sequence[Message]) -> None:
        """Append what is not in the file yet; meta messages alone make no file (S3)."""
        self.append([message for message in messages if message["id"] not in self._written])

    def append(self, messages: Sequence[Message]) -> None:
        """Append messages, whether or not the file has them: a compaction repeats the last rounds."""
        if not messages:
            return
        self._written.update(message["id"] for message in messages)
        transcript = self._opened()
        _attempt(lambda: transcript.append(*messages))

    def rewind(self, message_id: str) -> None:
        """Drop a message and all after it; header and title stay byte for byte (SB12)."""
        transcript = self._opened()
        if transcript.exists:
            for body in transcript.rewind(message_id):
                self._written.discard(str(body.get("id")))

    def keep_title(self) -> None:
        """Bring the title back to the end of the file (S12.5)."""
        transcript = self._transcript
        if transcript is not None:
            _attempt(transcript.reappend_title)

    def _opened(self) -> Transcript:
        if self._transcript is None:
            head = header(self._workdir, datetime.now(UTC), current_branch(self._folder))
            self._transcript = Transcript(self.path, head)
        return self._transcript


def _attempt(write: Callable[[], None]) -> None:
    try:
        write()
    except BridgeError as error:
        sys.stderr.write(f"session not saved: {error.message}\n")
