"""An editor that runs in tmux sends what stands beside it there, from a real tmux server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

import pytest

from wave_bridge.lsp.generic.tmux import Pane, beside

RUN = [sys.executable, "-m", "wave_bridge", "run", "--"]
pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


class Tmux:
    """A server of the test's own, with one session whose first pane is the editor's."""

    def __init__(self, root, folder):
        self.socket = root / "tmux"
        self._folder = folder
        self.own = self(
            "new-session", "-dP", "-F", "#{pane_id}", "-x", "60", "-y", "10", "-c", str(folder), "sleep 600"
        )

    def __call__(self, *arguments):
        command = ("tmux", "-f", os.devnull, "-S", str(self.socket), *arguments)
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=20).stdout.strip()

    def shell(self, *how):
        """Open a shell in another pane or window; gives its pane."""
        shell = "env -i PS1='prompt> ' TERM=tmux sh"
        return self(*how, "-dP", "-F", "#{pane_id}", "-c", str(self._folder), shell)

    def type(self, pane, line, shows):
        """Type a line and wait until its output is there."""
        self("send-keys", "-t", pane, line, "Enter")
        end = time.monotonic() + 20
        while shows not in self("capture-pane", "-p", "-J", "-t", pane).replace(line, ""):
            assert time.monotonic() < end, self("capture-pane", "-p", "-t", pane)
            time.sleep(0.05)

    @property
    def variables(self):
        return {"TMUX": f"{self.socket},1,0", "TMUX_PANE": self.own}


@pytest.fixture
def tmux(machine):
    tmux = Tmux(machine.root, machine.folder("work"))
    machine.env |= tmux.variables
    yield tmux
    tmux("kill-server")


async def sent(editor, *wanted):
    answer = await editor.run("wave.ask", {"text": "What happened?", "mentions": ["terminal"]})
    return (await editor.shows(answer["uri"], "What happened?", *wanted)).text


@pytest.mark.req("M1.2", "M1.5")
async def test_the_pane_beside_the_editor_is_sent_with_its_history_and_labelled(tmux, start):
    pane = tmux.shell("split-window", "-t", tmux.own)
    tmux.type(pane, "seq -f 'line %g' 40", "line 40")
    editor = await start()
    text = await sent(editor, "line 40")
    assert "line 1\n" in text  # has been scrolled out of sight
    assert "this is the text on the terminal" in text


async def test_without_a_pane_beside_it_the_window_used_last_counts(tmux, start):
    pane = tmux.shell("new-window", "-t", "0:")
    tmux.type(pane, "echo else$((40 + 2))where", "else42where")
    assert "else42where" in await sent(await start(), "else42where")


async def test_an_editor_that_is_alone_in_tmux_has_no_terminal(tmux, start):
    assert "no terminal is open" in await sent(await start(), "no terminal is open")


async def test_what_run_kept_since_the_session_was_made_is_better_and_what_is_older_is_worse(machine, tmux, start):
    """A bounded command with its exit code beats what a pane shows, unless it is from before all of it."""
    pane = tmux.shell("split-window", "-t", tmux.own)
    tmux.type(pane, "echo on$((40 + 2))screen", "on42screen")
    work = machine.folder("work")
    subprocess.run([*RUN, "echo", "kept by run"], env=machine.env, cwd=work, stdin=subprocess.DEVNULL, check=True)
    editor = await start()
    assert "on42screen" not in await sent(editor, "kept by run")
    (kept,) = machine.home.parent.rglob("wave-bridge/terminal/*.json")
    os.utime(kept, (1, 1))
    second = (await sent(editor, "on42screen")).partition("## Wave")[2]  # behind the first answer, or queued
    assert "kept by run" not in second


async def test_a_server_that_has_gone_is_no_terminal(machine, start):
    machine.env |= {"TMUX": f"{machine.root}/none,1,0", "TMUX_PANE": "%0"}
    assert "no terminal is open" in await sent(await start(), "no terminal is open")


def test_the_pane_used_last_comes_first_then_the_window_then_what_was_in_front_elsewhere():
    def pane(name, window="@1", *, last=False, last_window=False, active=False):
        return Pane(name, window, last, last_window, active, 0.0)

    own, other, last = pane("%0", active=True), pane("%1"), pane("%2", last=True)
    elsewhere, lately = pane("%3", "@2", active=True), pane("%4", "@3", active=True, last_window=True)
    everything = [own, other, last, elsewhere, pane("%5", "@3"), lately]
    order = []
    while (chosen := beside(everything, "%0")) is not None:
        order.append(chosen.id)
        everything.remove(chosen)
    assert order == ["%2", "%1", "%4", "%3"]
