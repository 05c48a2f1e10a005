"""What both sides say of themselves in `initialize`, beside what LSP already has."""

from __future__ import annotations

from typing import Any

import msgspec
from lsprotocol import types
from pygls.uris import to_fs_path

from wave_bridge.bridge.clients import ClientInfo
from wave_bridge.core.agent_api import Wire
from wave_bridge.core.client_types import PROTOCOL_VERSION
from wave_bridge.core.limits import MAX_FRAME, MAX_OUTSTANDING
from wave_bridge.errors import InvalidParams


class ClientName(Wire, frozen=True):
    """`initializationOptions.client`."""

    name: str = ""
    version: str = ""
    id: str = ""


class Cli(Wire, frozen=True):
    """`initializationOptions.cli`: where the user says that the CLI is, where the editor brings one, what runs it.

    `runtime` is a program that runs JavaScript, or a folder of the editor's to look for Node in (docs/SUPPLY.md).
    """

    path: str | None = None
    bundled: str | None = None
    runtime: str | None = None


class InitializationOptions(Wire, frozen=True):
    """`initializationOptions`; all of it may be left out."""

    client: ClientName = ClientName()
    cli: Cli = Cli()
    settings: dict[str, Any] = {}


class Experimental(Wire, frozen=True):
    """`capabilities.experimental`; other members are other servers' business."""

    wave: dict[str, Any] = {}


class Limits(Wire, frozen=True, omit_defaults=False):
    """The bounds that a client can meet: bytes of one message, and requests that wait for an answer."""

    frame_bytes: int = MAX_FRAME
    outstanding_requests: int = MAX_OUTSTANDING


class Abilities(Wire, frozen=True, omit_defaults=False):
    """`ServerCapabilities.experimental.wave`. A method that is not named is not supported."""

    methods: list[str]
    epoch: str
    build: str
    version: int = PROTOCOL_VERSION
    limits: Limits = Limits()


def client_info(params: types.InitializeParams) -> ClientInfo:
    """Give what the client said of itself; `clientInfo` names one that brings no options. Raises InvalidParams."""
    options = _convert(params.initialization_options, InitializationOptions, "initializationOptions")
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
