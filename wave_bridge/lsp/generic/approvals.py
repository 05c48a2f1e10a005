"""Approvals as questions of the editor. One that is dismissed is not refused: it stays pending, in the document too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.core.agent_api import Decision
from wave_bridge.messages import text

if TYPE_CHECKING:
    from wave_bridge.core.client_types import Approval
    from wave_bridge.messages import Locale

DENIED = "The user denied it."


def options(approval: Approval, locale: Locale) -> dict[str, Decision]:
    """Give the answers that the user is offered, by their titles.

    A question of the model with one choice to make is answered by its options; what is more than that, in a panel.
    """
    deny = {text("chat.deny", locale): Decision(behavior="deny", message=DENIED)}
    question = _single(approval.context)
    if question is not None:
        return {label: _chosen(question["question"], label) for label in _labels(question)} | deny
    return {text("chat.allow", locale): Decision(behavior="allow"), **deny}


def asked(approval: Approval) -> str:
    """Give the model's own question, where there is one."""
    question = _single(approval.context)
    return str(question["question"]) if question else ""


def _single(context: dict[str, Any]) -> dict[str, Any] | None:
    if context.get("toolName") != "AskUserQuestion":
        return None
    given = context.get("toolInput")
    questions = given.get("questions") if isinstance(given, dict) else None
    if not isinstance(questions, list) or len(questions) != 1 or not isinstance(questions[0], dict):
        return None
    question: dict[str, Any] = questions[0]
    return question if isinstance(question.get("question"), str) and _labels(question) else None


def _labels(question: dict[str, Any]) -> list[str]:
    found = question.get("options")
    return [
        option["label"]
        for option in (found if isinstance(found, list) else [])
        if isinstance(option, dict) and isinstance(option.get("label"), str)
    ]


def _chosen(question: str, label: str) -> Decision:
    return Decision(behavior="allow", message=msgspec.json.encode({question: label}).decode())
