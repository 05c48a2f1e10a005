"""Compaction: the conversation becomes a summary and its last two rounds, in memory and behind the old ones on disk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wave_bridge.embedded.blocks import Message, new_message, prompt_of
from wave_bridge.embedded.failure import ModelFailed
from wave_bridge.embedded.models import choice as models
from wave_bridge.embedded.models.events import Text, Usage, patiently, usage_record

if TYPE_CHECKING:
    from wave_bridge.embedded.session import Session

_ROUNDS_KEPT: Final = 2
_SUMMARY: Final = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
_LIMIT_VARIABLE: Final = "WAVE_MAX_INPUT_TOKENS"
_DEFAULT_LIMIT: Final = 200_000
_QUOTED: Final = 120  # characters of each prompt in a summary of our own
_FAILED: Final = "Failed to compact conversation history: {}"


async def on_request(session: Session, instructions: str) -> None:
    """Compact because the user wants it; nothing while busy, while one runs, or where nothing was said."""
    if session.busy:
        return
    session.set_loading(loading=False)
    if session.thread.messages and not session.compacting:
        await _compact(session, instructions)


async def when_full(session: Session) -> None:
    """Compact before a turn that would not fit into the model's input."""
    limit = int(session.host.environ.get(_LIMIT_VARIABLE) or _DEFAULT_LIMIT)
    if session.tokens > limit and not session.compacting:
        await _compact(session, "")


async def _compact(session: Session, instructions: str) -> None:
    session.compacting = True
    session.emit("compactionStateChange", {"isCompacting": True})
    try:
        await _replace(session, instructions)
    except ModelFailed as failure:
        session.thread.fail(_FAILED.format(failure))
        session.save()
    finally:
        session.compacting = False
        session.emit("compactionStateChange", {"isCompacting": False})


async def _replace(session: Session, instructions: str) -> None:
    generation = session.thread.generation
    said, usage = await _summarise(session, instructions)
    if session.thread.generation != generation:
        raise ModelFailed(f"Session file not found: {session.id}. The conversation was cleared meanwhile.")
    found = _SUMMARY.search(said)
    content = f"Summary:\n{(found[1] if found else said).strip()}"
    summary = new_message("assistant", [{"type": "compact", "content": content}])
    summary["usage"] = usage_record(usage, session.models.model, "compact")
    kept = _last_rounds(session.thread.messages)
    session.save()
    session.thread.messages[:] = [summary, *kept]
    session.journal.append(session.thread.messages)
    session.journal.keep_title()
    session.emit("compactBlockAdded", {"content": content})


async def _summarise(session: Session, instructions: str) -> tuple[str, Usage]:
    messages = list(session.thread.messages)
    model = models.for_task(session, instructions, _own_summary(messages))
    said, usage = "", Usage(0, 0)
    async for event in patiently(model, [*messages, _request(instructions)]):
        if isinstance(event, Text):
            said += event.chunk
            session.emit("compactionContentUpdate", {"content": said})
        elif isinstance(event, Usage):
            usage = event
    return said, usage


def _request(instructions: str) -> Message:
    text = "Summarise this conversation inside <summary></summary>, so that the work can go on from it. "
    return new_message("user", [{"type": "text", "content": text + instructions}])


def _own_summary(messages: list[Message]) -> str:
    prompts = [" ".join(prompt_of(message).split())[:_QUOTED] for message in messages if _is_round_start(message)]
    listed = "\n".join(f"- {prompt}" for prompt in prompts if prompt)
    return (
        f"<analysis>{len(messages)} messages</analysis>\n"
        f"<summary>The user wrote {len(prompts)} messages:\n{listed}</summary>"
    )


def _last_rounds(messages: list[Message]) -> list[Message]:
    starts = [place for place, message in enumerate(messages) if _is_round_start(message)]
    return messages[starts[-_ROUNDS_KEPT] :] if len(starts) > _ROUNDS_KEPT else messages[starts[0] :] if starts else []


def _is_round_start(message: Message) -> bool:
    return message["role"] == "user" and not message.get("isMeta")
