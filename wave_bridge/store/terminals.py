"""The last command of each folder, for editors whose terminals can't be read: written by `wave-bridge run`.

A file a folder, its owner's alone. What is kept is in the form of an editor's answer (providers/terminal.CommandFacts,
StreamFacts), so that a mention can't tell the difference.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Any, Final

import msgspec

KEPT_FOLDERS: Final = 50  # the latest; what is older was another day's work
MAX_FILE: Final = 16 * 1024 * 1024  # bytes of one file; more was not written by us

Facts = dict[str, Any]


class _Kept(msgspec.Struct):
    """One file."""

    folder: str
    facts: Facts


def remember(state: Path, folder: str, facts: Facts) -> None:
    """Keep a folder's last command in place of the one before. Raises OSError."""
    place = state / "terminal"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = hashlib.sha256(folder.encode(errors="surrogateescape")).hexdigest()[:32]
    fd, written = tempfile.mkstemp(dir=place, prefix=".")  # 0600
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(msgspec.json.encode(_Kept(os.fsencode(folder).decode(errors="replace"), facts)))
        Path(written).replace(place / f"{name}.json")
    except OSError:
        Path(written).unlink(missing_ok=True)
        raise
    for old in _newest_first(place)[KEPT_FOLDERS:]:
        old.unlink(missing_ok=True)


def recall(state: Path, folder: str, since: float = 0.0) -> Facts | None:
    """Give the last command that ran in a folder or below it; None when there was none. What can't be read is none.

    What was kept before `since` (seconds of the clock) does not count.
    """
    wanted = Path(folder)
    for path in _newest_first(state / "terminal"):
        try:
            if path.stat().st_size > MAX_FILE or path.stat().st_mtime < since:
                continue
            kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        except (OSError, msgspec.DecodeError):
            continue
        if Path(kept.folder).is_relative_to(wanted):
            return kept.facts
    return None


def _newest_first(place: Path) -> list[Path]:
    found: list[tuple[float, Path]] = []
    for path in place.glob("*.json"):
        try:
            found.append((path.stat().st_mtime, path))
        except OSError:
            continue
    return [path for _, path in sorted(found, reverse=True)]
