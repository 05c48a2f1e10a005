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
# The daemon of this test's machine or what WB_KILLED names, found by the mark that all its processes have
KILL = """
import os, psutil
mark, killed = os.environ["WAVE_BRIDGE_TEST"], os.environ.get("WB_KILLED", "daemon")
for process in psutil.process_iter():
    try:
        if killed in process.cmdline() and process.environ().get("WAVE_BRIDGE_TEST") == mark:
            process.kill()
    except psutil.Error:
        pass
"""
DONE = ("streamed", "allowed", "stopped", "renamed", "outlivedCli", "outlivedDaemon", "resumed")
QUICK = 'Hello [[{"text": "still here", "chunks": 2}]]'
ALE = Path("/usr/share/vim-ale")
NODE_CLIENT = HERE / "node/node_modules"
EGLOT = ("emacs", "-q", "--batch", "-l", str(HERE / "clients.el"))
LSP_MODE = ("emacs", "-q", "--batch", "-l", str(HERE / "lsp-mode.el"))
VIM = ("vim", "-N", "-u", str(HERE / "ale.vim"), "-i", "NONE", "-n", "--not-a-term", "-T", "dumb")
NODE = ("node", str(HERE / "node/client.mjs"))
NVIM = ("--headless", "--clean", "-c", f"luafile {HERE / 'clients.lua'}")
NEOVIMS = {"packaged": str(Path(sys.executable).parent / "nvim"), "debian": "/usr/bin/nvim"}


async def seen(machine, work, program, *arguments, **variables):
    """Run an editor with its script, and give what it saw: on its output, or in the file WB_SEEN."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")
    (work / "code.txt").write_text("some words\n")
    report = machine.root / f"seen by {Path(program).name}"
    env = (
        machine.env
        | TURNS
        | {"WB_PLUGIN": str(PLUGIN), "WB_KILL": KILL, "WB_SEEN": str(report)}
        | {"PYTHONPATH": str(HERE.parent.parent), "TERM": "dumb", "LANG": "en_US.UTF-8"}
        | variables
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
        async with asyncio.timeout(60):
            output = (await process.communicate())[0].decode(errors="replace")
    except TimeoutError:
        process.kill()
        raise AssertionError((await process.communicate())[0].decode(errors="replace")) from None
    lines = (report.read_text() if report.exists() else output).splitlines()
    for line in lines:
        if line.startswith("SKIP "):
            pytest.skip(line.removeprefix("SKIP "))
    found = next((line for line in lines if line.startswith("SEEN ")), None)
    assert found, output
    return json.loads(found.removeprefix("SEEN "))


@pytest.mark.parametrize("name", NEOVIMS)
async def test_neovim(machine, work, name):
    """Asks, types while the answer streams, sends, allows a tool, stops, renames, and outlives CLI and daemon."""
    found = await seen(machine, work, NEOVIMS[name], *NVIM)
    assert found == {
        "streamed": True,
        "draft": "typed while it streams",
        "sent": True,
        "spent": True,
        "allowed": True,
        "stopped": True,
        "renamed": True,
        "outlivedCli": True,
        "outlivedDaemon": True,
        "resumed": True,
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
    found = await seen(machine, work, *EGLOT)
    assert found == dict.fromkeys(DONE, True) | {"questions": 1}


@pytest.mark.skipif(os.name == "nt", reason="Emacs is started by its Unix name")
async def test_emacs_with_lsp_mode(machine, work):
    """The same, where lsp-mode asks its user."""
    found = await seen(machine, work, *LSP_MODE)
    assert found == dict.fromkeys(DONE, True) | {"questions": 1}


@pytest.mark.skipif(not ALE.is_dir(), reason="ALE is not installed")
async def test_vim_with_ale(machine, work):
    """ALE is asked nothing and shows nothing: a file that grows, and approvals by command."""
    found = await seen(machine, work, *VIM)
    assert found == dict.fromkeys(DONE, True)


@pytest.mark.skipif(not NODE_CLIENT.is_dir(), reason="vscode-languageserver-protocol is not installed")
async def test_a_client_on_the_library_of_vs_code(machine, work):
    """The same, by edits in its document."""
    found = await seen(machine, work, *NODE)
    assert found == dict.fromkeys(DONE, True) | {"questions": 1}


@pytest.mark.skipif(not NODE_CLIENT.is_dir() or not ALE.is_dir(), reason="not all of the four editors are installed")
async def test_four_editors_at_once_on_one_session(machine, work):
    """Each joins it, and each shows what another client of it says."""
    first = await machine.editor("first")
    session_id = await first.new(work)
    await first.send(session_id, "one", QUICK)
    assert await first.turn_ended("one") == "completed"
    names = {"nvim": (NEOVIMS["packaged"], *NVIM), "emacs": EGLOT, "vim": VIM, "node": NODE}
    joining = [asyncio.create_task(seen(machine, work, *command, WB_JOIN=session_id)) for command in names.values()]
    async with asyncio.timeout(40):
        while (await first.ask("wave/daemon/status"))["agents"][0]["sessions"][0]["watchers"] < 1 + len(names):
            await asyncio.sleep(0.1)
            for task in joining:
                assert not task.done(), task.result()
    await first.send(session_id, "two", TURNS["WB_STREAM"])
    assert await first.turn_ended("two") == "completed"
    assert dict(zip(names, await asyncio.gather(*joining), strict=True)) == {name: {"joined": True} for name in names}
    first.inbox.read_all()


@pytest.mark.skipif(os.name == "nt", reason="Emacs is started by its Unix name")
async def test_the_package_for_emacs(machine, work):
    """Sends the last terminal's text, streams, allows a tool, stops, renames and resumes."""
    found = await seen(machine, work, "emacs", "-q", "--batch", "-l", str(HERE / "plugin.el"))
    assert found == dict.fromkeys(
        ("streaming", "streamed", "terminal", "allowed", "stopped", "renamed", "resumed"), True
    )
