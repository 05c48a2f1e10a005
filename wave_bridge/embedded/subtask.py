"""`/subtask <description>`: a subagent in the background, sent off by the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wave_bridge.embedded.blocks import text_block
from wave_bridge.embedded.commands import SUBTASK
from wave_bridge.embedded.tools import agent

if TYPE_CHECKING:
    from wave_bridge.embedded.session import Session

_USAGE: Final = f"Usage: /{SUBTASK} <task description>"


def is_subtask(text: str) -> bool:
    """Tell whether a message is this command."""
    return text.split(maxsplit=1)[:1] == [f"/{SUBTASK}"]


def begin(session: Session, text: str) -> None:
    """Send a subagent off; without a description an error block says how."""
    description = text.partition(SUBTASK)[2].strip()
    if not description:
        session.thread.fail(_USAGE)
        return
    agent.in_background(session, description, description, f'Subtask "{description}"')
    session.thread.say([text_block(text)])
    session.save()
