"""What an editor brings and asks for, as far as it decides which CLI serves it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

import msgspec

from wave_bridge.messages import Locale

VSCODE: Final = "vscode"
EMBEDDED_NAME: Final = "embedded"  # as a setting or in WAVE_CLI_PATH: the CLI that ships with us, asked for by name
_MAX_FOLDER: Final = 64  # characters
_TAKEN: Final = frozenset({"", "node_modules"})  # the second one is shared by all editors


class CliWanted(msgspec.Struct, frozen=True):
    """An editor's wishes. Equal ones are served alike, and are looked up once (T1.3).

    `editor` names its sub-folder of `~/.wave/cli`. `runtime` is a program that runs JavaScript (VS Code's own), or a
    folder where the editor keeps one (JetBrains). `explicit` is the environment that the settings ask for, sorted; it
    is part of what tells two CLI processes apart, the surroundings (`path`) are not.
    """

    home: Path
    editor: str = ""
    setting: str | None = None
    variable: str | None = None  # WAVE_CLI_PATH
    bundled: str | None = None
    runtime: str | None = None
    path: str = ""  # PATH, of the process that the editor started
    node: str | None = None  # the Node that the settings ask for
    explicit: tuple[tuple[str, str | None], ...] = ()  # None takes a variable away
    login_shell: bool = True  # whether to ask it for PATH
    locale: Locale = "zh-CN"

    @property
    def host_runtime(self) -> str | None:
        """The editor's own JavaScript runtime, when it is a program; a folder is only a place to look at."""
        return self.runtime if self.runtime and not Path(self.runtime).is_dir() else None

    @property
    def copy_folder(self) -> Path:
        """Where the editor's copy of its CLI lies."""
        return self.home / ".wave" / "cli" / folder_name(self.editor)


def folder_name(editor: str) -> str:
    """Give a name that is one safe path segment, for an editor's id or name."""
    name = re.sub(r"[^a-z0-9._]+", "-", editor.lower()).strip("-._")[:_MAX_FOLDER]
    return "editor" if name in _TAKEN else name


def is_windows() -> bool:
    """Whether programs end in `.exe` and their folders are Windows' own."""
    return sys.platform == "win32"
