"""One editor's connection: frames in, the gate before `initialize`, and who takes which message.

`shutdown`, `exit` and a lost transport end this connection and its panels, never the daemon. A bad frame or message is
answered where the protocol allows and never ends anything.
"""

from __future__ import annotations

import logging
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from lsprotocol import types
from msgspec import UNSET

from wave_bridge.core.envelope import Envelope, Garbage, decode, error_body
from wave_bridge.core.limits import MAX_FRAME
from wave_bridge.core.lsp_codec import TOO_LARGE, Malformed
from wave_bridge.dispatch import Dispatcher, refusal
from wave_bridge.errors import BridgeError, InvalidRequest, NotInitialized, ParseError, TooLarge
from wave_bridge.lsp.server import WaveServer
from wave_bridge.lsp.watch import ProcessWatch
from wave_bridge.messages import LOCALE_VARIABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import ClientInfo
    from wave_bridge.core.outbox import Outbox

log = logging.getLogger(__name__)

WAVE = "wave/"


class LspConnection:
    """Takes what the endpoint has cut into frames; answers go into the outbox. `close` closes the transport."""

    def __init__(
        self,
        bridge: Bridge,
        outbox: Outbox,
        close: Callable[[], None],
        environment: Mapping[str, str] = MappingProxyType({}),
        process: int = 0,
    ) -> None:
        self._bridge = bridge
        self._environment = environment
        self._process = process
        self._outbox = outbox
        self._close = close
        self._dispatcher = Dispatcher(bridge)
        self._server = WaveServer(outbox, bridge, self._end)
        self._watch: ProcessWatch | None = None
        self._ended = False

    def receive(self, found: list[bytes | Malformed]) -> None:
        """Take what one chunk completed, in order; what comes behind `exit` is not looked at."""
        for item in found:
            if self._ended:
                return
            if isinstance(item, Malformed):
                self._refuse_frame(item)
            else:
                self._take(item)

    def lost(self) -> None:
        """End what belongs to the connection: its transport is gone. Again: nothing."""
        self._ended = True
        if self._watch is not None:
            self._watch.stop()
        self._server.protocol.lost()
        self._dispatcher.lost()
        if self._server.surface is not None:
            self._server.surface.lost()
        client, self._server.client = self._server.client, None
        if client is not None:
            self._bridge.disconnect(client)

    def _end(self) -> None:
        self.lost()
        self._close()

    def _refuse_frame(self, fault: Malformed) -> None:
        log.warning("a malformed frame: %s (%d bytes)", fault.reason, fault.size)
        error = TooLarge(fault.reason, limit=MAX_FRAME) if fault.reason == TOO_LARGE else ParseError(fault.reason)
        self._outbox.send(error_body(None, error.to_wire()))

    def _take(self, body: bytes) -> None:
        decoded = decode(body)
        if isinstance(decoded, Garbage):
            log.warning("no message: %s", decoded.reason)
            self._outbox.send(refusal(decoded))
            return
        envelope, clean = decoded
        fault = self._fault(envelope)
        if fault is None:
            self._route(envelope, clean)
        elif envelope.id is not UNSET or envelope.method is UNSET:
            self._outbox.send(error_body(None if envelope.id is UNSET else envelope.id, fault.to_wire()))

    def _fault(self, envelope: Envelope) -> BridgeError | None:
        """Say why a message may not be taken now; a notification is then dropped, as LSP wants it."""
        method = envelope.method
        if method is UNSET:
            return None if envelope.id is not UNSET else InvalidRequest("neither a method nor an id")
        if envelope.id is None:
            return InvalidRequest("a request's id may not be null")
        if method == types.EXIT:
            return None
        if self._server.client is None:
            return None if method == types.INITIALIZE else NotInitialized(f"{method:.200} came before initialize")
        if method == types.INITIALIZE:
            return InvalidRequest("initialize was answered already")
        return InvalidRequest("the server was shut down") if self._server.protocol.is_shut_down else None

    def _route(self, envelope: Envelope, clean: bytes) -> None:
        """Tell `wave/*` from standard LSP, which pygls takes. A cancellation may be about either."""
        client, protocol = self._server.client, self._server.protocol
        if client is None:
            self._begin(envelope, clean)
        elif envelope.method is UNSET:
            if protocol.awaits(envelope.id):
                protocol.dispatch(envelope, clean)
            else:
                self._dispatcher.receive(client, envelope)
        elif str(envelope.method).startswith(WAVE):
            self._dispatcher.receive(client, envelope)
        else:
            protocol.dispatch(envelope, clean)
            if envelope.method == types.CANCEL_REQUEST:
                self._dispatcher.receive(client, envelope)

    def _begin(self, envelope: Envelope, clean: bytes) -> None:
        """Take `initialize`, or `exit` before it. The bridge may speak once the answer has left, not earlier."""
        self._server.protocol.dispatch(envelope, clean)
        info = self._server.info
        if info is None:
            return
        client = self._server.client = self._bridge.connect(self._server.introduced(self._placed(info)))
        if self._server.process_id is not None:
            self._watch = ProcessWatch(self._server.process_id, self._process_gone)
        self._bridge.greet(client)

    def _placed(self, info: ClientInfo) -> ClientInfo:
        """Add what the editor's surroundings say: where it names no locale, theirs counts (PROTOCOL.md, Locale)."""
        locale = info.locale or next(filter(None, map(self._environment.get, LOCALE_VARIABLES)), None)
        return msgspec.structs.replace(info, locale=locale, environment=dict(self._environment), process=self._process)

    def _process_gone(self) -> None:
        log.info("the editor's process %s has ended", self._server.process_id)
        self._end()
