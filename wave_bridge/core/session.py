"""One session's cached state: small facts only, never its messages. Never waits, never logs, never knows LSP.

Written by the CLI's events alone (T8.2–T8.7). Messages come from pulls; a session of a dead CLI is never busy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.core import agent_api
from wave_bridge.core.agent_api import EVENTS
from wave_bridge.core.client_types import Draft, SessionState
from wave_bridge.core.turns import Fact, Turns

if TYPE_CHECKING:
    from wave_bridge.core.rpc import Event
    from wave_bridge.core.turns import Turn

BEGINNINGS = frozenset({"userMessageAdded", "bangMessageAdded"})


class UserMessage(msgspec.Struct, frozen=True):
    """Of a `userMessageAdded`: whether it is hidden from display."""

    is_meta: bool = msgspec.field(default=False, name="isMeta")


class UserMessageAdded(msgspec.Struct, frozen=True):
    """Parameters of `userMessageAdded`."""

    message: UserMessage = UserMessage()


class Session:
    """A session as the bridge knows it."""

    def __init__(self, session_id: str, workdir: str, options: dict[str, Any]) -> None:
        self.id = session_id
        self.home = workdir  # where it was made: a restore must go there, whatever the current folder is
        self.options = options  # the other `initialize` parameters, for the next generation
        self.workdir = workdir
        self.mode = "default"
        self.loading = False
        self.command_running = False
        self.compacting = False
        self.tokens = 0
        self.title: str | None = None
        self.queue: list[dict[str, Any]] = []
        self.drafts: list[Draft] = []  # what was queued in a CLI that has ended
        self.tasks: list[dict[str, Any]] = []
        self.background_tasks: list[dict[str, Any]] = []
        self.mcp_servers: list[dict[str, Any]] = []
        self.turns = Turns()
        self.has_messages = False  # seen one: until then the CLI may have no file to restore from

    @property
    def busy(self) -> bool:
        """Whether a turn or a command runs. A compaction is told apart: the CLI takes messages during one."""
        return self.loading or self.command_running

    def state(self) -> SessionState:
        """Give the cached facts for a client."""
        return SessionState(
            workdir=self.workdir,
            permission_mode=self.mode,
            loading=self.loading,
            command_running=self.command_running,
            compacting=self.compacting,
            busy=self.busy,
            latest_total_tokens=self.tokens,
            title=self.title,
            queue=self.queue,
            tasks=self.tasks,
            background_tasks=self.background_tasks,
            drafts=self.drafts,
        )

    def opened(self, answer: agent_api.Initialized) -> None:
        """Take the answer to `initialize`."""
        self.workdir = answer.working_directory or self.workdir
        self.mode = answer.permission_mode
        self.tokens = answer.latest_total_tokens

    def apply(self, event: Event) -> list[Fact]:
        """Take one event and give what it made true of turns. Raises msgspec.ValidationError on a wrong shape."""
        if event.method in BEGINNINGS:
            return self._begin(event)
        spec = EVENTS.get(event.method)
        if spec is None or spec.params is None:
            return []
        return self._change(event.method, msgspec.json.decode(event.params, type=spec.params))

    def _change(self, method: str, params: agent_api.Wire) -> list[Fact]:
        match params:
            case agent_api.LoadingChange():
                self.loading, self.tokens = params.loading, params.latest_total_tokens
            case agent_api.CommandRunningChange():
                self.command_running = params.running
            case agent_api.QueueChange():
                self.queue = params.messages
                mine = [item for item in params.messages if item.get("type") != "notification"]
                return self.turns.queue_changed([str(item.get("id")) for item in mine])
            case agent_api.TasksChange():
                self._set_tasks(method, params.tasks)
            case agent_api.PermissionModeChange():
                self.mode = params.mode
            case agent_api.WorkdirChange():
                self.workdir = params.workdir
            case agent_api.CompactionStateChange():
                self.compacting = params.is_compacting
            case agent_api.McpServersChange():
                self.mcp_servers = params.servers
            case _:
                pass  # the id and the approvals belong to the router and to permissions
        return []

    def _set_tasks(self, method: str, tasks: list[dict[str, Any]]) -> None:
        if method == "tasksChange":
            self.tasks = tasks
        else:
            self.background_tasks = tasks

    def _begin(self, event: Event) -> list[Fact]:
        if event.method == "userMessageAdded":
            added = msgspec.json.decode(event.params, type=UserMessageAdded)
            if added.message.is_meta:
                return []
        self.has_messages = True
        return self.turns.message_began()

    def settle(self) -> list[Fact]:
        """Say what ended, when the session is idle; to be called when no blip can hide a going-on (see limits)."""
        return [] if self.busy else self.turns.idle()

    def cleared(self) -> None:
        """Begin anew under a new id: nothing of the conversation stays."""
        self.queue, self.tasks, self.drafts = [], [], []
        self.title = None
        self.has_messages = False
        self.tokens = 0

    def crashed(self, detail: str) -> list[Fact]:
        """Take the end of the CLI: the view stays, nothing runs any more, what was queued waits as drafts."""
        self.loading = self.command_running = self.compacting = False
        for task in self.background_tasks:
            if task.get("status") == "running":
                task["status"] = "killed"
        self.drafts = [*self.drafts, *map(_draft, self.turns.open("queued", "held"))]
        self.queue = []
        return self.turns.crashed(detail)

    def take_draft(self, draft_id: str) -> Draft | None:
        """Take a draft out: it is sent, or thrown away. None: there is none of that id."""
        found = next((draft for draft in self.drafts if draft.id == draft_id), None)
        self.drafts = [draft for draft in self.drafts if draft is not found]
        return found


def _draft(turn: Turn) -> Draft:
    text = turn.params.get("command") or turn.params.get("text") or ""
    return Draft(id=turn.id, text=text, bang=turn.method == "bang", images=turn.params.get("images") or [])
