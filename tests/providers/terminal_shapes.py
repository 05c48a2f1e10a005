"""Huge outputs whose text is known beforehand, a block of bytes at a time; `scale` shrinks them, their shape stays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BLOCK = 1 << 16


@dataclass(frozen=True)
class Expected:
    """The whole text's number of lines, and its first and last lines as far as they are told."""

    lines: int
    last: str
    first: list[str] = field(default_factory=list)


def log_line(i: int) -> bytes:
    """Give a log line of about 110 bytes, so it wraps at 80 columns."""
    level = (b"INFO ", b"DEBUG", b"WARN ", b"ERROR")[(i * 2654435761 >> 7) & 3]
    return b"2026-08-01T12:%02d:%02d.%03dZ %s worker-%02d request id=%012x path=/api/v1/items/%d took=%d.%02dms" % (
        i // 60 % 60,
        i % 60,
        i % 1000,
        level,
        i % 16,
        (i * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFF,
        i,
        i % 97,
        i % 100,
    )


def blocks(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Pack parts into blocks as a pseudo-terminal's reader would have them."""
    buffer = bytearray()
    for part in parts:
        buffer += part
        while len(buffer) >= BLOCK:
            yield bytes(buffer[:BLOCK])
            del buffer[:BLOCK]
    yield bytes(buffer)


def clean_log(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give 200 MB of plain log."""
    n = int(1_950_000 * scale)
    return blocks(log_line(i) + b"\r\n" for i in range(n)), Expected(
        n, log_line(n - 1).decode(), [log_line(0).decode()]
    )


def coloured_log(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give 160 MB of log with colours, and each line's end erased as compilers do it."""
    n = int(1_250_000 * scale)

    def line(i: int) -> bytes:
        text = log_line(i)
        return b"\x1b[2m%s\x1b[0m \x1b[1;3%dm%s\x1b[0m %s\x1b[K\r\n" % (text[:24], i % 7, text[25:30], text[31:])

    return blocks(map(line, range(n))), Expected(n, log_line(n - 1).decode(), [log_line(0).decode()])


def one_line(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give a line of 10 MB and another."""
    n = int(1_000_000 * scale)
    return blocks([b"0123456789" * n, b"\r\nend\r\n"]), Expected(2, "end", ["0123456789" * n])


def bars(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give 95 MB of one progress bar, redrawn after CR."""
    n = int(1_400_000 * scale)

    def bar(i: int) -> bytes:
        done = i / max(n - 1, 1)
        return b"\rfetch pkg: %3d%% |%-30s| %8d/%-8d" % (done * 100, b"#" * int(done * 30), i, n - 1)

    parts = [*map(bar, range(n)), b"\r\ndone\r\n"] if n < BLOCK else _chain(map(bar, range(n)), b"\r\ndone\r\n")
    return blocks(parts), Expected(2, "done", [bar(n - 1)[1:].decode().rstrip()])


def _chain(parts: Iterable[bytes], last: bytes) -> Iterator[bytes]:
    yield from parts
    yield last


def many_bars(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give twelve rows that are redrawn in turn, 200,000 times."""
    n, rows = int(200_000 * scale), 12

    def parts() -> Iterator[bytes]:
        yield from (b"job %02d: 0\r\n" % row for row in range(rows))
        for i in range(1, n):
            row = i * 7 % rows
            yield b"\x1b[%dA\x1b[2K\rjob %02d: %d\x1b[%dB\r" % (rows - row, row, i, rows - row)
        yield b"end\r\n"

    final = {i * 7 % rows: i for i in range(max(1, n - 50), n)}
    return blocks(parts()), Expected(rows + 1, "end", [f"job {row:02}: {final.get(row, 0)}" for row in range(rows)])


def equal_lines(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give five million equal lines."""
    n = int(5_000 * scale)
    return blocks(b"y\r\n" * 1000 for _ in range(n)), Expected(n * 1000, "y", ["y"])


def blank_lines(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give five million blank lines and a word."""
    n = int(5_000 * scale)
    return blocks([*(b"\r\n" * 1000 for _ in range(n)), b"word\r\n"]), Expected(n * 1000 + 1, "word", [""])


def open_osc(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give 20 MB after a title that never ends: none of it is text."""
    n = int(200_000 * scale)
    return blocks([b"before\r\n\x1b]0;", *map(log_line, range(n))]), Expected(1, "before")


def clipboard(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give a write of 20 MB to the clipboard between two letters."""
    n = int(5_000 * scale)
    return blocks([b"a\x1b]52;c;", *[b"QUJD" * 1000] * n, b"\x07b\r\n"]), Expected(1, "ab")


def full_screen(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give 48 MB of frames on the alternate screen."""
    n = int(25_000 * scale)

    def parts() -> Iterator[bytes]:
        yield b"before\r\n\x1b[?1049h"
        for i in range(n):
            yield b"\x1b[H" + b"".join(b"row %02d frame %d %s\x1b[K\r\n" % (r, i, b"=" * 60) for r in range(23))
        yield b"\x1b[?1049lafter\r\n"

    return blocks(parts()), Expected(2, "after", ["before"])


def tiny_sequences(scale: float = 1.0) -> tuple[Iterator[bytes], Expected]:
    """Give 28 MB of nothing but short sequences."""
    n = int(8_000 * scale)
    return blocks([*[b"\x1b[0m\x1b[K" * 500] * n, b"x\r\n"]), Expected(1, "x")


SHAPES = {
    shape.__name__: shape
    for shape in (
        clean_log,
        coloured_log,
        one_line,
        bars,
        many_bars,
        equal_lines,
        blank_lines,
        open_osc,
        clipboard,
        full_screen,
        tiny_sequences,
    )
}
