"""User-facing texts in zh-CN and English. Where the specification has a text, the zh-CN one is exactly that.

One table: a key, then the text by locale. Placeholders are `str.format` fields.
"""

from __future__ import annotations

from typing import Literal

Locale = Literal["zh-CN", "en"]

TEXTS: dict[str, dict[Locale, str]] = {
    "agent.lost": {
        "zh-CN": "与 Wave 的连接已断开，请重启 Wave。",
        "en": "The connection to Wave is lost; restart Wave.",
    },
}


def text(key: str, locale: Locale, **values: object) -> str:
    """Give the text `key` in `locale`, its fields filled in. An unknown key is a programming error (KeyError)."""
    return TEXTS[key][locale].format(**values)


def choose_locale(*candidates: str | None) -> Locale:
    """Give the first candidate that names a language, as one of ours; without any: zh-CN (docs/PROTOCOL.md, Locale).

    Candidates look like `en-US`, `zh_CN.UTF-8`, `C`, or None; every language but Chinese is served in English.
    """
    for candidate in candidates:
        if candidate and candidate.split(".")[0] not in {"C", "POSIX"}:
            return "zh-CN" if candidate.lower().startswith("zh") else "en"
    return "zh-CN"
