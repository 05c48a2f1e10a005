"""Editors and panels for end-to-end tests, on pytest-lsp's client: a real `wave-bridge` process behind a real pipe.

Everything that the bridge says is checked against the protocol table as it comes, and kept until a test has read it;
what nobody read fails the test at its end.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import uuid4

import msgspec
from lsprotocol import types
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage
from pytest_lsp import LanguageClient
from pytest_lsp.protocol import LanguageClientProtocol

from wave_bridge.core.client_api import METHODS

WAIT = 20.0  # seconds; a test that waits this long has failed
PARAMS = {row.name: row.params for row in METHODS if row.direction == "toClient"}
# What may come at any time and says nothing about the session under test.
UNASKED = {"wave/agent/status", "window/logMessage"}


class WaveProtocol(LanguageClientProtocol):
    """pygls turns custom parameters into tuples that lose keys: `wave/*` messages stay plain values here."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._plain: set[str] = set()  # requests whose result stays a plain value

    def send_request(self, method, params=None, callback=None, msg_id=None):
        msg_id = msg_id or str(uuid4())
        if method.startswith("wave/"):
            self._plain.add(msg_id)
        return super().send_request(method, params, callback, msg_id)

    def structure_message(self, data):
        return data  # pygls calls this for each object inside a message as well

    def handle_message(self, message):
        super().handle_message(self._structured(message))

    def _structured(self, data):
        method = data.get("method", "")
        if method.startswith("wave/"):
            if "id" in data:
                return JsonRPCRequestMessage(data["id"], method, "2.0", data.get("params"))
            return JsonRPCNotification(method, "2.0", data.get("params"))
        if not method and data.get("id") in self._plain and "error" not in data:
            return JsonRPCResponseMessage(data["id"], "2.0", data["result"])
        return super().structure_message(data)

    def _handle_notification(self, method_name, params):
        if method_name.startswith("wave/"):
            self._server.told(method_name, params)
        else:
            super()._handle_notification(method_name, params)

    def _handle_request(self, msg_id, method_name, params):
        if method_name.startswith("wave/"):
            self._server.asked(msg_id, method_name, params)
        else:
            super()._handle_request(msg_id, method_name, params)


class Refused(Exception):
    """The bridge answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']} {error['message']}")
        self.code = error["code"]
        self.message = error["message"]
        self.data = error.get("data") or {}
        self.kind = self.data.get("kind")


def _unasked(method: str, params: dict[str, Any]) -> bool:
    return method in UNASKED or params.get("event", {}).get("method") == "mcpServersChange"


class Inbox:
    """Notifications in order, with a cursor: what is before it was read by the test."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.notes: list[tuple[str, dict[str, Any]]] = []
        self._read = 0
        self._rest_read = False  # the test has read all that it wants to know
        self._news = asyncio.Event()

    def put(self, method: str, params: dict[str, Any]) -> None:
        self.notes.append((method, params))
        self._news.set()

    async def until(self, method: str, fits=lambda _: True) -> dict[str, Any]:
        """Read on up to the first notification that fits, and give its parameters."""
        self._rest_read = False
        try:
            async with asyncio.timeout(WAIT):
                while True:
                    while self._read < len(self.notes):
                        got, params = self.notes[self._read]
                        self._read += 1
                        if got == method and fits(params):
                            return params
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            last = "\n".join(f"  {method} {str(params)[:200]}" for method, params in self.notes[-15:])
            raise AssertionError(f"{self.name} never heard {method} as wanted; last heard:\n{last}") from None

    def read_all(self) -> list[tuple[str, dict[str, Any]]]:
        """Read everything that has come so far; what still comes, unless `until` is called again, counts as read."""
        self._rest_read = True
        notes, self._read = self.notes[self._read :], len(self.notes)
        return notes

    def unread(self) -> list[tuple[str, dict[str, Any]]]:
        return [] if self._rest_read else [note for note in self.notes[self._read :] if not _unasked(*note)]


class Peer:
    """A JSON-RPC client of the bridge: an editor or a panel."""

    inbox: Inbox

    async def ask(self, method: str, **params: Any) -> Any:
        raise NotImplementedError

    async def event(self, method: str, fits=lambda _: True) -> dict[str, Any]:
        """Read on up to an event of the CLI, and give its parameters."""
        note = await self.inbox.until(
            "wave/session/event", lambda p: p["event"]["method"] == method and fits(p["event"].get("params", {}))
        )
        return note["event"].get("params", {})

    async def state(self, **wanted: Any) -> dict[str, Any]:
        """Read on up to a `wave/session/state` with these members."""
        return await self.inbox.until(
            "wave/session/state", lambda p: all(p.get(name) == value for name, value in wanted.items())
        )

    async def turn_ended(self, turn_id: str) -> str:
        """Read on up to the end of a turn, and give its reason."""
        note = await self.inbox.until(
            "wave/session/state", lambda p: p.get("turnEnded", {}).get("clientTurnId") == turn_id
        )
        return note["turnEnded"]["reason"]

    async def send(self, session_id: str, turn_id: str, text: str, *more: dict[str, Any]) -> dict[str, Any]:
        parts = [{"type": "text", "text": text}, *more]
        return await self.ask("wave/turn/start", sessionId=session_id, clientTurnId=turn_id, parts=parts)

    async def bang(self, session_id: str, turn_id: str, command: str) -> dict[str, Any]:
        parts = [{"type": "bang", "command": command}]
        return await self.ask("wave/turn/start", sessionId=session_id, clientTurnId=turn_id, parts=parts)

    async def new(self, workdir: Any, **options: Any) -> str:
        return (await self.ask("wave/session/new", workdir=str(workdir), **options))["sessionId"]

    def events(self) -> list[dict[str, Any]]:
        """Give every event of the CLI heard so far, read or not."""
        return [params["event"] for method, params in self.inbox.notes if method == "wave/session/event"]

    def deltas(self, message_id: str | None = None) -> str:
        """Give the assistant's text as the deltas spell it."""
        texts = [event["params"] for event in self.events() if event["method"] == "assistantContentUpdated"]
        return "".join(params["chunk"] for params in texts if message_id in {None, params["messageId"]})


