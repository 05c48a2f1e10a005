"""The terminal in front of a conversation: a line is read while answers stream above it; `/` begins a command."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from prompt_toolkit import PromptSession
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.patch_stdout import patch_stdout

from wave_bridge.core.agent_api import Decision
from wave_bridge.errors import BridgeError
from wave_bridge.messages import text
from wave_bridge.picker.picker import ESCAPE_TIME, pick
from wave_bridge.picker.shelf import Shelf
from wave_bridge.store import resume
from wave_bridge.store.titles import harmless
from wave_bridge.talk.conversation import Conversation
from wave_bridge.talk.show import Stream, history_lines, plain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from prompt_toolkit.key_binding import KeyPressEvent

    from wave_bridge.agent.process import AgentCommand
    from wave_bridge.messages import Locale

ANSWERS: Final = {
    "y": Decision("allow"),
    "a": Decision("allow", new_permission_mode="acceptEdits"),
    "n": Decision("deny"),
}


class Chat:
    """The loop. `launcher` is the program of the commands that resume elsewhere; `base` the user's `~/.wave`."""

    def __init__(self, base: Path, launcher: str, locale: Locale) -> None:
        self._base = base
        self._launcher = launcher
        self._locale = locale
        self._stream = Stream(locale)
        self._conversation = Conversation(self._heard)
        self._prompt: PromptSession[str]
        self._draft = ""
        self._held: list[str] | None = None  # what comes while the picker has the screen
        self._ended = False
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "help": self._help,
            "resume": self._resume,
            "rename": self._rename,
            "clear": self._clear,
            "compact": self._compact,
            "rewind": self._rewind,
            "exit": self._exit,
            "quit": self._exit,
        }

    async def run(self, command: AgentCommand, workdir: str, restored: str | None) -> int:
        """Talk until the user leaves; gives the exit code."""
        await self._conversation.start(command)
        try:
            await self._conversation.open(workdir, restored)
            self._prompt = PromptSession(self._message, history=await self._history(), key_bindings=self._keys())
            self._prompt.app.ttimeoutlen = ESCAPE_TIME
            with patch_stdout(raw=True):
                await self._show(opened=restored is not None)
                while not self._ended and (line := await self._read()) is not None:
                    await self._take(line)
        except BridgeError as fault:
            sys.stderr.write(f"wave-bridge chat: {fault.message}\n")
            return 1
        finally:
            self._ended = True
            await self._conversation.close()
        return 0

    # Reading

    async def _read(self) -> str | None:
        """Read one line; None at the end of the input."""
        while True:
            draft, self._draft = self._draft, ""
            try:
                return await self._prompt.prompt_async(default=draft)
            except KeyboardInterrupt:
                if self._conversation.is_busy:
                    await self._stop()
                else:
                    self._say(text("talk.leave", self._locale))
            except EOFError:
                return None

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("escape", eager=True, filter=Condition(lambda: self._conversation.is_busy))
        def _(event: KeyPressEvent) -> None:
            event.app.create_background_task(self._stop())

        return keys

    def _message(self) -> str:
        if self._conversation.approvals:
            return text("talk.answer", self._locale)
        return "… " if self._conversation.is_busy else "> "

    async def _history(self) -> InMemoryHistory:
        found = await self._conversation.ask("getPromptHistory", {"workdir": self._conversation.workdir})
        entries = found if isinstance(found, list) else found.get("history", [])
        return InMemoryHistory([str(each["prompt"]) for each in reversed(entries)])

    async def _take(self, line: str) -> None:
        line = line.strip()
        name, _, rest = line.removeprefix("/").partition(" ")
        try:
            if self._conversation.approvals:
                self._decide(line)
            elif line.startswith("/") and name in self._commands:
                await self._commands[name](rest.strip())
            elif line.startswith("!"):
                self._conversation.send("bang", {"command": line[1:].strip()})
            elif line:
                self._conversation.send("sendMessage", {"text": line})
        except BridgeError as fault:
            self._say(f"! {fault.message}")

    def _decide(self, line: str) -> None:
        decision = ANSWERS.get(line.lower())
        self._conversation.decide(decision or Decision("deny", message=line) if line else Decision("deny"))

    async def _stop(self) -> None:
        with suppress(BridgeError):  # it has ended by itself meanwhile
            await self._conversation.stop()

    # Commands

    async def _help(self, _: str) -> None:
        self._say(text("talk.help", self._locale))

    async def _resume(self, _: str) -> None:
        """Choose another session and go on with it (S9); nothing changes unless it can be opened (S9.11)."""
        if self._conversation.is_busy:
            self._say(text("talk.busy", self._locale))
            return
        shelf = Shelf(self._base, self._conversation.workdir, self._launcher)
        self._held = []
        choice = await pick(shelf, self._locale, stays=True)
        held, self._held = self._held, None
        self._say("".join(held))
        if choice is None or not isinstance(choice.resume, resume.InPlace | resume.OtherWorktree):
            return
        await self._conversation.open(choice.resume.workdir, choice.session.id)
        os.chdir(choice.resume.workdir)
        await self._show(opened=True)

    async def _rename(self, title: str) -> None:
        """Name the session, also while it answers (S13.3); without a title the usage is said (S13.2)."""
        if not title:
            self._say("Usage: /rename <title>")
            return
        shelf = Shelf(self._base, self._conversation.workdir)
        stored = await anyio.to_thread.run_sync(shelf.rename_own, self._conversation.session_id, title)
        self._say(text("talk.renamed", self._locale, title=harmless(stored or "")))

    async def _clear(self, _: str) -> None:
        if self._conversation.is_busy:
            self._say(text("talk.busy", self._locale))
            return
        await self._conversation.ask("clearMessages")
        self._say(text("talk.cleared", self._locale))

    async def _compact(self, instructions: str) -> None:
        self._conversation.send("compact", {"customInstructions": instructions} if instructions else {})

    async def _rewind(self, place: str) -> None:
        """List what one can go back to, or go back to one of them; its text is the next draft."""
        found = (await self._conversation.ask("listRewindCheckpoints"))["checkpoints"]
        if place.isdecimal() and 0 < int(place) <= len(found):
            rewound = await self._conversation.ask("rewindToMessage", {"messageId": found[int(place) - 1]["id"]})
            self._draft = str(rewound.get("inputContent") or "")
            self._say(text("talk.rewound", self._locale))
            return
        self._say("\n".join(f"{number}. {harmless(each['content'])}" for number, each in enumerate(found, 1)))
        self._say("Usage: /rewind <number>")

    async def _exit(self, _: str) -> None:
        self._ended = True

    def _end(self, reason: str) -> None:
        """Leave because the CLI has ended; a line that is being read is given up."""
        if not self._ended:
            self._ended = True
            self._say(reason)
            if self._prompt.app.is_running:
                self._prompt.app.exit(exception=EOFError())

    # Writing

    async def _show(self, *, opened: bool) -> None:
        """Write which session this is, and its whole history where it has one (S9.3)."""
        conversation = self._conversation
        if opened:
            thread = (await conversation.ask("getFullMessageThread"))["messages"]
            self._say("\n".join(history_lines(thread, self._locale)))
        about = {"workdir": harmless(conversation.workdir), "session": conversation.session_id}
        self._say(text("talk.session", self._locale, tokens=conversation.tokens, **about))

    def _heard(self, method: str, params: dict[str, Any]) -> None:
        if method == "ended":
            self._end(f"! {params['reason']}")
            return
        shown = self._stream.heard(method, params)
        if self._held is not None:
            self._held.append(shown)
        elif shown:
            sys.stdout.write(shown)
        if hasattr(self, "_prompt"):
            self._prompt.app.invalidate()

    def _say(self, said: str) -> None:
        if said:
            sys.stdout.write(plain(said).rstrip("\n") + "\n")
