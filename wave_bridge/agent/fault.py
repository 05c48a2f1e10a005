"""Why there is no CLI to start, in words of the table of texts, so that each editor can be told in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wave_bridge.errors import AgentUnavailable
from wave_bridge.messages import text

if TYPE_CHECKING:
    from wave_bridge.messages import Locale


class SupplyFault(AgentUnavailable):
    """The CLI can't be found, copied or run; only a person can change that. `key` is one of `messages.TEXTS`."""

    def __init__(self, key: str, *, locale: Locale = "zh-CN", **values: object) -> None:
        super().__init__(text(key, locale, **values), **values)
        self.key = key
        self.values = values

    def told(self, locale: Locale) -> str:
        """Give the sentence for a person."""
        return text(self.key, locale, **self.values)
