"""The prompts that were sent, over all sessions: one JSON line each in `history.jsonl`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded.blocks import now_ms

if TYPE_CHECKING:
    from pathlib import Path

_KEPT: Final = 1000
_TRIMMED_ABOVE: Final = 1200


def add(path: Path, prompt: str, session_id: str, workdir: str) -> None:
    """Note a prompt; blank ones are not noted."""
    if not prompt.strip():
        return
    entry = {
        "prompt": prompt,
        "timestamp": now_ms(),
        "sessionId": session_id,
        "longTextMap": {},
        "workdir": workdir,
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")
    except OSError as error:
        sys.stderr.write(f"prompt history not written: {error}\n")


def find(path: Path, workdir: str | None, query: str = "") -> list[dict[str, Any]]:
    """Give the prompts, newest first, each text once; `workdir` is compared as a string, None means all."""
    found: dict[str, dict[str, Any]] = {}
    for entry in sorted(_read(path), key=lambda entry: entry["timestamp"], reverse=True):
        fits = workdir is None or entry.get("workdir") == workdir
        if fits and query.lower() in entry["prompt"].lower():
            found.setdefault(entry["prompt"], entry)
    return list(found.values())


def trim(path: Path) -> None:
    """Keep the newest prompts once there are too many."""
    lines = _lines(path)
    if len(lines) > _TRIMMED_ABOVE:
        draft = path.with_suffix(".tmp")
        draft.write_text("\n".join(lines[-_KEPT:]) + "\n", "utf-8", errors="backslashreplace")
        draft.replace(path)


def _read(path: Path) -> list[dict[str, Any]]:
    entries = []
    for line in _lines(path):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("prompt"), str) and isinstance(entry.get("timestamp"), int):
            entries.append(entry)
    return entries


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text("utf-8", errors="replace").split("\n") if line.strip()]
    except OSError:
        return []
