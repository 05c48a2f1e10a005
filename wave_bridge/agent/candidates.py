"""What was looked at on the way to a program, and why it lost: for the log and for `wave-bridge doctor`."""

from __future__ import annotations

import msgspec


class Candidate(msgspec.Struct, frozen=True):
    """One CLI or Node that was considered. `source` says who names it; `why` is English, for a person.

    At most one of a search is chosen. `version` is what the program said of itself, where it was asked.
    """

    source: str
    path: str
    why: str
    chosen: bool = False
    version: str | None = None


def shown(candidates: list[Candidate]) -> str:
    """Give the candidates as lines of a report, in the order in which they were looked at."""
    return "\n".join(_line(candidate) for candidate in candidates)


def _line(candidate: Candidate) -> str:
    version = f" {candidate.version}" if candidate.version else ""
    return f"{'*' if candidate.chosen else '-'} {candidate.source}: {candidate.path}{version}: {candidate.why}"
