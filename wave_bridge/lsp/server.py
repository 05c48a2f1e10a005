"""One connection's language server: what pygls needs to have, and what changes in the client are kept."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from wave_bridge import __version__
from wave_bridge.bridge.clients import Client
from wave_bridge.core.client_api import METHODS
from wave_bridge.errors import MethodNotFound
from wave_bridge.lsp.generic import features
from wave_bridge.lsp.generic.client import GenericClient
from wave_bridge.lsp.generic.commands import execute
from wave_bridge.lsp.generic.editor import Can, Editor
from wave_bridge.lsp.generic.surface import Surface
from wave_bridge.lsp.hello import Abilities, client_info, paths
from wave_bridge.lsp.protocol import CONVERTER, WaveProtocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import ClientInfo
    from wave_bridge.core.outbox import Outbox

log = logging.getLogger(__name__)

NAME = "wave-bridge"


class WaveServer(LanguageServer):
    """One connection's pygls server: two clients on one would get each other's answers."""

    protocol: WaveProtocol

    def __init__(self, outbox: Outbox, bridge: Bridge, end: Callable[[], None]) -> None:
        super().__init__(
            NAME,
            __version__,
            text_document_sync_kind=types.TextDocumentSyncKind.None_,
            protocol_cls=WaveProtocol,
            converter_factory=lambda: CONVERTER,
        )
        self.outbox = outbox
        self.end = end
        self.info: ClientInfo | None = None  # once `initialize` was understood …
        self.client: Client | None = None  # … and once it was answered
        self.surface: Surface | None = None  # of an editor that knows nothing of ours
        self._can: Can | None = None
        self._bridge = bridge

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log; pygls would show a pop-up."""
        log.error("%s: %s", source, error, exc_info=error)

    def introduce(self, params: types.InitializeParams, capabilities: types.ServerCapabilities) -> None:
        """Learn who the client is, and say what we can. Raises InvalidParams, which names the member."""
        self.info = client_info(params)
        capabilities.text_document_sync = types.TextDocumentSyncKind.None_
        capabilities.execute_command_provider = None
        if not self.info.capabilities:
            self._can = Can(params.capabilities)
            features.offer(capabilities, self._can)
        capabilities.experimental = {"wave": self._abilities()}

    def introduced(self, info: ClientInfo) -> Client:
        """Give the client for the bridge: one that knows nothing of `wave/*` is served by standard LSP."""
        if self._can is None:
            return Client(self.outbox, info)
        client = GenericClient(self.outbox, info)
        client.listener = self.surface = Surface(self._bridge, client, Editor(client, self._can))
        self.surface.documents.encoding = self.workspace.position_encoding or "utf-16"
        register(self, self.surface, self._can)
        return client

    async def execute(self, command: str, arguments: list[Any]) -> Any:
        """Do a command of `workspace/executeCommand`. A shim has methods instead. Raises BridgeError."""
        if self.surface is None:
            raise MethodNotFound(f"no such command: {command:.200}")
        return await execute(self.surface, command, arguments)

    def configure(self, settings: Any) -> None:
        """Take new settings: all of the client's, or our section of them."""
        ours = settings.get("wave", settings) if isinstance(settings, dict) else None
        if isinstance(ours, dict) and self.client is not None:
            self.client.info = msgspec.structs.replace(self.client.info, settings=ours)
        else:
            log.info("ignored settings that are no object")

    def move(self, folders: list[types.WorkspaceFolder]) -> None:
        """Take the workspace folders as they are now."""
        if self.client is not None:
            self.client.info = msgspec.structs.replace(self.client.info, folders=paths(folders))

    def _abilities(self) -> Any:
        methods = sorted(row.name for row in METHODS if row.direction == "toBridge")
        return msgspec.to_builtins(Abilities(methods=methods, epoch=self._bridge.epoch, build=self._bridge.build))


def register(server: WaveServer, surface: Surface, can: Can) -> None:
    """Let a generic editor's requests reach its surface."""

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    def actions(params: types.CodeActionParams) -> list[Any]:
        return features.actions(surface, params, can)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        return features.lenses(surface, params)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION)
    async def complete(params: types.CompletionParams) -> types.CompletionList:
        return await features.complete(surface, params)
