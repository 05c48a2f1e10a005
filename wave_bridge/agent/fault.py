"""Why there is no CLI, in words of the table of texts, so that each client can be told in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wave_bridge.errors import AgentUnavailable
from wave_bridge.messages import text

if TYPE_CHECKING:
    from wave_bridge.messages import Locale


class ToldFault(AgentUnavailable):
    """A fault with a text for people. `key` is one of `messages.TEXTS`."""

    def __init__(self, key: str, *, locale: Locale = "zh-CN", **values: object) -> None:
        super().__init__(text(key, locale, **values), **values)
        self.key = key
        self.values = values

    def told(self, locale: Locale) -> str:
        """Give the sentence for a person."""
        return text(self.key, locale, **self.values)


class SupplyFault(ToldFault):
    """The CLI can't be found, copied or run; only a person can change that."""

    def again(self) -> SupplyFault:
        """Give an equal one: errors collect tracebacks, so each request gets its own."""
        return SupplyFault(self.key, locale="zh-CN", **self.values)


class AgentLost(ToldFault):
    """The CLI ended and none is started any more: the connection is lost until somebody restarts it (T7.5).

    `data.action` is the method that does so.
    """

    def __init__(self, reason: str) -> None:
        super().__init__("agent.lost", reason=reason)
        self.data["action"] = "wave/agent/restart"
