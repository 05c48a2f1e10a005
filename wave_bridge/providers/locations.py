"""Paths as they are shown: relative to the repository, with `/`, percent-decoded (P10, MB8)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from wave_bridge.providers.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

PATH_MAX: Final = 1000  # characters of a path that are shown

_DRIVE = re.compile(r"/?([A-Za-z]):(?=/|$)")
_OTHER_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # two letters and more: `c:` is a drive
_FILE_URI = re.compile(r"file:(?://(?P<host>[^/]*))?(?P<path>/.*)", re.IGNORECASE | re.DOTALL)


def shown_path(uri: str, roots: Iterable[str]) -> str:
    """Give a file's path relative to the innermost root that holds it, else absolute; other schemes as they are."""
    path = _path(uri)
    if path is None:
        return one_line(uri, PATH_MAX)
    folders = (folder.rstrip("/") for folder in map(_path, roots) if folder)
    holding = max((folder for folder in folders if _holds(folder, path)), key=len, default=None)
    return one_line(path if holding is None else path[len(holding) + 1 :], PATH_MAX)


def _path(uri: str) -> str | None:
    """Give the path of a file URI, or of what is a path already; None for other schemes."""
    found = _FILE_URI.fullmatch(uri)
    if found:
        host = found["host"] or ""
        path = unquote(found["path"], errors="replace")
        return _drive_lowered(path if host in {"", "localhost"} else f"//{host}{path}")
    return None if _OTHER_SCHEME.match(uri) else _drive_lowered(uri)


def _drive_lowered(path: str) -> str:
    slashed = path.replace("\\", "/") if _DRIVE.match(path.replace("\\", "/")) or path.startswith("\\\\") else path
    return _DRIVE.sub(lambda drive: f"{drive[1].lower()}:", slashed, count=1)


def _holds(folder: str, path: str) -> bool:
    """Tell whether the folder holds the path; paths with a drive letter compare without regard to case."""
    if _DRIVE.match(folder):
        folder, path = folder.lower(), path.lower()
    return path.startswith(folder + "/") and len(path) > len(folder) + 1
