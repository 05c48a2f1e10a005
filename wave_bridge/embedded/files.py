"""The files of a folder, without what .gitignore leaves out: listed, and found by a fuzzy name.

ripgrep lists them where it is there, several times as fast; without it, or when it fails, they are walked through here.
"""

from __future__ import annotations

import os
import subprocess
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded.failure import INVALID_PARAMS, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pathspec import GitIgnoreSpec

_NEVER: Final = frozenset({".git", ".DS_Store"})
_FIRST_SUFFIXES: Final = (".ts", ".tsx", ".js", ".jsx", ".json", ".py", ".java")
_MOST_FILES: Final = 50_000  # a larger tree is searched in part
_LISTING: Final = (
    *("--files", "--null", "--hidden", "--sort", "path", "--no-messages", "--no-config"),
    # .gitignore files count, from the folder on, whether it is a repository or not, and nothing else does
    *("--no-require-git", "--no-ignore-parent", "--no-ignore-global", "--no-ignore-exclude", "--no-ignore-dot"),
)
_LISTING_SECONDS: Final = 20.0


def walk(folder: Path, rg: Path | None = None) -> Iterator[str]:
    """Give the files below `folder`, forward slashes, sorted within each folder; ignored ones left out."""
    listed = _listed(folder, rg) if rg else None
    return islice(_walk(folder, "", []) if listed is None else listed, _MOST_FILES)


def search(folder: Path, query: str, most: int, rg: Path | None = None) -> list[dict[str, str]]:
    """Find files and folders by a fuzzy name; folders end in `/`. Without a query: folders first, then sources."""
    files = list(walk(folder, rg))
    found = _matching(files, query) if query else _overview(files)
    return [{"path": path, "type": "directory" if path.endswith("/") else "file"} for path in found[:most]]


def write_artifact(tmp: Path, name: object, content: bytes) -> str:
    """Write an uploaded file below the temporary folder, under its base name, numbered when taken."""
    base = name.replace("\\", "/").rpartition("/")[2] if isinstance(name, str) else ""
    if base in {"", ".", ".."} or "\0" in base:
        raise Refused(f"Invalid artifact file name: {'undefined' if name is None else name}", INVALID_PARAMS)
    folder = tmp / "wave-artifacts"
    folder.mkdir(parents=True, exist_ok=True)
    stem, suffix = os.path.splitext(base)  # noqa: PTH122  # Path.suffix treats ".bashrc." differently
    number = 0
    while True:
        path = folder / (f"{stem}_{number}{suffix}" if number else base)
        try:
            with path.open("xb") as file:
                file.write(content)
        except FileExistsError:
            number += 1
        else:
            return str(path)


def _listed(folder: Path, rg: Path) -> Iterator[str] | None:
    """Let ripgrep list the files; None when it can't."""
    never = (word for name in sorted(_NEVER) for word in ("--glob", f"!{name}"))
    try:
        done = subprocess.run(
            [rg, *_LISTING, *never],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_LISTING_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode not in {0, 1}:  # 1: there are no files
        return None
    paths = done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return (path.replace(os.sep, "/") for path in paths)


def _walk(root: Path, below: str, ignored: list[tuple[str, GitIgnoreSpec]]) -> Iterator[str]:
    rules = [*ignored, *_rules(root, below)]
    try:
        entries = sorted(os.scandir(root / below), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = below + entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name in _NEVER or _is_ignored(rules, f"{path}/" if is_folder else path):
            continue
        if is_folder:
            yield from _walk(root, f"{path}/", rules)
        elif entry.is_file():
            yield path


def _rules(root: Path, below: str) -> list[tuple[str, GitIgnoreSpec]]:
    try:
        lines = (root / below / ".gitignore").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return []
    from pathspec import GitIgnoreSpec  # noqa: PLC0415  # only a search pays for it

    return [(below, GitIgnoreSpec.from_lines(lines))]


def _is_ignored(rules: list[tuple[str, GitIgnoreSpec]], path: str) -> bool:
    """Ask the rules; the innermost .gitignore that says anything about the path decides."""
    for below, spec in reversed(rules):
        include = spec.check_file(path[len(below) :]).include
        if include is not None:
            return include
    return False


def _folders(files: list[str]) -> list[str]:
    found: dict[str, None] = {}
    for path in files:
        parts = path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            found["/".join(parts[:depth]) + "/"] = None
    return list(found)


def _overview(files: list[str]) -> list[str]:
    top = [folder for folder in _folders(files) if folder.count("/") == 1]
    return [*top, *(path for path in files if path.endswith(_FIRST_SUFFIXES))]


def _matching(files: list[str], query: str) -> list[str]:
    scored: list[tuple[Any, ...]] = []
    for path in [*files, *_folders(files)]:
        score = _score(path, query.lower())
        if score is not None:
            scored.append((score, len(path), path))
    return [path for *_, path in sorted(scored)]


def _score(path: str, query: str) -> int | None:
    """Rate a match, less is better: exact name, name's beginning, in the name, in the path, letters in order."""
    whole = path.lower()
    name = whole.rstrip("/").rpartition("/")[2]
    if query in {name, whole}:
        return 0
    if name.startswith(query):
        return 1
    if query in name:
        return 2
    if query in whole:
        return 3
    letters = iter(whole)
    return 4 if all(letter in letters for letter in query) else None
