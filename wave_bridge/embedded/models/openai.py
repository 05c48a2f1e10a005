"""Any OpenAI-compatible endpoint as the model: text and reasoning, streamed as server-sent events. No tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import httpx

from wave_bridge.embedded.blocks import Message, prompt_of
from wave_bridge.embedded.models.events import Event, Finish, HttpFailed, Model, Reasoning, Text, Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wave_bridge.embedded.settings import ModelSettings

_TIMEOUT: Final = httpx.Timeout(300.0, connect=10.0)
_MAX_TOKENS: Final = 32_000
_DONE: Final = "[DONE]"


def endpoint(settings: ModelSettings) -> Model:
    """Give the model behind `settings`."""
    return lambda messages: _call(settings, messages)


async def _call(settings: ModelSettings, messages: list[Message]) -> AsyncIterator[Event]:
    body = {
        "model": settings.model,
        "messages": [_spoken(message) for message in messages],
        "stream": True,
        "max_tokens": _MAX_TOKENS,
    }
    headers = {"authorization": f"Bearer {settings.api_key}", **settings.headers}
    url = f"{settings.base_url.rstrip('/')}/chat/completions"
    began = False
    try:
        async with (
            httpx.AsyncClient(timeout=_TIMEOUT) as client,
            client.stream("POST", url, json=body, headers=headers) as response,
        ):
            if response.is_error:
                text = (await response.aread()).decode(errors="replace")
                raise HttpFailed(response.status_code, text, _retry_after(response))
            async for line in response.aiter_lines():
                for event in _events(line):
                    began = True
                    yield event
    except httpx.HTTPError as error:
        if began and isinstance(error, httpx.RemoteProtocolError):
            return  # a stream that just ends counts as a complete answer
        raise HttpFailed(0, f"Connection failed: {str(error) or type(error).__name__}") from error


def _events(line: str) -> list[Event]:
    data = line.removeprefix("data:").strip()
    if not line.startswith("data:") or data == _DONE:
        return []
    try:
        chunk = json.loads(data)
    except ValueError:
        return []
    return _read(chunk) if isinstance(chunk, dict) else []


def _read(chunk: dict[str, Any]) -> list[Event]:
    events: list[Event] = []
    for choice in chunk.get("choices") or []:
        delta = choice.get("delta") or {}
        if reasoning := delta.get("reasoning_content"):
            events.append(Reasoning(reasoning))
        if content := delta.get("content"):
            events.append(Text(content))
        if reason := choice.get("finish_reason"):
            events.append(Finish(reason))
    if usage := chunk.get("usage"):
        events.append(Usage(usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)))
    return events


def _spoken(message: Message) -> dict[str, Any]:
    """Give a message as the endpoint wants it; bookkeeping blocks are left out."""
    if message["role"] == "user":
        return {"role": "user", "content": prompt_of(message) or _other_text(message)}
    return {"role": "assistant", "content": _other_text(message)}


def _other_text(message: Message) -> str:
    texts = []
    for block in message["blocks"]:
        match block.get("type"):
            case "text" | "compact":
                texts.append(block["content"])
            case "tool":
                texts.append(f"[{block['name']}] {block['parameters']}\n{block.get('result', '')}")
            case "bang":
                texts.append(f"$ {block['command']}\n{block['output']}")
            case "task_notification":
                texts.append(block["summary"])
    return "\n".join(texts)


def _retry_after(response: httpx.Response) -> float | None:
    try:
        return float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return None
