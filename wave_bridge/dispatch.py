"""Answers `wave/*` messages: of an editor's connection, and of the panels that are tunnelled through it.

The table of methods says how parameters are decoded and who answers; pygls is not asked. Handlers are plain functions,
called in the order in which messages came. One that gives an `Answer` is answered inside its callback: the response
must leave before whatever follows it on the CLI's pipe, so no future and no task may lie between.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from wave_bridge.agent.fault import ToldFault
from wave_bridge.core.answer import Answer
from wave_bridge.core.client_api import METHODS, Method
from wave_bridge.core.client_types import PanelOpened
from wave_bridge.core.envelope import Envelope, Garbage, decode, decode_any, error_body, result_body
from wave_bridge.core.limits import MAX_OUTSTANDING
from wave_bridge.errors import (
    BridgeError,
    InvalidParams,
    InvalidRequest,
    MethodNotFound,
    Overloaded,
    ParseError,
    RequestCancelled,
)
from wave_bridge.messages import choose_locale

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.core.client_types import PanelClose, PanelOpen
    from wave_bridge.messages import Locale

log = logging.getLogger(__name__)

CANCEL = "$/cancelRequest"
TUNNEL = "wave/panel/"  # about the tunnel itself: answered here, and no panel's business
FRAME = "wave/panel/message"
ROWS: dict[str, Method] = {row.name: row for row in METHODS if row.direction == "toBridge"}

RequestId = float | str | UnsetType | None


class Frame(msgspec.Struct, rename={"panel_id": "panelId"}):
    """Parameters of `wave/panel/message`, the message unread."""

    panel_id: str
    message: msgspec.Raw


class Cancel(msgspec.Struct):
    """Parameters of `$/cancelRequest`."""

    id: int | float | str


_decode_frame = msgspec.json.Decoder(Frame).decode
_decode_cancel = msgspec.json.Decoder(Cancel).decode
_decoders = {name: msgspec.json.Decoder(row.params).decode for name, row in ROWS.items()}


class Call:
    """A request, or a notification (UNSET id, never answered). `over`: it needs no answer any more."""

    __slots__ = ("client", "id", "over")

    def __init__(self, client: Client, request_id: RequestId) -> None:
        self.client = client
        self.id = request_id
        self.over = False


class Dispatcher:
    """One connection's requests that wait for an answer, by client and id."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._calls: dict[Client, dict[RequestId, Call]] = {}

    def receive(self, client: Client, body: bytes | Envelope) -> None:
        """Take one message of a client: a request, a notification, a response to ours, a cancellation."""
        envelope = body if isinstance(body, Envelope) else _open(body)
        if isinstance(envelope, Garbage):
            client.send(refusal(envelope))
        elif envelope.method is UNSET:
            _respond(client, envelope)
        elif envelope.method == CANCEL:
            self._cancel(client, bytes(envelope.params))
        elif envelope.method == FRAME and not client.is_panel:
            self._carry(client, bytes(envelope.params))
        else:
            self._call(client, envelope)

    def lost(self) -> None:
        """End everything: the connection is gone, nobody waits for answers."""
        for client in list(self._calls):
            self._abandon(client)

    # Calls

    def _call(self, client: Client, envelope: Envelope) -> None:
        call = Call(client, envelope.id)
        try:
            self._admit(call)
            outcome = self._answer(client, str(envelope.method), bytes(envelope.params))
        except Exception as fault:  # noqa: BLE001 - the edge that answers: whatever it was, the client hears of it
            self._finish(call, fault)
            return
        if isinstance(outcome, Answer):
            outcome.on_done(lambda result: self._finish(call, result))
        else:
            self._finish(call, outcome)

    def _admit(self, call: Call) -> None:
        """Count the request. Raises InvalidRequest or Overloaded; then it is not counted."""
        if call.id is UNSET:
            return
        if call.id is None:
            raise InvalidRequest("a request's id may not be null")
        waiting = self._calls.setdefault(call.client, {})
        if call.id in waiting:
            raise InvalidRequest(f"a request with the id {call.id!r} is under way already")
        if len(waiting) >= MAX_OUTSTANDING:
            raise Overloaded(f"{MAX_OUTSTANDING} requests are unanswered", limit=MAX_OUTSTANDING)
        waiting[call.id] = call

    def _answer(self, client: Client, method: str, raw: bytes) -> object:
        """Give the result of a method, or the Answer that will bring it. Raises BridgeError."""
        row = ROWS.get(method)
        if row is None or (client.is_panel and method.startswith(TUNNEL)):
            raise MethodNotFound(f"no such method: {method:.200}")
        params = _decode(_decoders[method], method, raw)
        match method:
            case "wave/panel/open":
                return self._open_panel(client, params)
            case "wave/panel/close":
                self._close_panel(client, params)
                return None
            case _ if row.forward:
                return self._bridge.forward(client, row, params)
            case _:
                return self._bridge.handlers[method](self._bridge, client, params)

    def _finish(self, call: Call, outcome: object) -> None:
        """Answer a call, once."""
        if call.over:
            return
        call.over = True
        waiting = self._calls.get(call.client, {})
        if waiting.get(call.id) is call:
            del waiting[call.id]
        locale = choose_locale(call.client.connection.info.locale)
        body = _answer_body(None if call.id is UNSET else call.id, outcome, locale)
        if call.id is not UNSET:
            call.client.send(body)

    def _cancel(self, client: Client, raw: bytes) -> None:
        """Answer a request as cancelled; what its handler still brings is ignored. An unknown id is no error."""
        try:
            call = self._calls.get(client, {}).get(_decode_cancel(raw).id)
        except msgspec.DecodeError as fault:
            log.info("ignored a cancellation: %s", fault)
            return
        if call is not None:
            self._finish(call, RequestCancelled("the request was cancelled"))

    def _abandon(self, client: Client) -> None:
        """End a client's calls without an answer."""
        for call in self._calls.pop(client, {}).values():
            call.over = True

    # Panels

    def _open_panel(self, editor: Client, params: PanelOpen) -> PanelOpened:
        """Open a panel. One of the same id was loaded anew: answers to the old page would confuse the new one."""
        self._abandon_panel(editor, params.panel_id)
        self._bridge.open_panel(editor, params)
        return PanelOpened()

    def _close_panel(self, editor: Client, params: PanelClose) -> None:
        self._abandon_panel(editor, params.panel_id)
        self._bridge.close_panel(editor, params.panel_id)

    def _abandon_panel(self, editor: Client, panel_id: str) -> None:
        panel = editor.panels.get(panel_id)
        if panel is not None:
            self._abandon(panel)

    def _carry(self, editor: Client, raw: bytes) -> None:
        """Take a panel's message out of the tunnel. The notification itself can't be answered, its content can."""
        try:
            frame = _decode(_decode_frame, FRAME, raw)
        except InvalidParams as fault:
            log.warning("ignored a panel's message: %s", fault.message)
            return
        panel = editor.panels.get(frame.panel_id)
        if panel is None:
            log.info("ignored a message of a panel that is not open: %.100r", frame.panel_id)
        else:
            self.receive(panel, bytes(frame.message))


