"""A `wave` that the user installed with npm, for editors that bring no CLI. Its script is run, never npm's wrapper."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from wave_bridge.agent.candidates import Candidate
from wave_bridge.agent.node_places import node_places
from wave_bridge.agent.wanted import is_windows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wave_bridge.agent.wanted import CliWanted

PACKAGE: Final = "wave-code"
_USUAL: Final = (".npm-global/bin", ".local/bin", ".bun/bin", "AppData/Roaming/npm")


class _Manifest(msgspec.Struct):
    """As much of a package.json as is needed."""

    name: str = ""


def installed(wanted: CliWanted) -> tuple[Path | None, list[Candidate]]:
    """Give the script of the first `wave` that npm's package stands behind, and every `wave` that was there."""
    found: Path | None = None
    tried = []
    for program in _programs(wanted):
        script = _script_behind(program)
        if script is None:
            why = f"not the npm package {PACKAGE}; a setting may name it"
        else:
            why = "the first on the way" if found is None else "not needed: another one comes first"
        tried.append(Candidate("installed", str(program), why, chosen=script is not None and found is None))
        found = found or script
    return found, tried


def _programs(wanted: CliWanted) -> Iterator[Path]:
    program = "wave.cmd" if is_windows() else "wave"
    folders = [folder for name in wanted.path.split(os.pathsep) if (folder := Path(name)).is_absolute()]
    folders += [place.path.parent for place in node_places({"PATH": ""}, wanted.home)]  # npm -g puts it beside Node
    folders += [wanted.home / folder for folder in _USUAL]
    for folder in dict.fromkeys(folders):
        if (folder / program).is_file():
            yield folder / program


def _script_behind(program: Path) -> Path | None:
    """Give the package's script: npm's link leads to it; on Windows it lies beside the wrapper."""
    if is_windows():
        script = program.parent / "node_modules" / PACKAGE / "bin" / "wave-code.js"
    else:
        script = Path(os.path.realpath(program))
    try:
        manifest = msgspec.json.decode((script.parent.parent / "package.json").read_bytes(), type=_Manifest)
    except (OSError, msgspec.DecodeError):
        return None
    return script if script.suffix == ".js" and script.is_file() and manifest.name == PACKAGE else None
