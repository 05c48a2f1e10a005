"""The sessions that a picker shows: read from disk for a scope, renamed, judged. Every call may block on files or git.

The scope's two switches are independent of each other, and all projects wins (S7.5).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from wave_bridge.errors import SessionNotFound
from wave_bridge.store import listing, naming, paths, resume, worktrees, writing
from wave_bridge.store.folders import Cache

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wave_bridge.store.listing import Session
    from wave_bridge.store.resume import Resume

FIRST_PAGE: Final = 100  # rows: more than a terminal shows, and soon read
PAGE: Final = 2000


class Scope(Struct, frozen=True):
    """Which sessions are listed: of the directory, of all the repository's worktrees, or of all projects."""

    worktrees: bool = False
    everywhere: bool = False

    @property
    def is_wide(self) -> bool:
        """Whether rows come from more than one directory, so that each says from which."""
        return self.worktrees or self.everywhere


FOLDER: Final = Scope()


class Shelf:
    """The stored sessions as seen from `workdir`, below `base`, the user's `~/.wave`.

    `launcher` is the program of the commands that resume in another directory: `wave`, or our own chat.
    """

    def __init__(self, base: Path, workdir: str, launcher: str = resume.WAVE) -> None:
        self.workdir = paths.normalise(workdir, workdir, workdir)
        self._base = base
        self._launcher = launcher
        self._cache = Cache()
        self._trees: list[str] | None = None

    def worktrees(self) -> list[str]:
        """Give the repository's worktrees, asked of git once; with fewer than two there is no wider scope (S7.3)."""
        if self._trees is None:
            self._trees = [tree.path for tree in worktrees.worktrees(self.workdir)]
        return self._trees

    def pages(self, scope: Scope, query: str = "") -> Iterator[listing.Page]:
        """Give the list in pages, the first a small one, newest first. SessionUnreadable for a folder that is ours."""
        cursor, size = None, FIRST_PAGE
        while True:
            page = self._page(scope, listing.Wanted(query, cursor, size))
            yield page
            cursor, size = page.next_cursor, PAGE
            if cursor is None:
                return

    def every(self, scope: Scope, query: str = "") -> listing.Page:
        """Give the whole list as one page."""
        return self._page(scope, listing.Wanted(query))

    def judge(self, session: Session) -> Resume:
        """Tell what resuming a listed session means here (SB8)."""
        return self.judge_id(session.id, session.project)

    def judge_id(self, session_id: str, project: str | None = None) -> Resume:
        """Tell it of a session that may be in any project; `project` names its folder. InvalidParams for no id."""
        return resume.classify(
            self._base, session_id, self.workdir, self.worktrees(), project=project, launcher=self._launcher
        )

    def rename(self, session: Session, title: str) -> str | None:
        """Save a title in the session's own file (S13.7) and give it as stored; None: blank, nothing changed (S13.6).

        SessionNotFound, SessionUnwritable, Conflict.
        """
        path = resume.find(self._base, session.id, self.workdir, project=session.project)
        if path is None:
            raise SessionNotFound(f"There is no stored session {session.id}.", sessionId=session.id)
        return writing.rename(path, title)

    def rename_own(self, session_id: str, title: str) -> str | None:
        """Save a title of the session that is open here, which may have no file yet (S12.6)."""
        return naming.rename_open(self._base, session_id, self.workdir, title)

    def _page(self, scope: Scope, wanted: listing.Wanted) -> listing.Page:
        now = datetime.now(UTC)
        if scope.everywhere:
            return listing.list_all(self._base, now, self._cache, wanted)
        folders = [self.workdir, *(self.worktrees() if scope.worktrees else [])]
        return listing.list_workdirs(self._base, folders, now, self._cache, wanted)
