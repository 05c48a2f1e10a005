"""From a terminal's lines to those worth sending: long lines cut, repeats folded, the tail kept (S2, S3, S4, S6)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from wave_bridge.messages import text
from wave_bridge.providers.plain import cut_line, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wave_bridge.messages import Locale

REPEATS: Final = 4  # equal lines in a row that are folded
BLANKS: Final = 2  # blank lines in a row that are kept


class TerminalLimits(msgspec.Struct, frozen=True, rename="camel"):
    """How much of a terminal is sent. All are settings."""

    lines: int = 500
    bytes: int = 32 * 1024  # UTF-8, a line counts its end
    line_characters: int = 2000
    command_lines: int = 20
    command_characters: int = 2000
    fold_repeats: bool = True


class Shaped(NamedTuple):
    """Lines to send, and counts of the real ones behind them: after long lines are cut, before repeats are folded."""

    lines: list[str]
    shown_lines: int
    shown_bytes: int
    total_lines: int
    total_bytes: int
    long_lines: int  # shown ones that were cut

    @property
    def truncated(self) -> bool:
        """Tell whether anything but repeats is missing."""
        return self.shown_lines < self.total_lines or self.shown_bytes < self.total_bytes or self.long_lines > 0


class _Piece(NamedTuple):
    """Lines that stay or go together: one line, or a folded run. `real` counts the lines and bytes behind them."""

    lines: list[str]
    real_lines: int
    real_bytes: int


def shape(lines: Sequence[str], dropped: tuple[int, int], limits: TerminalLimits, locale: Locale) -> Shaped:
    """Shape the last lines of an output. `dropped` are the lines and bytes that came before them."""
    cut = [cut_line(line, limits.line_characters, locale) for line in lines]
    pieces = list(_fold(cut, locale) if limits.fold_repeats else _plain(cut))
    kept = list(_tail(pieces, limits))[::-1]
    shown = sum(piece.real_lines for piece in kept)
    return Shaped(
        lines=[line for piece in kept for line in piece.lines],
        shown_lines=shown,
        shown_bytes=sum(piece.real_bytes for piece in kept),
        total_lines=dropped[0] + len(cut),
        total_bytes=dropped[1] + sum(map(size, cut)),
        long_lines=sum(len(line) > limits.line_characters for line in lines[len(lines) - shown :]),
    )


def _plain(lines: Iterable[str]) -> Iterator[_Piece]:
    for line in lines:
        yield _Piece([line], 1, size(line))


def _fold(lines: Iterable[str], locale: Locale) -> Iterator[_Piece]:
    for line, run in groupby(lines):
        count = sum(1 for _ in run)
        if not line:
            yield _Piece([""] * min(count, BLANKS), count, count)
        elif count >= REPEATS:
            yield _Piece([line, text("terminal.repeated", locale, count=count - 1)], count, count * size(line))
        else:
            yield from _plain([line] * count)


def _tail(pieces: Sequence[_Piece], limits: TerminalLimits) -> Iterator[_Piece]:
    """Yield pieces from the last upwards while they fit. If not even the last does, the end of its last line."""
    lines, space = limits.lines, limits.bytes
    for piece in reversed(pieces):
        lines -= len(piece.lines)
        space -= sum(map(size, piece.lines))
        if lines < 0 or space < 0:
            if piece is pieces[-1]:
                yield _end_of(piece.lines[-1], limits.bytes)
            return
        yield piece


def _end_of(line: str, most: int) -> _Piece:
    """Keep a line's last bytes, cut between characters."""
    end = line.encode("utf-8", "replace")[-max(1, most - 1) :].decode("utf-8", "ignore")
    return _Piece([end], 1, size(end))
