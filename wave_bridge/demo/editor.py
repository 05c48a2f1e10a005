"""A small editor: starts `wave-bridge --stdio`, speaks LSP to it, opens panels and remembers what they are told."""

from __future__ import annotations

import asyncio
import itertools
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.core.lsp_codec import FrameReader, Malformed, frame

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    Message = dict[str, Any]
    Listener = Callable[[Message], None]

STEP_LIMIT = 15.0  # seconds that any one thing may take before the demo calls it missing
CHUNK = 64 * 1024


class Missing(Exception):
    """Something that had to happen did not happen in time."""


class Peer:
    """One JSON-RPC client of the bridge: an editor, or one of its panels."""

    def __init__(self, name: str, write: Callable[[Message], None]) -> None:
        self.name = name
        self.heard: list[Message] = []  # notifications, in order
        self.session_id = ""
        self.on_heard: Listener = lambda _: None
        self._write = write
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()

    def receive(self, message: Message) -> None:
        """Take an answer or a notification."""
        if "method" in message:
            self.heard.append(message)
            self._news.set()
            self.on_heard(message)
        elif (waiting := self._waiting.pop(message["id"], None)) is not None and not waiting.done():
            waiting.set_result(message)

    async def request(self, method: str, **params: Any) -> Any:
        """Ask the bridge. Raises Missing with the bridge's own words when it refuses."""
        request_id = next(self._ids)
        waiting = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        self._write({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        message = await within(waiting, f"an answer to {method}")
        if "error" in message:
            raise Missing(f"{method} was refused: {message['error']['message']}")
        return message["result"]

    def notify(self, method: str, **params: Any) -> None:
        """Tell the bridge."""
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    async def hear(self, what: str, fits: Callable[[Message], bool], after: int = 0) -> Message:
        """Wait for a notification that fits, among those from number `after` on."""

        async def look() -> Message:
            at = after
            while True:
                while at < len(self.heard):
                    if fits(self.heard[at]):
                        return self.heard[at]
                    at += 1
                self._news.clear()
                await self._news.wait()

        found: Message = await within(look(), f"{what} at {self.name}")
        return found

    def events(self, method: str, after: int = 0) -> list[Any]:
        """Give the parameters of the CLI's events of one kind, in order."""
        events = (note["params"]["event"] for note in self.heard[after:] if note["method"] == "wave/session/event")
        return [event["params"] for event in events if event["method"] == method]

    def text(self, after: int = 0) -> str:
        """Give what the assistant has said since, from the deltas alone."""
        return "".join(delta["chunk"] for delta in self.events("assistantContentUpdated", after))


class Editor(Peer):
    """An editor's connection: a process of its own, and panels."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        super().__init__(name, self._frame)
        self.process = process
        self.panels: dict[str, Peer] = {}
        self.terminal: dict[str, Any] | None = None  # what it answers when asked for its terminal
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, name: str, environment: Mapping[str, str], folder: str) -> Editor:
        """Start `wave-bridge --stdio` as an editor does, and shake hands."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "wave_bridge",
            "--stdio",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
        )
        editor = cls(name, process)
        await editor.request(
            "initialize",
            processId=None,
            rootUri=None,
            locale="en",
            capabilities={"experimental": {"wave": {"version": 1, "terminal": True, "panels": True}}},
            initializationOptions={"client": {"name": name, "version": "1"}},
        )
        editor.notify("initialized")
        return editor

    async def open_panel(self, name: str, kind: str, workdir: str) -> Peer:
        """Open a panel and start a session in it."""
        panel = self.panels[name] = Peer(name, lambda message: self._tunnel(name, message))
        await self.request("wave/panel/open", panelId=name, kind=kind, workdir=workdir)
        panel.session_id = (await panel.request("wave/session/new", workdir=workdir))["sessionId"]
        return panel

    def receive(self, message: Message) -> None:
        """Take a message for the editor or for one of its panels; answer what the bridge asks."""
        if message.get("method") == "wave/panel/message":
            self.panels[message["params"]["panelId"]].receive(message["params"]["message"])
        elif "id" in message and "method" in message:
            self._frame({"jsonrpc": "2.0", "id": message["id"], "result": self._answer(message["method"])})
        else:
            super().receive(message)

    async def quit(self) -> int:
        """Shut down as an editor does, and give the exit code of its `wave-bridge --stdio`."""
        await self.request("shutdown")
        self.notify("exit")
        code: int = await within(self.process.wait(), "the end of wave-bridge --stdio")
        await self._reading
        return code

    def _answer(self, method: str) -> object:
        return {"terminal": self.terminal} if method == "wave/context/read" else None

    def _tunnel(self, panel_id: str, message: Message) -> None:
        self.notify("wave/panel/message", panelId=panel_id, message=message)

    def _frame(self, message: Message) -> None:
        assert self.process.stdin is not None  # noqa: S101 - a pipe was asked for
        self.process.stdin.write(frame(msgspec.json.encode(message)))

    async def _read(self) -> None:
        assert self.process.stdout is not None  # noqa: S101 - a pipe was asked for
        reader = FrameReader()
        while data := await self.process.stdout.read(CHUNK):
            for body in reader.feed(data):
                if isinstance(body, Malformed):
                    raise Missing(f"{self.name} was sent what is no frame: {body.reason}")
                self.receive(msgspec.json.decode(body))


async def within(work: Awaitable[Any], what: str, limit: float = STEP_LIMIT) -> Any:
    """Wait for `work`; raises Missing when it takes longer than `limit` seconds."""
    try:
        return await asyncio.wait_for(work, limit)
    except TimeoutError as late:
        raise Missing(f"{what}: nothing within {limit:g} s") from late
