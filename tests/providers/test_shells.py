"""Real shells under a pseudo-terminal: with marks of the kind that editors add, and without any.

A shell that is not installed is skipped, loudly: CI installs all four (scripts/test says how).
"""

from __future__ import annotations

import base64
import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time

import pytest

from wave_bridge.providers.terminal import read_facts, terminal_block

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs a Unix pseudo-terminal"),
    pytest.mark.skipif(shutil.which("setsid") is None, reason="needs setsid of util-linux"),
]

NONCE = "0a1b2c3d-1111-2222-3333-444455556666"
READY = "ready@shell"  # stands in every prompt
DEADLINE = 20  # seconds for one prompt; never waited out
COLS, ROWS = 80, 24

# Each is what an editor's integration does, in few words of our own: A and B in the prompt, E and C before a command,
# D after it. bash announces $BASH_COMMAND: only the first simple command, as with HISTCONTROL=ignoreboth.
MARKED = {
    "bash": rf"""
        PS1='\[\e]633;A\a\]{READY} \[\e]633;B\a\]'; PS2='\[\e]633;F\a\]> \[\e]633;G\a\]'; idle=1
        announce() {{
            [[ $idle && $BASH_COMMAND != ended* ]] || return; idle=
            local line=${{BASH_COMMAND//\\/\\\\}}; line=${{line//;/\\x3b}}
            printf '\e]633;E;%s;{NONCE}\a\e]633;C\a' "${{line//$'\n'/\\x0a}}"
        }}
        ended() {{ printf '\e]633;D;%s\a' $?; idle=1; }}
        PROMPT_COMMAND=ended; trap announce DEBUG
    """,
    "zsh": rf"""
        PS1=$'%{{\e]633;A\a%}}{READY} %{{\e]633;B\a%}}'; PS2=$'%{{\e]633;F\a%}}%_> %{{\e]633;G\a%}}'
        RPROMPT=$'%{{\e]633;H\a%}}[right]%{{\e]633;I\a%}}'
        preexec() {{
            local line=${{1//\\/\\\\}}; line=${{line//;/\\x3b}}
            printf '\e]633;E;%s;{NONCE}\a\e]633;C\a' "${{line//$'\n'/\\x0a}}"
        }}
        precmd() {{ printf '\e]633;D;%s\a' $? }}
    """,
    "fish": rf"""
        function escaped; string replace -a '\\' '\\\\' -- $argv | string replace -a ';' '\x3b'; end
        function before --on-event fish_preexec
            printf '\e]633;E;%s\a\e]633;C\a' (string join ';' -- (escaped (string split \n -- $argv)))
        end
        function after --on-event fish_postexec; printf '\e]633;D;%s\a' $status; end
        function fish_prompt; printf '\e]633;A\a{READY} \e]633;B\a'; end
        function fish_greeting; end
    """,
}
PLAIN = {
    "bash": f"PS1='{READY} '",
    "zsh": f"PS1='{READY} '",
    "fish": f"function fish_prompt; printf '{READY} '; end; function fish_greeting; end",
    "dash": f"PS1='{READY} '",
}


class Terminal:
    """A shell in a pseudo-terminal of its own, and all that it wrote."""

    def __init__(self, shell, script, home):
        rc = home / {"zsh": ".zshrc"}.get(shell, "rc")
        rc.write_text(script)
        argv = {
            "bash": ["bash", "--noprofile", "--rcfile", str(rc), "-i"],
            "zsh": ["zsh", "-d", "-i"],
            "fish": ["fish", "--no-config", "-C", f"source {rc}", "-i"],
            "dash": ["dash", "-i"],
        }[shell]
        env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": str(home)}
        env |= {"ZDOTDIR": str(home), "ENV": str(rc), "HISTFILE": "", "BASH_SILENCE_DEPRECATION_WARNING": "1"}
        import termios

        self._master, slave = os.openpty()
        termios.tcsetwinsize(slave, (ROWS, COLS))
        self._process = subprocess.Popen(
            ["setsid", "-c", *argv], stdin=slave, stdout=slave, stderr=slave, env=env, cwd=home, close_fds=True
        )
        os.close(slave)
        self.written = b""
        self.wait_for(lambda written: READY in written)

    def run(self, line):
        """Type a line and wait for the next prompt."""
        start = len(self.text)
        self.type(line + "\r")
        self.wait_for(lambda written: READY in written[start:].partition("\r\n")[2].rpartition("\r\n")[2])

    def run_marked(self, keys):
        """Type keys and wait until their command has ended and the next prompt is there."""
        start = len(self.text)
        self.type(keys)
        self.wait_for(lambda written: READY in written[start:].partition("633;C\a")[2].partition("633;D")[2])

    @property
    def text(self):
        return self.written.decode("utf-8", "replace")

    def type(self, keys):
        os.write(self._master, keys.encode())

    def wait_for(self, seen):
        """Read until `seen(all text)`; a terminal's question for its kind is answered, as fish 4 wants it."""
        deadline = time.monotonic() + DEADLINE
        while not seen(self.text):
            left = deadline - time.monotonic()
            assert left > 0, f"the shell did not go on: {self.written[-2000:]!r}"
            if select.select([self._master], [], [], left)[0]:
                chunk = os.read(self._master, 65536)
                if b"\x1b[c" in chunk or b"\x1b[0c" in chunk:
                    self.type("\x1b[?62;c")
                self.written += chunk

    def facts(self, **more):
        return {
            "source": "stream",
            "outputBytes": base64.b64encode(self.written).decode(),
            "cols": COLS,
            "rows": ROWS,
            **more,
        }

    def block(self, **more):
        return terminal_block(read_facts(self.facts(**more)), "en").text

    def close(self):
        """End the shell and what runs in front, which has a process group of its own."""
        for group in {self._process.pid, os.tcgetpgrp(self._master)}:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)


