"""What is fuzzed: functions of bytes that raise when a promise of the code under test is broken.

Each takes any input. The same function is run by the tests with mutated seeds, and by atheris, guided by coverage.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from wave_bridge.core import rpc
from wave_bridge.core.envelope import Garbage, decode, decode_any, event_body
from wave_bridge.core.jsonl import LineSplitter, TooLong
from wave_bridge.core.lsp_codec import FrameReader, Malformed
from wave_bridge.embedded import registry
from wave_bridge.errors import BridgeError
from wave_bridge.frames import Frames
from wave_bridge.providers.blocks import Block, compose, parse
from wave_bridge.providers.screen import Screen
from wave_bridge.store import ends, transcript

Target = Callable[[bytes], None]
SMALL = 256  # bytes: a maximum that inputs do reach


def lsp_codec(data: bytes) -> None:
    """What is found does not depend on the cutting; nothing over the maximum is given, and nothing is kept of it."""
    whole = FrameReader(SMALL).feed(data)
    reader = FrameReader(SMALL)
    found = [item for chunk in _cut(data) for item in reader.feed(chunk)]
    assert found == whole
    assert all(len(item) <= SMALL for item in found if isinstance(item, bytes))
    assert all(isinstance(item, bytes | Malformed) for item in found)


def attach_frames(data: bytes) -> None:
    """The attach process passes on what it was given, every byte once, and reads the same, whatever way it is cut."""
    for daemon in (False, True):
        whole = Frames(daemon=daemon).feed(data)
        frames = Frames(daemon=daemon)
        passed = [item for chunk in _cut(data) for item in frames.feed(chunk)]
        if not daemon:  # a daemon's notifications pass unread, in runs, or read one by one
            assert [body for _, body in passed if body] == [body for _, body in whole if body]
        assert b"".join(raw for raw, _ in passed) == b"".join(raw for raw, _ in whole)
        assert data.startswith(b"".join(raw for raw, _ in whole))


def jsonl(data: bytes) -> None:
    """Lines are what stands between newlines; blank ones are left out, long ones counted."""
    wanted = [line for line in data.split(b"\n") if len(line) > SMALL or line.strip(b" \t\n\r\x0b\x0c")]
    assert rpc.read_all(data.split(b"\n")) == [rpc.read(line) for line in data.split(b"\n")]
    splitter = LineSplitter(SMALL)
    found = [item for chunk in _cut(data) for item in splitter.feed(chunk)] + splitter.close()
    assert [item.size if isinstance(item, TooLong) else item for item in found] == [
        len(line) if len(line) > SMALL else line for line in wanted
    ]


def envelope(data: bytes) -> None:
    """Nothing raises; what is taken for a message can be spliced, and says the same as JSON of any other reader."""
    rpc.read(data)
    decoded = decode(data)
    if isinstance(decoded, Garbage):
        return
    message, clean = decoded
    clean.decode()
    spliced = json.loads(event_body(7, 7, clean))["params"]
    assert spliced["seq"] == 7
    value = spliced["event"]
    assert isinstance(value, dict)
    assert value.get("method", msgspec.UNSET) == message.method
    assert value.get("sessionId", msgspec.UNSET) == message.session_id
    decode_any(message.params)


def screen(data: bytes) -> None:
    """The text does not depend on the cutting, and stays within the bounds."""
    bounds = {"keep_lines": 20, "keep_bytes": 2000, "line_chars": 100}
    cols, rows = 2 + data[0] % 40 if data else 80, 1 + data[-1] % 12 if data else 24
    whole = Screen(cols, rows, **bounds)
    whole.feed(data)
    parts = Screen(cols, rows, **bounds)
    for chunk in _cut(data):
        parts.feed(chunk)
    text = whole.finish()
    assert text == parts.finish()
    assert len(text.lines) <= 20
    assert sum(len(line.encode()) for line in text.lines) <= 2000
    assert text.total_lines >= len(text.lines)


def session_file(data: bytes) -> None:
    """Any file can be read; repaired, it is whole and says the same; its ends can be read without it."""
    loaded = transcript.read(data)
    mended = transcript.repaired(data)
    again = transcript.read(mended)
    assert again.damage == []
    assert (again.header, again.title, again.messages, again.thread) == (
        loaded.header,
        loaded.title,
        loaded.messages,
        loaded.thread,
    )
    assert transcript.repaired(mended) == mended
    ends.read_ends(lambda start, size: data[start : start + size], len(data))
    ids = [body["id"] for body in loaded.thread if isinstance(body.get("id"), str)]
    if ids:
        rest, dropped = transcript.rewound(data, ids[len(ids) // 2])
        assert dropped
        assert ids[len(ids) // 2] not in [body.get("id") for body in transcript.read(rest).thread]


def blocks(data: bytes) -> None:
    """Composing and parsing are inverse, whatever a user or a terminal wrote."""
    text = data.decode("utf-8", "replace")
    assert parse(compose(text)) == (text, ())
    said, cut, shown = text.partition("\0")
    if cut:
        made = [Block("terminal", shown), Block("problems", said, truncated=True)]
        assert parse(compose(said, made)) == (said, tuple(made))
    taken = parse(text)
    assert parse(compose(taken.user_text, taken.blocks)) == taken


def archive(data: bytes) -> None:
    """A package's archive writes into its folder and nowhere else, makes no link, and is refused with a reason."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "package")
        with contextlib.suppress(registry.RegistryFault, OSError):
            registry.unpack(gzip.compress(_with_checksums(data), 1), folder, "fuzzed")
        with contextlib.suppress(registry.RegistryFault, OSError):
            registry.unpack(data, Path(place, "package"), "fuzzed")
        assert [path.name for path in Path(place).iterdir()] in ([], ["package"])
        assert not any(path.is_symlink() for path in folder.rglob("*"))


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (lsp_codec, attach_frames, jsonl, envelope, screen, session_file, blocks, archive)
}
EXPECTED = BridgeError  # what a target may be refused with: bad input has a clear error


def _with_checksums(data: bytes) -> bytes:
    """Make the sum of each tar header right: a wrong one is refused before anything else is looked at."""
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    for number, block in enumerate(blocks):
        if block[257:262] == b"ustar":
            total = sum(block[:148]) + sum(block[156:]) + 8 * ord(" ")
            blocks[number] = block[:148] + b"%06o\0 " % total + block[156:]
    return b"".join(blocks)


def _cut(data: bytes) -> Iterator[bytes]:
    """Cut the input at places that it names itself."""
    at = 0
    while at < len(data):
        size = 1 + data[at] % 23
        yield data[at : at + size]
        at += size
