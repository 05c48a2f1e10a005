"""The settings files, merged: user, then project, then local (later wins); and what is written back to them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from wave_bridge.embedded.host import Host

Json = dict[str, Any]


def user_file(host: Host) -> Path:
    """Give the path of the user's settings."""
    return host.wave / "settings.json"


def scope_file(host: Host, workdir: str, scope: str) -> Path:
    """Give the settings file of a scope: `user`, `project` or `local`."""
    if scope == "user":
        return user_file(host)
    return host.folder(workdir) / ".wave" / ("settings.local.json" if scope == "local" else "settings.json")


def load(host: Host, workdir: str) -> Json:
    """Give the merged settings; a file that is missing or broken counts as empty. Lists of rules are joined."""
    merged: Json = {}
    for scope in ("user", "project", "local"):
        merged = _merge(merged, read_object(scope_file(host, workdir, scope)))
    return merged


def read_object(path: Path) -> Json:
    """Give the JSON object in `path`; empty if it can't be read or is none."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def write_object(path: Path, value: Json, mode: int = 0o644) -> None:
    """Replace the JSON object in `path`, making its folders: whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.touch(mode=mode)
    draft.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", "utf-8")
    draft.replace(path)


def remember_rules(host: Host, workdir: str, rules: list[str]) -> None:
    """Add allow rules to the project's local settings, those that are there already left out."""
    path = scope_file(host, workdir, "local")
    settings = read_object(path)
    allowed = settings.setdefault("permissions", {}).setdefault("allow", [])
    allowed += [rule for rule in rules if rule not in allowed]
    write_object(path, settings)


class ModelSettings(NamedTuple):
    """Which model answers: an endpoint if URL and key are there, else the script."""

    base_url: str
    api_key: str
    model: str
    fast_model: str
    headers: Mapping[str, str]

    @property
    def remote(self) -> bool:
        """Whether an endpoint is configured."""
        return bool(self.base_url and self.api_key)


def model_settings(host: Host, settings: Json, params: Json) -> ModelSettings:
    """Choose each value: parameter, then settings, then the process's environment."""
    env: Mapping[str, str] = {**host.environ, **settings.get("env", {})}
    remote = bool(params.get("baseURL") or env.get("WAVE_BASE_URL"))
    default = "" if remote else "embedded"
    return ModelSettings(
        base_url=params.get("baseURL") or env.get("WAVE_BASE_URL", ""),
        api_key=params.get("apiKey") or env.get("WAVE_API_KEY", ""),
        model=params.get("model") or settings.get("model") or env.get("WAVE_MODEL") or default,
        fast_model=params.get("fastModel") or env.get("WAVE_FAST_MODEL") or default,
        headers={**_header_lines(env.get("WAVE_CUSTOM_HEADERS", "")), **(params.get("defaultHeaders") or {})},
    )


def _header_lines(text: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}


def _merge(base: Json, over: Json) -> Json:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = _merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            merged[key] = [*old, *(item for item in value if item not in old)]
        else:
            merged[key] = value
    return merged
