"""Connections to a bridge without a CLI."""

import pytest
from raw import BridgeOfTests, RawClient


@pytest.fixture
async def bridge():
    return BridgeOfTests()


@pytest.fixture
async def stranger(bridge):
    """A connection before `initialize`."""
    client = RawClient(bridge)
    yield client
    client.connection.lost()


@pytest.fixture
async def editor(stranger):
    """A connection after `initialize`."""
    stranger.initialize()
    return stranger
