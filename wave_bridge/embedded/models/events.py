"""What a model says in one call, whichever it is: a stream of events, an error, and when to try again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from wave_bridge.embedded.blocks import Message
from wave_bridge.embedded.failure import ModelFailed

RETRIES: Final = 10
_FIRST_PAUSE: Final = 0.5  # seconds; doubles
_LONGEST_PAUSE: Final = 32.0


class Reasoning(NamedTuple):
    """A piece of the model's thinking."""

    chunk: str


class Text(NamedTuple):
    """A piece of the answer."""

    chunk: str


class ToolStart(NamedTuple):
    """A tool call begins; its arguments follow."""

    id: str
    name: str


class ToolArguments(NamedTuple):
    """A piece of the JSON text of the newest tool call's arguments."""

    chunk: str


class Usage(NamedTuple):
    """Tokens of this call."""

    prompt: int
    completion: int


class Finish(NamedTuple):
    """Why the model stopped: `stop`, `tool_calls`, `length`."""

    reason: str


Event = Reasoning | Text | ToolStart | ToolArguments | Usage | Finish
Model = Callable[[list[Message]], AsyncIterator[Event]]


class HttpFailed(ModelFailed):
    """The endpoint answered with a status that is no success, or could not be reached (status 0)."""

    def __init__(self, status: int, body: str, retry_after: float | None = None) -> None:
        super().__init__(f"HTTP {status} {_phrase(status)}: {body}" if status else body)
        self.status = status
        self.retry_after = retry_after

    @property
    def passing(self) -> bool:
        """Whether the same call may succeed later."""
        return self.status in {0, HTTPStatus.TOO_MANY_REQUESTS} or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR


async def patiently(model: Model, messages: list[Message]) -> AsyncIterator[Event]:
    """Stream a call; before its first event, failures that may pass are retried in silence, as the real CLI does."""
    for attempt in range(RETRIES + 1):
        began = False
        try:
            async for event in model(messages):
                began = True
                yield event
        except HttpFailed as failure:
            if began or not failure.passing or attempt == RETRIES:
                raise
            await asyncio.sleep(_pause(attempt, failure.retry_after))
        else:
            return


def usage_record(usage: Usage, model: str, operation: str) -> dict[str, Any]:
    """Give the `usage` member of a stored message."""
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
        "model": model,
        "operation_type": operation,
    }


def _pause(attempt: int, retry_after: float | None) -> float:
    return retry_after if retry_after is not None else min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
