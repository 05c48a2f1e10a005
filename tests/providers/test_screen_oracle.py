"""The screen model against the terminal itself, @xterm/headless, on fresh random streams and on every width.

Needs Node and, once, `npm install --no-package-lock` in tests/oracle. WAVE_ORACLE_STREAMS sets how many streams,
WAVE_ORACLE_SEED which ones; a failure prints the stream.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from base64 import b64encode
from pathlib import Path
from random import Random

import pytest
from stream_grammar import stream

from wave_bridge.providers.screen import Screen
from wave_bridge.providers.widths import width

ORACLE = Path(__file__).resolve().parent.parent / "oracle"
STREAMS = int(os.environ.get("WAVE_ORACLE_STREAMS", "300"))
SEED = int(os.environ.get("WAVE_ORACLE_SEED", "1"))
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(
    NODE is None or not (ORACLE / "node_modules/@xterm/headless").is_dir(),
    reason="NOT COMPARED WITH THE TERMINAL: needs node, and `npm install --no-package-lock` in tests/oracle",
)


@pytest.fixture
def oracle():
    with subprocess.Popen([NODE, ORACLE / "terminal.mjs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def ask(data: bytes, cols: int, rows: int) -> dict:
            question = {"data": b64encode(data).decode(), "cols": cols, "rows": rows}
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


@pytest.mark.req("M1.3")
def test_random_streams_are_shown_as_by_the_terminal(oracle):
    """Where the terminal itself throws, there is nothing to compare."""
    for number in range(STREAMS):
        random = Random(SEED * 1_000_003 + number)
        data = stream(random)
        cols, rows = random.choice([2, 3, 5, 10, 20, 40, 80]), random.choice([1, 2, 3, 6, 12, 24])
        answer = oracle(data, cols, rows)
        if "error" in answer:
            continue
        for size in (len(data), 1, 7):
            screen = Screen(cols, rows)
            for start in range(0, len(data), size or 1):
                screen.feed(data[start : start + size])
            shown = screen.finish()
            assert list(shown.lines) == answer["lines"], (number, size, cols, rows, data)
            assert shown.alternate_active is answer["alternate"], (number, size, cols, rows, data)


def test_every_character_is_as_wide_as_in_the_terminal():
    listed = subprocess.run([NODE, ORACLE / "terminal.mjs", "--widths"], capture_output=True, check=True)
    widths = {code: cells for first, last, cells in json.loads(listed.stdout) for code in range(first, last + 1)}
    codes = (code for code in range(0xA0, 0x110000) if not 0xD800 <= code < 0xE000)
    assert [hex(code) for code in codes if width(chr(code)) != widths.get(code, 1)] == []
