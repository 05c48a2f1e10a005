"""Titles for a session that is known by its id alone, wherever its file is or whether it has one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wave_bridge.store import paths, resume, worktrees, writing

if TYPE_CHECKING:
    from pathlib import Path


def rename_open(base: Path, session_id: str, workdir: str, title: str) -> str | None:
    """Give an open session a title and return it as stored; None: blank, nothing changed (S12.7).

    `workdir` is normalised. A session without a file gets one (S12.6). SessionUnwritable, Conflict, InvalidParams.
    """
    path = resume.find(base, session_id, workdir)
    if path is not None:
        return writing.rename(path, title)
    head = writing.header(workdir, datetime.now(UTC), worktrees.current_branch(workdir))
    return writing.Transcript(paths.session_file(base, workdir, session_id), head).rename(title)
