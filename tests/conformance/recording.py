"""Plays a recording of the real CLI against another CLI: sends what the client sent, expects what the CLI said.

In lockstep: each line of output must have the shape of the recorded one, in the same order. Session and message ids
are learned by comparing. Streaming deltas may be cut differently, so a run of them counts as one.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cli_client import Cli

RECORDINGS = Path(__file__).parents[1] / "data" / "wire"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DELAY = re.compile(r'(\\"delay\\": )[0-9.]+')


class Player:
    """One recording on one CLI. `replaced` maps texts of the recording (folders, durations) to those of this run."""

    def __init__(self, cli: Cli, replaced: dict[str, str]) -> None:
        self._cli = cli
        self._replaced = dict(replaced)
        self._next = 0

    async def play(self, name: str, *, first: int = 0, last: int | None = None) -> None:
        """Play the lines of a recording, from the `first` to before the `last`."""
        lines = (RECORDINGS / name).read_text("utf-8").splitlines()
        for line in lines[first:last]:
            entry = json.loads(line)
            match entry["dir"]:
                case ">":
                    self._send(entry)
                case "<":
                    await self._expect(entry.get("json", entry.get("raw")))
                case "#" if entry["raw"] == "stdin closed":
                    self._cli.process.stdin.close()
                case "#" if entry["raw"].startswith("exit code"):
                    assert await self._cli.ended() == int(entry["raw"].split()[-1])

    def _send(self, entry: dict[str, Any]) -> None:
        text = json.dumps(entry["json"]) if "json" in entry else entry["raw"]
        for old, new in self._replaced.items():
            text = text.replace(old, new)
        self._cli.write(_DELAY.sub(r"\g<1>0.01", text).encode() + b"\n")

    async def _expect(self, recorded: Any) -> None:
        actual = await self._following(streaming=_is_streaming(recorded))
        if _is_streaming(recorded) and actual is None:
            return
        assert shape(actual) == shape(recorded), f"recorded: {json.dumps(recorded)[:500]}"
        self._learn(json.dumps(recorded), json.dumps(actual))

    async def _following(self, *, streaming: bool) -> Any:
        """Give the next line; of a run of deltas the first one is given, None for the rest of the run."""
        if streaming and self._next and _is_streaming(self._cli.log[self._next - 1]):
            return None
        while True:
            line = await self._cli.wait(lambda _: True, since=self._next)
            repeats = _is_streaming(line) and self._next and _is_streaming(self._cli.log[self._next - 1])
            self._next += 1
            if not repeats:
                return line

    def _learn(self, recorded: str, actual: str) -> None:
        for old, new in zip(_UUID.findall(recorded), _UUID.findall(actual), strict=False):
            self._replaced.setdefault(old, new)


def _is_streaming(line: Any) -> bool:
    return isinstance(line, dict) and line.get("params", {}).get("stage") == "streaming"


def shape(line: Any) -> Any:
    """Give what must be equal of a line: its kind, whether it belongs to a session, and the facts that it tells."""
    if not isinstance(line, dict):
        return _UUID.sub("ID", line)
    if "method" not in line:
        answer = line.get("result", line.get("error"))
        return ("answer", line["id"], "error" in line, _facts(answer) if "error" in line else sorted(answer or {}))
    return (line["method"], "sessionId" in line, _facts(line["params"]))


def _facts(params: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs from run to run: ids, times, folders, and the model's and the tools' words."""
    told = {key: params[key] for key in _TOLD if key in params}
    for key in ("messages", "tasks", "servers"):
        if key in params:
            told[key] = len(params[key])
    if "message" in params and isinstance(params["message"], dict):
        message = params["message"]
        told["message"] = (message["role"], [block["type"] for block in message["blocks"]], message.get("isMeta"))
    if "message" in params and isinstance(params["message"], str):
        told["message"] = _UUID.sub("ID", params["message"])
    if "context" in params:
        told["context"] = {key: params["context"][key] for key in _ASKED if key in params["context"]}
    return told


_TOLD = (
    "stage",
    "loading",
    "latestTotalTokens",
    "running",
    "isCompacting",
    "mode",
    "error",
    "success",
    "name",
    "exitCode",
    "command",
    "code",
    "requestId",
    "status",
    "taskType",
)
_ASKED = ("toolName", "permissionMode", "toolCallId", "hidePersistentOption", "suggestedPrefix", "planContent")
