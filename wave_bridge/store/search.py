"""Searching a list: every word of the query in the title or the first message, without regard to case or width."""

from __future__ import annotations

import unicodedata


def matches(query: str, custom_title: str | None, first_message: str | None) -> bool:
    """Tell whether each word of `query` is in the title or the first message; a blank query matches all."""
    words = _folded(query).split()
    if not words:
        return True
    text = _folded(f"{custom_title or ''}\n{first_message or ''}")
    return all(word in text for word in words)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
