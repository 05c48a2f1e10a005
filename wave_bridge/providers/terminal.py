"""@terminal: from what an editor can give to the block with the last command's line and output (M1).

Best first (T1): a command with its raw output; the terminal's stream with marks; the visible text, labelled. No prompt
is ever guessed, nothing is masked, and nothing that the terminal did not print is read (MB7).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from wave_bridge.core.agent_api import Wire
from wave_bridge.messages import text
from wave_bridge.providers.blocks import Block, Counts
from wave_bridge.providers.commandline import command_line
from wave_bridge.providers.marks import find_runs, inside_marks, without_eol_mark
from wave_bridge.providers.notices import Unavailable, counted, title_line, unavailable_block
from wave_bridge.providers.plain import cut_line, one_line, size, well_formed, without_controls
from wave_bridge.providers.screen import Screen, ScreenText, render
from wave_bridge.providers.shaping import Shaped, TerminalLimits, shape

if TYPE_CHECKING:
    from wave_bridge.messages import Locale
    from wave_bridge.providers.marks import Run

ROWS: Final = 24  # where the editor does not say; rows hardly matter
LOOKED_BACK: Final = 500  # commands, over which empty ones are passed
KEPT_LINES: Final = 10_000  # of a huge output, for folding; what is sent is far less
KEPT_BYTES: Final = 1024 * 1024


class CommandFacts(Wire, frozen=True, tag_field="source", tag="command"):
    """One command, as the editor bounded it.

    `output` is what the program wrote, control sequences included; `outputBytes`, base64, wins where it is there.
    With `rendered`, it is text as shown already. `omittedBytes` of it the editor did not keep, at its start.
    """

    command: str | None = None
    output: str = ""
    output_bytes: bytes | None = None
    rendered: bool = False
    exit_code: int | None = None
    running: bool = False
    cols: int | None = None
    rows: int | None = None
    omitted_bytes: int = 0


class StreamFacts(Wire, frozen=True, tag_field="source", tag="stream"):
    """All that the shell and its programs wrote, marks (OSC 633, 133) included. `nonce`: the editor's own, if any."""

    output: str = ""
    output_bytes: bytes | None = None
    nonce: str | None = None
    cols: int | None = None
    rows: int | None = None
    omitted_bytes: int = 0


class ScreenFacts(Wire, frozen=True, tag_field="source", tag="screen"):
    """The text that the terminal shows, where an editor can give nothing better."""

    text: str = ""


TerminalFacts = CommandFacts | StreamFacts | ScreenFacts | Unavailable


class LastCommand(NamedTuple):
    """A command and its raw output. Output that no mark bounds is labelled (T6)."""

    line: str | None
    output: bytes
    exit_code: int | None = None
    running: bool = False
    unbounded: bool = False
    omitted_bytes: int = 0  # not kept by the editor, at the start


def read_facts(value: object) -> TerminalFacts:
    """Decode the member `terminal` of a `wave/context/read` answer. What does not fit is unavailable."""
    try:
        facts: TerminalFacts = msgspec.convert(value, TerminalFacts, strict=False)
    except (msgspec.ValidationError, ValueError) as error:
        return Unavailable(one_line(str(error)))
    return facts


def terminal_block(facts: TerminalFacts, locale: Locale, limits: TerminalLimits | None = None) -> Block:
    """Give the block to send. Never empty: without content it says that it is unavailable, and why (M1.5)."""
    if isinstance(facts, Unavailable):
        return unavailable_block("terminal", facts.reason, locale)
    last = last_of(facts)
    limits = limits or TerminalLimits()
    if isinstance(facts, ScreenFacts) or (isinstance(facts, CommandFacts) and facts.rendered):
        screen = tail_screen(None, None, limits)  # its lines have been laid out already
    else:
        screen = tail_screen(facts.cols, facts.rows, limits)
    screen.feed(last.output)
    return shown_block(last, screen.finish(), locale, limits)


def last_of(facts: TerminalFacts) -> LastCommand:
    """Give the last command that the facts tell of, its output still raw."""
    match facts:
        case CommandFacts():
            return _bounded(facts)
        case StreamFacts():
            return last_command(facts)
        case ScreenFacts():
            return LastCommand(None, _as_written(facts.text), unbounded=True)
        case Unavailable():
            return LastCommand(None, b"")


