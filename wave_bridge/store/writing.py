"""One session as its owner writes it: created late, appended to, titled, rewound.

An append is acknowledged when the call returns; one that raises has written nothing, and what it was to write is
written by the next (nothing is lost, nothing twice). Every change is made under the lock of the session's folder.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from wave_bridge.errors import Conflict, SessionUnwritable
from wave_bridge.store import files, titles, transcript
from wave_bridge.store.entries import Body, CustomTitle, Header, Message, dump, message
from wave_bridge.store.limits import REWRITE_TRIES, TITLE_LINE, TITLE_SCAN
from wave_bridge.store.lines import NEWLINE
from wave_bridge.store.paths import session_id_of
from wave_bridge.store.times import timestamp

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from wave_bridge.store.transcript import Loaded


def header(workdir: str, now: datetime, branch: str | None = None) -> Header:
    """Give the header of a session that begins `now` (S11.1); `workdir` as given, `branch` None outside git."""
    return Header(workdir, timestamp(now), branch)


class Transcript:
    """A session file that this process writes. `title` is the custom title as far as this process knows.

    The file is made by the first real message or title, not before (S3).
    """

    def __init__(self, path: Path, header: Header | None, *, title: str | None = None, exists: bool = False) -> None:
        self.path = path
        self.title = title
        self._header = header
        self._exists = exists
        self._waiting: list[Message] = []

    @property
    def exists(self) -> bool:
        """Whether the session has, or had, a file; one without is in no list (S3.5)."""
        self._exists = self._exists or self.path.exists()
        return self._exists

    def append(self, *bodies: Body) -> None:
        """Save messages, in order (one write). Meta messages of a session without a file wait for a real one (S3).

        InvalidParams for what is no message, SessionNotFound when the file is gone, SessionUnwritable, Conflict.
        """
        self._waiting += [message(body) for body in bodies]
        if self._waiting and (self.exists or any(not each.is_meta for each in self._waiting)):
            self._save(b"")

    def rename(self, title: str) -> str | None:
        """Save a title and give it as stored; a blank one changes nothing and gives None (S12.7).

        A session without a file gets one (S12.6). Same errors as `append`; `title` is then as it was (S12.8).
        """
        accepted = titles.accepted(title)
        if accepted is not None:
            self._save(dump(CustomTitle(accepted, session_id_of(self.path))))
            self.title = accepted
        return accepted

    def reappend_title(self) -> None:
        """Bring the title back to the end of the file, where lists look for it; nothing when there is no title.

        To be called when the session ends, as its own step after the last save, after a compaction, on switching away
        (S12.5); `restore` and `rewind` do it themselves. A newer title that another process wrote is taken over first.
        """
        if self.exists:
            with files.locked(self.path):
                self._reappend_title()

    def rewind(self, message_id: str) -> list[Body]:
        """Drop the message and all after it (SB12) and give them, in order. InvalidParams for an unknown id.

        Conflict when a writer that takes no lock keeps changing the file.
        """
        with files.locked(self.path):
            for _ in range(REWRITE_TRIES):
                before = files.read_whole(self.path)
                kept, dropped = transcript.rewound(before, message_id)
                if files.size(self.path) == len(before):
                    break
            else:
                raise Conflict("the session is being written by another process", path=str(self.path))
            files.replace(self.path, kept)
            self._reappend_title()
        return dropped

    def _save(self, ending: bytes) -> None:
        """Write what waits, then `ending`; with the header in front when the file is new or empty."""
        if not self.exists:
            files.make_folder(self.path.parent)
        lines = b"".join(dump(each) for each in self._waiting) + ending
        with files.locked(self.path):
            head = dump(self._header) if self._header else b""
            if self._exists or not files.create(self.path, head + lines):
                files.append(self.path, lines if files.size(self.path) else head + lines)
        self._exists = True
        self._waiting.clear()

    def _reappend_title(self) -> None:
        self.title = _last_title(self.path) or self.title
        if self.title is not None and titles.latest(files.last_line(self.path)) != self.title:
            files.append(self.path, dump(CustomTitle(self.title, session_id_of(self.path))))


def _last_title(path: Path) -> str | None:
    """Look for the title from the end of the file on: as far back as it was re-appended last, however long ago."""
    size = end = files.size(path)
    while end > 0:
        start = max(0, end - TITLE_SCAN)
        data = files.read_part(path, start, min(end + TITLE_LINE, size))
        found = titles.latest(data if start == 0 else data.partition(NEWLINE)[2])
        if found is not None:
            return found
        end = start
    return None


def restore(path: Path) -> tuple[Transcript, Loaded]:
    """Take over a session: its whole content, and a transcript that goes on in the same file (SB15, S9.9).

    The title is re-appended at once; when only that fails, the session is restored all the same and the first message
    will tell. SessionNotFound; SessionUnreadable for a damaged file, with the lines.
    """
    loaded = transcript.load(path).require_whole()
    restored = Transcript(path, loaded.header, title=loaded.title, exists=True)
    with suppress(SessionUnwritable, Conflict):
        restored.reappend_title()
    return restored, loaded


def rename(path: Path, title: str) -> str | None:
    """Give a session that is not open here a title, in its own file (S13.7); as `Transcript.rename` otherwise."""
    return Transcript(path, None, exists=True).rename(title)


def create_empty(path: Path) -> None:
    """Create a session file with nothing in it, not even a header (SB11). Conflict when it is there already."""
    files.make_folder(path.parent)
    with files.locked(path):
        if not files.create(path, b""):
            raise Conflict(f"{path.name} exists", path=str(path))


def repair(path: Path) -> Path:
    """Write the whole records of a damaged session to `<file>.repaired` beside it and give that path.

    The damaged file stays as it is.
    """
    copy = path.with_name(path.name + ".repaired")
    files.replace(copy, transcript.repaired(files.read_whole(path)))
    return copy
