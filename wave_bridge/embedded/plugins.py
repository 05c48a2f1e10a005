"""Plugins: what the settings say of them. The embedded CLI installs none and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded import settings
from wave_bridge.embedded.failure import Refused

if TYPE_CHECKING:
    from wave_bridge.embedded.host import Host

_SCOPES: Final = ("user", "project", "local")
_NOT_HERE: Final = "The embedded CLI can't install, update or remove plugins and marketplaces"


def refuse(*_: object) -> None:
    """Refuse what needs an installation."""
    raise Refused(_NOT_HERE)


def marketplaces(host: Host) -> list[dict[str, Any]]:
    """Give the marketplaces that were made known; a bare list, as the real CLI answers."""
    known = settings.read_object(host.wave / "plugins" / "known_marketplaces.json").get("marketplaces", [])
    return [entry for entry in known if isinstance(entry, dict)] if isinstance(known, list) else []


def enabled(host: Host, workdir: str) -> dict[str, bool]:
    """Give which plugins are switched on, merged over the scopes."""
    found = settings.load(host, workdir).get("enabledPlugins", {})
    return found if isinstance(found, dict) else {}


def switch(host: Host, workdir: str, plugin: object, scope: object, *, on: bool) -> str:
    """Switch a plugin on or off in a scope's settings; give the scope."""
    scope = scope or "project"
    if not isinstance(plugin, str) or scope not in _SCOPES:
        raise Refused(f"Invalid plugin or scope: {plugin} {scope}")
    path = settings.scope_file(host, workdir, str(scope))
    kept = settings.read_object(path)
    kept.setdefault("enabledPlugins", {})[plugin] = on
    settings.write_object(path, kept)
    return str(scope)
