"""`wave-bridge run` changes nothing that a command does, and keeps what it did for the next message."""

import json
import os
import pty
import stat
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from wave_bridge.providers import terminal
from wave_bridge.store import terminals

RUN = [sys.executable, "-m", "wave_bridge", "run", "--"]


@pytest.fixture
def environ(tmp_path):
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state")}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "work/sub").mkdir(parents=True)
    return tmp_path / "work"


def run(environ, folder, *command, **more):
    return subprocess.run(
        [*RUN, *command], env=environ, cwd=folder, capture_output=True, timeout=30, check=False, **more
    )


def kept(environ, folder):
    """Give the block that the next message would carry."""
    facts = terminals.recall(Path(environ["XDG_STATE_HOME"]) / "wave-bridge", str(folder))
    return facts and terminal.terminal_block(terminal.read_facts(facts), "en").text


def test_output_and_exit_code_pass_and_are_kept(environ, folder):
    script = "printf 'one\\033[31m red\\033[0m\\n'; exit 3"
    done = run(environ, folder, "sh", "-c", script, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (3, b"one\x1b[31m red\x1b[0m\r\n")
    block = kept(environ, folder)
    assert "one red" in block
    assert "[exit code 3]" in block
    assert "sh -c" in block


def test_a_command_below_the_folder_counts_and_one_beside_it_does_not(environ, folder):
    run(environ, folder / "sub", "echo", "from below", stdin=subprocess.DEVNULL)
    run(environ, folder.parent, "echo", "from above", stdin=subprocess.DEVNULL)
    assert "from below" in kept(environ, folder)
    assert "from above" in kept(environ, folder.parent)


def test_input_passes_and_its_end_too(environ, folder):
    done = run(environ, folder, "cat", input=b"typed\n")
    assert done.returncode == 0
    assert done.stdout.count(b"typed") == 2  # the terminal's echo, and cat


def test_a_signal_is_told_as_a_shell_does(environ, folder):
    assert run(environ, folder, "sh", "-c", "kill -9 $$", stdin=subprocess.DEVNULL).returncode == 137


def test_a_command_that_is_not_there(environ, folder):
    done = run(environ, folder, "no-such-command", stdin=subprocess.DEVNULL)
    assert done.returncode == 127
    assert b"no-such-command" in done.stdout


def test_only_the_end_of_a_flood_is_kept_for_its_owner_alone(environ, folder, tmp_path):
    done = run(environ, folder, "seq", "400000", stdin=subprocess.DEVNULL)
    assert done.stdout.count(b"\n") == 400_000
    (path,) = (tmp_path / "state/wave-bridge/terminal").iterdir()
    assert path.stat().st_size < 1024 * 1024
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert json.loads(path.read_bytes())["facts"]["omittedBytes"] > 1_000_000
    assert "400000" in kept(environ, folder)


def test_a_state_that_can_not_be_written_costs_a_sentence(environ, folder, tmp_path):
    (tmp_path / "state").write_text("a file in its place")
    done = run(environ, folder, "echo", "works", stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (0, b"works\r\n")
    assert done.stderr.count(b"the output is not kept") == 1


def test_in_a_terminal_every_key_size_and_the_terminal_itself_are_as_without(environ, folder):
    """The command sees the size of the user's terminal, gets Ctrl-C as a key, and can be asked about while it runs."""
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(folder)
        termios.tcsetwinsize(0, (33, 77))
        os.execve(
            sys.executable, [*RUN, "sh", "-c", "trap 'echo got it; exit 7' INT; stty size; read _; read _"], environ
        )
    seen = b""
    while b"33 77" not in seen:
        seen += os.read(master, 4096)
    deadline = time.monotonic() + 10
    while "still running" not in (kept(environ, folder) or "") and time.monotonic() < deadline:
        time.sleep(0.02)  # another process's file
    assert "still running" in kept(environ, folder)
    os.write(master, b"\x03")
    while b"got it" not in seen:
        seen += os.read(master, 4096)
    _, status = os.waitpid(pid, 0)
    os.close(master)
    assert os.waitstatus_to_exitcode(status) == 7
