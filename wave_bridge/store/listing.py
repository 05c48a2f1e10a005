"""Lists of sessions: of a folder, of several (worktrees), of all projects; newest first, searched, in pages.

The files are the only source; no index is kept or read (S2.1). A file is opened only when a page needs it: no message
can be newer than its file's modification time, so the newest are found from the times alone. Where a file shows that
the times can't be trusted (restored from a backup, another machine's clock) all of them are opened instead.
"""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from msgspec import Struct

from wave_bridge.errors import InvalidParams, SessionNotFound, SessionUnreadable
from wave_bridge.store import paths
from wave_bridge.store.ends import Ends
from wave_bridge.store.folders import Cache, Found, Unlisted, project_folders, scan
from wave_bridge.store.limits import CLOCK_SLACK
from wave_bridge.store.owner import is_of_workdir, shown_workdir
from wave_bridge.store.search import matches
from wave_bridge.store.times import from_ms, timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path


class Session(Struct, frozen=True, kw_only=True, gc=False, rename="camel", omit_defaults=True):
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


class _Row(Struct, frozen=True, order=True, gc=False):
    """Sorts newest first (`age` is the last activity in negative milliseconds), then by id and folder."""

    age: int
    session_id: str
    folder: str
    workdir: str | None
    found: Found
    ends: Ends


def list_workdirs(
    base: Path, workdirs: Iterable[str], now: datetime, cache: Cache | None = None, wanted: Wanted = EVERYTHING
) -> Page:
    """List the sessions of normalised workdirs: one for the current folder (S6.1), several for worktrees (S7.2).

    `now` stands in for a creation time that was never recorded (S11.4). InvalidParams for a cursor that is none;
    SessionUnreadable when a folder can't be read: an empty list would look like "no sessions".
    """
    owners: dict[Path, list[str]] = {}
    for workdir in dict.fromkeys(workdirs):
        owners.setdefault(paths.project_dir(base, workdir), []).append(workdir)
    return _page(_Gathering(cache or Cache(), owners), now, wanted)


def list_all(base: Path, now: datetime, cache: Cache | None = None, wanted: Wanted = EVERYTHING) -> Page:
    """List the sessions of all projects (S6.2), an id that is in several folders once (S6.3); else as `list_workdirs`.

    A session's workdir is its header's, else a guess from the folder's name, else that name (S6.5). A folder that can't
    be read is among the skipped.
    """
    folders = project_folders(paths.projects(base))
    return _page(_Gathering(cache or Cache(), dict.fromkeys(folders, ())), now, wanted)


def _page(gathering: _Gathering, now: datetime, wanted: Wanted) -> Page:
    rows = gathering.newest_first()
    if wanted.query.strip():
        rows = (row for row in rows if matches(wanted.query, row.ends.title, row.ends.first_message))
    if wanted.cursor is not None:
        rows = _after(rows, _decode_cursor(wanted.cursor))
    shown, more = _take(rows, wanted.limit)
    cursor = _encode_cursor(shown[-1]) if more else None
    return Page([_session(row, now) for row in shown], cursor, gathering.skipped)


class _Gathering:
    """The rows of one list. What can't be shown is noted in `skipped`.

    `owners` are the folders to look into, each with the workdirs that it is read for; with none of them it is read for
    whatever workdir the sessions' headers tell.
    """

    def __init__(self, cache: Cache, owners: Mapping[Path, Sequence[str]]) -> None:
        self.skipped: list[Skipped] = []
        self._cache = cache
        self._folders = list(owners)
        self._owners = {str(folder): workdirs for folder, workdirs in owners.items()}

    def newest_first(self) -> Iterator[_Row]:
        """Give each session once, in order of its last activity."""
        given: set[str] = set()
        for row in self._in_order():
            if row.session_id not in given:
                given.add(row.session_id)
                yield row

    def _in_order(self) -> Iterator[_Row]:
        """Give the rows, reading each file no sooner than its turn may come."""
        pending: list[_Row] = []
        trusted = True
        for found in sorted(self._scan(), key=lambda found: -found.mtime_ns):
            newest_possible = found.mtime + CLOCK_SLACK
            while trusted and pending and -pending[0].age >= newest_possible:
                yield heapq.heappop(pending)
            row = self._row(found)
            if row is not None:
                trusted = trusted and -row.age <= newest_possible
                heapq.heappush(pending, row)
        while pending:
            yield heapq.heappop(pending)

    def _scan(self) -> Iterator[Found]:
        for folder in self._folders:
            try:
                all_found = scan(folder)
            except SessionUnreadable as fault:
                if self._owners[str(folder)]:
                    raise
                self.skipped.append(Skipped("", folder.name, fault.message))
                continue
            self._cache.forget_missing(folder, all_found)
            yield from all_found

    def _row(self, found: Found) -> _Row | None:
        try:
            ends = self._cache.ends(found)
        except Unlisted as reason:
            self.skipped.append(Skipped(found.session_id, found.project, str(reason)))
            return None
        except SessionNotFound:
            return None  # deleted since the folder was read
        owners = self._owners[found.folder]
        workdir = self._owner(found, ends, owners)
        if owners and workdir is None:
            return None
        active = ends.last.ms if ends.last else found.mtime
        return _Row(-active, found.session_id, found.folder, workdir, found, ends)

    def _owner(self, found: Found, ends: Ends, owners: Sequence[str]) -> str | None:
        recorded = ends.header.workdir if ends.header else None
        if recorded in owners:
            return recorded
        return next((each for each in owners if is_of_workdir(recorded, each, found.project)), None)


def _after(rows: Iterator[_Row], last: tuple[int, str]) -> Iterator[_Row]:
    """Give the rows behind the cursor's; by order when that session has moved or gone since."""
    passed: list[_Row] = []
    for row in rows:
        if (row.age, row.session_id) == last:
            return rows
        passed.append(row)
    return iter([row for row in passed if (row.age, row.session_id) > last])


def _take(rows: Iterator[_Row], limit: int | None) -> tuple[list[_Row], bool]:
    """Give the next rows and whether there are more."""
    if limit is None:
        return list(rows), False
    if limit < 1:
        raise InvalidParams("limit must be at least 1", member="limit")
    shown = list(itertools.islice(rows, limit))
    return shown, next(rows, None) is not None


def _session(row: _Row, now: datetime) -> Session:
    header, ends, project = row.ends.header, row.ends, row.found.project
    return Session(
        id=row.session_id,
        session_type="main",
        workdir=row.workdir or shown_workdir(header.workdir if header else None, project),
        created_at=(header and header.created_at) or timestamp(now),
        last_active_at=(ends.last or from_ms(row.found.mtime)).text,
        latest_total_tokens=ends.tokens,
        project=project,
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
