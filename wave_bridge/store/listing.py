"""Lists of sessions: of a folder, of several (worktrees), of all projects; newest first, searched, in pages.

The files are the only source; no index is kept or read (S2.1). A file is opened only when a page needs it: no message
can be newer than its file's modification time, so the newest are found from the times alone. Where a file shows that
the times can't be trusted (restored from a backup, another machine's clock) all of them are opened instead.
"""

from __future__ import annotations

import heapq
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from wave_bridge.errors import InvalidParams, SessionNotFound, SessionUnreadable
from wave_bridge.store import paths
from wave_bridge.store.folders import Cache, Found, Unlisted, project_folders, scan
from wave_bridge.store.limits import CLOCK_SLACK
from wave_bridge.store.search import matches
from wave_bridge.store.times import from_ms, timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from wave_bridge.store.ends import Ends


class Session(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A row of a list, in the members of the CLI's own `SessionMetadata`; times are ISO 8601.

    `project` is the name of its folder. `damaged`: a part of the file can't be read, so resuming it will say so.
    """

    id: str
    session_type: Literal["main"]
    workdir: str
    created_at: str
    last_active_at: str
    latest_total_tokens: int
    project: str
    first_message: str | None = None
    branch: str | None = None
    custom_title: str | None = None
    damaged: bool = False


class Skipped(Struct, frozen=True, rename="camel"):
    """A session (or, with an empty `id`, a project folder) that could not be listed, and why."""

    id: str
    project: str
    reason: str


class Wanted(Struct, frozen=True):
    """What of a list is wanted: `query` as in `search.matches`, at most `limit` rows after the page of `cursor`."""

    query: str = ""
    cursor: str | None = None
    limit: int | None = None


EVERYTHING: Final = Wanted()


class Page(Struct, frozen=True, rename="camel"):
    """A page of a list. `next_cursor` is opaque and None on the last page."""

    sessions: list[Session]
    next_cursor: str | None
    skipped: list[Skipped]


class _Row(NamedTuple):
    """Sorts newest first, then by id."""

    age: int
    session_id: str
    found: Found
    ends: Ends


class _Source(NamedTuple):
    """A folder to list; `workdir` is None where each session's header tells it (all projects)."""

    folder: Path
    workdir: str | None


def list_workdirs(
    base: Path, workdirs: Iterable[str], now: datetime, cache: Cache | None = None, wanted: Wanted = EVERYTHING
) -> Page:
    """List the sessions of normalised workdirs: one for the current folder (S6.1), several for worktrees (S7.2).

    `now` stands in for a creation time that was never recorded (S11.4). InvalidParams for a cursor that is none;
    SessionUnreadable when a folder can't be read: an empty list would look like "no sessions".
    """
    sources = [_Source(paths.project_dir(base, workdir), workdir) for workdir in dict.fromkeys(workdirs)]
    return _list(sources, now, cache or Cache(), wanted)


def list_all(base: Path, now: datetime, cache: Cache | None = None, wanted: Wanted = EVERYTHING) -> Page:
    """List the sessions of all projects (S6.2), an id that is in several folders once (S6.3); else as `list_workdirs`.

    A session's workdir is its header's, else a guess from the folder's name, else that name (S6.5). A folder that can't
    be read is among the skipped.
    """
    sources = [_Source(folder, None) for folder in project_folders(paths.projects(base))]
    return _list(sources, now, cache or Cache(), wanted)


def _list(sources: list[_Source], now: datetime, cache: Cache, wanted: Wanted) -> Page:
    skipped: list[Skipped] = []
    workdirs = {str(source.folder): source.workdir for source in sources}
    rows = _newest_first(_scan_all(sources, cache, skipped), lambda found: _read(found, cache, skipped))
    rows = _once_each(row for row in rows if _belongs(row, workdirs[row.found.folder]))
    if wanted.query.strip():
        rows = (row for row in rows if matches(wanted.query, row.ends.title, row.ends.first_message))
    if wanted.cursor is not None:
        rows = _after(rows, _decode_cursor(wanted.cursor))
    shown, more = _take(rows, wanted.limit)
    sessions = [_session(row, workdirs[row.found.folder], now) for row in shown]
    return Page(sessions, _encode_cursor(shown[-1]) if more else None, skipped)


def _scan_all(sources: list[_Source], cache: Cache, skipped: list[Skipped]) -> list[Found]:
    all_found: list[Found] = []
    for source in sources:
        try:
            found = scan(source.folder)
        except SessionUnreadable as fault:
            if source.workdir is not None:
                raise
            skipped.append(Skipped("", source.folder.name, fault.message))
            continue
        cache.forget_missing(source.folder, found)
        all_found += found
    return all_found


def _read(found: Found, cache: Cache, skipped: list[Skipped]) -> Ends | None:
    try:
        return cache.ends(found)
    except Unlisted as reason:
        skipped.append(Skipped(found.session_id, found.project, str(reason)))
    except SessionNotFound:
        pass  # deleted since the folder was read
    return None


def _newest_first(all_found: list[Found], read: Callable[[Found], Ends | None]) -> Iterator[_Row]:
    """Give rows in order of their last activity, reading each file no sooner than its turn may come."""
    all_found.sort(key=lambda found: found.mtime, reverse=True)
    pending: list[_Row] = []
    trusted = True
    for found in all_found:
        newest_possible = found.mtime + CLOCK_SLACK
        while trusted and pending and -pending[0].age >= newest_possible:
            yield heapq.heappop(pending)
        ends = read(found)
        if ends is not None:
            active = ends.last.ms if ends.last else found.mtime
            trusted = trusted and active <= newest_possible
            heapq.heappush(pending, _Row(-active, found.session_id, found, ends))
    while pending:
        yield heapq.heappop(pending)


def _once_each(rows: Iterable[_Row]) -> Iterator[_Row]:
    seen: set[str] = set()
    for row in rows:
        if row.session_id not in seen:
            seen.add(row.session_id)
            yield row


def _belongs(row: _Row, workdir: str | None) -> bool:
    """Tell whether the session is of `workdir`, not of another directory whose folder has the same name.

    The header decides, where its directory exists: `/a/b-c` and `/a/b/c` share a folder, a moved project does not.
    """
    header = row.ends.header
    if workdir is None or header is None or not header.workdir or header.workdir == workdir:
        return True
    other = paths.normalise(header.workdir, workdir, workdir)
    if paths.encode(other, sys.platform) != row.found.project:
        return True
    try:
        return Path(other).samefile(workdir)
    except OSError:
        return not Path(other).is_dir()


def _after(rows: Iterator[_Row], last: tuple[int, str]) -> Iterator[_Row]:
    """Give the rows behind the cursor's; by order when that session has moved or gone since."""
    passed: list[_Row] = []
    for row in rows:
        if (row.age, row.session_id) == last:
            return rows
        passed.append(row)
    return iter([row for row in passed if (row.age, row.session_id) > last])


def _take(rows: Iterator[_Row], limit: int | None) -> tuple[list[_Row], bool]:
    if limit is None:
        return list(rows), False
    if limit < 1:
        raise InvalidParams("limit must be at least 1", member="limit")
    shown: list[_Row] = []
    for row in rows:
        if len(shown) == limit:
            return shown, True
        shown.append(row)
    return shown, False


def _session(row: _Row, workdir: str | None, now: datetime) -> Session:
    header, ends, folder = row.ends.header, row.ends, row.found.project
    return Session(
        id=row.session_id,
        session_type="main",
        workdir=workdir or (header and header.workdir) or paths.decode(folder) or folder,
        created_at=(header and header.created_at) or timestamp(now),
        last_active_at=(ends.last or from_ms(row.found.mtime)).text,
        latest_total_tokens=ends.tokens,
        project=folder,
        first_message=ends.first_message,
        branch=header.git_branch if header else None,
        custom_title=ends.title,
        damaged=ends.damaged,
    )


def _encode_cursor(row: _Row) -> str:
    return msgspec.json.encode((row.age, row.session_id)).hex()


def _decode_cursor(cursor: str) -> tuple[int, str]:
    try:
        return msgspec.json.decode(bytes.fromhex(cursor), type=tuple[int, str])
    except ValueError as fault:
        raise InvalidParams("the cursor is not one of a list", member="cursor") from fault
