"""Where a Node may lie: PATH, version managers, Homebrew, an IDE's own folder. Lists files, runs nothing."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wave_bridge.agent.wanted import is_windows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_OF_ONE: Final = 8  # versions of one manager that are tried, the newest by the folder's name


class NodePlace(NamedTuple):
    """A program that may be Node, and who knows of it."""

    source: str
    path: Path


class _Manager(NamedTuple):
    """A version manager: the variable that moves its root, the usual roots below home, and where Nodes lie in it."""

    name: str
    variable: str
    roots: tuple[str, ...]
    pattern: str  # of the folder with the program


_MANAGERS: Final = (
    _Manager("nvm", "NVM_DIR", (".nvm", ".config/nvm"), "versions/node/*/bin"),
    _Manager(
        "fnm",
        "FNM_DIR",
        (".local/share/fnm", ".fnm", "Library/Application Support/fnm"),
        "node-versions/*/installation/bin",
    ),
    _Manager("volta", "VOLTA_HOME", (".volta",), "tools/image/node/*/bin"),
    _Manager("asdf", "ASDF_DATA_DIR", (".asdf",), "installs/nodejs/*/bin"),
    _Manager("mise", "MISE_DATA_DIR", (".local/share/mise",), "installs/node/*/bin"),
)
_WINDOWS_MANAGERS: Final = (
    _Manager("nvm", "NVM_HOME", ("AppData/Roaming/nvm",), "v*"),
    _Manager("fnm", "FNM_DIR", ("AppData/Roaming/fnm",), "node-versions/*/installation"),
    _Manager("volta", "VOLTA_HOME", ("AppData/Local/Volta",), "tools/image/node/*"),
    _Manager("mise", "MISE_DATA_DIR", ("AppData/Local/mise",), "installs/node/*"),
)
_HOMEBREW: Final = ("/opt/homebrew", "/usr/local", "/home/linuxbrew/.linuxbrew")
_HOMEBREW_FOLDERS: Final = ("bin", "opt/node*/bin")  # node@22 is not linked into bin
_RUNTIME_FOLDERS: Final = ("", "bin", "node/bin", "lib")  # of an IDE's runtime folder


def node_places(
    environment: Mapping[str, str], home: Path, login_path: str = "", runtime_folder: str | None = None
) -> list[NodePlace]:
    """Give every file that may be Node, in the order in which they are preferred at equal versions.

    `environment` holds PATH and the managers' variables. A file that several know is there once, by its first source.
    """
    found: dict[Path, NodePlace] = {}
    for place in _all(environment, home, login_path, runtime_folder):
        if os.access(place.path, os.X_OK) and place.path.is_file():
            found.setdefault(Path(os.path.realpath(place.path)), place)
    return list(found.values())


def _all(
    environment: Mapping[str, str], home: Path, login_path: str, runtime_folder: str | None
) -> Iterator[NodePlace]:
    program = "node.exe" if is_windows() else "node"
    for source, search in (("PATH", environment.get("PATH", "")), ("login shell", login_path)):
        for name in search.split(os.pathsep):
            if Path(name).is_absolute():  # a relative one is whatever folder is open
                yield NodePlace(source, Path(name, program))
    for manager in _WINDOWS_MANAGERS if is_windows() else _MANAGERS:
        for folder in _versions(manager, environment, home):
            yield NodePlace(manager.name, folder / program)
    for folder in _system_folders(environment):
        yield NodePlace("system" if is_windows() else "Homebrew", folder / program)
    if runtime_folder:
        for below in _RUNTIME_FOLDERS:
            yield NodePlace("IDE", Path(runtime_folder, below, program))


def _versions(manager: _Manager, environment: Mapping[str, str], home: Path) -> list[Path]:
    """Give a manager's newest versions, by the names of their folders."""
    moved = environment.get(manager.variable)
    roots = [Path(moved)] if moved else [home / root for root in manager.roots]
    folders = [folder for root in roots for folder in _glob(root, manager.pattern)]
    return sorted(folders, key=lambda folder: _numbers(folder.as_posix()), reverse=True)[:MAX_OF_ONE]


def _system_folders(environment: Mapping[str, str]) -> list[Path]:
    if is_windows():
        return [Path(root, "nodejs") for name in ("ProgramFiles", "ProgramW6432") if (root := environment.get(name))]
    moved = environment.get("HOMEBREW_PREFIX")
    return [
        folder
        for root in ((moved,) if moved else _HOMEBREW)
        for name in _HOMEBREW_FOLDERS
        for folder in _glob(Path(root), name)
    ]


def _glob(root: Path, pattern: str) -> list[Path]:
    try:
        return sorted(root.glob(pattern))
    except (OSError, ValueError):  # not ours to read; a NUL in the variable
        return []


def _numbers(path: str) -> list[int]:
    """Give the version in a path, to sort by: the last three numbers that dots join."""
    found: list[str] = re.findall(r"(\d+)\.(\d+)\.(\d+)", path)
    return [int(number) for number in found[-1]] if found else []
