"""A client of the bridge: an editor's connection, or a panel, which that connection carries or which has its own.

A panel is a client like any other; what differs is that its messages may be wrapped, and that it asks its editor for
what only an editor can do. No state of a client outlives its connection.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.core.answer import Answer
from wave_bridge.core.envelope import notification_body, panel_body, request_body
from wave_bridge.core.outbox import Stream
from wave_bridge.errors import EditorFailed, EditorTimeout, Unsupported

if TYPE_CHECKING:
    from wave_bridge.core.agent_api import Wire
    from wave_bridge.core.client_types import PanelOpen
    from wave_bridge.core.outbox import Outbox


class ClientInfo(msgspec.Struct, frozen=True, rename="camel"):
    """What an editor said of itself in `initialize` (docs/PROTOCOL.md, capabilities)."""

    name: str = "unknown"
    version: str = ""
    id: str = ""
    locale: str | None = None
    capabilities: dict[str, Any] = {}  # capabilities.experimental.wave; empty: any LSP editor
    settings: dict[str, Any] = {}
    folders: list[str] = []  # workspace folders, as paths
    cli_path: str | None = None
    cli_bundled: str | None = None
    runtime: str | None = None
    environment: dict[str, str] = {}  # of the process that the editor started, as far as it matters here
    process: int = 0  # that process, where it outlives the daemon


class Arrival(Answer[Any]):
    """The answer to a client that is on its way to a session; `left`: it has turned back meanwhile."""

    left = False


NO_EDITOR = "This panel is in a browser, and no editor has opened it."
EDITOR_GONE = "The editor has gone."


class Client:
    """One JSON-RPC peer. `editor` is itself for an editor, for a panel the one that opened it, None where none did.

    A panel's messages are wrapped when it shares its editor's `outbox`; one with an outbox of its own gets them bare.
    """

    def __init__(
        self, outbox: Outbox, info: ClientInfo, *, editor: Client | None = None, opened: PanelOpen | None = None
    ) -> None:
        self.outbox = outbox
        self.info = info
        self.opened = opened  # None for an editor
        self.is_panel = opened is not None
        self.panel_id = "" if opened is None else opened.panel_id
        self.editor = self if opened is None else editor
        carried = editor is not None and editor.outbox is outbox
        self.connection: Client = editor if editor is not None and carried else self
        self.alive = True
        self.panels: dict[str, Client] = {}
        self.streams: dict[str, Stream] = {}  # by session id; the session keeps the keys up to date
        self._arrivals: dict[str, set[Arrival]] = {}  # by the session id that it asked for
        self._panel_json = msgspec.json.encode(self.panel_id) if carried else None
        self._asked: dict[str, Answer[bytes]] = {}
        self._name = secrets.token_hex(3)  # an answer meant for a daemon that died must not hit a question of ours
        self._next = 1

    def send(self, body: bytes) -> None:
        """Send one JSON-RPC message that may not be lost: an answer, a question, a fact."""
        self.outbox.send(body if self._panel_json is None else panel_body(self._panel_json, body))

    def notify(self, method: str, params: Wire | dict[str, Any]) -> None:
        """Send a notification."""
        self.send(notification_body(method, params))

    def new_stream(self, session_id: str) -> Stream:
        """Begin to number a session's events to this client."""
        return Stream(session_id, self._panel_json)

    def arrive(self, session_id: str) -> Arrival:
        """Give the answer to a request that attaches it to a session."""
        arrival = Arrival()
        self._arrivals.setdefault(session_id, set()).add(arrival)
        arrival.on_done(lambda _: self._arrived(session_id, arrival))
        return arrival

    def turn_back(self, session_id: str) -> bool:
        """Let what it asked for before attach it no more: it has left since. False when nothing was under way."""
        arrivals = self._arrivals.pop(session_id, set())
        for arrival in arrivals:
            arrival.left = True
        return bool(arrivals)

    def _arrived(self, session_id: str, arrival: Arrival) -> None:
        arrivals = self._arrivals.get(session_id, set())
        arrivals.discard(arrival)
        if not arrivals:
            self._arrivals.pop(session_id, None)

    @property
    def place(self) -> ClientInfo:
        """What its surroundings are, whichever CLI serves them: its editor's, else its own."""
        return self.info if self.editor is None else self.editor.info

    def announces(self, capability: str) -> bool:
        """Say whether its `experimental.wave` has the capability; missing means unsupported."""
        return bool(self.info.capabilities.get(capability))

    def ask_editor(self, method: str, params: Wire, timeout: float) -> Answer[bytes]:
        """Ask its editor, as `ask` does; Unsupported where there is none, or none any more."""
        if self.editor is not None and self.editor.alive:
            return self.editor.ask(method, params, timeout)
        answer: Answer[bytes] = Answer()
        answer.set(Unsupported(NO_EDITOR) if self.editor is None else Unsupported(EDITOR_GONE, gone=True))
        return answer

    def ask(self, method: str, params: Wire | dict[str, Any], timeout: float) -> Answer[bytes]:
        """Send a request to the client; the answer is the raw result, or EditorTimeout after `timeout` seconds."""
        answer: Answer[bytes] = Answer()
        request_id = f"wave-{self._name}-{self._next}"
        self._next += 1
        self._asked[request_id] = answer
        late = asyncio.get_running_loop().call_later(timeout, self._give_up, request_id, method)
        answer.on_done(lambda _: late.cancel())
        self.send(request_body(request_id, method, params))
        return answer

    def answered(self, request_id: object, result: bytes, error: dict[str, Any] | None) -> bool:
        """Take the client's response; False when nothing of that id was asked, or not any more."""
        answer = self._asked.pop(request_id, None) if isinstance(request_id, str) else None
        if answer is None:
            return False
        answer.set(result if error is None else EditorFailed(str(error.get("message", "refused")), reply=error))
        return True

    def gone(self) -> None:
        """End everything that waits for this client."""
        asked, self._asked = self._asked, {}
        for answer in asked.values():
            answer.set(Unsupported(EDITOR_GONE, gone=True))

    def _give_up(self, request_id: str, method: str) -> None:
        answer = self._asked.pop(request_id, None)
        if answer is not None:
            answer.set(EditorTimeout(f"{method}: the editor did not answer in time"))
