"""A question on the side (`askBtw`): answered from the conversation and stored nowhere.

Each event holds the text so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wave_bridge.embedded.blocks import new_message, text_block
from wave_bridge.embedded.models import choice as models
from wave_bridge.embedded.models import directives
from wave_bridge.embedded.models.events import Reasoning, Text, patiently

if TYPE_CHECKING:
    from wave_bridge.embedded.session import Session

_OWN_THOUGHT: Final = "A question on the side."


async def ask(session: Session, question: str) -> str:
    """Give the answer; what comes meanwhile goes out as btwContent, accumulated by type."""
    own = f"You asked “{directives.without(question)}”. The embedded CLI has no model that knows."
    model = models.for_task(session, question, own, _OWN_THOUGHT)
    said = {"thinking": "", "content": ""}
    asked = new_message("user", [text_block(question)])
    async for event in patiently(model, [*session.thread.messages, asked]):
        match event:
            case Reasoning(chunk):
                kind = "thinking"
            case Text(chunk):
                kind = "content"
            case _:
                continue
        said[kind] += chunk
        session.emit("btwContent", {"question": question, "content": said[kind], "type": kind})
    return said["content"]
