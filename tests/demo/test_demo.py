"""The demo, which a newcomer types first: it shows the main job, ends by itself, claims nothing that it did not see."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

import psutil
import pytest

from wave_bridge.demo import run as demo
from wave_bridge.demo.editor import Missing
from wave_bridge.demo.story import Story
from wave_bridge.demo.view import View

CHECKS = 20  # things that the demo observes


def descendants_named(marker):
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("WAVE_BRIDGE_DIR", "").startswith(marker):
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


@pytest.fixture
def shown(tmp_path):
    """Run the demo as a user does; gives exit code, text and seconds."""
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "wave_bridge", "demo"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr, time.monotonic() - started


def test_it_shows_everything_within_a_minute_and_leaves_nothing_behind(shown, tmp_path):
    code, text, seconds = shown
    assert code == 0, text
    assert text.count("✓") == CHECKS
    assert "✗" not in text
    assert seconds < 60
    assert list(tmp_path.glob("wb-*")) == []
    assert descendants_named(str(tmp_path)) == []


def test_what_was_not_seen_fails_the_demo_and_what_it_started_is_ended(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(Story, "queue", _nothing_seen)
    code = demo.run(argparse.Namespace(panel=False, environment=dict(os.environ)))
    assert code == 1
    assert "Not observed: the queue" in capsys.readouterr().out
    assert descendants_named(str(tmp_path)) == []


async def _nothing_seen(_story):
    raise Missing("the queue")


def test_a_claim_that_does_not_hold_is_no_check():
    with pytest.raises(Missing, match="the moon is out"):
        View().check("the moon is out", fits=False)
