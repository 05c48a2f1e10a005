"""What fuzzing begins with: what the code under test really meets, from the data of the other suites."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable
from pathlib import Path

from terminal_corpus import recorded, reported

from wave_bridge.core.lsp_codec import frame
from wave_bridge.providers.blocks import Block, Counts, compose

DATA = Path(__file__).resolve().parent.parent / "data"
FOUND = Path(__file__).resolve().parent / "found"
SEED_BYTES = 4096  # of a seed: mutations of a long one seldom meet
TOKENS = {
    "lsp_codec": [b"Content-Length: ", b"content-length:", b"\r\n\r\n", b"\n\n", b"\r\n", b"300", b"-1", b"0", b"{}"],
    "jsonl": [
        b"}\n{",
        b'{"method":"m"}\n',
        b'{"method":"m"} {"method":"n"}\n',
        b'{"method":\n"m"}\n',
        b"\n",
        b"\r\n",
        b"\n\n",
        b" ",
        b"\xe2\x80\xa8",
        b"\0",
        b"x" * 300,
    ],
    "envelope": [b'"method"', b'"id"', b'"sessionId"', b'"\\ud83d"', b"NaN", b"-Infinity", b"\xff", b"[" * 50, b"null"],
    "screen": [b"\x1b[", b"\x1b]", b"\x1b\\", b"\x9b", b"\x1b[?1049h", b"\x1b[2J", b"\r", b"\t", b"\xf0\x9f\x98\x80"],
    "session_file": [
        b"\n",
        b"\0" * 8,
        b'{"type":"metadata"',
        b'{"type":"custom-title"',
        b'"blocks":[',
        b'"id":"',
        b"}{",
    ],
    "blocks": [
        b"```",
        b"````",
        b"\n\n",
        b"\n",
        b"\0",
        b"```wave-terminal 1/1\n",
        b"```wave-problems 2/2\n",
        b" truncated",
    ],
}
TOKENS["archive"] = [
    b"../",
    b"/tmp/",
    b"\\",
    b"..",
    b"package/",
    b"\0" * 8,
    b"77777777777\0",
    b"\x80",
    b"19 path=../../out\n",
]
TOKENS["attach_frames"] = [*TOKENS["lsp_codec"], b'{"jsonrpc":"2.0","method":"wave/session/event"']


def seeds(target: str) -> list[bytes]:
    """Give the beginnings for one target, what was found before first."""
    found = [path.read_bytes() for path in sorted((FOUND / target).glob("*"))]
    return [*found, *(seed[:SEED_BYTES] for seed in _OF[target]())]


def _frames() -> Iterable[bytes]:
    golden = [path.read_bytes() for path in sorted((DATA / "golden").glob("*/*.json"))]
    yield from map(frame, golden)
    yield b"".join(map(frame, golden[:8]))
    yield b"Content-Type: x\r\ncontent-length:2\n\n{}" + frame(b"{}")


def _lines() -> Iterable[bytes]:
    for path in sorted((DATA / "wire").glob("*.jsonl")):
        yield from path.read_bytes().split(b"\n")[:40]


def _streams() -> Iterable[bytes]:
    return (b"\n".join(list(_lines())[start : start + 5]) for start in range(0, 100, 5))


def _outputs() -> Iterable[bytes]:
    return (case.raw for case in (*recorded(), *reported()))


def _sessions() -> Iterable[bytes]:
    return (path.read_bytes() for path in sorted((DATA / "sessions").rglob("*.jsonl")))


def _messages() -> Iterable[bytes]:
    one = Block("terminal", "Terminal output\n$ make\n```\n", truncated=True, counts=Counts(5, 100))
    two = Block("problems", "no problems", unavailable=True)
    for made in ((), (one,), (two,), (one, two)):
        yield compose("please fix this", made).encode()
        yield compose(compose("again", made), made).encode()


def _archives() -> Iterable[bytes]:
    """Archives as npm packs them, and such as npm would not."""
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        for names in (
            ["package/package.json", "package/bin/rg"],
            ["package/" + "deep/" * 40 + "é"],
            ["../out", "/out"],
        ):
            packed = io.BytesIO()
            with tarfile.open(fileobj=packed, mode="w", format=form) as files:
                for kind in (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
                    for name in names:
                        entry = tarfile.TarInfo(f"{name}{kind.decode()}")
                        entry.type, entry.mode = kind, 0o755
                        entry.linkname = "../../out" if kind in {tarfile.SYMTYPE, tarfile.LNKTYPE} else ""
                        entry.size = 3 if kind == tarfile.REGTYPE else 0
                        files.addfile(entry, io.BytesIO(b"one"))
            yield packed.getvalue()
            yield gzip.compress(packed.getvalue())


_OF = {
    "archive": _archives,
    "lsp_codec": _frames,
    "attach_frames": _frames,
    "jsonl": _streams,
    "envelope": _lines,
    "screen": _outputs,
    "session_file": _sessions,
    "blocks": _messages,
}
