"""pygls as the dialect of standard LSP, and nothing else: its lifecycle, its capabilities, its senders.

Bytes, JSON, `wave/*` and the gate before `initialize` are not its business. Each override below names what pygls does
otherwise: it structures every nested object, leaves requests without `params` unanswered, shows errors as pop-ups
with tracebacks, and ends the process on `exit`.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from msgspec import UNSET
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from wave_bridge.core.envelope import Envelope, decode_any, error_body
from wave_bridge.errors import BridgeError, InvalidParams, MethodNotFound, RequestCancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Future

    from cattrs import Converter

    from wave_bridge.lsp.server import WaveServer

log = logging.getLogger(__name__)
logging.getLogger("pygls").setLevel(logging.WARNING)  # it writes whole payloads, settings included, at INFO

# One for all connections: it compiles its hooks once, and the next connection's `initialize` takes a hundredth.
CONVERTER: Converter = default_converter()  # type: ignore[no-untyped-call]  # pygls gives it no annotation


class WaveProtocol(LanguageServerProtocol):
    """Standard LSP of one connection; what it sends goes to the connection's outbox."""

    _server: WaveServer

    def __init__(self, server: WaveServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._lost = False

    @property
    def is_shut_down(self) -> bool:
        """Whether `shutdown` was asked: only `exit` may follow."""
        return self._shutdown

    def awaits(self, request_id: object) -> bool:
        """Whether a request of pygls' own of this id waits for the client's response."""
        return request_id in self._result_types

    # What comes in

    def dispatch(self, envelope: Envelope, body: bytes) -> None:
        """Take one message of standard LSP; `body` is its clean text, structured here once, at the top level."""
        if envelope.method is UNSET:
            self._take_response(envelope, body)
            return
        method = str(envelope.method)
        try:
            message = self._structured(method, body)
        except BridgeError as fault:
            self._refuse(envelope, fault)
            return
        params = getattr(message, "params", None)
        context = contextvars.copy_context()
        if envelope.id is UNSET:
            context.run(self._handle_notification, method, params)
        else:
            request_id: Any = envelope.id  # JSON-RPC allows fractions, LSP and pygls' annotations do not
            context.run(self._handle_request, request_id, method, params)

    def _structured(self, method: str, body: bytes) -> Any:
        """Give the message as lsprotocol's type. Raises MethodNotFound, InvalidParams."""
        message_type = self.get_message_type(method)
        known = method in self.fm.builtin_features or method in self.fm.features or method == types.CANCEL_REQUEST
        if message_type is None or not known:
            raise MethodNotFound(f"no such method: {method:.200}")
        try:
            return self._converter.structure(decode_any(body), message_type)
        except Exception as fault:
            raise InvalidParams(f"{method}: {_innermost(fault)}") from fault

    def _refuse(self, envelope: Envelope, fault: BridgeError) -> None:
        if envelope.id is not UNSET:
            self._send(error_body(envelope.id, fault.to_wire()))
        elif not str(envelope.method).startswith("$/"):  # those may be ignored by whoever does not know them
            log.info("ignored a notification: %s", fault.message)

    def _take_response(self, envelope: Envelope, body: bytes) -> None:
        """Resolve a request of ours that `awaits` knows; a result that is missing is null, a malformed one an error."""
        request_id: Any = envelope.id
        response_type = self._result_types.pop(request_id)
        message = {"result": None} | decode_any(body)
        error = message.pop("error", None)
        try:
            if error is not None:
                self._handle_response(request_id, None, _response_error(error))
            elif response_type is None:
                self._handle_response(request_id, message["result"])
            else:
                self._handle_response(request_id, self._converter.structure(message, response_type).result)
        except Exception as fault:  # noqa: BLE001 - a result of the wrong shape fails the request, not the connection
            self._handle_response(request_id, None, _response_error(f"malformed result: {_innermost(fault)}"))

    def _handle_response(self, msg_id: Any, result: Any = None, error: types.ResponseError | None = None) -> None:
        """Resolve it unless its task was cancelled meanwhile, which pygls 2.1.1 answers with InvalidStateError."""
        future = self._request_futures.get(msg_id)
        if future is not None and future.done():
            del self._request_futures[msg_id]
        elif future is not None:
            super()._handle_response(msg_id, result, error)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """Cancel a request of the client; an id that is not under way is no error, and one of ours is not its."""
        if msg_id in self._request_futures and not self.awaits(msg_id):
            super()._handle_cancel_notification(msg_id)

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Callable[..., Any],
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run a handler and forget it when it has ended; pygls keeps a future of each notification for ever."""

        def ended(future: Future[Any]) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, ended, args, kwargs)

    def lost(self) -> None:
        """End what is under way: the connection is gone. pygls would let handlers run on."""
        self._lost = True
        futures, self._request_futures = list(self._request_futures.values()), {}
        self._result_types.clear()
        for future in futures:
            future.cancel()

    # What goes out

    def _send(self, body: bytes) -> None:
        if not self._lost:
            self._server.outbox.send(body)

    def _send_data(self, data: Any) -> None:
        """Encode with msgspec, into the outbox, which has a bound; pygls writes without ever draining."""
        message = self._converter.unstructure(data)
        self._send(msgspec.json.encode(message, enc_hook=self._serialize_message))

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Answer a request; an error keeps its insides to the log."""
        try:
            self._send_response(msg_id, result=future.result())
        except BaseException as fault:  # noqa: BLE001 - asyncio's and concurrent's CancelledError are told apart below
            self._send(error_body(msg_id, _wire_error(fault)))

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Log what a notification's handler raised; there is nobody to tell."""
        if not future.cancelled() and (fault := future.exception()) is not None:
            log.error("a notification failed", exc_info=fault)

    # The lifecycle

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer at once, whatever state the CLI is in."""
        result = yield from super().lsp_initialize(params)
        self._server.introduce(params, result.capabilities)
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: object) -> None:  # type: ignore[override]  # pygls takes plain functions as well
        """Take no more requests; what is under way may still be answered."""
        self._shutdown = True

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> None:  # type: ignore[override]  # pygls takes plain functions as well
        """End this connection; pygls would end the process, and with it everybody else's."""
        self._server.end()

    # Documents and commands, of editors that know nothing of `wave/*`

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Keep the document; pygls would keep it for shims as well, who need none."""
        if self._server.surface is not None:
            self._server.surface.documents.opened(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Keep the document; pygls would go through all of it."""
        if self._server.surface is not None:
            self._server.surface.documents.edited(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Let go of the document."""
        if self._server.surface is not None:
            self._server.surface.documents.closed(params)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls takes coroutines as well
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Do one of the surface's commands."""
        return await self._server.execute(params.command, list(params.arguments or []))

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Stop what is shown under the token."""
        if self._server.surface is not None:
            self._server.surface.work.stop(params.token)

    @lsp_method(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def lsp_workspace__did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        """Hand the settings on; a client that sends none wants to be asked for them."""
        workspace = self.client_capabilities.workspace
        if params.settings is not None:
            self._server.configure(params.settings)
        elif workspace is not None and workspace.configuration:
            wanted = types.ConfigurationParams([types.ConfigurationItem(section="wave")])
            self.send_request(types.WORKSPACE_CONFIGURATION, wanted).add_done_callback(self._configured)

    def _configured(self, future: Future[Any]) -> None:
        if future.cancelled() or future.exception() is not None:
            log.info("the client did not tell its settings")
        elif future.result():
            self._server.configure(future.result()[0])

    @lsp_method(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def lsp_workspace__did_change_workspace_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Keep pygls' workspace, and hand the folders on."""
        for folder in params.event.removed:
            self.workspace.remove_folder(folder.uri)
        for folder in params.event.added:
            self.workspace.add_folder(folder)
        self._server.move(list(self.workspace.folders.values()))


def _wire_error(fault: BaseException) -> dict[str, object]:
    match fault:
        case BridgeError():
            return fault.to_wire()
        case asyncio.CancelledError() | CancelledError():
            return RequestCancelled("the request was cancelled").to_wire()
        case JsonRpcException():
            return {"code": fault.code, "message": fault.message}
        case _:
            log.error("a request failed", exc_info=fault)
            return BridgeError("The bridge failed to answer; its log says why.").to_wire()


def _response_error(error: Any) -> types.ResponseError:
    """Give what a client calls an error as one, whatever it sent."""
    match error:
        case {"code": int(code), "message": str(message)}:
            return types.ResponseError(code, message, error.get("data"))
        case _:
            return types.ResponseError(types.ErrorCodes.InternalError, str(error))


def _innermost(fault: BaseException) -> str:
    """Give the first cause in words: cattrs wraps each level of a structure in a group of its own."""
    while isinstance(fault, BaseExceptionGroup):
        note = "; ".join(getattr(fault.exceptions[0], "__notes__", []))
        fault = fault.exceptions[0]
        if not isinstance(fault, BaseExceptionGroup):
            return f"{fault} ({note})" if note else str(fault)
    return str(fault)
