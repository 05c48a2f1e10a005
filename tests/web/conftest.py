"""A browser door in the test's own loop, without a CLI behind it, and a browser at it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from visitor import Browser

from wave_bridge.agent.supply import Supplier
from wave_bridge.bridge.bridge import Bridge
from wave_bridge.bridge.clients import Client, ClientInfo
from wave_bridge.core.client_types import PanelUrl
from wave_bridge.core.outbox import Outbox
from wave_bridge.errors import AgentUnavailable
from wave_bridge.web.door import Door


class NoSupplier(Supplier):
    """Has nothing to start."""

    def supply(self, wanted):  # noqa: ARG002 - the real one's signature
        raise AgentUnavailable("there is no CLI here")


@pytest.fixture
async def bridge():
    bridge = Bridge(NoSupplier({}), Path("nowhere"), build="test")
    async with running(bridge):
        yield bridge


@asynccontextmanager
async def running(bridge):
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(bridge.run())
        await asyncio.sleep(0)
        yield
        await bridge.close()
        await running


@pytest.fixture
def door(bridge):
    return Door(bridge)


@pytest.fixture
def asking(bridge):
    """Whoever asks for an address: here an editor of which nothing is known."""
    return bridge.connect(Client(Outbox(lambda: None), ClientInfo(locale="en")))


@pytest.fixture
async def browser(door, asking):
    """A browser that holds an address and has not opened it."""
    return Browser(await door.url(asking, PanelUrl(workdir="/work")))


@pytest.fixture
async def inside(browser):
    """A browser that was let in."""
    await browser.open()
    return browser
