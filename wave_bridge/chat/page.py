"""A session's document: above the marker what was said, below it what the user writes.

An edit replaces whole lines above the marker and is counted from it, upwards. So it fits whatever stands below, and
what the user typed above stays, too: where the lines to be replaced are not the ones that were shown, the new ones are
put in beside them.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from wave_bridge.chat.markdown import MARKER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Edit(NamedTuple):
    """Lines `start` to `end` (not included) of the document become `lines`."""

    start: int
    end: int
    lines: list[str]


def marker(document: Sequence[str]) -> int | None:
    """Give the line of the marker; None when the user has removed it: then nothing may be edited."""
    return next((place for place, line in enumerate(document) if line.lstrip().startswith(MARKER)), None)


def draft(document: Sequence[str]) -> str:
    """Give what the user has written: behind the marker, where an editor has no line below it, and below."""
    place = marker(document)
    if place is None:
        return ""
    behind = document[place].partition(MARKER)[2]
    return "\n".join([*([behind] if behind.strip() else []), *document[place + 1 :]])


def whole(head: Sequence[str], written: str = "") -> str:
    """Give the document's text. It ends with an empty line to write in, where an editor shows none after the last."""
    return "\n".join([*head, MARKER, written.rstrip("\n"), ""])


def edit(document: Sequence[str], shown: Sequence[str], wanted: Sequence[str]) -> Edit | None:
    """Give the edit that turns the head `shown` into `wanted`; None when nothing differs, or nothing may be edited."""
    place = marker(document)
    if place is None or shown == wanted:
        return None
    same = differ(shown, wanted)
    kept = min(differ(document[:place][::-1], shown[::-1]), len(shown) - same)  # the others the user has changed
    behind = min(differ(shown[same:][::-1], wanted[same:][::-1]), kept)
    return Edit(place - kept, place - behind, list(wanted[same : len(wanted) - behind]))


def recognised(found: Sequence[str], wanted: Sequence[str], is_passing: Callable[[str], bool]) -> list[str]:
    """Give of the lines above a marker those that stand there for the conversation, told by what it says now.

    Whoever wrote them has gone. The rest is the user's and stays: lines that the conversation does not have, unless
    they are blank, or such as come and go (`is_passing`), or an answer that has grown since.
    """
    head = differ(found, wanted)
    tail = min(differ(found[head:][::-1], wanted[head:][::-1]), len(found) - head)
    middle, its = found[head : len(found) - tail], wanted[head : len(wanted) - tail]
    ours: list[str] = []
    for same, begin, end, first, last in SequenceMatcher(None, middle, its).get_opcodes():
        lines = middle[begin:end]
        grown = its[first:last]
        ours += lines if same == "equal" else [line for line in lines if _is_ours(line, grown, is_passing)]
    return [*found[:head], *ours, *found[len(found) - tail :]]


def _is_ours(line: str, grown: Sequence[str], is_passing: Callable[[str], bool]) -> bool:
    return not line.strip() or is_passing(line) or any(each.startswith(line) for each in grown)


def shows(document: Sequence[str], head: Sequence[str], since: int) -> bool:
    """Say whether the document has the head's lines from `since` on, right above the marker."""
    place = marker(document)
    tail = list(head[since:])
    return place is not None and list(document[max(place - len(tail), 0) : place]) == tail


def differ(one: Sequence[str], other: Sequence[str]) -> int:
    """Give the first line where two texts differ: how many are equal before it."""
    for place, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine != its:
            return place
    return min(len(one), len(other))
