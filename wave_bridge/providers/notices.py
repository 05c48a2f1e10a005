"""The words around mentioned content: titles, notices, reasons. A block's first line is its title with its notices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wave_bridge.core.agent_api import Wire
from wave_bridge.messages import TEXTS, text
from wave_bridge.providers.blocks import Block
from wave_bridge.providers.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wave_bridge.messages import Locale
    from wave_bridge.providers.blocks import Kind

REASON: Final = "mention.reason."  # the keys of the reasons that have a text of ours


class Unavailable(Wire, frozen=True, tag_field="source", tag="unavailable"):
    """The editor has nothing to give. `reason` is a key (noTerminal, timeout, …: docs/PROTOCOL.md) or a text."""

    reason: str = ""


def unavailable_block(kind: Kind, reason: str, locale: Locale) -> Block:
    """Give the one line that stands for content that can't be had (M1.5, M2.3, M2.5). Never empty, never raises."""
    key = REASON + reason
    why = text(key, locale) if key in TEXTS else one_line(reason)
    return Block(kind, unavailable_line(kind, why or text(REASON + "unknown", locale), locale), unavailable=True)


def unavailable_line(kind: Kind, why: str, locale: Locale) -> str:
    """Give the title line that says so."""
    return text("mention.unavailable", locale, title=text(f"{kind}.title", locale), reason=why)


def counted(key: str, count: int, locale: Locale) -> str:
    """Give a count with its noun: `1 error`, `2 errors`, `2 个错误`."""
    return text(f"{key}.one" if count == 1 else key, locale, count=count)


def title_line(kind: Kind, notices: Sequence[str], locale: Locale) -> str:
    """Give the title, the notices behind it in brackets if there are any (S5)."""
    title = text(f"{kind}.title", locale)
    return f"{title} [{text('terminal.between', locale).join(notices)}]" if notices else title
