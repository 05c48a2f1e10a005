"""An editor with many panels that costs little itself: frames and msgspec, no LSP library, nothing kept.

What comes is handed on while it is read, in order: a panel's answers and notifications keep the pipe's order. Every
notification is checked against the protocol table.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable
from typing import Any

import msgspec

from wave_bridge.core.client_api import METHODS
from wave_bridge.core.envelope import notification_body, panel_body, request_body
from wave_bridge.core.lsp_codec import FrameReader, frame

WAIT = 60.0  # seconds for any one answer: the machine may be busy, a CLI may be starting
CHUNK = 1 << 18
CHECKS = {
    row.name: msgspec.json.Decoder(row.params).decode
    for row in METHODS
    if row.direction == "toClient" and row.kind == "notification"
}
OnResult = Callable[[Any], None]


class Refused(Exception):
    """The bridge answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        data = error.get("data") or {}
        super().__init__(f"{error['code']} {data.get('kind')} {error['message']}")
        self.kind = data.get("kind")


class Gone(Exception):
    """The editor's process has ended, or the panel was closed, before the answer came."""


class Message(msgspec.Struct):
    """A JSON-RPC message towards us."""

    id: int | str | None = None
    method: str | None = None
    params: msgspec.Raw = msgspec.Raw(b"null")
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: dict[str, Any] | None = None


class Carried(msgspec.Struct, rename="camel"):
    panel_id: str
    message: msgspec.Raw


_message = msgspec.json.Decoder(Message).decode
_carried = msgspec.json.Decoder(Carried).decode


class Peer:
    """One JSON-RPC client: requests out, answers and notifications in."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._next = 0
        self._waiting: dict[Any, tuple[asyncio.Future[Any], OnResult | None]] = {}
        self.strays: list[str] = []
        self.told: Callable[[str, Any], None] = lambda _method, _params: None

    def post(self, body: bytes) -> None:
        raise NotImplementedError

    async def ask(self, method: str, on_result: OnResult | None = None, **params: Any) -> Any:
        """Ask, and give the result; `on_result` hears it first, at its place in the order of what comes."""
        self._next += 1
        answer = asyncio.get_running_loop().create_future()
        self._waiting[self._next] = answer, on_result
        self.post(request_body(self._next, method, params))
        try:
            async with asyncio.timeout(WAIT):
                return await answer
        except TimeoutError:
            raise AssertionError(f"{self.name}: {method} was not answered within {WAIT:.0f} s") from None

    @property
    def unanswered(self) -> int:
        return len(self._waiting)

    def receive(self, body: bytes | msgspec.Raw) -> None:
        message = _message(body)
        if message.method is not None:
            if message.method in CHECKS:
                CHECKS[message.method](message.params)
            self.told(message.method, msgspec.json.decode(message.params))
            return
        if message.id not in self._waiting:
            self.strays.append(f"an answer to {message.id}, which was not asked: {bytes(body)[:300]!r}")
            return
        answer, on_result = self._waiting.pop(message.id)
        if message.error is not None:
            if not answer.done():
                answer.set_exception(Refused(message.error))
            return
        result = msgspec.json.decode(message.result)
        if on_result is not None:
            on_result(result)
        if not answer.done():
            answer.set_result(result)

    def lost(self) -> None:
        """Nobody answers any more."""
        waiting, self._waiting = self._waiting, {}
        for answer, _ in waiting.values():
            if not answer.done():
                answer.set_exception(Gone(self.name))
                answer.exception()  # whoever waited may have gone as well


class Panel(Peer):
    """A panel of an editor, its messages tunnelled."""

    def __init__(self, editor: LeanEditor, name: str) -> None:
        super().__init__(name)
        self.editor = editor
        self._id = msgspec.json.encode(name)

    def post(self, body: bytes) -> None:
        self.editor.post(panel_body(self._id, body))


class LeanEditor(Peer):
    """An editor's process and its panels."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.panels: dict[str, Panel] = {}
        self._reader = FrameReader()
        self._process: asyncio.subprocess.Process
        self._reading: asyncio.Task[None]

    async def start(self, command: list[str], env: dict[str, str], folder: Any) -> None:
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=nothing, env=env, cwd=folder
        )
        self._reading = asyncio.create_task(self._read())
        wave = {"experimental": {"wave": {"version": 1, "panels": True}}}
        options = {"client": {"name": self.name, "version": "1"}}
        await self.ask(
            "initialize", processId=None, rootUri=None, capabilities=wave, initializationOptions=options, locale="en"
        )
        self.post(notification_body("initialized", {}))

    async def open_panel(self, name: str, workdir: Any) -> Panel:
        """Open a panel; the same name again is the page reloaded. What comes before the answer is the old page's."""
        panel = Panel(self, name)
        before = self.panels.pop(name, None)
        if before is not None:
            before.lost()

        def opened(_: Any) -> None:
            self.panels[name] = panel

        await self.ask("wave/panel/open", opened, panelId=name, kind="tab", workdir=str(workdir))
        return panel

    def close_panel(self, name: str) -> None:
        self.panels.pop(name).lost()
        self.post(notification_body("wave/panel/close", {"panelId": name}))

    def post(self, body: bytes) -> None:
        if self._process.returncode is not None or self._process.stdin.is_closing():
            raise Gone(self.name)
        self._process.stdin.write(frame(body))

    def signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def kill(self) -> None:
        """End as a window does that is closed by force."""
        self.signal(signal.SIGKILL)
        await self._process.wait()
        await self._reading

    async def quit(self) -> int:
        """End in order; gives the exit code."""
        await self.ask("shutdown")
        self.post(notification_body("exit", None))
        code = await self._process.wait()
        await self._reading
        return code

    async def _read(self) -> None:
        while data := await self._process.stdout.read(CHUNK):
            for body in self._reader.feed(data):
                assert isinstance(body, bytes), body
                self._take(body)
        for peer in (self, *self.panels.values()):
            peer.lost()

    def _take(self, body: bytes) -> None:
        message = _message(body)
        if message.method == "wave/panel/message":
            carried = _carried(message.params)
            panel = self.panels.get(carried.panel_id)
            if panel is not None:
                panel.receive(carried.message)
        elif message.method is not None and message.id is not None:
            self.post(msgspec.json.encode({"jsonrpc": "2.0", "id": message.id, "result": None}))
        else:
            self.receive(body)
