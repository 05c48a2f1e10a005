"""The browser door of one bridge: opened when the first address is asked for, and never but on the loopback."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import time
from typing import TYPE_CHECKING, Final

from wave_bridge.core.answer import Answer
from wave_bridge.errors import BridgeError
from wave_bridge.web.admission import Admission, Opening

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.core.client_types import PanelUrl

DEFAULT: Final = "127.0.0.1:0"


class Door:
    """Gives addresses. `changed` is called when a browser has connected or gone."""

    def __init__(self, bridge: Bridge, address: str = DEFAULT, changed: Callable[[], None] = lambda: None) -> None:
        self._bridge = bridge
        self._address = address
        self._changed = changed
        self._listening: Answer[str] | None = None  # tells the authority, `host:port`
        self.admission = Admission(time.monotonic)

    @property
    def in_use(self) -> bool:
        """Whether a browser is connected, or may still come."""
        return self.admission.connected or self.admission.expected

    async def url(self, client: Client, params: PanelUrl) -> str:
        """Give an address that opens a panel, once. Raises BridgeError when the door can't be opened."""
        editor = client if client.info.capabilities else None  # who announces nothing of ours can do nothing for it
        opening = Opening(client.info, self._bridge.folder_of(client, params.workdir), params.session_id, editor)
        authority = await self._open()
        return f"http://{authority}/open/{self.admission.token(opening)}"

    async def _open(self) -> str:
        """Listen if need be; gives the authority."""
        if self._listening is None:
            listening = self._listening = Answer()
            self._bridge.spawn(self._listen, listening)
        told: asyncio.Future[str | BridgeError] = asyncio.get_running_loop().create_future()
        self._listening.on_done(lambda outcome: None if told.done() else told.set_result(outcome))
        outcome = await told
        if isinstance(outcome, BridgeError):
            self._listening = None  # the next one tries again
            raise outcome
        return outcome

    async def _listen(self) -> None:
        from wave_bridge.web.server import serve  # noqa: PLC0415 - most daemons never need it

        assert self._listening is not None  # noqa: S101 - _open has just set it
        with listener(self._address) as door:
            await serve(self._bridge, door, self.admission, self._listening.set, self._changed)


def listener(address: str) -> socket.socket:
    """Give a socket that listens at `host:port`, port 0 for a free one. Raises BridgeError unless on the loopback."""
    host, _, port = address.rpartition(":")
    try:
        place = ipaddress.ip_address(host.strip("[]"))
        number = int(port)
    except ValueError as fault:
        raise BridgeError(f"WAVE_BRIDGE_WEB is {address!r}, not an address and a port such as {DEFAULT}") from fault
    if not place.is_loopback:
        raise BridgeError(f"WAVE_BRIDGE_WEB is {address!r}: the browser door opens to this machine only")
    family = socket.AF_INET6 if place.version == 6 else socket.AF_INET
    try:
        return socket.create_server((str(place), number), family=family)
    except OSError as fault:
        raise BridgeError(f"The browser door can't listen at {address}: {fault.strerror}") from fault
