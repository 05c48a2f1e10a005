"""@problems: from the active file's diagnostics to the block that lists them (M2).

    Problems in the current file — src/app.ts: 3 problems, 3 listed (1 error, 2 warnings)
    4:1 warning early [eslint]
    21:2 warning same line, earlier column [eslint]
    21:5 error later [ts]

Errors and warnings come in position order, info after them; hints are only counted (P5).
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest
from typing import Any, Final, NamedTuple

import msgspec

from wave_bridge.core.agent_api import Wire
from wave_bridge.messages import Locale, text
from wave_bridge.providers.blocks import Block, Counts
from wave_bridge.providers.diagnostics import ERROR, HINT, INFO, WARNING, Columns, Entry, Problem, merged, related, tag
from wave_bridge.providers.locations import shown_path
from wave_bridge.providers.notices import Unavailable, counted, unavailable_block
from wave_bridge.providers.plain import cut_line, one_line, size, well_formed

INDENT: Final = " " * 4  # of everything that belongs to the entry above: entries alone match ^\d+:\d+
WORDS: Final = {ERROR: "error", WARNING: "warning", INFO: "info", HINT: "hint"}


class ProblemsLimits(msgspec.Struct, frozen=True, rename="camel"):
    """How much of a problem list is sent. All are settings."""

    entries: int = 50  # the most severe are kept, then the first
    bytes: int = 16 * 1024  # of the whole block, UTF-8
    message_lines: int = 10  # below the entry's own
    line_characters: int = 1000


class ProblemsFacts(Wire, frozen=True):
    """The active file's diagnostics in LSP form. No `uri`: no editor is active. No `diagnostics`: they are not known.

    `root` and `roots` are folders (paths or URIs): the innermost that holds the file makes its path relative. `text` is
    the document's, wanted where `positionEncoding` is not UTF-16. Stale: said so, or the two versions differ.
    """

    uri: str | None = None
    root: str | None = None
    roots: list[str] = []
    diagnostics: list[Any] | None = None
    position_encoding: str = "utf-16"
    text: str | None = None
    version: Any = None
    diagnostics_version: Any = None
    stale: bool = False


class _List(NamedTuple):
    """What a block is made of."""

    facts: ProblemsFacts
    found: dict[Problem, list[Entry]]
    limits: ProblemsLimits
    locale: Locale


class _Listing(NamedTuple):
    """One problem's lines, the first of them its entry."""

    problem: Problem
    lines: list[str]

    @property
    def size(self) -> int:
        return sum(map(size, self.lines))


def read_facts(value: object) -> ProblemsFacts | Unavailable:
    """Decode the member `problems` of a `wave/context/read` answer. What does not fit is unavailable."""
    try:
        if isinstance(value, dict) and value.get("source") == "unavailable":
            return msgspec.convert(value, Unavailable)
        return msgspec.convert(value, ProblemsFacts, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        return Unavailable(one_line(str(error)))


def problems_block(facts: ProblemsFacts | Unavailable, locale: Locale, limits: ProblemsLimits | None = None) -> Block:
    """Give the block to send. Never empty: it lists, says that there is nothing to list, or why it can't (M2)."""
    if isinstance(facts, Unavailable):
        return unavailable_block("problems", facts.reason, locale)
    if not facts.uri:
        return unavailable_block("problems", "noEditor", locale)
    if facts.diagnostics is None:
        return unavailable_block("problems", "unreadable", locale)
    found = merged(facts.diagnostics, Columns(facts.text, facts.position_encoding))
    problems = _List(facts, found, limits or ProblemsLimits(), locale)
    listable = [problem for problem in found if problem.severity != HINT]
    listings = _chosen(problems, listable)
    body = [line for listing in sorted(listings, key=_printed_order) for line in listing.lines]
    return Block(
        "problems",
        "\n".join([_first_line(problems, len(listings)), *body]),
        truncated=len(listings) < len(listable),
        counts=Counts(len(listings), len(found)),
    )


def _chosen(problems: _List, listable: list[Problem]) -> list[_Listing]:
    """Choose by severity, then position, as many as the cap and the bytes allow (P4, P11); the first always fits."""
    space = problems.limits.bytes - size(_first_line(problems, len(listable)))
    chosen: list[_Listing] = []
    for problem in nsmallest(problems.limits.entries, listable):
        listing = _Listing(problem, _lines(problem, problems))
        if not chosen:
            listing = _shortened(listing, space, problems.locale)
        space -= listing.size
        if space < 0 and chosen:
            break
        chosen.append(listing)
    return chosen


def _shortened(listing: _Listing, space: int, locale: Locale) -> _Listing:
    """Drop lines from the end until the rest fits; the entry's own line stays."""
    if listing.size <= space:
        return listing
    lines = listing.lines
    kept = 1
    while kept < len(lines) and sum(map(size, lines[: kept + 1])) + size(_more(len(lines) - kept, locale)) <= space:
        kept += 1
    return _Listing(listing.problem, [*lines[:kept], _more(len(lines) - kept, locale)])


def _printed_order(listing: _Listing) -> tuple[bool, int, int, int, str]:
    severity, line, column, message = listing.problem
    return severity == INFO, line, column, severity, message


def _lines(problem: Problem, problems: _List) -> list[str]:
    """Give `line:col severity message [source code]`, then what belongs to it, indented (P6, P9)."""
    facts, found, limits, locale = problems
    entries = found[problem]
    first, *rest = problem.message.split("\n")
    head = cut_line(first, limits.line_characters, locale) or text("problems.noMessage", locale)
    named = tag(entries)
    lines = [f"{problem.line}:{problem.column} {WORDS[problem.severity]} {head}" + (f" [{named}]" if named else "")]
    lines += [INDENT + cut_line(line, limits.line_characters, locale) for line in rest[: limits.message_lines]]
    if len(rest) > limits.message_lines:
        lines.append(_more(len(rest) - limits.message_lines, locale))
    for other in related(entries):
        place = f"{shown_path(well_formed(other.uri), _roots(facts))}:{other.line}:{other.column}"
        lines.append(INDENT + text("problems.related", locale, place=place, message=other.message).rstrip())
    return lines


def _more(count: int, locale: Locale) -> str:
    return INDENT + counted("mention.moreLines", count, locale)


def _roots(facts: ProblemsFacts) -> list[str]:
    return [*([facts.root] if facts.root else []), *facts.roots]


def _first_line(problems: _List, listed: int) -> str:
    """Give the title with the path and the counts by severity, zero ones left out (P1)."""
    facts, found, _, locale = problems
    by_severity = Counter(problem.severity for problem in found)
    kinds = [counted(f"problems.{WORDS[kind]}", by_severity[kind], locale) for kind in WORDS if by_severity[kind]]
    cut = listed < len(found) - by_severity[HINT]
    key = "problems.first.cut" if cut else "problems.first" if found else "problems.none"
    line = text(
        key,
        locale,
        title=text("problems.title", locale),
        path=shown_path(well_formed(facts.uri or ""), _roots(facts)),
        total=counted("problems.total", len(found), locale),
        listed=listed,
        counts=text("problems.between", locale).join(kinds),
    )
    versions = facts.version, facts.diagnostics_version
    stale = facts.stale or (None not in versions and versions[0] != versions[1])
    return line + text("problems.stale", locale) if stale else line
