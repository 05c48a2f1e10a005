"""One conversation with a CLI process: its session, what it is doing, what waits for the user."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.agent.client import AgentClient, Ports
from wave_bridge.agent.timing import DEFAULT
from wave_bridge.core.agent_api import Decision, PermissionRequest
from wave_bridge.errors import BridgeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.agent.process import AgentCommand
    from wave_bridge.core.rpc import Event

Params = dict[str, Any]


class Conversation:
    """The session that is shown. `heard` gets each of its events, in order; other sessions' events are nobody's."""

    def __init__(self, heard: Callable[[str, Params], None]) -> None:
        self.session_id = ""
        self.workdir = ""
        self.tokens = 0
        self.approvals: deque[PermissionRequest] = deque()
        self._heard = heard
        self._said: list[str] = []
        self._loading = self._running = False
        self._under_way = 0  # turns and commands that are not answered yet
        self._client: AgentClient

    @property
    def is_busy(self) -> bool:
        """Whether a turn or a command runs, from the moment that it was sent."""
        return self._loading or self._running or self._under_way > 0

    async def start(self, command: AgentCommand) -> None:
        """Start the CLI. OSError when the system can't."""
        ports = Ports(
            on_event=self._take,
            on_batch_end=lambda: None,
            on_stderr=self._said.append,
            on_garbage=lambda *_: None,
            on_ended=lambda ended: self._heard("ended", {"reason": ended.summary()}),
        )
        self._client = await AgentClient.spawn(command, 1, ports, DEFAULT)

    async def open(self, workdir: str, restored: str | None = None) -> None:
        """Show a new session in `workdir`, or a stored one; the one before it ends, saved.

        Everything that the CLI derives from the directory it derives anew (S9.4). AgentError when there is no such
        session: nothing has changed then (S9.11).
        """
        params = {"workdir": workdir} | ({"restoreSessionId": restored} if restored else {})
        opened = await self._client.initialize(params)
        before, self.session_id = self.session_id, opened.session_id
        self.workdir = opened.working_directory or workdir
        self.tokens = opened.latest_total_tokens
        self._loading = self._running = False
        self.approvals.clear()
        if before and before != self.session_id:
            await self._client.request("destroy", {"reason": "resume"}, before)

    async def ask(self, method: str, params: Params | None = None) -> Any:
        """Ask the CLI something of this session and give its answer. BridgeError for a refusal."""
        return msgspec.json.decode(await self._client.request(method, params or {}, self.session_id))

    def send(self, method: str, params: Params) -> None:
        """Begin a turn or a command; what comes of it is heard, at last `answered` or `refused`."""

        def on_reply(reply: bytes | BridgeError) -> None:
            self._under_way -= 1
            if isinstance(reply, BridgeError):
                self._heard("refused", {"message": reply.message})
            else:
                self._heard("answered", {})

        self._under_way += 1
        self._client.call(method, params, self.session_id, on_reply)

    def decide(self, decision: Decision) -> None:
        """Answer the approval that has waited longest."""
        request = self.approvals.popleft()
        params = {"requestId": request.request_id, "decision": decision}
        self._client.notify("permissionResponse", params, self.session_id)

    async def stop(self) -> None:
        """Stop what runs; what waits for approval is denied first, or its turn would never end."""
        while self.approvals:
            self.decide(Decision("deny"))
        await self.ask("abortMessage")

    async def close(self) -> None:
        """End the session and the CLI: both are saved by the end of its input."""
        await self._client.close()

    def _take(self, event: Event) -> None:
        if event.session_id not in {None, self.session_id}:
            return
        params: Params = msgspec.json.decode(event.params) if event.params else {}
        match event.method:
            case "sessionIdChange" if event.session_id is not None:
                self.session_id = str(params["sessionId"])
            case "loadingChange":
                self._loading = bool(params.get("loading"))
                self.tokens = params.get("latestTotalTokens") or self.tokens
            case "commandRunningChange":
                self._running = bool(params.get("running"))
            case "workdirChange":
                self.workdir = str(params["workdir"])
            case "permissionRequest":
                self.approvals.append(msgspec.convert(params, PermissionRequest))
        self._heard(event.method, params)
