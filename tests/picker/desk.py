"""Programs in real pseudo-terminals over session files that the tests make, by the makers of the store's tests."""

import os
import subprocess
import sys

import pytest
from pseudo_terminal import PseudoTerminal


def git(folder, *arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, "-C", str(folder), *arguments], check=True, capture_output=True)


class Desk:
    """A home directory, a folder to be in, and the terminals that were opened in it."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.here = folder / "work"
        self.base = self.home / ".wave"
        self.home.mkdir()
        self.here.mkdir()
        self.programs = folder / "bin"
        self.programs.mkdir()
        self.env = {
            "HOME": str(self.home),
            "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
            "LC_ALL": "en_US.UTF-8",
            "TERM": "xterm-256color",
        }
        self._terminals = []

    def terminal(self, *arguments, cwd=None, size=(100, 24), **env):
        argv = [sys.executable, "-m", "wave_bridge", *arguments]
        columns, rows = size
        made = PseudoTerminal(argv, cwd=cwd or self.here, env=self.env | env, columns=columns, rows=rows)
        self._terminals.append(made)
        return made

    def sessions(self, *arguments, **options):
        return self.terminal("sessions", *arguments, **options)

    def run(self, *arguments, cwd=None):
        argv = [sys.executable, "-m", "wave_bridge", "sessions", *arguments]
        return subprocess.run(argv, cwd=cwd or self.here, env=self.env, capture_output=True, check=False)

    def program(self, name, script):
        """Put a shell script on the PATH: a stand-in for a program that is not to be had here."""
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o700)

    def close(self):
        for terminal in self._terminals:
            terminal.close()


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    yield made
    made.close()


@pytest.fixture
def trees(desk):
    """Give the folders of a repository with two worktrees, `desk.here` being the first; their names share a prefix."""
    git(desk.here, "init")
    git(desk.here, "commit", "--allow-empty", "-m", "first")
    second = desk.here.parent / "work-two"
    git(desk.here, "worktree", "add", "-b", "two", str(second))
    return desk.here, second
