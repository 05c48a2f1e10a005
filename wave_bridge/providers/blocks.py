"""The message text: what the user wrote, then one block for each mention. Composing and parsing are inverse.

A block is a code fence that is longer than any run of backticks inside, as CommonMark does it, so that its content can
hold anything. The info string has the kind, the block's place, and its attributes:

    please fix this

    ```wave-terminal 1/2 truncated 500/12031
    Terminal output [last 500 of 12031 lines, 31990 of 1048211 bytes]
    $ make
    …
    ```

    ```wave-problems 2/2 2/2
    Problems in the current file — src/app.ts: 2 problems, 2 listed (2 errors)
    …
    ```

A message is read from its end. The last fence says how many blocks there are, so what a user typed or pasted in front
of them, fences of the same looks included, is never taken for one. A message that has no blocks but looks as if it had
gets END behind it. Everything else, a message of an older or another client too, is the user's text as it stands.

A kept message is read for ever: new attributes may be added as further words, these must keep their meaning.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = Literal["terminal", "problems"]

GAP: Final = "\n\n"  # between the user's text and a block, and between blocks
END: Final = GAP + "<!-- wave: no attachments above -->"  # after a text that only looks as if it had blocks
SHORTEST_FENCE: Final = 3

_OPENING = re.compile(
    r"wave-(?P<kind>terminal|problems) (?P<place>[1-9][0-9]?)/(?P<count>[1-9][0-9]?)"
    r"(?P<truncated> truncated)?(?P<unavailable> unavailable)?"
    r"(?: (?P<shown>[0-9]{1,18})/(?P<total>[0-9]{1,18}))?(?: [a-z=0-9]+)*"
)
_TICKS = re.compile("`+")


class Counts(NamedTuple):
    """How much of the whole a block shows: lines of a terminal, entries of a problem list."""

    shown: int
    total: int


class Block(NamedTuple):
    """One mention's content. `text` starts with the title line and is what the agent reads, all of it."""

    kind: Kind
    text: str
    truncated: bool = False
    unavailable: bool = False
    counts: Counts | None = None


class Message(NamedTuple):
    """A message taken apart again."""

    user_text: str
    blocks: tuple[Block, ...]


def compose(user_text: str, blocks: Iterable[Block] = ()) -> str:
    """Give the message's text; `parse` gives back both parts. Of two blocks of one kind the first counts (M1.6)."""
    kept = dict[Kind, Block]()
    for block in blocks:
        kept.setdefault(block.kind, block)
    if not kept:
        return user_text if parse(user_text) == (user_text, ()) else user_text + END
    fenced = [_fenced(block, place, len(kept)) for place, block in enumerate(kept.values(), 1)]
    return GAP.join([user_text, *fenced] if user_text else fenced)


def parse(message: str) -> Message:
    """Take a message apart. Without blocks of ours, or with damaged ones, the whole of it is the user's text."""
    rest, blocks = message.rstrip(), list[Block]()  # whoever kept the message may have ended its last line
    if rest.endswith(END):
        return Message(rest.removesuffix(END), ())
    count = 0
    while True:
        found = _last_block(rest)
        if found is None:
            return Message(message, ())
        block, place, of, rest = found
        count = count or of
        if of != count or place != count - len(blocks) or any(block.kind == other.kind for other in blocks):
            return Message(message, ())
        blocks.append(block)
        if place == 1:
            break
    return Message(rest, tuple(reversed(blocks)))


def _fenced(block: Block, place: int, count: int) -> str:
    fence = "`" * max(SHORTEST_FENCE, 1 + max(map(len, _TICKS.findall(block.text)), default=0))
    words = [f"wave-{block.kind} {place}/{count}"]
    words += ["truncated"] * block.truncated + ["unavailable"] * block.unavailable
    words += [f"{block.counts.shown}/{block.counts.total}"] if block.counts else []
    return f"{fence}{' '.join(words)}\n{block.text}\n{fence}"


def _last_block(text: str) -> tuple[Block, int, int, str] | None:
    """Give the block that ends `text`, its place, how many there are, and what stands before it.

    The content has no run of backticks as long as the fence, so the nearest such run upwards is the opening.
    """
    body, newline, fence = text.rpartition("\n")
    if not newline or len(fence) < SHORTEST_FENCE or fence.strip("`"):
        return None
    before, ticks, inside = body.rpartition(fence)
    info, newline, content = inside.partition("\n")
    opening = _OPENING.fullmatch(info)
    if not ticks or not newline or opening is None or (before and not before.endswith(GAP)):
        return None
    block = Block(
        "terminal" if opening["kind"] == "terminal" else "problems",
        content,
        truncated=opening["truncated"] is not None,
        unavailable=opening["unavailable"] is not None,
        counts=Counts(int(opening["shown"]), int(opening["total"])) if opening["shown"] else None,
    )
    return block, int(opening["place"]), int(opening["count"]), before.removesuffix(GAP)
