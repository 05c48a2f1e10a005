"""What one connection's language server knows: who the client is, and what is told to it in `initialize`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from wave_bridge import __version__
from wave_bridge.bridge.clients import ClientInfo
from wave_bridge.core.client_api import METHODS
from wave_bridge.core.client_types import PROTOCOL_VERSION
from wave_bridge.core.limits import MAX_FRAME, MAX_OUTSTANDING
from wave_bridge.errors import InvalidParams
from wave_bridge.lsp.protocol import CONVERTER, WaveProtocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.core.outbox import Outbox

log = logging.getLogger(__name__)

NAME = "wave-bridge"


class ClientName(msgspec.Struct, frozen=True):
    """`initializationOptions.client`."""

    name: str = ""
    version: str = ""
    id: str = ""


class Cli(msgspec.Struct, frozen=True):
    """`initializationOptions.cli`: where the user says that the CLI is, where the editor brings one, what runs it."""

    path: str | None = None
    bundled: str | None = None
    runtime: str | None = None


class Options(msgspec.Struct, frozen=True):
    """`initializationOptions`; all of it may be left out."""

    client: ClientName = ClientName()
    cli: Cli = Cli()
    settings: dict[str, Any] = {}


class Experimental(msgspec.Struct, frozen=True):
    """`capabilities.experimental`; other members are other servers' business."""

    wave: dict[str, Any] = {}


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
        self._bridge = bridge

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log; pygls would show a pop-up."""
        log.error("%s: %s", source, error, exc_info=error)

    def introduce(self, params: types.InitializeParams, capabilities: types.ServerCapabilities) -> None:
        """Learn who the client is, and say what we can. Raises InvalidParams, which names the member."""
        self.info = client_info(params)
        capabilities.text_document_sync = types.TextDocumentSyncKind.None_
        capabilities.execute_command_provider = None
        capabilities.experimental = {"wave": self._abilities()}

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

    def _abilities(self) -> dict[str, Any]:
        return {
            "version": PROTOCOL_VERSION,
            "methods": sorted(row.name for row in METHODS if row.direction == "toBridge"),
            "limits": {"frameBytes": MAX_FRAME, "outstandingRequests": MAX_OUTSTANDING},
            "epoch": self._bridge.epoch,
            "build": self._bridge.build,
        }


def client_info(params: types.InitializeParams) -> ClientInfo:
    """Give what the client said of itself; `clientInfo` names one that brings no options. Raises InvalidParams."""
    options = _convert(params.initialization_options, Options, "initializationOptions")
    experimental = _convert(params.capabilities.experimental, Experimental, "capabilities.experimental")
    generic = params.client_info or types.ClientInfo(name="unknown")
    return ClientInfo(
        name=options.client.name or generic.name,
        version=options.client.version or generic.version or "",
        id=options.client.id,
        locale=params.locale,
        capabilities=experimental.wave,
        settings=options.settings,
        folders=_folders(params),
        cli_path=options.cli.path,
        cli_bundled=options.cli.bundled,
        runtime=options.cli.runtime,
    )


def paths(folders: list[types.WorkspaceFolder]) -> list[str]:
    """Give the folders that lie in a file system, as paths."""
    found = (to_fs_path(folder.uri) for folder in folders if folder.uri.startswith("file:"))
    return [path for path in found if path]


def _folders(params: types.InitializeParams) -> list[str]:
    """Give the workspace folders; the root counts where the client knows no folders, null where it has none."""
    if params.workspace_folders:
        return paths(list(params.workspace_folders))
    if params.root_uri:
        return paths([types.WorkspaceFolder(uri=params.root_uri, name="")])
    return [params.root_path] if params.root_path else []


def _convert(value: Any, wanted: type[Any], where: str) -> Any:
    try:
        return wanted() if value is None else msgspec.convert(value, wanted)
    except msgspec.ValidationError as fault:
        raise InvalidParams(f"initialize: {where}: {fault}") from fault
