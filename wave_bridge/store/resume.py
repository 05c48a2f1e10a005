"""What choosing a session means here: the ONE classifier behind every list and every way to resume (SB8).

It looks at the disk and changes nothing. Whether a session is live already, so that it is attached to and not opened a
second time, the caller knows before it asks.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from wave_bridge.errors import SessionNotFound, SessionUnreadable
from wave_bridge.store import paths, transcript
from wave_bridge.store.folders import project_folders
from wave_bridge.store.owner import is_of_workdir, shown_workdir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


WAVE: Final = "wave"  # the real CLI's name


class InPlace(Struct, frozen=True):
    """A session of the current directory: resumed here (S8.1)."""

    path: Path
    workdir: str


class OtherWorktree(Struct, frozen=True):
    """A session of another worktree of the repository: resumed with the working directory switched there (S8.2)."""

    path: Path
    workdir: str


class OtherProject(Struct, frozen=True):
    """A session of another project: not resumed here, its `command` is shown and copied (S8.3)."""

    path: Path
    workdir: str
    command: str


class FolderGone(Struct, frozen=True):
    """The session's directory is gone: a terminal treats it as another project (S8.4), a panel says so (S10.6)."""

    path: Path
    workdir: str
    command: str


class RecordMissing(Struct, frozen=True):
    """No project has a file of this session: an error, never a new session (S8.5)."""

    session_id: str


class RecordDamaged(Struct, frozen=True):
    """The file can't be loaded whole: nothing is switched (S9.11, S10.7); `reason` names the lines."""

    path: Path
    reason: str


Resume = InPlace | OtherWorktree | OtherProject | FolderGone | RecordMissing | RecordDamaged


def classify(
    base: Path,
    session_id: str,
    workdir: str,
    worktrees: Iterable[str],
    *,
    project: str | None = None,
    launcher: str = WAVE,
) -> Resume:
    """Tell what resuming means for someone in the normalised `workdir` of a repository with these `worktrees`.

    `project` is the folder name of the chosen row, where there is one; `launcher` is as in `command`. InvalidParams for
    what is no session id.
    """
    path = find(base, session_id, workdir, project=project)
    if path is None:
        return RecordMissing(session_id)
    try:
        header = transcript.load(path).require_whole().header
    except SessionNotFound:
        return RecordMissing(session_id)
    except SessionUnreadable as fault:
        return RecordDamaged(path, fault.message)
    recorded = header.workdir if header else None
    for here in dict.fromkeys([workdir, *worktrees]):
        if path.parent == paths.project_dir(base, here) and is_of_workdir(recorded, here, path.parent.name):
            return _in_repository(path, here, workdir, launcher)
    return _elsewhere(path, recorded, launcher)


def find(base: Path, session_id: str, workdir: str, *, project: str | None = None) -> Path | None:
    """Give a session's file (S8.5): `workdir`'s own, else the one of any project that was written last.

    With `project`, only that folder's. InvalidParams for what is no session id.
    """
    own = paths.session_file(base, workdir, session_id)
    files = [path for path in _files(base, own.name) if project is None or path.parent.name == project]
    if own in files:
        return own
    return max(files, key=_written, default=None)


def _written(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except FileNotFoundError:  # deleted since it was found
        return 0


def command(workdir: str, session_id: str, launcher: str = WAVE, platform: str = sys.platform) -> str:
    """Give what a user types to resume the session in its own directory; `launcher` is a real Wave or our own chat."""
    quoted = f'"{workdir}"' if platform == "win32" else shlex.quote(workdir)
    return f"cd {quoted} && {launcher} --restore {session_id}"


def _in_repository(path: Path, here: str, workdir: str, launcher: str) -> Resume:
    if not Path(here).is_dir():
        return FolderGone(path, here, command(here, paths.session_id_of(path), launcher))
    return InPlace(path, here) if here == workdir else OtherWorktree(path, here)


def _elsewhere(path: Path, recorded: str | None, launcher: str) -> Resume:
    workdir = shown_workdir(recorded, path.parent.name)
    shown = command(workdir, paths.session_id_of(path), launcher)
    if recorded is not None and not Path(recorded).is_dir():
        return FolderGone(path, workdir, shown)
    return OtherProject(path, workdir, shown)


def _files(base: Path, name: str) -> Iterator[Path]:
    for folder in project_folders(paths.projects(base)):
        path = folder / name
        if path.exists() or path.is_symlink():
            yield path
