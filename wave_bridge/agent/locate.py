"""Which CLI serves an editor: the setting's, WAVE_CLI_PATH's, the editor's bundled one, an installed one, the embedded.

A name that leads nowhere is an error, never passed over: a user who names a CLI must not get another one in silence.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from wave_bridge.agent.candidates import Candidate
from wave_bridge.agent.fault import SupplyFault
from wave_bridge.agent.installed import installed
from wave_bridge.agent.wanted import EMBEDDED_NAME, VSCODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wave_bridge.agent.wanted import CliWanted

Source = Literal["setting", "WAVE_CLI_PATH", "bundled", "installed", "embedded"]

ENTRY: Final = Path("bin", "wave-code.js")  # in a folder that holds a CLI
BUNDLE: Final = Path("dist", "bundle", "wave.mjs")  # its code; copies are told apart by it (T3)
MANIFEST: Final = Path("package.json")
EMBEDDED: Final = (sys.executable, "-P", "-m", "wave_bridge.embedded", "--stdio")  # -P: a json.py in cwd is not ours
SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs"})
_SHADOWED: Final = "not needed: the one before it was chosen"
_BLOCKED: Final = "not looked at: what is named before it can't be used"


class Located(msgspec.Struct, frozen=True):
    """The CLI to run. `entry` is a script or a program, None for the embedded one; `content` names its bytes.

    `folder` is there when the three pieces lie below one folder. `fallback`: nobody asked for the embedded one.
    """

    source: Source
    entry: Path | None
    content: str
    folder: Path | None = None
    fallback: bool = False

    @property
    def is_script(self) -> bool:
        """Whether a JavaScript runtime must run it."""
        return self.entry is not None and self.entry.suffix in SCRIPTS


class Look(msgspec.Struct, frozen=True):
    """What a look-up came to: the CLI or the fault, and everything that was considered."""

    found: Located | SupplyFault
    tried: list[Candidate]


def locate(wanted: CliWanted) -> Located:
    """Give the CLI that serves an editor with these wishes. Raises SupplyFault; its data has `path` and `source`."""
    found = look(wanted).found
    if isinstance(found, SupplyFault):
        raise found
    return found


def look(wanted: CliWanted) -> Look:
    """Look the CLI up and say of each candidate what became of it. Reads files, changes and runs nothing."""
    tried: list[Candidate] = []
    found: Located | SupplyFault | None = None
    for source, name, outcome in _named(wanted):
        if found is not None:
            tried.append(Candidate(source, name, _BLOCKED if isinstance(found, SupplyFault) else _SHADOWED))
            continue
        found = outcome
        good = isinstance(outcome, Located)
        tried.append(Candidate(source, name, "there" if good else str(outcome), chosen=good))
    if wanted.bundled is None and found is None:
        found, others = _installed(wanted)
        tried += others
    embedded = Candidate("embedded", " ".join(EMBEDDED), _SHADOWED)
    if found is None:
        found = _embedded(fallback=True)
        embedded = msgspec.structs.replace(embedded, why="nothing else was found", chosen=True)
    elif isinstance(found, SupplyFault):
        embedded = msgspec.structs.replace(embedded, why=_BLOCKED)
    return Look(found, [*tried, embedded])


def _named(wanted: CliWanted) -> Iterator[tuple[Source, str, Located | SupplyFault]]:
    named: tuple[tuple[Source, str | None], ...] = (
        ("setting", wanted.setting),
        ("WAVE_CLI_PATH", wanted.variable),
        ("bundled", wanted.bundled),
    )
    for source, name in named:
        if name:
            yield source, name, _look_at(source, name, wanted)


def _look_at(source: Source, name: str, wanted: CliWanted) -> Located | SupplyFault:
    if name == EMBEDDED_NAME:
        return _embedded()
    try:
        path = Path(name).expanduser()
        return _bundled(path) if source == "bundled" else _a_build(source, path)
    except SupplyFault as fault:
        return fault
    except (OSError, ValueError, RuntimeError) as fault:  # a NUL in the name; the home of a user whom nobody knows
        reason = getattr(fault, "strerror", None) or str(fault)
        where = getattr(fault, "filename", None) or name
        if source == "bundled":
            return damaged(wanted, where, reason)
        return SupplyFault("cli.unreadable", source=source, path=str(where), reason=reason)


def _bundled(folder: Path) -> Located:
    """Give an editor's own CLI: all three pieces, readable. Raises OSError, which names the piece."""
    for piece in (ENTRY, MANIFEST, BUNDLE):
        if not stat.S_ISREG((folder / piece).stat().st_mode):  # opening a pipe would never end
            raise OSError(errno.EINVAL, "not a file", str(folder / piece))
        (folder / piece).open("rb").close()
    return Located("bundled", (folder / ENTRY).absolute(), fingerprint(folder / BUNDLE), folder.absolute())


def _a_build(source: Source, path: Path) -> Located:
    folder = path if path.is_dir() else None
    entry = path / ENTRY if folder else path
    if not entry.is_file():
        raise SupplyFault("cli.missing", source=source, path=str(entry))
    if entry.suffix not in SCRIPTS and not os.access(entry, os.X_OK):
        raise SupplyFault("cli.notExecutable", source=source, path=str(entry))
    code = path / BUNDLE if folder and (path / BUNDLE).is_file() else entry
    return Located(source, entry.absolute(), fingerprint(code), folder.absolute() if folder else None)


def _installed(wanted: CliWanted) -> tuple[Located | None, list[Candidate]]:
    """Look for a `wave` that the user installed."""
    found, tried = installed(wanted)
    if found is None:
        return None, tried
    folder = found.parent.parent
    code = folder / BUNDLE if (folder / BUNDLE).is_file() else found
    return Located("installed", found, fingerprint(code), folder), tried


def _embedded(*, fallback: bool = False) -> Located:
    return Located("embedded", None, "embedded", fallback=fallback)


def damaged(wanted: CliWanted, path: Path | str, reason: str) -> SupplyFault:
    """Give the fault of a bundled CLI that is not whole or can't run: reinstall; no word of Node (T1.4, T2.4, T4.1)."""
    key = "cli.damaged.extension" if wanted.editor == VSCODE or wanted.host_runtime else "cli.damaged.plugin"
    return SupplyFault(key, source="bundled", path=str(path), reason=reason)


def fingerprint(path: Path) -> str:
    """Give a name of the file's bytes. Raises OSError."""
    with path.open("rb") as file:
        digest = blake2b(digest_size=16)
        while block := file.read(1024 * 1024):
            digest.update(block)
    return digest.hexdigest()