def refusal(garbage: Garbage) -> bytes:
    """Give the answer to what is no message; nobody knows whose it is, so its id is null."""
    kind = InvalidRequest if garbage.is_json else ParseError
    return error_body(None, kind(garbage.reason).to_wire())


def _open(body: bytes) -> Envelope | Garbage:
    decoded = decode(body)
    return decoded if isinstance(decoded, Garbage) else decoded[0]


def _respond(client: Client, envelope: Envelope) -> None:
    """Take the answer to a request of ours; a missing result is null, a late answer is no error."""
    result = b"null" if envelope.result is UNSET else bytes(envelope.result)
    error = None if envelope.error is UNSET else decode_any(bytes(envelope.error))
    if not (error is None or isinstance(error, dict)):
        error = {"message": str(error)}
    if not client.answered(envelope.id, result, error):
        log.debug("a response that nothing waits for: id %.100r", envelope.id)


def _decode(decoder: Callable[[bytes], Any], method: str, raw: bytes) -> Any:
    """Decode parameters: none, and null, count as empty; a list of one as that one (JSON-RPC, by position)."""
    try:
        only = _only(raw) if raw.startswith(b"[") else raw
        return decoder(b"{}" if only == b"null" else only)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise InvalidParams(f"{method}: {fault}") from fault


def _only(raw: bytes) -> bytes:
    items = msgspec.json.decode(raw, type=list[msgspec.Raw])
    if len(items) > 1:
        raise msgspec.ValidationError("Expected parameters by name")
    return bytes(items[0]) if items else b"{}"


def _answer_body(request_id: float | str | None, outcome: object, locale: Locale) -> bytes:
    """Give the response; an exception that is none of ours is logged here, once, and told without its insides."""
    if not isinstance(outcome, BaseException):
        try:
            return result_body(request_id, msgspec.json.encode(outcome))
        except (TypeError, ValueError, OverflowError, RecursionError) as fault:
            outcome = fault
    if not isinstance(outcome, BridgeError):
        log.error("a request failed", exc_info=outcome)
        outcome = BridgeError("The bridge failed to answer; its log says why.")
    told = {"message": outcome.told(locale)} if isinstance(outcome, ToldFault) else {}
    return error_body(request_id, {**outcome.to_wire(), **told})
