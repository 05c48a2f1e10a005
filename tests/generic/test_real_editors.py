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
PLUGIN = HERE.parent.parent / "editors/neovim"
# The daemon of this test's machine, found by the mark that all its processes have
KILL = """
import os, psutil
mark = os.environ["WAVE_BRIDGE_TEST"]
for process in psutil.process_iter():
    try:
        if "daemon" in process.cmdline() and process.environ().get("WAVE_BRIDGE_TEST") == mark:
            process.kill()
    except psutil.Error:
        pass
"""
NEOVIMS = {"packaged": str(Path(sys.executable).parent / "nvim"), "debian": "/usr/bin/nvim"}


async def seen(machine, work, program, *arguments):
    """Run an editor with its script, and give what it saw."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    (work / "code.txt").write_text("some words\n")
    env = (
        machine.env
        | TURNS
        | {"WB_PLUGIN": str(PLUGIN), "WB_KILL": KILL}
        | {"PYTHONPATH": str(HERE.parent.parent), "TERM": "dumb", "LANG": "en_US.UTF-8"}
    )
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
        async with asyncio.timeout(40):
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


@pytest.mark.parametrize("name", NEOVIMS)
async def test_the_plug_in_for_neovim(machine, work, name):
    """Sends problems, a selection and the last command of a terminal; streams; and outlives its daemon."""
    script = ("-c", f"luafile {HERE / 'plugin.lua'}", "-c", "cquit")  # an error ends it
    found = await seen(machine, work, NEOVIMS[name], "--headless", "--clean", *script)
    terminal = {"terminal": found.pop("terminal"), "sent": found.pop("terminal_sent")} if "terminal" in found else None
    told, asked = found.pop("told"), found.pop("asked")
    assert found == dict.fromkeys(found, True), (found, told)
    assert len(found) == 11
    assert asked == 2  # an approval, a session
    assert told == []
    if name == "packaged":  # older ones do not say where a mark stands
        facts = {"command": "make it", "output": "it is made", "exitCode": 3, "running": False, "rendered": True}
        assert terminal == {"terminal": facts | {"source": "command"}, "sent": True}


@pytest.mark.skipif(os.name == "nt", reason="Emacs is started by its Unix name")
async def test_emacs_with_eglot(machine, work):
    """Its document is a file that grows: eglot does not manage files outside the project."""
    found = await seen(machine, work, "emacs", "-q", "--batch", "-l", str(HERE / "clients.el"))
    assert found == {"streamed": True, "renamed": True, "resumed": True}


@pytest.mark.skipif(os.name == "nt", reason="Emacs is started by its Unix name")
async def test_the_package_for_emacs(machine, work):
    """Sends the last terminal's text, streams, allows a tool, stops, renames and resumes."""
    found = await seen(machine, work, "emacs", "-q", "--batch", "-l", str(HERE / "plugin.el"))
    assert found == dict.fromkeys(
        ("streaming", "streamed", "terminal", "allowed", "stopped", "renamed", "resumed"), True
    )
