"""A client that knows nothing of `wave/*`: what the bridge tells it by those methods goes to its surface instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from wave_bridge.bridge.clients import Client, ClientInfo
from wave_bridge.core.answer import Answer
from wave_bridge.core.envelope import decode_any
from wave_bridge.core.outbox import Outbox
from wave_bridge.errors import Unsupported

if TYPE_CHECKING:
    from wave_bridge.core.agent_api import Wire
    from wave_bridge.core.outbox import Stream
    from wave_bridge.core.rpc import Event

WAVE = "wave/"


class Listener(Protocol):
    """What hears and answers in the editor's place."""

    def told(self, method: str, params: Any) -> None:
        """Take a notification of the bridge."""

    def event(self, session_id: str, method: str, params: Any) -> None:
        """Take an event of the CLI."""

    def asked(self, method: str, params: Any) -> Answer[bytes]:
        """Take a question of the bridge."""

    def offers(self, capability: str) -> bool:
        """Say whether it answers questions of this kind."""


class GenericClient(Client):
    """An editor's connection. `listener` is set before the bridge knows of it."""

    listener: Listener

    def __init__(self, outbox: Outbox, info: ClientInfo) -> None:
        super().__init__(_WithoutEvents(outbox, self._event), info)

    def notify(self, method: str, params: Wire | dict[str, Any]) -> None:
        """Send what LSP knows; the surface hears the rest."""
        if method.startswith(WAVE):
            self.listener.told(method, params)
        else:
            super().notify(method, params)

    def announces(self, capability: str) -> bool:
        """Say what the surface can answer."""
        return self.listener.offers(capability)

    def ask(self, method: str, params: Wire | dict[str, Any], timeout: float) -> Answer[bytes]:
        """Ask the editor what LSP knows, the surface the rest."""
        if not self.alive:
            gone: Answer[bytes] = Answer()
            gone.set(Unsupported("The editor has gone.", gone=True))
            return gone
        return self.listener.asked(method, params) if method.startswith(WAVE) else super().ask(method, params, timeout)

    def _event(self, stream: Stream, event: Event) -> None:
        params = decode_any(event.params)
        self.listener.event(stream.session_id, event.method, params if isinstance(params, dict) else {})


class _WithoutEvents(Outbox):
    """The connection's outbox, but for the CLI's events, which do not leave."""

    def __init__(self, outbox: Outbox, hear: Any) -> None:
        super().__init__(lambda: None)
        self._outbox = outbox
        self._hear = hear

    def send(self, body: bytes) -> None:
        self._outbox.send(body)

    def send_event(self, stream: Stream, event: Event) -> None:
        stream.seq += 1
        self._hear(stream, event)

    def forget(self, stream: Stream) -> None:
        """Nothing of it is held."""

    @property
    def held_bytes(self) -> int:
        return self._outbox.held_bytes
