"""Which CLI to run: the setting's, WAVE_CLI_PATH's, the editor's bundled one, else the embedded one."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from wave_bridge.agent.process import AgentCommand
from wave_bridge.errors import AgentUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

ENTRY: Final = Path("bin", "wave-code.js")  # in a folder that holds a CLI
EMBEDDED: Final = (sys.executable, "-P", "-m", "wave_bridge.embedded", "--stdio")  # -P: a json.py in cwd is not ours
_SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs"})


def locate(
    environment: Mapping[str, str], setting: str | None, bundled: str | None, runtime: str | None
) -> AgentCommand:
    """Give the command of the first that is named; a name that leads nowhere is an error, never passed over.

    Each may be a folder with `bin/wave-code.js`, a script (run with `runtime`, a Node or Electron binary, else with
    the `node` on PATH), or a program. Raises AgentUnavailable; its `data.source` is setting, WAVE_CLI_PATH or bundled.
    """
    named = {"setting": setting, "WAVE_CLI_PATH": environment.get("WAVE_CLI_PATH"), "bundled": bundled}
    for source, name in named.items():
        if name:
            return _command(_entry(Path(name), source), environment, runtime)
    return AgentCommand(EMBEDDED)


def _entry(path: Path, source: str) -> Path:
    entry = path / ENTRY if path.is_dir() else path
    if not entry.is_file():
        raise AgentUnavailable(f"No Wave CLI at {entry} ({source}).", path=str(entry), source=source)
    if entry.suffix not in _SCRIPTS and not os.access(entry, os.X_OK):
        raise AgentUnavailable(f"{entry} ({source}) is not executable.", path=str(entry), source=source)
    return entry.absolute()


def _command(entry: Path, environment: Mapping[str, str], runtime: str | None) -> AgentCommand:
    if entry.suffix not in _SCRIPTS:
        return AgentCommand((str(entry), "--stdio"))
    if runtime:  # an editor's own binary is Electron: it runs as Node when told to
        return AgentCommand((runtime, str(entry), "--stdio"), {**environment, "ELECTRON_RUN_AS_NODE": "1"})
    node = shutil.which("node", path=environment.get("PATH", ""))
    if node is None:
        raise AgentUnavailable("Node.js was not found on PATH. Install it from https://nodejs.org.", path=str(entry))
    return AgentCommand((node, str(entry), "--stdio"))
