"""`wave-bridge mention`: what a person sees is what the agent would be sent."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

START = [sys.executable, "-m", "wave_bridge", "mention"]
ZSH = "\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m" + " " * 79 + "\r \r"


def mention(*args, data="", env=None, code=0):
    ended = subprocess.run(
        [*START, *args],
        input=data if isinstance(data, bytes) else data.encode(),
        capture_output=True,
        timeout=60,
        check=False,
        env={"PATH": os.environ["PATH"], **(env or {})},
    )
    assert ended.returncode == code, ended.stderr
    return ended.stdout.decode(), ended.stderr.decode()


def english(*args, **options):
    return mention(*args, "--locale", "en", **options)[0]


def test_raw_bytes_become_the_block():
    assert english("terminal", data="\x1b[31mred\r\n") == "Terminal output\nred\n"
    shown = english("terminal", "--command", "make", "--exit", "2", data="no\r\n" + ZSH)
    assert shown == "Terminal output\n$ make\nno\n[exit code 2]\n"
    assert english("terminal") == "Terminal output: unavailable [no terminal output]\n"
    folded, single = (english("terminal", *no, data="a\r\n" * 9) for no in ((), ("--no-fold",)))
    assert folded == "Terminal output\na\n[previous line repeated 8 times]\n"
    assert single == "Terminal output\n" + "a\n" * 9


def test_a_file_is_read_like_standard_input(tmp_path):
    (tmp_path / "raw").write_bytes(b"x" * 100 + b"\r\n")
    assert english("terminal", "--cols", "40", str(tmp_path / "raw")) == "Terminal output\n" + "x" * 100 + "\n"
    assert english("terminal", str(tmp_path / "raw"), "--cols", "40") == "Terminal output\n" + "x" * 100 + "\n"
    assert english("terminal", "-", data=b"y") == "Terminal output\ny\n"


def test_plain_is_the_cleaned_text_alone_and_uncut():
    data = "".join(f"{i}\r\n" for i in range(20_000)) + "x" * 5000 + "\r\nbar 1%\rbar 2%"
    shown, _ = mention("terminal", "--plain", "--cols", "80", "--rows", "24", data=data)
    assert shown == "".join(f"{i}\n" for i in range(20_000)) + "x" * 5000 + "\nbar 2%\n"
    assert mention("terminal", "--plain") == ("", "")


def test_marks_bound_the_last_command():
    data = "\x1b]633;A\x07$ \x1b]633;B\x07ls\r\n\x1b]633;E;ls\x07\x1b]633;C\x07a\r\n\x1b]633;D;1\x07$ "
    assert english("terminal", "--marks", data=data) == "Terminal output\n$ ls\na\n[exit code 1]\n"
    assert mention("terminal", "--marks", "--plain", data=data)[0] == "a\n"
    assert english("terminal", "--marks", data="$ ls\r\na\r\n").startswith("Terminal output [no shell integration")


def test_json_is_what_an_editor_answers():
    facts = {"source": "command", "command": "ls", "output": "a\r\n", "running": True}
    assert english("terminal", "--json", data=json.dumps(facts)) == "Terminal output [still running]\n$ ls\na\n"
    facts = {"uri": "file:///w/a.py", "root": "/w", "diagnostics": [{"message": "m \ud800"}]}
    first = "Problems in the current file — a.py: 1 problem, 1 listed (1 error)"
    assert english("problems", data=json.dumps(facts)) == f"{first}\n1:1 error m \ufffd\n"


@pytest.mark.parametrize(
    ("env", "title"),
    [
        ({}, "终端输出"),
        ({"LANG": "en_GB.UTF-8"}, "Terminal output"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "终端输出"),
        ({"LANG": "C.UTF-8"}, "终端输出"),
    ],
)
def test_the_language_is_that_of_the_environment(env, title):
    assert mention("terminal", data="x", env=env)[0] == f"{title}\nx\n"


@pytest.mark.parametrize(
    "args", [("terminal", "/no/such/file"), ("problems",), ("terminal", "--json"), ("problems", "/no/such/file")]
)
def test_what_can_not_be_read_is_an_error_in_one_line(args):
    shown, error = mention(*args, data="{", code=2)
    assert shown == ""
    assert error.startswith("wave-bridge mention: ")
    assert error.count("\n") == 1


@pytest.mark.req("M1.1", "M1.3")
def test_a_command_is_run_in_a_pseudo_terminal():
    script = "test -t 0 && test -t 1 && stty size && printf '10%%\\r20%%\\n' && echo to tty > /dev/tty; exit 3"
    shown = mention("terminal", "--locale", "en", "--cols", "100", "--rows", "30", "--", "sh", "-c", script)[0]
    title, command, *output = shown.split("\n")
    assert title == "Terminal output"
    assert command.startswith("$ sh -c ")
    assert output == ["30 100", "20%", "to tty", "[exit code 3]", ""]
    shown = mention("terminal", "--locale", "en", "--", "no-such-program", "-x")[0]
    assert shown.endswith("$ no-such-program -x\nno-such-program: No such file or directory\n[exit code 127]\n")
    assert mention("terminal", "--plain", "--", "echo", "--plain", "--")[0] == "--plain --\n"


def test_ctrl_c_shows_a_command_as_still_running():
    """The program is told to end with its terminal."""
    line = ["sh", "-c", "trap 'exit' HUP; echo $$; while :; do sleep 0.05; done"]
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*START, "terminal", "--locale", "en", "--", *line], stdout=subprocess.PIPE, stdin=slave, stderr=slave
    )
    os.close(slave)
    try:
        _wait_for_child(process.pid)
        process.send_signal(signal.SIGINT)
        shown = process.communicate(timeout=30)[0].decode()
    finally:
        process.kill()
        os.close(master)
    title, _, pid, *_ = shown.split("\n")
    assert title == "Terminal output [still running]"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def _wait_for_child(pid):
    """Wait until the program that `pid` started has become `sleep`'s parent: it runs."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while not any(Path(f"/proc/{child}/task/{child}/children").read_text() for child in children.read_text().split()):
        pass
