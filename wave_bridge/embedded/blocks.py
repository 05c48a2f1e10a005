"""Messages and their blocks: plain JSON objects, as they go over the wire and into the session file."""

from __future__ import annotations

from datetime import UTC, datetime
from time import time
from typing import Any, Final
from uuid import uuid4

Block = dict[str, Any]
Message = dict[str, Any]

ABORTED: Final = "Request was aborted"


def now_iso() -> str:
    """Give the time as ISO 8601 with milliseconds and Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now_ms() -> int:
    """Give the time in milliseconds since the epoch."""
    return int(time() * 1000)


def new_message(role: str, blocks: list[Block], *, meta: bool = False) -> Message:
    """Give a message with a fresh id. `meta` messages are for the model, not for display."""
    message: Message = {"id": f"msg-{uuid4()}", "role": role, "blocks": blocks, "timestamp": now_iso()}
    if meta:
        message["isMeta"] = True
    return message


def text_block(content: str, **more: object) -> Block:
    """Give a finished text block."""
    return {"type": "text", "content": content, "stage": "end", **more}


def tool_block(tool_id: str, name: str) -> Block:
    """Give a tool block whose parameters are still to come."""
    return {"type": "tool", "parameters": "", "result": "", "id": tool_id, "name": name, "stage": "start"}


def first_text(message: Message) -> str:
    """Give the content of the first text block, or an empty string."""
    return next((str(block["content"]) for block in message["blocks"] if block.get("type") == "text"), "")


def prompt_of(message: Message) -> str:
    """Give what the model reads of a user message: a custom command's expansion instead of its name."""
    for block in message["blocks"]:
        if block.get("type") == "text":
            return str(block.get("customCommandContent") or block["content"])
    return ""


def is_block_of(message: Message, *types: str) -> bool:
    """Tell whether the message has a block of one of these types."""
    return any(block.get("type") in types for block in message["blocks"])
