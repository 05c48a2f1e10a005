"""Where the documents of sessions lie: the user's alone, in a folder that the user alone can read."""

from __future__ import annotations

import logging
import os
import re
import tempfile
from pathlib import Path
from typing import Final

import psutil
from pygls.uris import to_fs_path

log = logging.getLogger(__name__)

_NAME: Final = re.compile(r"[\w-]{1,128}")  # a session's id; nothing else may become part of a path


def chat_file(state: Path, session_id: str) -> Path:
    """Give the document that a session begins with. Raises ValueError for an id that is none."""
    if not _NAME.fullmatch(session_id):
        raise ValueError(f"no session id: {session_id!r}")
    return state / "chat" / f"{session_id}.wave.md"


def session_of(state: Path, uri: str) -> str | None:
    """Give the session whose document this is; None for any other file."""
    try:
        path = Path(to_fs_path(uri) or "")
    except ValueError:  # no URI at all
        return None
    session_id = path.name.removesuffix(".wave.md")
    if not _NAME.fullmatch(session_id) or path != chat_file(state, session_id):
        return None
    return _id_in(_renamed_file(path)) or session_id


def document_of(state: Path, session_id: str) -> Path:
    """Give a session's document, which may be named by an id that the session had before. Raises ValueError."""
    noted = (path for path in (state / "chat").glob("*.id") if _id_in(path) == session_id)
    return next((path.with_suffix(".md") for path in noted), chat_file(state, session_id))


def renamed(path: Path, session_id: str) -> None:
    """Note that a document, which keeps its name, is of a session with another id by now."""
    try:
        write(_renamed_file(path), session_id)
    except OSError as fault:
        log.warning("the document of session %s goes by its old id: %s", session_id, fault)


def _renamed_file(path: Path) -> Path:
    return path.with_suffix(".id")


class LastUsed:
    """Which session an editor used last, for the daemon that serves it when this one has died.

    `process` is the one that the editor started, which outlives a daemon; 0: it does not. A file a process, for as long
    as that runs.
    """

    def __init__(self, state: Path, process: int) -> None:
        self._place = state / "last"
        self._process = process
        self._noted: str | None = None

    def note(self, session_id: str | None) -> None:
        """Note it; a state that can't be written costs no more than the notice."""
        if not self._process or session_id in {None, self._noted}:
            return
        self._noted = session_id
        try:
            write(self._place / str(self._process), str(session_id))
            for old in self._place.iterdir():
                if old.name.isdigit() and not psutil.pid_exists(int(old.name)):
                    old.unlink(missing_ok=True)
        except OSError as fault:
            log.warning("the session used last is not noted: %s", fault)

    def recall(self) -> str | None:
        """Give the session; None when nothing was noted."""
        return _id_in(self._place / str(self._process)) if self._process else None


def _id_in(path: Path) -> str | None:
    found = (read(path) or "").strip()
    return found if _NAME.fullmatch(found) else None


def read(path: Path) -> str | None:
    """Give the document's text; None when there is none that can be read."""
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return None


def write(path: Path, content: str) -> None:
    """Write it whole or not at all, for its owner only. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=path.suffix)  # 0600, and no link is followed
    try:
        with os.fdopen(fd, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(content)
        os.replace(name, path)  # noqa: PTH105 - a Path would be built for it only
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
