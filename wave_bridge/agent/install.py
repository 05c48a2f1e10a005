"""Copies an editor's bundled CLI to where the user may write, `~/.wave/cli/<editor>/`, and keeps it in step (T3).

The copy is whole at every moment: it is made beside the old one, under a lock, and takes its place by a rename. What
else lies in the folder, `node_modules/` above all, moves along; the shared `~/.wave/cli/node_modules/` is never
touched. No link is followed: one in the way is taken away, what it leads to stays as it is.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path
from typing import Final

import filelock
import msgspec

from wave_bridge.agent.locate import BUNDLE, ENTRY, MANIFEST, fingerprint
from wave_bridge.core.limits import COPY_LOCK_TIMEOUT

OURS: Final = frozenset({"bin", "dist", "package.json"})  # what a refresh replaces (TB5)
_BLOCK: Final = 1024 * 1024  # bytes


class Installed(msgspec.Struct, frozen=True):
    """A copy that is in step. `entry` is its script; `copied`: it was not, and was made now."""

    entry: Path
    copied: bool


def install(bundled: Path, target: Path, *, force: bool = False) -> Installed:
    """See to it that `target` holds the CLI of the folder `bundled`, and give its entry.

    Equal bytes of the bundle mean that nothing is copied, unless `force`. Raises OSError (nothing is half-written, the
    copy that was there stays), also when another process holds the lock for COPY_LOCK_TIMEOUT seconds.
    """
    if not force and not _was_cut_off(target) and _in_step(bundled, target):
        return Installed(target / ENTRY, copied=False)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with filelock.FileLock(_beside(target, "lock"), timeout=COPY_LOCK_TIMEOUT):
        _clear_away(target)
        if not force and _in_step(bundled, target):  # another window was faster
            return Installed(target / ENTRY, copied=False)
        stage = _beside(target, "new")
        try:
            _copy(bundled, stage)
            _swap(stage, target)
        except BaseException:
            _remove(stage)
            raise
        _clear_away(target)
    return Installed(target / ENTRY, copied=True)


def _in_step(bundled: Path, target: Path) -> bool:
    """Tell whether the copy is whole, made of plain files and folders, and its bundle has the bytes of the editor's."""
    pieces = (ENTRY, MANIFEST, BUNDLE)
    below = {target, *(target / parent for piece in pieces for parent in (piece, *piece.parents))}
    try:
        if any(stat.S_ISLNK(place.lstat().st_mode) for place in below):
            return False
        return fingerprint(bundled / BUNDLE) == fingerprint(target / BUNDLE)  # filecmp believes times of change
    except (FileNotFoundError, NotADirectoryError):
        return False


def _copy(bundled: Path, stage: Path) -> None:
    """Write the three pieces, down to the disk."""
    stage.mkdir(mode=0o700)
    (stage / ENTRY.parent).mkdir()
    for piece in (ENTRY, MANIFEST):
        _copy_file(bundled / piece, stage / piece)
    _copy_folder(bundled / BUNDLE.parts[0], stage / BUNDLE.parts[0])


def _copy_folder(source: Path, target: Path) -> None:
    """Copy with fresh permissions: an installation may be read-only, and ours must be removable. Links are resolved."""
    target.mkdir()
    for item in sorted(source.iterdir()):
        if item.is_dir():
            _copy_folder(item, target / item.name)
        else:
            _copy_file(item, target / item.name)


def _copy_file(source: Path, target: Path) -> None:
    with source.open("rb") as reader, target.open("xb") as writer:
        shutil.copyfileobj(reader, writer, _BLOCK)
        writer.flush()
        os.fsync(writer.fileno())


def _swap(stage: Path, target: Path) -> None:
    """Let `stage` take the place of `target`. Killed in between: `_clear_away` puts the old one back."""
    if os.path.lexists(target):
        target.rename(_beside(target, "old"))
    stage.rename(target)


def _was_cut_off(target: Path) -> bool:
    return any(os.path.lexists(_beside(target, role)) for role in ("old", "new"))


def _clear_away(target: Path) -> None:
    """Finish or undo what a copying that was cut off has left; what is not ours goes back where it was."""
    old, stage = _beside(target, "old"), _beside(target, "new")
    if os.path.lexists(old) and not os.path.lexists(target):
        old.rename(target)
    if old.is_dir() and not old.is_symlink():
        for item in old.iterdir():
            if item.name not in OURS and not os.path.lexists(target / item.name):
                item.rename(target / item.name)
    _remove(old)
    _remove(stage)


def _remove(path: Path) -> None:
    """Remove a file, a link (never what it leads to), or a folder with what is in it."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    else:
        for folder, _, _ in os.walk(path):  # a read-only one would keep what is in it
            Path(folder).chmod(0o700)
        shutil.rmtree(path)


def _beside(target: Path, role: str) -> Path:
    return target.with_name(f".{target.name}.{role}")
