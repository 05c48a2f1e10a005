"""`wave-bridge demo --panel`: a page on a sample workspace, and nothing left of either at the end."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import psutil
import pytest

import wave_bridge

WAIT = 30.0  # seconds


@pytest.fixture
def site(tmp_path):
    """A copy of the package whose panel is one line: the demo must not depend on what was built here."""
    package = tmp_path / "site/wave_bridge"
    shutil.copytree(Path(wave_bridge.__file__).parent, package, ignore=shutil.ignore_patterns("assets", "__pycache__"))
    return package


@pytest.fixture
def start(site, tmp_path):
    started = []

    def start():
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "wave_bridge", "demo", "--panel", "--no-open"],
            env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(site.parent)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_the_panel_on_a_sample_and_leaves_nothing_behind(site, start, tmp_path, ending):
    (site / "web/assets").mkdir()
    (site / "web/assets/panel.js").write_text("// the panel")
    process = start()
    url = process.stdout.readline().strip()
    with httpx.Client(trust_env=False, follow_redirects=True) as browser:
        page = browser.get(url)
    assert page.status_code == 200
    assert "/sums&quot;" in page.text
    [sample] = tmp_path.glob("wb-*")
    assert (sample / "sums/sums.py").exists()
    process.send_signal(ending)
    assert process.wait(WAIT) == 0
    assert "double square brackets" in process.stdout.read()
    assert process.stderr.read() == ""
    assert not sample.exists()
    assert [p.pid for p in psutil.process_iter(["cmdline"]) if str(sample) in " ".join(p.info["cmdline"] or [])] == []


def test_without_a_built_panel_it_says_what_to_do(start, tmp_path):
    process = start()
    said, complaints = process.communicate(timeout=WAIT)
    assert (process.returncode, said) == (1, "")
    assert "Node.js" in complaints
    assert "scripts/build-panel" in complaints
    assert list(tmp_path.glob("wb-*")) == []
