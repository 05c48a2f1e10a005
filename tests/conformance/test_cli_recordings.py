"""What the real CLI said, line for line, in the order in which it said it."""

from __future__ import annotations

import pytest
from recording import Player

SHORTER = {"sleep 0.3": "sleep 0.05", "sleep 0.4": "sleep 0.05"}


async def play(start, name, folder, env=None, **span):
    cli = await start(**(env or {}))
    workdir = start.workdir / folder
    workdir.mkdir(exist_ok=True)
    await Player(cli, {f"/home/user/proj/{folder}": str(workdir), **SHORTER}).play(name, **span)


LEGACY = {"WAVE_EMBEDDED_LEGACY_BANG": "1"}


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("05-queue.jsonl", "queue"),
        ("06-force-send.jsonl", "queue"),
        ("07-bang.jsonl", "queue"),
        ("08-abort.jsonl", "queue"),
        ("09-compact.jsonl", "life"),
        ("10-rewind.jsonl", "life"),
    ],
)
async def test_turns_go_out_as_recorded(start, only_embedded, name, folder):
    await play(start, name, folder, LEGACY)
