"""The scripted model: it says what the directives of the prompt say, one directive a call, with their delays.

Without directives it gives a short answer of its own. Always the same for the same input.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from wave_bridge.embedded.blocks import Message, is_block_of
from wave_bridge.embedded.models import directives
from wave_bridge.embedded.models.directives import Directive, ToolDirective, pieces
from wave_bridge.embedded.models.events import (
    Event,
    Finish,
    HttpFailed,
    Model,
    Reasoning,
    Text,
    ToolArguments,
    ToolStart,
    Usage,
)

_OWN_DELAY: Final = 0.01  # seconds between the pieces of an answer that no directive asked for
_OWN_PIECE: Final = 12  # characters of such a piece
_CHARACTERS_A_TOKEN: Final = 4
_QUOTED: Final = 200  # characters of the user's text that an answer repeats

Fault = Callable[[Directive], Awaitable[None]]


def scripted(prompt: str, fault: Fault) -> Model:
    """Give a model for one turn on `prompt`. `fault` carries out the directives that harm the process."""
    script = directives.parse(prompt)
    steps = iter(script)

    def call(messages: list[Message]) -> AsyncIterator[Event]:
        if not script:
            return _stream(_own_answer(prompt, messages), fault)
        return _from(next(steps, {"text": "Done."}), fault)

    return call


def spoken(text: str, *, reasoning: str = "", delay: float = _OWN_DELAY) -> Model:
    """Give a model that says one thing."""
    directive = Directive(text=text, reasoning=reasoning, chunks=4, delay=delay)

    async def nothing(_: Directive) -> None: ...

    return lambda _: _stream(directive, nothing)


async def _from(raw: directives.Raw, fault: Fault) -> AsyncIterator[Event]:
    async for event in _stream(directives.checked(raw), fault):
        yield event


async def _stream(directive: Directive, fault: Fault) -> AsyncIterator[Event]:
    await asyncio.sleep(directive.first)
    if directive.status is not None:
        raise HttpFailed(directive.status, _body(directive.body), directive.retry_after)
    said = _said(directive)
    strike = None if directive.fault is None else len(said) if directive.after is None else directive.after
    for number, event in enumerate(said[: -(-len(said) // 2)] if directive.drop else said):
        if number == strike:
            await fault(directive)
        yield event
        if not isinstance(event, ToolStart):
            await asyncio.sleep(directive.delay)
    if strike is not None and strike >= len(said):
        await fault(directive)
    if not directive.drop:
        yield Usage(directive.prompt_tokens, directive.completion_tokens)
        yield Finish(directive.finish or ("tool_calls" if _tools(directive) else "stop"))


def _said(directive: Directive) -> list[Event]:
    events: list[Event] = [Reasoning(piece) for piece in pieces(directive.reasoning, directive.chunks)]
    events += [Text(piece) for piece in pieces(directive.text, directive.chunks)]
    for number, tool in enumerate(_tools(directive), 1):
        arguments = json.dumps(tool.args, ensure_ascii=False) if tool.raw is None else tool.raw
        events.append(ToolStart(tool.id or f"call_{number}", tool.name))
        events += [ToolArguments(piece) for piece in pieces(arguments, directive.chunks)]
    return events


def _tools(directive: Directive) -> list[ToolDirective]:
    return [*([directive.tool] if directive.tool else []), *directive.tools]


def _body(body: object) -> str:
    return body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)


def _own_answer(prompt: str, messages: list[Message]) -> Directive:
    if messages and is_block_of(messages[-1], "task_notification"):
        return Directive(text=f"Noted: {messages[-1]['blocks'][0]['summary']}.", delay=_OWN_DELAY)
    text = _own_text(prompt)
    return Directive(
        text=text,
        chunks=-(-len(text) // _OWN_PIECE),
        delay=_OWN_DELAY,
        prompt_tokens=sum(len(str(message["blocks"])) for message in messages) // _CHARACTERS_A_TOKEN,
        completion_tokens=len(text) // _CHARACTERS_A_TOKEN,
    )


def _own_text(prompt: str) -> str:
    said = " ".join(prompt.split())
    if not said:
        return "Your message was empty."
    quoted = said if len(said) <= _QUOTED else said[:_QUOTED] + "…"
    return (
        "This is the embedded Wave CLI; it has no language model of its own. "
        f"You wrote: “{quoted}” ({len(said.split())} words). "
        "Set WAVE_BASE_URL, WAVE_API_KEY and WAVE_MODEL to talk to a real model, "
        "or `!command` to run a shell command here."
    )
