"""Session files as the CLI leaves them, made byte for byte, and a home directory to put them in."""

import json
import os
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from wave_bridge.store import paths, writing

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


def at(minutes: float) -> str:
    """Give a time that many minutes after the beginning of 2026, as files have it."""
    return (EPOCH + timedelta(minutes=minutes)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def session_id(number: int) -> str:
    return str(uuid.UUID(int=number))


def line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def header(workdir="/w", minutes=0.0, branch=None) -> bytes:
    value = {"type": "metadata", "workdir": workdir, "createdAt": at(minutes)}
    return line(value | ({"gitBranch": branch} if branch else {}))


def body(name="m", text="hello", minutes=0.0, role="user", tokens=None, **more) -> dict:
    usage = {} if tokens is None else {"usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": tokens}}
    blocks = [{"type": "text", "content": text, "stage": "end"}]
    return {"timestamp": at(minutes), "id": f"msg-{name}", "role": role, "blocks": blocks, **usage, **more}


def message(*args, **members) -> bytes:
    return line(body(*args, **members))


def compaction(name="c", text="summary", minutes=0.0) -> dict:
    return body(name, minutes=minutes, role="assistant") | {"blocks": [{"type": "compact", "content": text}]}


def title(text: str, number=1) -> bytes:
    return line({"type": "custom-title", "customTitle": text, "sessionId": session_id(number)})


def put(base: Path, workdir: str, number: int, data: bytes, *, mtime: str | None = None) -> Path:
    """Put a session file where the CLI would; `mtime` is an ISO time."""
    path = paths.session_file(base, workdir, session_id(number))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if mtime is not None:
        seconds = datetime.fromisoformat(mtime).timestamp()
        os.utime(path, (seconds, seconds))
    return path


def begin(base: Path, number=1, workdir="/w", branch="main") -> writing.Transcript:
    path = paths.session_file(base, workdir, session_id(number))
    return writing.Transcript(path, writing.header(workdir, EPOCH, branch))
