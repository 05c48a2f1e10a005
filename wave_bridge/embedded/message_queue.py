"""What waits until a session is free: messages, commands, and notices of background tasks."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from wave_bridge.embedded.background import Ended
    from wave_bridge.embedded.thread import Emit


class Item(NamedTuple):
    """One thing to do. `kind` is `message`, `bang` or `notification`."""

    kind: str
    content: str
    images: list[dict[str, Any]] = []  # never changed in place
    notice: Ended | None = None
    id: str = ""

    def wire(self) -> dict[str, Any]:
        """Give the item as the wire has it."""
        kind = {} if self.kind == "message" else {"type": self.kind}
        images = {"images": self.images} if self.images else {}
        return {**kind, "content": self.content, **images, "id": self.id, "editable": self.kind != "notification"}


class MessageQueue:
    """The queue of one session. Every change is announced with the whole list."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._ids = count()
        self._items: list[Item] = []

    def put(self, item: Item) -> None:
        """Add to the end."""
        self._items.append(item._replace(id=f"mq-{next(self._ids)}"))
        self.announce()

    @property
    def first(self) -> Item | None:
        """The item whose turn is next; None if nothing waits."""
        return self._items[0] if self._items else None

    def take(self) -> Item:
        """Take the first item out."""
        item = self._items.pop(0)
        self.announce()
        return item

    def edit(self, item_id: object, content: str, images: list[dict[str, Any]] | None) -> bool:
        """Replace an item's content; its kind stays. `images` None keeps the old ones. False if it is gone."""
        for position, item in enumerate(self._items):
            if item.id == item_id and item.kind != "notification":
                kept = item.images if images is None else images
                self._items[position] = item._replace(content=content, images=kept)
                self.announce()
                return True
        return False

    def delete(self, item_id: object) -> None:
        """Take an item out by its id; an unknown one is nothing."""
        self._keep([item for item in self._items if item.id != item_id])

    def delete_at(self, index: object) -> None:
        """Take an item out by its place; out of range is nothing."""
        self._keep([item for place, item in enumerate(self._items) if place != index])

    def clear(self) -> None:
        """Drop what users queued; notices stay. Always announced."""
        self._items = [item for item in self._items if item.kind == "notification"]
        self.announce()

    def announce(self) -> None:
        """Send the whole list."""
        self._emit("queuedMessagesChange", {"messages": [item.wire() for item in self._items]})

    def _keep(self, kept: list[Item]) -> None:
        if len(kept) != len(self._items):
            self._items = kept
            self.announce()
