"""An editor that can say anything: bytes in, JSON out, through the same pieces that an endpoint uses."""

from __future__ import annotations

import json
from pathlib import Path

from wave_bridge.agent.supply import Supplier
from wave_bridge.bridge.bridge import Bridge
from wave_bridge.core.answer import Answer
from wave_bridge.core.lsp_codec import FrameReader, frame
from wave_bridge.core.outbox import Outbox
from wave_bridge.errors import AgentUnavailable
from wave_bridge.lsp.connection import LspConnection

SHIM = {"experimental": {"wave": {"version": 1}}}  # what hears `wave/*`; others are served by standard LSP alone
HELLO = {"processId": None, "rootUri": None, "capabilities": SHIM}


class NoSupplier(Supplier):
    """Has nothing to start."""

    def supply(self, wanted):  # noqa: ARG002 - the real one's signature
        raise AgentUnavailable("there is no CLI here")


class BridgeOfTests(Bridge):
    """The real one, but for the CLI: rows that only pass on wait in `forwarded` until the test answers them."""

    def __init__(self):
        super().__init__(NoSupplier({}), Path("nowhere"), build="test")
        self.forwarded = []

    def forward(self, client, row, params):  # noqa: ARG002 - the real one's signature
        answer = Answer()
        self.forwarded.append((row.name, params, answer))
        return answer


class RawClient:
    def __init__(self, bridge):
        self.closed = False
        self.outbox = Outbox(lambda: None)
        self.connection = LspConnection(bridge, self.outbox, self._close)
        self._in, self._out = FrameReader(), FrameReader()

    def _close(self):
        self.closed = True

    def feed(self, data):
        """Put bytes on the wire and give the messages that come back at once."""
        self.connection.receive(self._in.feed(data))
        return self.heard()

    def heard(self):
        return [json.loads(body) for body in self._out.feed(self.outbox.take())]

    def say(self, *bodies):
        """Send messages, as values or as the body's bytes, in one chunk."""
        return self.feed(b"".join(frame(_text(body)) for body in bodies))

    def ask(self, method, params=..., request_id=1):
        """Send a request and give its response, which must have come at once, and once."""
        message = {"id": request_id, "method": method}
        heard = self.say(message if params is ... else {**message, "params": params})
        (response,) = [item for item in heard if "method" not in item and item["id"] == request_id]
        return response

    def initialize(self, **members):
        response = self.ask("initialize", {**HELLO, **members}, request_id="hello")
        self.say({"method": "initialized", "params": {}})
        return response["result"]


def _text(body):
    return body if isinstance(body, bytes) else json.dumps({"jsonrpc": "2.0", **body}).encode()
