"""How cost grows with size: CPU time in this process of what handles lines, files, screens, blocks and snapshots.

    python benchmarks/scale.py [--rounds N] [--quick]

Wanted: nothing grows faster than linearly. User time: that of the kernel jumps where the memory for an input is no
longer kept by malloc but asked for anew, page by page. Panels and listings have plots in their own benchmarks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable

from listing import message
from plots import exponent, plot
from problems import facts, plain
from rows import Result, Row, Wish, progress, run_alone

from wave_bridge.core import rpc
from wave_bridge.core.jsonl import LineSplitter
from wave_bridge.core.lsp_codec import FrameReader, frame
from wave_bridge.core.outbox import Outbox, Stream
from wave_bridge.providers.blocks import Block, compose, parse
from wave_bridge.providers.problems import problems_block, read_facts
from wave_bridge.providers.screen import Screen
from wave_bridge.store import transcript

Work = Callable[[], object]
SECTION = "Cost against size"
LINEAR = 1.25  # exponent from the second size to the last: noise is allowed for, and what no longer fits into a cache
CHUNK = 1 << 16
LONG = (100_000, 1_000_000, 10_000_000, 60_000_000)
MEASURABLE = 0.1  # seconds


def line_of(size: int) -> Work:
    """A line of `size` bytes that comes in chunks, is read, and goes out as a frame."""
    line = b'{"method":"assistantContentUpdated","params":{"chunk":"' + b"x" * size + b'"},"sessionId":"s"}\n'

    def work() -> None:
        splitter, outbox = LineSplitter(), Outbox(lambda: None)
        for start in range(0, len(line), CHUNK):
            for found in splitter.feed(line[start : start + CHUNK]):
                outbox.send_event(Stream("s"), rpc.read(found))
        assert len(outbox.take()) > size

    return work


def frame_of(size: int) -> Work:
    """A frame of `size` bytes that comes in chunks."""
    data = frame(b"x" * size)

    def work() -> None:
        reader = FrameReader()
        assert [len(b) for s in range(0, len(data), CHUNK) for b in reader.feed(data[s : s + CHUNK])] == [size]

    return work


def backlog_of(count: int) -> Work:
    """So many deltas held for a client that does not read, merged where the bound wants it, then sent."""
    event = rpc.read(
        b'{"method":"assistantContentUpdated","params":{"messageId":"m","chunk":"0123456789","stage":"streaming"},'
        b'"sessionId":"s"}'
    )

    def work() -> None:
        outbox, stream = Outbox(lambda: None, soft=10_000, hard=1 << 40), Stream("s")
        outbox.pause()
        for _ in range(count):
            outbox.send_event(stream, event)
        outbox.resume()
        outbox.take()

    return work


def session_of(count: int) -> Work:
    """A session file of so many messages, read whole."""
    data = b"".join(message(n, ("user", "assistant")[n % 2], "An answer of some length. " * 20) for n in range(count))
    return lambda: transcript.read(data)


def screen_of(size: int) -> Work:
    """A terminal's output of `size` bytes, coloured and redrawn."""
    unit = b"\x1b[32mok\x1b[0m some words of output\r\n 10%\r 20%\r\x1b[K done\r\n"
    data = unit * (size // len(unit))

    def work() -> None:
        screen = Screen(80, 24, keep_lines=500, keep_bytes=32_768, line_chars=2_000)
        for start in range(0, len(data), CHUNK):
            screen.feed(data[start : start + CHUNK])
        screen.finish()

    return work


def problems_of(count: int) -> Work:
    """A block of so many problems."""
    value = facts(lambda i: (plain(i), {}), count)
    return lambda: problems_block(read_facts(value), "en")


def block_of(size: int) -> Work:
    """A message with a block of `size` bytes full of fences, composed and taken apart."""
    block = Block("terminal", "```\n" * (size // 4))
    return lambda: parse(compose("look", [block]))


def hostile_json_of(size: int) -> Work:
    """A line that msgspec does not take, half surrogates and all, cleaned on the slow path."""
    line = b'{"method":"x","params":{"text":"' + b"\\ud83d" * (size // 6) + b'"}}'
    assert json.loads(line)
    return lambda: rpc.read(line)


SIZES = {
    "a line, bytes": (line_of, LONG),
    "a frame, bytes": (frame_of, LONG),
    "a lagging client, deltas": (backlog_of, (1_000, 10_000, 100_000)),
    "a session file, messages": (session_of, (10, 100, 1_000, 10_000)),
    "a terminal, bytes": (screen_of, (10_000, 100_000, 1_000_000, 10_000_000)),
    "problems, entries": (problems_of, (100, 1_000, 10_000, 100_000)),
    "a message with a block, bytes": (block_of, (10_000, 100_000, 1_000_000)),
    "a line to be cleaned, bytes": (hostile_json_of, (1_000, 10_000, 100_000, 1_000_000)),
}


def measure(rounds: int, quick: bool) -> Result:
    result = Result()
    for number, (name, (make, sizes)) in enumerate(SIZES.items()):
        progress(f"scale: {name}")
        line = []
        for size in sizes[:-1] if quick else sizes:
            work = make(size)
            taken = [_seconds(work) * 1000 for _ in range(rounds)]
            line.append((float(size), max(min(taken), 0.001)))
            result.rows.append(Row(SECTION, name, f"step {len(line)}", "ms", taken))
        grows = exponent([line[min(1, len(line) - 2)], line[-1]])
        result.wishes.append(Wish(f"Growth with the size of {name}", "≤ n^1", f"n^{grows:.2f}", grows <= LINEAR))
        result.plots[f"scale-{number + 1}"] = plot(
            f"CPU of {name.partition(',')[0]}", name.rpartition(", ")[2], "ms", {"": line}, log=True
        )
    result.notes.append(
        "The steps are the points of the plots, whose dashes are linear: mostly ten times the size of the one before. "
        "This is user time: a frame of 60 MB costs the kernel four times as much again, 24,000 pages that it hands out."
    )
    return result


def _seconds(work: Work) -> float:
    """Give the seconds of user time of once, measured over as many times as make it measurable."""
    times, begin = 0, os.times().user
    while (used := os.times().user - begin) < MEASURABLE:
        work()
        times += 1
    return used / times


if __name__ == "__main__":
    raise SystemExit(run_alone(measure, __doc__))
