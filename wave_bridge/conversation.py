"""What an editor and a daemon have open with each other, so that another daemon can take the dead one's place.

Sans-IO: frames in, frames out. It remembers how the editor introduced itself, its open panels, and whatever waits for
an answer on either side; nothing else of what passes is kept or looked at. Panels are JSON-RPC peers whose messages
are tunnelled, so their open requests count too. Standard library only: an editor waits for this module.
"""

from __future__ import annotations

import json

from wave_bridge.buffers import NOTED, Buffers
from wave_bridge.frames import answered_panel, frame, head, leaves_nothing_open, plain_id

TYPE_CHECKING = False  # `typing` costs an editor 5 ms
if TYPE_CHECKING:
    from typing import Any, Final

AGENT_UNAVAILABLE: Final = -31001  # its kind is `agentUnavailable`, docs/PROTOCOL.md
_SAID_AGAIN = {"initialized", "workspace/didChangeConfiguration"}  # the latest of each, to the next daemon


class Conversation:
    """One editor's side of it. Keys of open requests are `(panel id or None, request id)`."""

    def __init__(self) -> None:
        self._open: dict[tuple[str | None, Any], str] = {}  # the editor's and its panels' requests: key → method
        self._asked: set[Any] = set()  # ids of the daemon's requests to the editor
        self._dead_asked: set[Any] = set()  # those of daemons that are no more
        self._progress: set[Any] = set()  # tokens of progress that has begun
        self._swallowed: set[Any] = set()  # ids of requests said again, whose answer the editor had
        self._initialize: tuple[Any, bytes] | None = None
        self._kept: dict[str, bytes] = {}
        self._folder_changes: list[bytes] = []
        self._panels: dict[str, tuple[Any, bytes]] = {}
        self._buffers = Buffers()  # of an editor that is told nothing of ours: what it has for panels
        self.knows_wave = False  # the editor announced experimental.wave
        self.shutdown = False  # the editor asked for its end
        self.exiting = False
        self.greeted = True  # False while another daemon has not answered the `initialize` that was said again

    def from_editor(self, body: bytes) -> bool:
        """Note what the editor says; False when a new daemon must not hear it: an answer to what the dead one asked."""
        message = head(body)
        method, request_id = message.get("method"), message.get("id")
        if not isinstance(method, str):
            return self._answered(request_id)
        if request_id is not None:
            self._open[None, request_id] = method
        match method:
            case "initialize":
                self._initialize = (request_id, body)
                self.knows_wave = _announces_wave(message)
            case "shutdown":
                self.shutdown = True
            case "exit":
                self.exiting = True
            case "workspace/didChangeWorkspaceFolders":
                self._folder_changes.append(body)
            case _ if method in _SAID_AGAIN:
                self._kept[method] = body
            case _ if method in NOTED and not self.knows_wave:
                self._buffers.note(method, message.get("params"))
            case _ if method.startswith("wave/panel/"):
                self._note_panel(method, request_id, body, message.get("params"))
        return True

    def _answered(self, request_id: Any) -> bool:
        self._asked.discard(request_id)
        if request_id not in self._dead_asked:
            return True
        self._dead_asked.discard(request_id)
        return False

    def _note_panel(self, method: str, request_id: Any, body: bytes, params: Any) -> None:
        params = params if isinstance(params, dict) else {}
        panel = params.get("panelId")
        if not isinstance(panel, str):
            return
        if method == "wave/panel/open":  # again: its page was loaded anew and knows nothing of what it had asked
            self._forget_requests(panel)
            self._panels[panel] = (request_id, body)
        elif method == "wave/panel/close":
            self._forget_requests(panel)
            self._panels.pop(panel, None)
        elif isinstance(message := params.get("message"), dict) and message.get("id") is not None:
            inner = message.get("method")
            if isinstance(inner, str):
                self._open[panel, plain_id(message["id"])] = inner

    def _forget_requests(self, panel: str) -> None:
        for key in [key for key in self._open if key[0] == panel]:
            del self._open[key]

    def from_daemon(self, body: bytes) -> bool:
        """Note what the daemon says; False when the editor must not see it: it has had that answer already."""
        if leaves_nothing_open(body):
            return True
        if panel := answered_panel(body):
            self._open.pop(panel, None)
            return True
        message = head(body)
        request_id, method = message.get("id"), message.get("method")
        if method == "$/progress":
            self._note_progress(message.get("params"))
        elif method is not None and request_id is not None:
            self._dead_asked.discard(request_id)
            self._asked.add(request_id)
        elif method is None:
            return self._note_answer(request_id, body)
        return True

    def _note_answer(self, request_id: Any, body: bytes) -> bool:
        if self._initialize and request_id == self._initialize[0]:
            self.greeted = True
            self._buffers.encoding = _agreed_encoding(body)
        self._open.pop((None, request_id), None)
        if request_id in self._swallowed:
            self._swallowed.discard(request_id)
            return False
        return True

    def _note_progress(self, params: Any) -> None:
        match params:
            case {"token": str() | int() as token, "value": {"kind": "begin"}}:
                self._progress.add(token)
            case {"token": str() | int() as token, "value": {"kind": "end"}}:
                self._progress.discard(token)

    def farewell(self, reason: str, *, for_good: bool) -> bytes:
        """Give what the editor must hear when its daemon died: nothing may wait for it any more.

        What will be said again to the next daemon stays open, unless there is none (`for_good`).
        """
        again = set() if for_good else self._said_again()
        said = [
            _ended(panel, request_id, method, reason)
            for (panel, request_id), method in self._open.items()
            if panel is not None or request_id not in again
        ]
        said += [{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": asked}} for asked in self._asked]
        said += [
            {"jsonrpc": "2.0", "method": "$/progress", "params": {"token": token, "value": {"kind": "end"}}}
            for token in self._progress
        ]
        self._open = {key: method for key, method in self._open.items() if key[0] is None and key[1] in again}
        self._dead_asked |= self._asked
        self._asked.clear()
        self._progress.clear()
        self._swallowed.clear()
        return b"".join(frame(message) for message in said)

    def _said_again(self) -> set[Any]:
        first = [self._initialize[0]] if self._initialize else []
        return {*first, *(request_id for request_id, _ in self._panels.values())}

    def introduction(self) -> bytes:
        """Give what a new daemon must hear first, and alone: the `initialize` of before; empty at the first one."""
        if self._initialize is None:
            return b""
        request_id, body = self._initialize
        self.greeted = False
        self._swallow(request_id)
        return frame(body)

    def rest_of_introduction(self) -> bytes:
        """Give what follows once it has answered that."""
        for request_id, _ in self._panels.values():
            self._swallow(request_id)
        said = [*self._kept.values(), *self._folder_changes, *(body for _, body in self._panels.values())]
        said += self._buffers.said_again()
        return b"".join(map(frame, said))

    def reattached(self) -> bytes:
        """Give the notice for the editor and for each panel that a new daemon is there and what it held is gone."""
        if self._initialize is None:
            return b""
        notice = {"jsonrpc": "2.0", "method": "wave/daemon/reattached", "params": {}}
        if not self.knows_wave:
            text = "Wave Bridge's daemon was restarted."
            return frame({"jsonrpc": "2.0", "method": "window/logMessage", "params": {"type": 3, "message": text}})
        return frame(notice) + b"".join(frame(_tunnel(panel, notice)) for panel in self._panels)

    def _swallow(self, request_id: Any) -> None:
        if (None, request_id) not in self._open:
            self._swallowed.add(request_id)


def _ended(panel: str | None, request_id: Any, method: str, reason: str) -> dict[str, Any]:
    """Give the answer that the dead daemon owes; a `shutdown` has just been fulfilled."""
    advice = "Send the request again when wave/daemon/reattached has come."
    error = {
        "code": AGENT_UNAVAILABLE,
        "message": reason,
        "data": {"kind": "agentUnavailable", "fault": "bridge", "advice": advice},
    }
    outcome: dict[str, Any] = {"result": None} if method == "shutdown" else {"error": error}
    answer = {"jsonrpc": "2.0", "id": request_id, **outcome}
    return answer if panel is None else _tunnel(panel, answer)


def _tunnel(panel: str, message: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "wave/panel/message", "params": {"panelId": panel, "message": message}}


def _announces_wave(message: dict[str, Any]) -> bool:
    match message.get("params"):
        case {"capabilities": {"experimental": {"wave": _}}}:
            return True
        case _:
            return False


def _agreed_encoding(body: bytes) -> str:
    """Give the unit of positions that the daemon's answer to `initialize` names; LSP's own where it names none."""
    try:
        match json.loads(body):
            case {"result": {"capabilities": {"positionEncoding": str() as encoding}}}:
                return encoding
    except (ValueError, RecursionError):
        pass
    return "utf-16"
