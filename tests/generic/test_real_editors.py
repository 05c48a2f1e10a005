"""Editors that people use, headless: what docs/editors promises holds in them."""

import asyncio
import json
import os
import shutil
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SAID = "every word of this answer comes on its own"
TURNS = {
    "WB_PYTHON": sys.executable,
    "WB_STREAM": f'Stream [[{{"text": "{SAID}", "chunks": 20, "delay": 0.05}}]]',
    "WB_STREAMED": f"\n{SAID}",
    "WB_TOOL": 'Do [[{"tool": {"name": "Bash", "args": {"command": "touch made.txt"}}}]][[{"text": "Made."}]]',
    "WB_SLOW": 'Slowly [[{"text": "slow answer", "chunks": 10, "delay": 0.5}]]',
}
NEOVIMS = {"packaged": str(Path(sys.executable).parent / "nvim"), "debian": "/usr/bin/nvim"}


async def seen(machine, work, program, *arguments):
    """Run an editor with its script, and give what it saw."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    (work / "code.txt").write_text("some words\n")
    env = machine.env | TURNS | {"PYTHONPATH": str(HERE.parent.parent), "TERM": "dumb", "LANG": "en_US.UTF-8"}
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        env=env,
        cwd=work,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(90):
            output = (await process.communicate())[0].decode(errors="replace")
    except TimeoutError:
        process.kill()
        raise
    lines = output.splitlines()
    for line in lines:
        if line.startswith("SKIP "):
            pytest.skip(line.removeprefix("SKIP "))
    found = next((line for line in lines if line.startswith("SEEN ")), None)
    assert found, output
    return json.loads(found.removeprefix("SEEN "))


@pytest.mark.parametrize("name", NEOVIMS)
async def test_neovim(machine, work, name):
    """Asks, types while the answer streams, sends, allows a tool, stops a turn, renames."""
    found = await seen(machine, work, NEOVIMS[name], "--headless", "--clean", "-c", f"luafile {HERE / 'clients.lua'}")
    assert found == {
        "streamed": True,
        "draft": "typed while it streams",
        "sent": True,
        "spent": True,
        "allowed": True,
        "stopped": True,
        "renamed": True,
        "questions": 1,
    }


@pytest.mark.skipif(os.name == "nt", reason="Emacs is started by its Unix name")
async def test_emacs_with_eglot(machine, work):
    """Its document is a file that grows: eglot does not manage files outside the project."""
    found = await seen(machine, work, "emacs", "-q", "--batch", "-l", str(HERE / "clients.el"))
    assert found == {"streamed": True, "renamed": True, "resumed": True}
