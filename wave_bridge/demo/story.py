"""What the demo shows, step by step. Each step observes what it claims, or raises Missing."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import pty
import sys
from typing import TYPE_CHECKING, Any

import psutil

from wave_bridge.demo.editor import Editor, Peer, within
from wave_bridge.providers.blocks import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from wave_bridge.demo.view import View

Message = dict[str, Any]

STORY = "The sky over the harbour was the colour of a terminal waiting for input, and every gull had an opinion. "
RECIPE = "Fold the egg whites in gently, bake for twenty minutes, and do not open the oven to look at them. "
COMMAND = (
    "printf 'checking \\033[33mten\\033[0m files\\r'; printf '\\033[Kall \\033[32mten\\033[0m files are fine\\n'; ls"
)


def says(text: str, *, chunks: int = 24, delay: float = 0.04) -> str:
    """Give a directive that lets the embedded model say `text` slowly."""
    return f"[[{json.dumps({'text': text, 'chunks': chunks, 'delay': delay})}]]"


class Story:
    """The actors, and the steps in order."""

    def __init__(self, view: View, folder: Path, environment: Mapping[str, str]) -> None:
        self.view = view
        self.environment = environment
        self.harbour, self.kitchen = folder / "harbour", folder / "kitchen"
        self.processes: set[int] = set()
        self.editors: list[Editor] = []

    async def tell(self) -> None:
        """Play all steps."""
        await self.attach()
        await self.open_panels()
        await self.stream()
        await self.approve()
        await self.queue()
        await self.mention_terminal()
        await self.crash()
        await self.leave()

    # Steps

    async def attach(self) -> None:
        """Two editors attach; the first one starts the daemon."""
        self.view.step("Two editors start `wave-bridge --stdio`")
        for name, folder in (("Editor A", self.harbour), ("Editor B", self.kitchen)):
            (folder / "notes").mkdir(parents=True)
            (folder / "notes" / "todo.md").write_text("- buy eggs\n")
            editor = await Editor.start(name, self.environment, str(folder))
            self.editors.append(editor)
            self.processes.add(editor.process.pid)
        pids = {(await editor.request("wave/daemon/status"))["pid"] for editor in self.editors}
        self.processes |= pids
        self.view.check("both are attached to one daemon", fits=len(pids) == 1)
        self.daemon = psutil.Process(pids.pop())

    async def open_panels(self) -> None:
        """Three panels in two folders, on one CLI."""
        self.view.step("They open three panels in two folders")
        a, b = self.editors
        self.sidebar = await a.open_panel("sidebar", "sidebar", str(self.harbour))
        self.tab = await a.open_panel("tab", "tab", str(self.harbour))
        self.kitchen_panel = await b.open_panel("kitchen", "sidebar", str(self.kitchen))
        status = await a.request("wave/daemon/status")
        sessions = [session for agent in status["agents"] for session in agent["sessions"]]
        self.view.check("there are three sessions", fits=len(sessions) == 3)
        self.view.check("one CLI process serves them all", fits=len(self.cli_processes()) == 1)

    async def stream(self) -> None:
        """Two panels of two editors stream at the same time, each its own text."""
        self.view.step("Both editors ask; both answers stream at once")
        order: list[str] = []
        listening = [(self.sidebar, STORY), (self.kitchen_panel, RECIPE)]
        with self.view.columns([panel.name for panel, _ in listening]) as show:
            for panel, _ in listening:
                panel.on_heard = _chunk_listener(panel, order, show)
            await asyncio.gather(*(self.turn(panel, says(text)) for panel, text in listening))
        for panel, text in listening:
            panel.on_heard = _ignore
            self.view.check(f"{panel.name} has its whole answer and nothing else", fits=panel.text() == text)
        changes = sum(1 for one, next_one in itertools.pairwise(order) if one != next_one)
        self.view.check(f"the answers took turns ({changes} changes between them)", fits=changes > 4)

    async def approve(self) -> None:
        """Let a tool ask, the user allow it, and the tool run."""
        self.view.step("The agent wants to run a command; the user is asked")
        proof = self.harbour / "proof.txt"
        tool = {"name": "Bash", "args": {"command": "touch proof.txt", "description": "leave a proof"}}
        heard = len(self.tab.heard)
        await self.start(self.tab, f"[[{json.dumps({'tool': tool})}]][[{json.dumps({'text': 'It is there.'})}]]")
        asked = await self.tab.hear("a permission request", _is("wave/permission/requested"), heard)
        approval = asked["params"]
        self.view.line(f"asked: {approval['context']['toolName']} {approval['context']['toolInput']['command']!r}")
        self.view.check("nothing ran before the answer", fits=not proof.exists())
        answer = await self.tab.request(
            "wave/permission/respond", requestId=approval["requestId"], decision={"behavior": "allow"}
        )
        await self.ended(self.tab, heard)
        self.view.check("it was allowed, and it ran", fits=answer == {"outcome": "resolved"} and proof.exists())
        late = await self.kitchen_panel.request(
            "wave/permission/respond", requestId=approval["requestId"], decision={"behavior": "deny"}
        )
        self.view.check("a second answer comes too late and does no harm", fits=late == {"outcome": "alreadyResolved"})

    async def queue(self) -> None:
        """Queue a message while a turn runs, and edit it before its turn comes."""
        self.view.step("While a turn runs, a message is queued and then edited")
        panel, heard = self.sidebar, len(self.sidebar.heard)
        await self.start(panel, says(STORY, chunks=20, delay=0.06))
        queued = await self.start(panel, "What about the gulls?")
        self.view.check("the second message waits in the queue", fits=queued["outcome"] == "queued")
        edited = "What about the gulls, in one word? " + says("Hungry.", chunks=2)
        await panel.request("wave/queue/update", sessionId=panel.session_id, id=queued["queueId"], text=edited)
        await self.ended(panel, heard, turns=2)
        sent = [_user_text(params) for params in panel.events("userMessageAdded", heard)]
        self.view.check("the edited text was sent, the first one never", fits=sent[-1] == edited and len(sent) == 2)
        self.view.check("and answered", fits=panel.text(heard).endswith("Hungry."))

    async def mention_terminal(self) -> None:
        """Run a command in a pseudo-terminal and send its output along as @terminal."""
        self.view.step("Editor B runs a command in a terminal and sends @terminal along")
        output = await asyncio.to_thread(run_in_terminal, ["/bin/sh", "-c", COMMAND], str(self.kitchen))
        self.view.line(f"the terminal got {len(output)} bytes: {output[:46]!r}…")
        self.editors[1].terminal = {
            "source": "command",
            "command": "check && ls",
            "outputBytes": base64.b64encode(output).decode(),
            "exitCode": 0,
            "cols": 80,
        }
        panel, heard = self.kitchen_panel, len(self.kitchen_panel.heard)
        await self.turn(panel, "Is it fine? ", mentions=["terminal"])
        message = parse(_user_text(panel.events("userMessageAdded", heard)[0]))
        self.view.quote(message.blocks[0].text if message.blocks else "(no block)")
        lines = message.blocks[0].text.splitlines() if message.blocks else []
        self.view.check(
            "the agent got what the terminal showed: escapes cleaned, the redraw resolved",
            fits="all ten files are fine" in lines and "notes" in lines and not any("\x1b" in line for line in lines),
        )

    async def crash(self) -> None:
        """Kill the CLI in mid-stream and see the sessions come back with their conversations."""
        self.view.step("The CLI is killed in mid-stream")
        panel = self.sidebar
        before = await self.messages(panel)
        others = await self.messages(self.kitchen_panel)
        heard, heard_there = len(panel.heard), len(self.kitchen_panel.heard)
        await self.start(panel, says(STORY, chunks=40, delay=0.1))
        await panel.hear("the stream", lambda _: len(panel.text(heard)) > len(STORY) // 8, heard)
        (cli,) = self.cli_processes()
        cli.kill()
        ended = await panel.hear("the end of the turn", _turn_ended, heard)
        reason = ended["params"]["turnEnded"]["reason"]
        self.view.check("the turn ended with its reason, nothing is left spinning", fits=reason == "agentCrashed")
        await panel.hear("the restored session", _restored, heard)
        await self.kitchen_panel.hear("the other restored session", _restored, heard_there)
        (new,) = self.cli_processes()
        self.view.check(f"a new CLI runs (process {cli.pid} → {new.pid})", fits=new.pid != cli.pid)
        after = await self.messages(panel)
        self.view.check(
            f"the conversation is whole: {len(after)} messages, the {len(before)} old ones unchanged",
            fits=[_shown(message) for message in after[: len(before)]] == [_shown(message) for message in before],
        )
        there = await self.messages(self.kitchen_panel)
        self.view.check("so is the other editor's", fits=[_shown(m) for m in there] == [_shown(m) for m in others])
        heard = len(panel.heard)
        await self.turn(panel, says("Where were we? Ah, the gulls.", chunks=4))
        self.view.check("and it goes on", fits=panel.text(heard) == "Where were we? Ah, the gulls.")

    async def leave(self) -> None:
        """Let the editors quit, stop the daemon, and look for what is left."""
        self.view.step("The editors quit, the daemon is stopped")
        self.processes |= {child.pid for child in self.daemon.children(recursive=True)}
        codes = [await editor.quit() for editor in self.editors]
        self.view.check("both attached processes ended with 0", fits=codes == [0, 0])
        stopping = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "wave_bridge", "stop", env=dict(self.environment), stdout=asyncio.subprocess.DEVNULL
        )
        await within(stopping.wait(), "the end of `wave-bridge stop`")
        await asyncio.to_thread(_wait_gone, self.processes)
        self.view.check("no process is left", fits=not any(psutil.pid_exists(pid) for pid in self.processes))

    # What the steps share

    def cli_processes(self) -> list[psutil.Process]:
        """Give the CLI processes that live under the daemon."""
        children = self.daemon.children(recursive=True)
        found = [child for child in children if "wave_bridge.embedded" in child.cmdline()]
        self.processes |= {child.pid for child in found}
        return found

    async def start(self, panel: Peer, text: str, mentions: list[str] | None = None) -> Message:
        """Send a message; give how it was accepted."""
        parts: list[Message] = [{"type": "text", "text": text}]
        parts += [{"type": "mention", "kind": kind} for kind in mentions or []]
        turn_id = f"turn-{len(panel.heard)}-{len(text)}"
        accepted: Message = await panel.request(
            "wave/turn/start", sessionId=panel.session_id, clientTurnId=turn_id, parts=parts
        )
        return accepted

    async def turn(self, panel: Peer, text: str, mentions: list[str] | None = None) -> None:
        """Send a message and wait for the end of its turn."""
        heard = len(panel.heard)
        await self.start(panel, text, mentions)
        await self.ended(panel, heard)

    async def ended(self, panel: Peer, heard: int, turns: int = 1) -> None:
        """Wait until so many turns have ended."""

        def enough(_: Message) -> bool:
            return sum(map(_turn_ended, panel.heard[heard:])) >= turns

        await panel.hear("the end of the turn", enough, heard)

    async def messages(self, panel: Peer) -> list[Message]:
        """Give the conversation as the bridge has it from the CLI."""
        snapshot = await panel.request("wave/session/snapshot", sessionId=panel.session_id)
        messages: list[Message] = snapshot["messages"]
        return messages


def run_in_terminal(argv: list[str], folder: str) -> bytes:
    """Run a command in a pseudo-terminal of 80 columns; give what the terminal received."""
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe(argv[0], argv, {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80"})  # noqa: S606 - no shell
    output = bytearray()
    try:
        while data := os.read(master, 4096):
            output += data
    except OSError:  # Linux says EIO when the last writer has gone
        pass
    finally:
        os.close(master)
        os.waitpid(pid, 0)
    return bytes(output)


def _chunk_listener(panel: Peer, order: list[str], show: Callable[[str, str], None]) -> Callable[[Message], None]:
    def heard(note: Message) -> None:
        if note["method"] == "wave/session/event" and note["params"]["event"]["method"] == "assistantContentUpdated":
            order.append(panel.name)
            show(panel.name, panel.text())

    return heard


def _ignore(_: Message) -> None:
    pass


def _is(method: str) -> Callable[[Message], bool]:
    return lambda note: note["method"] == method


def _turn_ended(note: Message) -> bool:
    return note["method"] == "wave/session/state" and "turnEnded" in note["params"]


def _restored(note: Message) -> bool:
    return note["method"] == "wave/session/state" and bool(note["params"].get("reason") == "restored")


def _user_text(params: Message) -> str:
    return "".join(block.get("content", "") for block in params["message"]["blocks"] if block["type"] == "text")


def _shown(message: Message) -> tuple[str, list[tuple[str, str]]]:
    """Give of a message what a panel shows; the order of members differs between live and loaded ones."""
    return message["role"], [(block["type"], block.get("content", "")) for block in message["blocks"]]


def _wait_gone(pids: set[int]) -> None:
    alive = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    psutil.wait_procs(alive, timeout=10)