class Panel(Peer):
    """A panel: its messages go through its editor's connection."""

    def __init__(self, editor: Editor, panel_id: str) -> None:
        self.editor = editor
        self.panel_id = panel_id
        self.inbox = Inbox(panel_id)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def ask(self, method: str, **params: Any) -> Any:
        request_id = len(self._waiting) + 1
        answer = self._waiting[request_id] = asyncio.get_running_loop().create_future()
        self.write({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        async with asyncio.timeout(WAIT):
            message = await answer
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def write(self, message: dict[str, Any]) -> None:
        self.editor.protocol.notify("wave/panel/message", {"panelId": self.panel_id, "message": message})

    def receive(self, message: dict[str, Any]) -> None:
        if "method" in message:
            check(message["method"], message["params"])
            self.inbox.put(message["method"], message["params"])
        else:
            self._waiting[message["id"]].set_result(message)

    async def close(self) -> None:
        self.editor.protocol.notify("wave/panel/close", {"panelId": self.panel_id})


class Editor(LanguageClient, Peer):
    """An editor's connection."""

    def __init__(self, name: str = "test editor") -> None:
        super().__init__(protocol_cls=WaveProtocol)
        self.name = name
        self.inbox = Inbox(name)
        self.panels: dict[str, Panel] = {}
        self.questions: list[tuple[str, Any]] = []  # what the bridge asked of the editor
        self.answers: dict[str, Any] = {}  # method → the result, or a function of the parameters that gives it
        self._open: set[str | int] = set()

        @self.feature("window/logMessage")
        def log_message(params: types.LogMessageParams) -> None:
            self.log_messages.append(params)

    async def hello(self, folder: Any = None, wave: dict[str, Any] | None = None, **options: Any) -> Any:
        """Shake hands; `wave` is `experimental.wave`, `options` go into the initialization options."""
        capabilities = types.ClientCapabilities(experimental={"wave": {"version": 1, "panels": True, **(wave or {})}})
        self.capabilities = capabilities
        result = await self.initialize_async(
            types.InitializeParams(
                capabilities=capabilities,
                process_id=options.pop("process_id", None),
                locale=options.pop("locale", "en"),
                root_uri=None,
                workspace_folders=[types.WorkspaceFolder(f"file://{folder}", "w")] if folder else None,
                initialization_options={"client": {"name": self.name, "version": "1"}, **options},
            )
        )
        self.initialized(types.InitializedParams())
        return result

    async def ask(self, method: str, **params: Any) -> Any:
        async with asyncio.timeout(WAIT):
            try:
                return await self.protocol.send_request_async(method, params)
            except Exception as fault:
                if hasattr(fault, "code") and hasattr(fault, "data"):
                    raise Refused({"code": fault.code, "message": fault.message, "data": _plain(fault.data)}) from None
                raise

    async def open_panel(self, panel_id: str, kind: str = "sidebar", workdir: Any = None) -> Panel:
        panel = self.panels[panel_id] = Panel(self, panel_id)
        where = {} if workdir is None else {"workdir": str(workdir)}
        await self.ask("wave/panel/open", panelId=panel_id, kind=kind, **where)
        return panel

    def told(self, method: str, params: dict[str, Any]) -> None:
        check(method, params)
        if method == "wave/panel/message":
            self.panels[params["panelId"]].receive(params["message"])
        else:
            self.inbox.put(method, params)

    def asked(self, msg_id: str | int, method: str, params: dict[str, Any]) -> None:
        check(method, params)
        self.questions.append((method, params))
        answer = self.answers.get(method)
        result = answer(params) if callable(answer) else answer
        if result is not SILENCE:
            self.protocol._send_response(msg_id, result)

    async def quit(self) -> None:
        """Shut down in order; nothing may be left unread."""
        await self.ask("wave/daemon/status")  # whatever was on its way has come now
        unread = [*self.inbox.unread(), *(note for panel in self.panels.values() for note in panel.inbox.unread())]
        await self.shutdown_async(None)
        self.exit(None)
        assert not unread, "unread at the end:\n" + "\n".join(f"  {m} {json.dumps(p)[:300]}" for m, p in unread)


SILENCE = object()  # as an answer: the editor never answers


def check(method: str, params: Any) -> None:
    """Decode a message of the bridge by the protocol table: an unknown method or member fails the test."""
    msgspec.convert(params, PARAMS[method])


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda item: item._asdict() if hasattr(item, "_asdict") else str(item)))
