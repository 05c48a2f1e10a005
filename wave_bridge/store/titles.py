"""Titles of sessions: what a user may give, which one holds, what is shown."""

from __future__ import annotations

import unicodedata

from wave_bridge.messages import Locale, text
from wave_bridge.store.entries import CustomTitle, parse_line
from wave_bridge.store.limits import LABEL, TITLE
from wave_bridge.store.lines import backwards_with

_MARK = b'"custom-title"'


def accepted(title: str) -> str | None:
    """Give the title as it is stored: trimmed, cut to 200 characters (SB16); None for a blank one (S12.7)."""
    return title.strip().strip("\ufeff").strip()[:TITLE].rstrip() or None


def label(custom_title: str | None, first_message: str | None, locale: Locale = "zh-CN") -> str:
    """Give what is shown for a session (S12.3): its title, else its first message cut to 30, else "新对话"."""
    if custom_title and custom_title.strip():
        return custom_title
    return (first_message or "").strip()[:LABEL] or text("session.untitled", locale)


def harmless(shown: str) -> str:
    """Give `shown` on one line without what moves a cursor or turns the writing direction, for terminals and lists."""
    return "".join(" " if char.isspace() else char for char in shown if char.isspace() or _is_harmless(char))


def _is_harmless(char: str) -> bool:
    return unicodedata.category(char) not in {"Cc", "Cs"} and unicodedata.bidirectional(char) not in {
        *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"),
    }


def latest(data: bytes) -> str | None:
    """Give the last title in bytes that begin with a line's beginning; None where there is none."""
    for line in backwards_with(_MARK, data):
        for entry in reversed(parse_line(line)):
            if isinstance(entry, CustomTitle):
                return entry.custom_title
    return None
