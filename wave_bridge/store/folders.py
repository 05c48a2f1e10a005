"""The session files of a project folder as the operating system lists them, and what is remembered of them.

The one module that walks folders. A stat tells whether a file is as it was; only then is it not opened again.
"""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from wave_bridge.errors import SessionNotFound, SessionUnreadable
from wave_bridge.store import files
from wave_bridge.store.ends import Ends, read_ends
from wave_bridge.store.paths import SESSION_ID, SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NO_PLAIN_FILE: Final = "a link, or something else than a file, is in its place"
NOTHING_READABLE: Final = "nothing in it can be read"

_NAME: Final = re.compile(rf"({SESSION_ID.pattern}){re.escape(SUFFIX)}")


class Found(Struct, frozen=True, gc=False):
    """A session file by name and stat. `mtime_ns`, `inode` and `size` change when its content does."""

    session_id: str
    folder: str
    mtime_ns: int
    inode: int
    size: int
    is_plain: bool

    @property
    def mtime(self) -> int:
        """The modification time in milliseconds since 1970."""
        return self.mtime_ns // 1_000_000

    @property
    def project(self) -> str:
        """The name of its folder."""
        return os.path.basename(self.folder)  # noqa: PTH119  a list asks for every row


class Unlisted(Exception):
    """A file that a list can't show; its text is the reason."""


class Cache:
    """What the ends of files say, by file and version. One a daemon; lists in several threads may share it.

    Holds nothing of a file that is gone, so it is as large as the folders that are listed.
    """

    def __init__(self) -> None:
        self._folders: dict[str, dict[str, tuple[Found, Ends | None]]] = {}

    def ends(self, found: Found) -> Ends:
        """Give the ends of a file, read only if it has changed. Unlisted; SessionNotFound when it is gone by now."""
        known = self._folders.setdefault(found.folder, {})
        seen, ends = known.get(found.session_id, (None, None))
        if seen != found:
            ends = _read(found)
            known[found.session_id] = (found, ends)
        if ends is None:
            raise Unlisted(NOTHING_READABLE)
        return ends

    def forget_missing(self, folder: Path, present: list[Found]) -> None:
        """Drop what is known of files that are no longer in the folder."""
        known = self._folders.get(str(folder))
        if known and len(known) > len(present):
            ids = {found.session_id for found in present}
            for gone in [each for each in known if each not in ids]:
                known.pop(gone, None)


def scan(folder: Path) -> list[Found]:
    """Give the main sessions' files in a folder, in no order (S2.1): no subagents, no other names, no content read.

    A folder that does not exist has none. SessionUnreadable when it can't be read or is a symbolic link.
    """
    if folder.is_symlink():
        raise SessionUnreadable("a symbolic link is in the place of the project folder", path=str(folder))
    try:
        with os.scandir(folder) as entries:
            return [found for entry in entries if (found := _found(entry, str(folder))) is not None]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as fault:
        raise SessionUnreadable(f"{folder.name}: {fault.strerror}", path=str(folder)) from fault


def project_folders(projects: Path) -> Iterator[Path]:
    """Give every folder that may hold sessions: `projects` itself (the root directory's) and those in it."""
    yield projects
    try:
        with os.scandir(projects) as entries:
            yield from [projects / entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as fault:
        raise SessionUnreadable(f"{projects}: {fault.strerror}", path=str(projects)) from fault


def _found(entry: os.DirEntry[str], folder: str) -> Found | None:
    named = _NAME.fullmatch(entry.name)
    if named is None:
        return None
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    is_plain = stat.S_ISREG(found.st_mode)
    return Found(named[1], folder, found.st_mtime_ns, found.st_ino, found.st_size, is_plain)


def _read(found: Found) -> Ends | None:
    if not found.is_plain:
        raise Unlisted(NO_PLAIN_FILE)
    try:
        with files.opened_again(os.path.join(found.folder, found.session_id + SUFFIX)) as fd:  # noqa: PTH118  per row
            return read_ends(lambda offset, length: _pread(fd, offset, length), os.fstat(fd).st_size)
    except FileNotFoundError as fault:
        raise SessionNotFound(f"no session file {found.session_id}") from fault
    except OSError as fault:
        raise Unlisted(fault.strerror) from fault
    except SessionUnreadable as fault:
        raise Unlisted(fault.message) from fault


def _pread(fd: int, offset: int, length: int) -> bytes:
    os.lseek(fd, offset, os.SEEK_SET)
    data = os.read(fd, length)
    while len(data) < length and (more := os.read(fd, length - len(data))):
        data += more
    return data