def last_command(facts: StreamFacts) -> LastCommand:
    """Find the last command that is not an empty line (T2). Without one: the whole text, not bounded (T6)."""
    data = _raw(facts)
    for run in islice(reversed(find_runs(data)), LOOKED_BACK):
        line = command_line(data, run, facts.cols, facts.nonce)
        if line != "":
            return LastCommand(line, output_of(data, run, facts.cols), run.exit_code, run.running)
    return LastCommand(None, data, unbounded=True, omitted_bytes=facts.omitted_bytes)


def output_of(data: bytes, run: Run, cols: int | None) -> bytes:
    """Give a run's raw output. Nothing between C and D: then text up to the next A belongs to it (T2)."""
    output = without_eol_mark(data[slice(*run.output)])
    late = without_eol_mark(data[slice(*run.late)]) if run.late else b""
    return late if render(late, cols) and not render(output, cols) else output


def _bounded(facts: CommandFacts) -> LastCommand:
    line = well_formed(facts.command).strip() if facts.command else None
    output = _as_written(facts.output) if facts.rendered else without_eol_mark(inside_marks(_raw(facts)))
    return LastCommand(line or None, output, facts.exit_code, facts.running, omitted_bytes=facts.omitted_bytes)


def _raw(facts: CommandFacts | StreamFacts) -> bytes:
    return facts.output_bytes if facts.output_bytes is not None else well_formed(facts.output).encode()


def _as_written(shown: str) -> bytes:
    """Write lines as a program does whose terminal shows them."""
    return "\r\n".join(well_formed(shown).replace("\r\n", "\n").split("\n")).encode()


def tail_screen(cols: int | None, rows: int | None, limits: TerminalLimits) -> Screen:
    """Give a screen that keeps as much of an output as a block can need, however long it gets."""
    height = rows if rows is not None and rows > 0 else ROWS
    return Screen(
        cols,
        height,
        keep_lines=max(KEPT_LINES, limits.lines),
        keep_bytes=max(KEPT_BYTES, limits.bytes),
        line_chars=limits.line_characters,
    )


def shown_block(last: LastCommand, shown: ScreenText, locale: Locale, limits: TerminalLimits) -> Block:
    """Give the block of a command whose output a screen has rendered."""
    if not shown.lines and not last.line and not last.running and not shown.alternate_active:
        return unavailable_block("terminal", "noOutput", locale)
    dropped = shown.total_lines - len(shown.lines)
    before = max(0, shown.total_bytes - sum(map(size, shown.lines))) if dropped > 0 else 0
    shaped = shape(shown.lines, (max(0, dropped), before), limits, locale)
    notices = _notices(last, shown, shaped, locale)
    body = [
        title_line("terminal", notices, locale),
        *([_prompted(last.line, limits, locale)] if last.line else []),
        *(shaped.lines or [text("terminal.noOutput", locale)]),
        *([text("terminal.exitCode", locale, code=last.exit_code)] if last.exit_code else []),
    ]
    return Block(
        "terminal",
        "\n".join(body),
        truncated=shaped.truncated or last.omitted_bytes > 0,
        counts=Counts(shaped.shown_lines, shaped.total_lines),
    )


def _notices(last: LastCommand, shown: ScreenText, shaped: Shaped, locale: Locale) -> list[str]:
    """Say on the first line what a reader must know before the rest (S5)."""
    notices = []
    if last.unbounded:
        notices.append(text("terminal.unbounded", locale))
    if shaped.shown_lines < shaped.total_lines or shaped.shown_bytes < shaped.total_bytes:
        notices.append(text("terminal.truncated", locale, **shaped._asdict()))
    if last.omitted_bytes > 0:
        notices.append(text("terminal.omitted", locale, count=last.omitted_bytes))
    if shaped.long_lines:
        notices.append(counted("terminal.longLines", shaped.long_lines, locale))
    if last.running:
        notices.append(text("terminal.running", locale))
    if shown.alternate_active:
        notices.append(text("terminal.fullScreen", locale))
    return notices


def _prompted(line: str, limits: TerminalLimits, locale: Locale) -> str:
    """Give `$ command`, bounded on its own: it is never cut away with the output (S5)."""
    line = cut_line(without_controls(line), limits.command_characters, locale)
    lines = line.splitlines()
    more = len(lines) - limits.command_lines
    if more > 0:
        lines[limits.command_lines :] = [text("mention.moreLines", locale, count=more)]
    return "$ " + "\n".join(lines)
