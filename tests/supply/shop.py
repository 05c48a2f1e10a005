"""Editors on a machine with bundled CLIs, and what they show to their user."""

from __future__ import annotations

import asyncio
import json

from supply_fakes import NODE, bundled
from wave_client import WAIT


class Shop:
    """`machine` with no CLI of its own: each editor brings one."""

    def __init__(self, machine) -> None:
        self.machine = machine
        machine.env |= {"HOMEBREW_PREFIX": "/nowhere", "SHELL": "/bin/false"}
        machine.env.pop("WAVE_CLI_PATH")
        self.notices: dict[str, list[dict]] = {}

    def cli(self, name: str, change: str = ""):
        """Give the folder of a bundled CLI, as an extension has it."""
        folder = self.machine.root / name / "wave-cli"
        return folder if folder.exists() else bundled(folder, change)

    async def vscode(self, name: str = "vscode", cli=None, **options):
        cli = cli or self.cli("extension")
        return await self.editor(name, "vscode", cli={"bundled": str(cli), "runtime": NODE}, **options)

    async def jetbrains(self, name: str = "jetbrains", cli=None, **options):
        cli = cli or self.cli("plugin")
        return await self.editor(name, "jetbrains", cli={"bundled": str(cli)}, **options)

    async def editor(self, name: str, editor_id: str, *flags: str, answer: str | None = None, **options):
        """Start an editor that keeps the notices that it is asked to show, and answers each with a button or none."""
        editor = await self.machine.editor(name, *flags, hello=False)
        self.notices[name] = []

        def shown(params):
            self.notices[name].append(params)
            return {"ok": True, **({"action": answer} if answer and len(self.notices[name]) == 1 else {})}

        editor.answers["wave/editor/notify"] = shown
        await editor.hello(client={"name": name, "id": editor_id, "version": "1"}, **options)
        return editor

    async def notice(self, editor, number: int = 1) -> dict:
        """Wait for an editor's notice, and give it."""
        return (
            await until(lambda: len(self.notices[editor.name]) >= number and self.notices[editor.name], "a notice")
        )[number - 1]

    async def children(self, editor) -> list[dict]:
        """Give the facts of the CLI processes, of which at least one runs, from `wave/daemon/status`."""
        return (await editor.ask("wave/daemon/status"))["agents"]

    async def facts(self, editor) -> dict:
        """Give what the editor's CLI knows of itself."""
        return await editor.ask("wave/auth/status")

    async def output(self, editor, words: str) -> str:
        """Wait until the editor's output channel has a message with these words, and give it."""

        def found():
            return next((note.message for note in editor.log_messages if words in note.message), None)

        return await until(found, f"{words!r} in the output channel")


async def ready(editor) -> dict:
    """Wait until the editor's CLI serves."""
    return await editor.inbox.until("wave/agent/status", lambda status: status["state"] == "ready")


async def down(editor) -> dict:
    return await editor.inbox.until("wave/agent/status", lambda status: status["state"] == "down")


async def until(found, what):
    """Wait until `found()` gives something true, and give it: no event tells what an editor has been shown."""
    async with asyncio.timeout(WAIT):
        while not (result := found()):
            await asyncio.sleep(0.01)
    assert result, what
    return result


def everything_written(machine, editor) -> str:
    """Give all that was logged, to the file and to the editor's output channel, and all that it was told."""
    logged = (machine.root / "bridge.log").read_text("utf-8")
    shown = "\n".join(note.message for note in editor.log_messages)
    return "\n".join((logged, shown, json.dumps(editor.inbox.notes), json.dumps(editor.questions)))
