"""The benchmarks run; what they find is for docs/BENCHMARKS.md, on a machine that does nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_page_is_made_of_what_the_benchmarks_give():
    """Those that take seconds; exit code 1 says that something wanted was missed, which a busy machine may do."""
    command = [sys.executable, str(ROOT / "benchmarks/all.py"), "--quick", "problems", "scale"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in {0, 1}, done.stderr
    assert "## One @problems block" in done.stdout
    assert "![scale-1](figures/scale-1.svg)" in done.stdout


def test_the_page_has_its_plots():
    page = (ROOT / "docs/BENCHMARKS.md").read_text("utf-8")
    assert "Written by scripts/bench" in page
    assert page.count("figures/") >= 10  # that the links lead somewhere is tests/test_repository.py's
