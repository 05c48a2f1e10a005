"""One example of each message, every member present: tests/data/golden, which all suites decode.

Made from the schema and not by the Structs that are tested with them, so what differs is a finding.
"""

from __future__ import annotations

import json
from typing import Any

import schema

from wave_bridge.core.client_api import METHODS, Method

FOLDER = "tests/data/golden"
SESSION = "0f7b2c64-9d1e-4a35-8c2b-5e6f70819a2b"
CLI_EVENT = {
    "method": "assistantContentUpdated",
    "params": {"messageId": "m-2", "chunk": "Good morning, 世界 😀", "stage": "streaming"},
    "sessionId": SESSION,
}
PANEL_MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "wave/queue/list", "params": {"sessionId": SESSION}}

# A member's name says what it holds, wherever it is.
STRINGS = {
    "sessionId": SESSION,
    "epoch": "3fa9c1d2.1-4",
    "workdir": "/home/ada/project",
    "cwd": "/home/ada/project",
    "path": "/home/ada/project/src/main.py",
    "repoRoot": "/home/ada/project",
    "requestId": "3fa9c1d2.1-4/7",
    "clientTurnId": "turn-1",
    "turnStarted": "turn-1",
    "queueId": "q-1",
    "messageId": "m-2",
    "panelId": "panel-1",
    "text": "Say hello, 世界 😀\n",
    "title": "Greeting the world",
    "url": "https://example.org/sign-in?code=1",
    "permissionMode": "plan",
    "pluginId": "formatter@example",
    "mimeType": "image/png",
    "contentBase64": "aGVsbG8=",
}
VALUES: dict[str, Any] = {
    "event": CLI_EVENT,
    "message": PANEL_MESSAGE,
    "context": {"toolName": "Bash", "toolInput": {"command": "ls -l"}},
    "retryAt": 1796083200.5,
}
PASSED = {"the CLI's own": ["value", 1, None]}


def files() -> dict[str, str]:
    """Give the files' texts by their names below FOLDER."""
    shapes = schema.definitions()
    found: dict[str, str] = {}
    for row in METHODS:
        found[name(row, "params")] = _text(_struct(shapes, row.params.__name__))
        if row.kind == "request":
            own = schema.is_struct(row.result)
            found[name(row, "result")] = _text(_struct(shapes, row.result.__name__) if own else PASSED)
    return found


def name(row: Method, part: str) -> str:
    """Give the file of a row's params or result: `toBridge/session.new.params.json`."""
    return f"{row.direction}/{row.name.removeprefix('wave/').replace('/', '.')}.{part}.json"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _struct(shapes: dict[str, schema.Schema], struct: str) -> Any:
    return {key: _example(shapes, key, member) for key, member in shapes[struct]["properties"].items()}


def _example(shapes: dict[str, schema.Schema], key: str, member: schema.Schema) -> Any:
    if key in VALUES and member.get("type") != "string":
        return VALUES[key]
    match member:
        case {"$ref": target}:
            return _struct(shapes, str(target).removeprefix(schema.REF))
        case {"enum": [first, *_]}:
            return first
        case {"type": "array", "items": {"anyOf": options}}:
            return [_example(shapes, key, option) for option in options]
        case {"type": "array", "items": items}:
            return [_example(shapes, key, items)]
        case {"anyOf": [first, *_]}:
            return _example(shapes, key, first)
        case {"type": "object", "additionalProperties": dict(values)}:
            return {"name": _example(shapes, "name", values)}
        case {"type": "object"}:
            return PASSED
        case {"type": "string"}:
            return STRINGS.get(key, f"a {key}")
        case {"type": "boolean"}:
            return True
        case {"type": "integer"}:
            return 7
        case {"type": "number"}:
            return 0.5
        case _:
            return [PASSED]
