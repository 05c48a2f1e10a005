"""Turns are made: of a client's parts, or of what stands in the CLI's queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wave_bridge.core import client_types as api
from wave_bridge.core.turns import Turn

if TYPE_CHECKING:
    from wave_bridge.core.session import Session


def adopt_queue(session: Session) -> None:
    """Make turns of what stands in the queue and no client of ours has sent."""
    session.turns.adopt([_turn_of(item) for item in session.queue if item.get("type") != "notification"])


def from_draft(draft: api.Draft) -> Turn:
    """Give the turn that sends a draft, under a name of its own: the one that it was sent by has ended."""
    name = f"draft:{draft.id}"
    if draft.bang:
        return Turn(id=name, method="bang", params={"command": draft.text})
    params = {"text": draft.text, "images": draft.images} if draft.images else {"text": draft.text}
    return Turn(id=name, method="sendMessage", params=params)


def _turn_of(item: dict[str, Any]) -> Turn:
    """Give a turn for a queued message that no client of ours is known to have sent."""
    name, content = f"queue:{item['id']}", item.get("content", "")
    if item.get("type") == "bang":
        return Turn(id=name, method="bang", params={"command": content}, phase="queued", queue_id=item["id"])
    params = {"text": content, "images": item["images"]} if item.get("images") else {"text": content}
    return Turn(id=name, method="sendMessage", params=params, phase="queued", queue_id=item["id"])


def build(params: api.TurnStart, text: str) -> Turn:
    """Give the turn whose message is `text`, with the images of its parts."""
    for part in params.parts:
        if isinstance(part, api.BangPart):
            return Turn(id=params.client_turn_id, method="bang", params={"command": part.command})
    images = [{"path": p.path, "mimeType": p.mime_type} for p in params.parts if isinstance(p, api.ImagePart)]
    message = {"text": text, "images": images} if images else {"text": text}
    return Turn(id=params.client_turn_id, method="sendMessage", params=message)
