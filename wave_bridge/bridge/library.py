"""Stored sessions, for clients: lists, titles, and where a session must be restored. Works with no CLI running.

All of it reads or writes files, so it runs in a worker thread; the cache makes a second list cost one `stat` a file.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import msgspec

from wave_bridge.core.limits import LIST_PAGE, MAX_TITLE
from wave_bridge.errors import InvalidParams, SessionNotFound, SessionUnreadable, WorkdirMissing
from wave_bridge.store import listing, naming, paths, resume, terminals, transcript, worktrees, writing
from wave_bridge.store.folders import Cache

if TYPE_CHECKING:
    from pathlib import Path

    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.core import client_types as api


class Place(msgspec.Struct, frozen=True):
    """Where a stored session is restored, and what its file says for the cache."""

    workdir: str
    title: str | None


class Library:
    """The session files below `base`, which is the user's `~/.wave`; `state` holds what we keep ourselves."""

    def __init__(self, base: Path, state: Path) -> None:
        self._base = base
        self._state = state
        self._cache = Cache()

    async def page(self, params: api.SessionList, folder: str) -> dict[str, Any]:
        """Give one page of a list (docs/PROTOCOL.md: wave/session/list). Raises InvalidParams, SessionUnreadable."""
        page = await anyio.to_thread.run_sync(partial(self._page, params, folder))
        shown: dict[str, Any] = msgspec.to_builtins(page)
        return {name: value for name, value in shown.items() if value is not None}

    async def place(self, session_id: str, folder: str) -> Place:
        """Say where to restore a session: where it was made. `folder` is looked into first.

        Raises SessionNotFound, SessionUnreadable with the lines, WorkdirMissing when its folder is gone (S10.6).
        """
        return await anyio.to_thread.run_sync(partial(self._place, session_id, folder))

    async def rename(self, session_id: str, title: str, folder: str) -> str | None:
        """Give a session that is not open a title, in its own file (S13.7); None: blank, nothing changed."""
        return await anyio.to_thread.run_sync(partial(self._rename, session_id, _checked(title), folder))

    async def rename_live(self, live: LiveSession, title: str) -> str | None:
        """Give an open session a title; without a file it gets one (S12.6)."""
        where = _normal(live.session.home)
        return await anyio.to_thread.run_sync(naming.rename_open, self._base, live.id, where, _checked(title))

    async def last_command(self, folder: str, since: float = 0.0) -> dict[str, Any] | None:
        """Give the last command kept for a folder, in the form of an editor's answer; None: none since then."""
        return await anyio.to_thread.run_sync(terminals.recall, self._state, folder, since)

    def _page(self, params: api.SessionList, folder: str) -> listing.Page:
        wanted = listing.Wanted(
            query=params.query if isinstance(params.query, str) else "",
            cursor=params.cursor if isinstance(params.cursor, str) else None,
            limit=params.limit or LIST_PAGE,
        )
        now = datetime.now(UTC)
        if params.scope == "all":
            return listing.list_all(self._base, now, self._cache, wanted)
        folders = [_normal(folder)]
        if params.scope == "repo":
            folders += [tree.path for tree in worktrees.worktrees(folder)]
        return listing.list_workdirs(self._base, folders, now, self._cache, wanted)

    def _place(self, session_id: str, folder: str) -> Place:
        here = _normal(folder)
        match resume.classify(self._base, session_id, here, []):
            case resume.RecordMissing():
                raise SessionNotFound(f"There is no stored session {session_id}.", sessionId=session_id)
            case resume.RecordDamaged(reason=reason):
                raise SessionUnreadable(reason, sessionId=session_id)
            case resume.FolderGone(workdir=gone):
                raise WorkdirMissing(f"The session's folder {gone} does not exist any more.", workdir=gone)
            case found:
                return Place(found.workdir, transcript.load(found.path).title)

    def _rename(self, session_id: str, title: str, folder: str) -> str | None:
        path = resume.find(self._base, session_id, _normal(folder))
        if path is None:
            raise SessionNotFound(f"There is no stored session {session_id}.", sessionId=session_id)
        return writing.rename(path, title)


def _normal(folder: str) -> str:
    return paths.normalise(folder, folder, folder)


def _checked(title: str) -> str:
    """Refuse what is too long (SB16): cut in silence, the user would find another title than was typed."""
    if len(title.strip()) > MAX_TITLE:
        raise InvalidParams(f"title has {len(title.strip())} characters, at most {MAX_TITLE} are kept", limit=MAX_TITLE)
    return title
