"""The CLIs under test: the embedded one, and a real one as well where WAVE_CLI_PATH names it."""

from __future__ import annotations

import pytest
from cli_starter import REAL, Starter

KINDS = ["embedded", *(["real"] if REAL else [])]


@pytest.fixture(params=KINDS)
async def start(request, tmp_path):
    """Start a CLI: `cli = await start()`; `start.workdir` is its folder, `start.home` its HOME."""
    starter = Starter(request.param, tmp_path)
    yield starter
    await starter.end()


@pytest.fixture
async def cli(start):
    """A running CLI."""
    return await start()


@pytest.fixture
async def session(cli, start):
    """A session of it, in `start.workdir`."""
    return await cli.session(str(start.workdir))


@pytest.fixture
def only_embedded(start):
    """Skip on a real CLI: the test is about what only the embedded one has."""
    if start.kind != "embedded":
        pytest.skip("the embedded CLI's own")
