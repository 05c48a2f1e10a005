"""Write what is derived from the protocol table, or compare it (`--check`): `scripts/generate [--check] [part …]`.

Parts: page (docs/PROTOCOL.md), golden (tests/data/golden), java, typescript (needs Node and npm).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import golden
import java
import page
import typescript

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = "docs/PROTOCOL.md"
JAVA = f"editors/jetbrains-shim/core/src/main/java/{java.PACKAGE.replace('.', '/')}/BridgeApi.java"
TYPESCRIPT = "editors/vscode-shim/src/generated/api.ts"

PARTS: dict[str, Callable[[], dict[str, str]]] = {
    "page": lambda: {PAGE: page.page()},
    "golden": lambda: {f"{golden.FOLDER}/{name}": text for name, text in golden.files().items()},
    "java": lambda: {JAVA: java.types()},
    "typescript": lambda: {TYPESCRIPT: typescript.types()},
}


def main(arguments: list[str]) -> int:
    """Write or compare; the exit code is 1 when `--check` finds a difference."""
    parser = argparse.ArgumentParser(prog="scripts/generate", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit with 1 when something is out of date"
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=f"one of {', '.join(PARTS)}; without any: all")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    wanted = {name: text for part in asked.parts or PARTS for name, text in PARTS[part]().items()}
    stale = [name for name, text in wanted.items() if _read(ROOT / name) != text]
    extra = _extra(wanted) if not asked.parts or "golden" in asked.parts else []
    return (_compare if asked.check else _write)(wanted, stale, extra)


def _write(wanted: dict[str, str], stale: list[str], extra: list[str]) -> int:
    for name in stale:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(wanted[name], "utf-8", newline="\n")
    for name in extra:
        (ROOT / name).unlink()
    print("\n".join([*(f"wrote {name}" for name in stale), *(f"removed {name}" for name in extra)]) or "all up to date")
    return 0


def _compare(_: dict[str, str], stale: list[str], extra: list[str]) -> int:
    faults = [*(f"out of date: {name}" for name in stale), *(f"of no message: {name}" for name in extra)]
    print("\n".join([*faults, "Run scripts/generate and look at what changes."]) if faults else "all up to date")
    return 1 if faults else 0


def _extra(wanted: dict[str, str]) -> list[str]:
    there = (path.relative_to(ROOT).as_posix() for path in (ROOT / golden.FOLDER).rglob("*") if path.is_file())
    return sorted(name for name in there if name not in wanted)


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
