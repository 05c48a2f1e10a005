"""Programs that are fetched at the first start rather than shipped: ripgrep, sharp (T1.5 to T1.7, TB6, TB7).

They lie in `~/.wave/cli/node_modules`, which all CLIs share; what is there is used. Fetching needs a registry that the
user has named: WAVE_NPM_REGISTRY, npm's own variable, or `registry` of ~/.npmrc. A failure is one warning; it is not
tried again before the next start.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
import shutil
import stat
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from wave_bridge.embedded.host import Host

INSTALL_SECONDS: Final = 90.0  # for all packages; serving waits for them
_MANIFEST: Final = Path(__file__).with_name("dependencies.json")
_ARCHITECTURES: Final = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64", "i686": "ia32"}
_EXE: Final = ".exe" if sys.platform == "win32" else ""


class Dependency(NamedTuple):
    """A row of the table. `binary` is the package of this platform; `proof` the file in it that makes it ready."""

    name: str
    binary: str
    proof: str


def _table() -> tuple[Dependency, ...]:
    machine = platform.machine().lower()
    here = f"{sys.platform}-{_ARCHITECTURES.get(machine, machine)}"
    return (
        Dependency("@vscode/ripgrep", f"@vscode/ripgrep-{here}", f"bin/rg{_EXE}"),
        Dependency("sharp", f"@img/sharp-{here}", "package.json"),
    )


def ripgrep(host: Host) -> Path | None:
    """Give the rg to use now: it may have come since the last look (TB4). One of the user's own serves as well."""
    program = _modules(host) / _table()[0].binary / _table()[0].proof
    if _is_executable(program):
        return program
    own = shutil.which("rg", path=host.environ.get("PATH", ""))
    return Path(own) if own else None


def provide(host: Host) -> None:
    """Fetch what is missing, once; blocking, never raises: what fails is said on stderr in one line."""
    missing = [each for each in _table() if not _is_ready(_modules(host), each)]
    address = missing and registry_address(host)
    if not address:
        return
    failed = _install(missing, address, _modules(host))
    if failed:
        sys.stderr.write(f"wave: warning: not available in this run: {'; '.join(failed)}\n")


def registry_address(host: Host) -> str:
    """Give the registry that the user has named; "" without one."""
    named = (host.environ.get(key) for key in ("WAVE_NPM_REGISTRY", "npm_config_registry", "NPM_CONFIG_REGISTRY"))
    return next(filter(None, named), "") or _from_npmrc(host.home / ".npmrc")


def _from_npmrc(path: Path) -> str:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    pairs = (line.partition("=") for line in lines)
    return next((value.strip().strip("\"'") for key, _, value in pairs if key.strip() == "registry"), "")


def _install(missing: list[Dependency], address: str, modules: Path) -> list[str]:
    """Fetch each; gives the reasons of those that failed."""
    from wave_bridge.embedded.registry import Registry, RegistryFault  # noqa: PLC0415 - a tenth of a second

    ranges: dict[str, str] = json.loads(_MANIFEST.read_text("utf-8"))["dependencies"]
    registry = Registry(address, time.monotonic() + INSTALL_SECONDS)
    failed = []
    for each in missing:
        try:
            _fetch(registry, each, ranges[each.name], modules)
        except (RegistryFault, OSError) as fault:
            failed.append(str(fault))
    registry.close()
    return failed


def _fetch(registry: Any, wanted: Dependency, span: str, modules: Path) -> None:
    """Bring both packages in place, the wrapper last; then the marker."""
    wrapper = registry.choose(wanted.name, span)
    also = wrapper.get("optionalDependencies")
    binary_span = also.get(wanted.binary, span) if isinstance(also, dict) else span
    binary = registry.choose(wanted.binary, str(binary_span))
    modules.mkdir(parents=True, exist_ok=True)
    for name, manifest in ((wanted.binary, binary), (wanted.name, wrapper)):
        draft = modules / f".wave-{secrets.token_hex(6)}"
        try:
            registry.fetch(manifest, draft)
            _put(draft, modules / name)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    marker = modules / f".wave-{wanted.name.rpartition('/')[2]}.json"
    draft = marker.with_suffix(f".{secrets.token_hex(6)}")
    draft.write_text(json.dumps({wanted.name: wrapper.get("version"), wanted.binary: binary.get("version")}))
    draft.replace(marker)


def _put(draft: Path, target: Path) -> None:
    """Rename a whole package into place. One that another process put there meanwhile is as good, and stays."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        draft.rename(target)
    except OSError:
        if not (target / "package.json").is_file():
            raise


def _is_ready(modules: Path, wanted: Dependency) -> bool:
    proof = modules / wanted.binary / wanted.proof
    whole = _is_executable(proof) if wanted.proof.startswith("bin/") else proof.is_file()
    return whole and (modules / wanted.name / "package.json").is_file()


def _is_executable(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode) and os.access(path, os.X_OK)
    except OSError:
        return False


def _modules(host: Host) -> Path:
    return host.wave / "cli" / "node_modules"
