"""Which model answers a session: an endpoint where one is configured, else the script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wave_bridge.embedded.failure import ModelFailed
from wave_bridge.embedded.models import directives
from wave_bridge.embedded.models.scripted import scripted, spoken

if TYPE_CHECKING:
    from wave_bridge.embedded.models.events import Model
    from wave_bridge.embedded.session import Session

_NO_MODEL: Final = "Agent configuration requires model. Provide via constructor or WAVE_MODEL environment variable."


def for_turn(session: Session, prompt: str) -> Model:
    """Give the model for one turn on `prompt`. Raises ModelFailed if an endpoint is configured without a model."""
    return _remote(session) if session.models.remote else scripted(prompt, session.shared.faults.strike)


def for_task(session: Session, prompt: str, answer: str, reasoning: str = "") -> Model:
    """Give the model for a side task: directives in `prompt` script it; without them it says `answer`."""
    if session.models.remote:
        return _remote(session)
    if directives.parse(prompt):
        return scripted(prompt, session.shared.faults.strike)
    return spoken(answer, reasoning=reasoning)


def _remote(session: Session) -> Model:
    if not session.models.model:
        raise ModelFailed(_NO_MODEL)
    from wave_bridge.embedded.models.openai import endpoint  # noqa: PLC0415  # httpx is loaded where it is used only

    return endpoint(session.models)
