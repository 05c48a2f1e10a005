"""Times as session files have them: ISO 8601 in UTC with milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct


class Moment(Struct, frozen=True, gc=False):
    """A time as written, and in milliseconds since 1970 for comparing."""

    text: str
    ms: int


def timestamp(now: datetime) -> str:
    """Give a time as it is written, like `2026-11-30T22:29:20.163Z`."""
    return now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(text: str) -> Moment | None:
    """Give a time that was read; None when it is no ISO 8601 time. Without a zone it is UTC."""
    try:
        time = datetime.fromisoformat(text)
        return Moment(text, round((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1000))
    except (ValueError, OverflowError):
        return None


def from_ms(ms: int) -> Moment:
    """Give the time that is `ms` milliseconds after 1970, a file's modification time for example."""
    return Moment(timestamp(datetime.fromtimestamp(ms / 1000, UTC)), ms)
