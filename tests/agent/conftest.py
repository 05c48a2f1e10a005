"""Fake agents and what each test starts, ended with it."""

from __future__ import annotations

import psutil
import pytest


@pytest.fixture(autouse=True)
def _no_process_left():
    before = set(psutil.Process().children(recursive=True))
    yield
    left = set(psutil.Process().children(recursive=True)) - before
    for process in left:
        process.kill()
    assert not left