@pytest.fixture
def start(tmp_path):
    started = []

    def starting(shell, script):
        if shutil.which(shell) is None:
            pytest.skip(f"{shell} IS NOT INSTALLED: what the bridge does with it is not proved here")
        started.append(Terminal(shell, script, tmp_path))
        return started[-1]

    yield starting
    for terminal in started:
        terminal.close()


@pytest.fixture(params=MARKED)
def marked(request, start):
    return start(request.param, MARKED[request.param])


@pytest.mark.req("M1.1", "M1.3")
def test_marked_shells_give_the_last_command_alone(marked):
    marked.run("echo hello; false")
    assert marked.block() == "Terminal output\n$ echo hello; false\nhello\n[exit code 1]"
    marked.run("printf 'no eol'")
    assert marked.block() == "Terminal output\n$ printf 'no eol'\nno eol"
    marked.run("printf '100%%'")
    assert marked.block() == "Terminal output\n$ printf '100%%'\n100%"
    marked.run("true")
    assert marked.block() == "Terminal output\n$ true\n[no output]"
    marked.run("printf '\\033[31m10%%\\r\\033[K20%%\\rdone\\033[0m\\n'")
    assert marked.block().split("\n")[2:] == ["done"]
    marked.run("printf '%0200d\\n' 7")
    assert marked.block().split("\n")[2:] == ["0" * 199 + "7"]
    marked.run("")
    assert marked.block().split("\n")[2:] == ["0" * 199 + "7"]


@pytest.mark.req("M1.1")
@pytest.mark.parametrize(
    ("shell", "typed"),
    [
        ("bash", ("for i in 1 2; do", "echo n=$i; done")),
        ("zsh", ("for i in 1 2; do", "echo n=$i; done")),
        ("fish", ("for i in 1 2", "echo n=$i", "end")),
    ],
)
def test_marked_shells_and_commands_of_several_lines(start, shell, typed):
    terminal = start(shell, MARKED[shell])
    terminal.run_marked("\r".join(typed) + "\r")
    assert terminal.block() == "Terminal output\n$ " + "\n".join(typed) + "\nn=1\nn=2"


@pytest.mark.req("M1.1", "M1.2")
def test_marked_shells_while_a_command_runs_and_after_it_was_interrupted(marked):
    """What is read is what there is at that moment: a later reading of the same terminal gives another block."""
    start, line = len(marked.text), "sh -c 'echo begun; exec sleep 1000'"
    marked.type(line + "\r")
    marked.wait_for(lambda written: "begun\r\n" in written[start:].partition("633;C\a")[2])
    assert marked.block() == f"Terminal output [still running]\n$ {line}\nbegun"
    marked.type("\x03")
    marked.wait_for(lambda written: READY in written[start:].partition("633;C\a")[2].partition("633;D")[2])
    title, command, output, *_, end = marked.block().split("\n")
    assert (title, command, output, end) == ("Terminal output", f"$ {line}", "begun", "[exit code 130]")
    marked.run("echo next")
    assert marked.block() == "Terminal output\n$ echo next\nnext"


def test_marked_shells_with_a_full_screen_program(marked):
    start = len(marked.text)
    marked.type("sh -c \"printf 'before\\n\\033[?1049hsecret grid'; exec sleep 1000\"\r")
    marked.wait_for(lambda written: "secret grid" in written[start:].partition("633;C\a")[2])
    shown = marked.block()
    assert shown.startswith("Terminal output [still running; full-screen program running]\n$ sh -c ")
    assert shown.endswith("\nbefore")


@pytest.mark.parametrize("shell", MARKED)
def test_a_nonce_keeps_programs_from_faking_a_command_line(start, shell):
    terminal = start(shell, MARKED[shell])
    terminal.run(f"printf '\\033]633;E;rm -rf /;{NONCE[::-1]}\\007real\\n'")
    assert "\nreal" in terminal.block(nonce=NONCE)
    assert terminal.block(nonce=NONCE).startswith("Terminal output\n$ printf ")


@pytest.mark.req("M1.1", "MB4")
@pytest.mark.parametrize("shell", PLAIN)
def test_shells_without_marks_give_the_labelled_text(start, shell):
    terminal = start(shell, PLAIN[shell])
    terminal.run("echo hello")
    terminal.run("echo '100%'")
    title, *body = terminal.block().split("\n")
    assert title == "Terminal output [no shell integration, this is the text on the terminal]"
    assert body[-5:] == [f"{READY} echo hello", "hello", f"{READY} echo '100%'", "100%", READY]
