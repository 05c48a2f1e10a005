"""Where the documents of sessions lie: the user's alone, in a folder that the user alone can read."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Final

from pygls.uris import to_fs_path

_NAME: Final = re.compile(r"[\w-]{1,128}")  # a session's id; nothing else may become part of a path


def chat_file(state: Path, session_id: str) -> Path:
    """Give a session's document below the user's state. Raises ValueError for an id that is none."""
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
    return session_id if _NAME.fullmatch(session_id) and path == chat_file(state, session_id) else None


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
