"""The client of the conformance suite, for what only the embedded CLI has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))


@pytest.fixture
async def start(tmp_path):
    """Start an embedded CLI: `cli = await start()`."""
    from cli_starter import Starter

    starter = Starter("embedded", tmp_path)
    yield starter
    await starter.end()
