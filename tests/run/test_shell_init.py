"""A shell that evaluates `shell-init` tells its commands apart, and stays as it was."""

import contextlib
import os
import pty
import re
import select
import shutil
import sys
import time
from pathlib import Path

import pytest

from wave_bridge.providers import terminal
from wave_bridge.store import terminals

BRIDGE = [sys.executable, "-m", "wave_bridge"]
WAIT = 20.0
PROMPT = {"bash": "PS1='ready> '", "zsh": "PS1='ready> '", "fish": "function fish_prompt; echo -n 'ready> '; end"}
STATUS = {"bash": "$?", "zsh": "$?", "fish": "$status"}


class Shell:
    """An interactive shell under `wave-bridge run`, with a user at its keys."""

    def __init__(self, name, root):
        self.name = name
        self.work = root / "work"
        self.state = root / "state"
        home = root / "home"
        for folder in (self.work, home / ".config/fish"):
            folder.mkdir(parents=True)
        source = "| source" if name == "fish" else ""
        line = f"{sys.executable} -m wave_bridge shell-init {name}"
        line = f"{line} {source}" if source else f'eval "$({line})"'
        place = {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}[name]
        twice = f"{PROMPT[name]}\n{line}\n{line}\n"  # as when an rc file is read again
        (home / place).write_text(twice)
        env = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parent.parent.parent),
            "HOME": str(home),
            "XDG_STATE_HOME": str(self.state),
            "TERM": "xterm",
            "LANG": "C.UTF-8",
        }
        self.seen = b""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(self.work)
            os.execve(sys.executable, [*BRIDGE, "run", "--", name, "-i"], env)

    def read(self):
        if select.select([self.master], [], [], 0.1)[0]:
            with contextlib.suppress(OSError):
                self.seen += os.read(self.master, 65536)

    def until(self, found):
        """Read the terminal until `found()` gives something true."""
        deadline = time.monotonic() + WAIT
        while not (value := found()):
            assert time.monotonic() < deadline, self.seen[-3000:]
            self.read()
        return value

    def prompts(self):
        return len(re.findall(rb"\x1b\]133;A", self.seen))

    def type(self, line):
        """Enter a line, and wait for the prompt after it."""
        before = self.prompts()
        os.write(self.master, line.encode() + b"\r")
        self.until(lambda: self.prompts() > before)

    def kept(self):
        """Give the block that the next message would carry."""
        facts = terminals.recall(self.state / "wave-bridge", str(self.work))
        return (facts and terminal.terminal_block(terminal.read_facts(facts), "en").text) or ""

    def end(self):
        os.write(self.master, b"exit\r")
        self.until(lambda: os.waitpid(self.pid, os.WNOHANG)[0])
        os.close(self.master)


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request, tmp_path):
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is not installed")
    shell = Shell(request.param, tmp_path)
    shell.until(lambda: b"133;B" in shell.seen)
    yield shell
    shell.end()


def test_the_last_command_of_a_shell_is_kept(shell):
    """Its own line, output and exit code; what ran before does not come along, nor does an empty line count."""
    shell.type("echo early")
    shell.type("printf 'two\\nlines\\n'; sh -c 'exit 3'")
    shell.type("")
    block = shell.until(lambda: "[exit code 3]" in shell.kept() and shell.kept())
    assert "two\nlines" in block
    assert "printf 'two" in block
    assert "early" not in block
    assert "ready>" not in block


def test_a_command_that_runs_can_be_asked_about(shell):
    os.write(shell.master, b"echo begun; sleep 5\r")
    block = shell.until(lambda: "[no output]" not in shell.kept() and shell.kept())
    assert "still running" in block
    assert "$ echo begun; sleep 5\nbegun" in block
    os.write(shell.master, b"\x03")
    shell.until(lambda: shell.prompts() >= 2)


def test_the_shell_stays_as_it_was(shell):
    shell.type("false")
    shell.type(f"echo code {STATUS[shell.name]}")
    assert b"code 1" in shell.seen
    shell.until(lambda: shell.seen.count(b"ready> ") >= 3)
