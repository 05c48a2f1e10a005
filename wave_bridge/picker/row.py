"""One session as a line of the picker: what is shown of it, and what gives way where the terminal is narrow."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from wcwidth import clip, width

from wave_bridge.messages import text
from wave_bridge.store.times import moment
from wave_bridge.store.titles import harmless, label

if TYPE_CHECKING:
    from wave_bridge.messages import Locale
    from wave_bridge.store.listing import Session

LABEL_LEAST: Final = 16  # columns that the title keeps while there is something else to drop
PROJECT_SHARE: Final = 0.4  # of the line, at most, for a project's path
_GAP: Final = 2
_MINUTE, _HOUR, _DAY, _MONTH = 60, 3600, 86_400, 30 * 86_400


class Row(Struct, frozen=True):
    """The parts of a line, ready to show: `label`, padded, then what follows it. Columns as `wcwidth` counts them."""

    label: str
    details: str
    branch: str
    project: str


def row(session: Session, columns: int, now: datetime, locale: Locale, *, with_project: bool) -> Row:
    """Lay out a session in `columns`: title, age and tokens, `[branch]` (S11.3), then its project's path (S6.2).

    The first to go where it is narrow are the tokens, then the age, then the branch; a path keeps its end.
    """
    project = path_end(harmless(session.workdir), int(columns * PROJECT_SHARE)) if with_project else ""
    branch = f"[{clip(harmless(session.branch), 0, 24)}]" if session.branch else ""
    details = [age(session.last_active_at, now, locale), tokens(session.latest_total_tokens)]
    if session.damaged:
        details.append(text("picker.damaged", locale))
    while details and columns - _taken(_joined(details), branch, project) < LABEL_LEAST:
        details.pop()
    if columns - _taken(_joined(details), branch, project) < LABEL_LEAST:
        branch = ""
    room = max(0, columns - _taken(_joined(details), branch, project))
    return Row(
        padded(harmless(label(session.custom_title, session.first_message, locale)), room),
        _joined(details),
        branch,
        project,
    )


def age(last_active_at: str, now: datetime, locale: Locale) -> str:
    """Say how long ago a session was active; after a month, the day. `last_active_at` is ISO 8601."""
    then = moment(last_active_at)
    if then is None:
        return ""
    seconds = now.timestamp() - then.ms / 1000
    if seconds < _MINUTE:
        return text("picker.age.now", locale)
    for unit, size, limit in (("minutes", _MINUTE, _HOUR), ("hours", _HOUR, _DAY), ("days", _DAY, _MONTH)):
        if seconds < limit:
            return text(f"picker.age.{unit}", locale, count=int(seconds // size))
    return datetime.fromtimestamp(then.ms / 1000, now.tzinfo).date().isoformat()


def tokens(count: int) -> str:
    """Give a number of tokens in three digits or so; nothing for none."""
    if count <= 0:
        return ""
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.{0 if count >= 100 * size else 1}f}{unit} tokens"
    return f"{count} tokens"


def padded(line: str, columns: int) -> str:
    """Give `line` in exactly so many columns: cut with an ellipsis, or filled up."""
    if width(line) > columns:
        line = clip(line, 0, columns - 1) + "…" if columns > 0 else ""
    return line + " " * (columns - width(line))


def path_end(path: str, columns: int) -> str:
    """Give a path in at most so many columns, cut at its beginning, for the end tells projects apart."""
    total = width(path)
    return path if total <= columns else "…" + clip(path, total - columns + 1, total)


def _joined(details: list[str]) -> str:
    return " · ".join(filter(None, details))


def _taken(*parts: str) -> int:
    return sum(width(part) + _GAP for part in parts if part)
