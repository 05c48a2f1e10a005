"""What an editor's introduction and settings say about the CLI that it wants."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.agent.wanted import CliWanted
from wave_bridge.messages import choose_locale

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from wave_bridge.bridge.clients import ClientInfo

log = logging.getLogger(__name__)


class CliSettings(msgspec.Struct, frozen=True, rename="camel"):
    """The part `cli` of an editor's settings. `path` counts before the one in `initialize`, which can't change."""

    path: str | None = None
    node: str | None = None
    environment: dict[str, str | None] = {}
    login_shell: bool = True


class NetworkSettings(msgspec.Struct, frozen=True, rename="camel"):
    """The part `network`: what the editor knows about the way out, for a CLI that does not see its settings."""

    proxy: str | None = None
    no_proxy: str | None = None
    ca_file: str | None = None


def wishes(info: ClientInfo, surroundings: Mapping[str, str], home: Path) -> CliWanted:
    """Give what the editor wants; `surroundings` is the daemon's environment, the editor's own counts before it."""
    cli = _part(info, "cli", CliSettings)
    network = _part(info, "network", NetworkSettings)
    explicit: dict[str, str | None] = {**dict(_network(network)), **cli.environment}
    environment = {**surroundings, **info.environment} if info.environment else surroundings
    return CliWanted(
        home=home,
        editor=info.id or info.name,
        setting=cli.path or info.cli_path or None,
        variable=environment.get("WAVE_CLI_PATH") or None,
        bundled=info.cli_bundled or None,
        runtime=info.runtime or None,
        path=environment.get("PATH", ""),
        node=cli.node or None,
        explicit=tuple(sorted((name, value) for name, value in explicit.items() if _is_variable(name, value))),
        login_shell=cli.login_shell,
        locale=choose_locale(info.locale),
    )


def _network(settings: NetworkSettings) -> Iterator[tuple[str, str]]:
    """Give the variables by which Node, Python and the usual tools know a proxy and an authority of their own."""
    if settings.proxy:
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            yield from ((name, settings.proxy), (name.lower(), settings.proxy))
        yield "NODE_USE_ENV_PROXY", "1"
    if settings.no_proxy:
        yield from (("NO_PROXY", settings.no_proxy), ("no_proxy", settings.no_proxy))
    if settings.ca_file:
        yield "NODE_EXTRA_CA_CERTS", settings.ca_file


def _is_variable(name: str, value: str | None) -> bool:
    """Say whether a system takes it; one that it does not would keep the CLI from starting at all."""
    good = bool(name) and "=" not in name and "\0" not in f"{name}{value}"
    if not good:
        log.warning("settings.cli.environment: %r is no variable", name)
    return good


def _part(info: ClientInfo, name: str, kind: type[Any]) -> Any:
    """Give a part of the settings; what does not fit counts as left out, and the log says so without its values."""
    try:
        return msgspec.convert(info.settings.get(name) or {}, kind)
    except msgspec.ValidationError as fault:
        log.warning("settings.%s: %s", name, fault)
        return kind()
