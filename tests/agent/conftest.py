"""Fake agents and what each test starts, ended with it. What supplies are made of is shared with tests/supply."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "supply"))


@pytest.fixture(autouse=True)
def _no_process_left():
    before = set(psutil.Process().children(recursive=True))
    yield
    left = set(psutil.Process().children(recursive=True)) - before
    for process in left:
        process.kill()
    assert not left
