"""One browser's connection: a client of the bridge with one panel. A text frame is one JSON-RPC message, unwrapped.

The outbox holds back while the browser does not take what was written, merges, then drops events and says so: a
stalled tab grows nothing and slows nobody.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
import msgspec
from msgspec import UNSET
from websockets.exceptions import ConnectionClosed

from wave_bridge.bridge.clients import Client
from wave_bridge.core.client_types import PanelOpen
from wave_bridge.core.lsp_codec import FrameReader
from wave_bridge.core.outbox import Outbox
from wave_bridge.dispatch import Dispatcher

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.messages import Locale
    from wave_bridge.web.admission import Admitted, Opening

NAME = "browser"
log = logging.getLogger(__name__)


def host_facts(admitted: Admitted, locale: Locale, channel: str) -> dict[str, Any]:
    """Give what the page tells the panel of its host (docs/PROTOCOL.md, Panels in a browser)."""
    opening = admitted.opening
    session = {} if opening.session_id is UNSET else {"sessionId": opening.session_id}
    return {
        "kind": NAME,
        "placement": "window",
        "panelId": admitted.name[:8],
        "workdir": opening.workdir,
        "locale": locale,
        "channel": channel,
        "editor": opening.editor is not None and opening.editor.alive,
        **session,
    }


class Pane:
    """Carries messages between a browser and the bridge."""

    def __init__(self, bridge: Bridge, connection: ServerConnection, opening: Opening) -> None:
        self._bridge = bridge
        self._connection = connection
        self._opening = opening
        self._dispatcher = Dispatcher(bridge)
        self._outbox = Outbox(self._schedule)
        self._pending = asyncio.Event()

    async def serve(self) -> None:
        """Carry until the browser goes, or is sent away because it does not read its answers."""
        opening = self._opening
        info = msgspec.structs.replace(opening.info, name=NAME, version="", capabilities={})
        opened = PanelOpen(panel_id=NAME, kind="browser", workdir=opening.workdir)
        client = self._bridge.connect(Client(self._outbox, info, editor=opening.editor, opened=opened))
        try:
            self._bridge.greet(client)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._write)
                await self._read(client)
                tasks.cancel_scope.cancel()
        finally:
            self._dispatcher.lost()
            self._bridge.disconnect(client)

    async def _read(self, client: Client) -> None:
        """Take what the browser says, until it ends the connection or is gone."""
        with suppress(ConnectionClosed):
            while True:
                self._dispatcher.receive(client, await self._connection.recv(decode=False))

    async def _write(self) -> None:
        """Write what there is, and hold back the rest until it was taken."""
        frames = FrameReader(max_bytes=sys.maxsize)  # the outbox has a bound of its own
        with suppress(ConnectionClosed):
            while True:
                await self._pending.wait()
                self._pending.clear()
                messages = frames.feed(self._outbox.take())
                self._outbox.pause()
                for message in messages:
                    assert isinstance(message, bytes)  # noqa: S101 - the outbox framed it
                    await self._connection.send(message, text=True)
                self._outbox.resume()

    def _schedule(self) -> None:
        """See to it that what came up is written; called when the outbox has something, or has too much."""
        if self._outbox.overflow:
            log.warning("a browser does not read its answers; its connection is closed")
            self._connection.transport.abort()
        self._pending.set()
