"""Session files as the operating system has them: opened safely, read from either end, written whole or not at all.

A symbolic link, a pipe or a folder in the place of a session file, and a link in the place of its project folder, are
refused. What fails is told in the error tree. What we create is private: 0700 and 0600.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from wave_bridge.errors import Conflict, SessionNotFound, SessionUnreadable, SessionUnwritable
from wave_bridge.store.limits import LOCK_TIMEOUT, TITLE_LINE

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK: Final = ".lock"  # one a project folder; lists ignore it

_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe must not hold us either
_FLAGS: Final = _NO_LINK | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def opened(path: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """Open a plain file, no link and nothing that blocks. OSError; SessionUnreadable when it is something else."""
    if path.parent.is_symlink() or path.is_symlink():
        raise SessionUnreadable("a symbolic link is in the place of the session file or its folder", path=str(path))
    with opened_again(str(path), flags) as fd:
        yield fd


@contextmanager
def opened_again(path: str, flags: int = os.O_RDONLY) -> Iterator[int]:
    """Open what a look at the folder has shown to be a plain file; as `opened` if it has been replaced since."""
    fd = os.open(path, flags | _FLAGS, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise SessionUnreadable("not a plain file", path=path)
        yield fd
    finally:
        os.close(fd)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Tell an OSError inside as SessionNotFound (no such file) or SessionUnreadable (any other reason)."""
    try:
        yield
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise SessionNotFound(f"no session file {path.name}", path=str(path)) from fault
    except OSError as fault:
        raise SessionUnreadable(f"{path.name}: {fault.strerror}", path=str(path)) from fault


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell an OSError inside as SessionNotFound (the file or its folder vanished) or SessionUnwritable."""
    try:
        yield
    except FileNotFoundError as fault:
        raise SessionNotFound(f"the session file {path.name} is gone", path=str(path)) from fault
    except OSError as fault:
        raise SessionUnwritable(f"{path.name}: {fault.strerror}", path=str(path)) from fault


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock that co-operating writers of this session's folder respect. Conflict after LOCK_TIMEOUT.

    The real CLI takes no lock; an append of ours is one write, so that its lines and ours can't mix.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415  45 ms that a process which only lists need not pay

    with writing(path):
        os.stat(path.parent)  # noqa: PTH116  the lock would create a folder that vanished
        lock = FileLock(path.parent / LOCK, timeout=LOCK_TIMEOUT, mode=0o600, poll_interval=0.005)
        try:
            lock.acquire()
        except Timeout as fault:
            raise Conflict("another writer holds the session's folder", path=str(path)) from fault
    try:
        yield
    finally:
        lock.release()


def read_whole(path: Path) -> bytes:
    """Read the file to its end."""
    with reading(path), opened(path) as fd, os.fdopen(fd, "rb", closefd=False) as file:
        return file.read()


def read_part(path: Path, start: int, end: int) -> bytes:
    """Read the bytes from `start` to `end`; fewer when the file is shorter by now."""
    with reading(path), opened(path) as fd, os.fdopen(fd, "rb", closefd=False) as file:
        file.seek(start)
        return file.read(end - start)


def last_line(path: Path) -> bytes:
    """Give the last line with its newline, as far as it is no longer than a title's; else its end."""
    data = read_part(path, max(0, size(path) - TITLE_LINE), size(path))
    return data[data.rfind(b"\n", 0, -1) + 1 :]


def size(path: Path) -> int:
    """Give the file's size in bytes."""
    with reading(path):
        return path.lstat().st_size


def make_folder(folder: Path) -> None:
    """Create `folder` and what is missing above it, private to the user. SessionUnwritable when that fails."""
    with writing(folder):
        if folder.is_symlink():
            raise SessionUnreadable("a symbolic link is in the place of the project folder", path=str(folder))
        for each in reversed([folder, *folder.parents]):
            with suppress(FileExistsError):
                if not each.is_dir():
                    each.mkdir(mode=0o700)


def create(path: Path, data: bytes) -> bool:
    """Create the file with `data` in it; False when it is there already. Hold the lock."""
    with writing(path):
        try:
            with opened(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL) as fd:
                _write(fd, data, undo=0)
        except FileExistsError:
            return False
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise
    return True


def append(path: Path, data: bytes) -> None:
    """Add `data` (whole lines) in one write. Hold the lock.

    A last line that a crash left unfinished is ended first, so that nothing is glued to it. When the disk takes only a
    part, that part is removed again.
    """
    with writing(path), opened(path, os.O_RDWR | os.O_APPEND) as fd:
        size = os.fstat(fd).st_size
        os.lseek(fd, max(size - 1, 0), os.SEEK_SET)
        torn = size > 0 and os.read(fd, 1) != b"\n"
        _write(fd, b"\n" + data if torn else data, undo=size)


def replace(path: Path, data: bytes) -> None:
    """Put `data` in the place of the file: a reader sees the old bytes or the new ones, also after a power cut."""
    import tempfile  # noqa: PLC0415  likewise

    with writing(path):
        if path.parent.is_symlink():
            raise SessionUnreadable("a symbolic link is in the place of the session's folder", path=str(path))
        fd, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # 0600
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)


def _write(fd: int, data: bytes, *, undo: int) -> None:
    """Write all of `data` or nothing; `undo` is the size to go back to."""
    written = 0
    try:
        while written < len(data):
            written += os.write(fd, data[written:])
    except OSError:
        if written and os.fstat(fd).st_size == undo + written:  # else someone appended behind it: theirs must stay
            os.ftruncate(fd, undo)
        raise


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # Windows can't open a folder; the rename itself has happened
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
