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
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|task_\d+_\d+")
_PLAN = re.compile(r"/[^\s\"<>]*/\.wave/plans/[a-z-]+\.md")
_RECORDED_PLAN = "/home/user/.wave/plans/long-swift-owl.md"
_DELAY = re.compile(r'(\\"delay\\": )[0-9.]+')


class Player:
    """One recording on one CLI. `replaced` maps texts of the recording (folders, durations, ids)
    to those of this run; it learns."""

    def __init__(
        self, cli: Cli, replaced: dict[str, str], ignored: tuple[str, ...] = (), skipped: tuple[str, ...] = ()
    ) -> None:
        self._ignored = ignored  # members that are not compared
        self._skipped = skipped  # notifications whose place is a matter of chance
        self._cli = cli
        self._replaced = replaced
        self._next = 0

    async def play(self, name: str, until: str | None = None) -> None:
        """Play a recording to its end, or to the driver's note `until`."""
        entries = [json.loads(line) for line in (RECORDINGS / name).read_text("utf-8").splitlines()]
        for place, entry in enumerate(entries):
            if until and entry.get("raw") == until:
                return
            match entry["dir"]:
                case ">":
                    self._send(entry, _pauses(entries, place))
                case "<":
                    recorded = entry["json"] if "json" in entry else entry["raw"]
                    await self._expect(json.loads(self._of_this_run(json.dumps(recorded))))
                case "#" if entry["raw"] == "stdin closed":
                    self._cli.process.stdin.close()
                case "#" if entry["raw"] == "SIGKILL sent":
                    await self._cli.kill()
                case "#" if entry["raw"].startswith("exit code"):
                    assert await self._cli.ended() == int(entry["raw"].split()[-1])

    def _send(self, entry: dict[str, Any], pauses: tuple[float, float]) -> None:
        text = self._of_this_run(json.dumps(entry["json"]) if "json" in entry else entry["raw"])
        first, delay = pauses
        text = _DELAY.sub(rf"\g<1>{delay}", text).replace('[[{\\"', f'[[{{\\"first\\": {first}, \\"')
        self._cli.write(text.encode() + b"\n")

    def _of_this_run(self, text: str) -> str:
        for old, new in self._replaced.items():
            text = text.replace(old, new)
        return text

    async def _expect(self, recorded: Any) -> None:
        if isinstance(recorded, dict) and recorded.get("method") in self._skipped:
            return
        actual = await self._following(streaming=_is_streaming(recorded))
        if _is_streaming(recorded) and actual is None:
            return
        assert shape(actual, self._ignored) == shape(recorded, self._ignored), (
            f"\nrecorded {json.dumps(recorded)[:400]}\nactual {json.dumps(actual)[:400]}"
        )
        self._learn(json.dumps(recorded), json.dumps(actual))

    async def _following(self, *, streaming: bool) -> Any:
        """Give the next line; of a run of deltas the first one is given, None for the rest of the run."""
        if streaming and self._next and _is_streaming(self._cli.log[self._next - 1]):
            return None
        while True:
            line = await self._cli.wait(lambda _: True, since=self._next)
            repeats = _is_streaming(line) and self._next and _is_streaming(self._cli.log[self._next - 1])
            self._next += 1
            if not repeats and not (isinstance(line, dict) and line.get("method") in self._skipped):
                return line

    def _learn(self, recorded: str, actual: str) -> None:
        for old, new in zip(_UUID.findall(recorded), _UUID.findall(actual), strict=False):
            self._replaced.setdefault(old, new)
        if plan := _PLAN.search(actual):
            self._replaced.setdefault(_RECORDED_PLAN, plan[0])


def _pauses(entries: list[dict[str, Any]], place: int) -> tuple[float, float]:
    """Give the model's pauses before its first token and between tokens: long only where the client acts in between."""
    request = entries[place].get("json")
    following = entries[place + 1 :]
    if not isinstance(request, dict) or request.get("method") != "sendMessage":
        return 0, 0
    answered = next((n for n, line in enumerate(following) if _answers(line, request["id"])), len(following))
    acts = [n for n, line in enumerate(following[:answered]) if line["dir"] == ">" or line.get("raw") == "stdin closed"]
    if not acts and not any(line["dir"] == "#" for line in following[:answered]):
        return 0, 0
    replied = next((n for n, line in enumerate(following) if _is_reply(line)), len(following))
    return (0.5 if acts and acts[0] < replied else 0), 0.15


def _answers(line: dict[str, Any], request_id: object) -> bool:
    message = line.get("json")
    return line["dir"] == "<" and isinstance(message, dict) and message.get("id") == request_id


def _is_reply(line: dict[str, Any]) -> bool:
    return isinstance(line.get("json"), dict) and line["json"].get("method") == "assistantMessageAdded"


def _is_streaming(line: Any) -> bool:
    """Tell whether a line is one of many alike: a delta, or an update of a running tool."""
    if not isinstance(line, dict) or not isinstance(params := line.get("params"), dict):
        return False
    if line["method"] == "backgroundTasksChange":
        return True
    return params.get("stage") == "streaming" or (params.get("stage") == "running" and "parameters" not in params)


def shape(line: Any, ignored: tuple[str, ...] = ()) -> Any:
    """Give what must be equal of a line: its kind, whether it belongs to a session, and the facts that it tells."""
    if not isinstance(line, dict):
        return _UUID.sub("ID", line)
    if "method" not in line:
        answer = line.get("result", line.get("error"))
        return ("answer", line["id"], "error" in line, _facts(answer) if "error" in line else sorted(answer or {}))
    return (line["method"], "sessionId" in line, _facts(line["params"], ignored))


def _facts(params: dict[str, Any], ignored: tuple[str, ...] = ()) -> dict[str, Any]:
    """Leave out what differs from run to run: ids, times, folders, and the model's and the tools' words."""
    told = {key: params[key] for key in _TOLD if key in params and key not in ignored}
    if told.get("name") in _SIDE_BY_SIDE:
        told["name"] = "one of those that run side by side"
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
_SIDE_BY_SIDE = ("Read", "Glob")
_ASKED = ("toolName", "permissionMode", "toolCallId", "hidePersistentOption", "suggestedPrefix", "planContent")
