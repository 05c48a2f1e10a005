"""One session: what it is and has. The turns that move it are elsewhere.

It never reads stdin and starts no turn by itself; what it says goes out under its id of that moment.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wave_bridge.embedded import permissions, settings
from wave_bridge.embedded.background import Background, Ended
from wave_bridge.embedded.checkpoints import Checkpoints
from wave_bridge.embedded.failure import ToolFailed
from wave_bridge.embedded.git import three_words
from wave_bridge.embedded.journal import Journal
from wave_bridge.embedded.message_queue import Item, MessageQueue
from wave_bridge.embedded.thread import Thread
from wave_bridge.embedded.tools.todo import TodoList
from wave_bridge.store import paths

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    from wave_bridge.embedded.approvals import Approvals, Decision
    from wave_bridge.embedded.bang import Bang
    from wave_bridge.embedded.faults import Faults
    from wave_bridge.embedded.host import Host
    from wave_bridge.embedded.mcp import McpServers
    from wave_bridge.embedded.outlet import Outlet
    from wave_bridge.embedded.tools.use import Tool, ToolUse
    from wave_bridge.embedded.turns import Turn

DEFAULT_MODE: Final = "default"


class Shared(NamedTuple):
    """What the sessions of a process have in common."""

    host: Host
    outlet: Outlet
    approvals: Approvals
    faults: Faults
    live: dict[str, Session]


class Session:
    """The state of one session, and the announcements of its changes."""

    def __init__(self, shared: Shared, session_id: str, params: dict[str, Any]) -> None:
        self.shared = shared
        self.host = shared.host
        self.id = session_id
        self.params = params
        self.workdir: str = params.get("workdir") or self.host.cwd
        self.original = self.host.folder(self.workdir)
        self.folder = self.original
        self.settings = settings.load(self.host, self.workdir)
        self.models = settings.model_settings(self.host, self.settings, params)
        self.mode: str = params.get("permissionMode") or self._permissions.get("permissionMode") or DEFAULT_MODE
        self.tokens = 0
        self.known = False  # the client knows the id: until then events carry none
        self.loading = False
        self.command_running = False
        self.compacting = False
        self.turn: Turn | None = None
        self.bang: Bang | None = None
        self.built_in: dict[str, Tool] = {}
        self.mcp: McpServers
        self.start: Callable[[Item], None]
        self.plan_file: Path | None = None
        self.replies_without_todos = 0
        self.last_calls: set[tuple[str, str]] = set()
        self.thread = Thread(self.emit)
        self.queue = MessageQueue(self.emit)
        self.background = Background(self.emit, self.host.tmp)
        self._tasks: set[asyncio.Task[None]] = set()
        self._to_background: list[Callable[[], Awaitable[None]]] = []
        self._bind()

    @property
    def busy(self) -> bool:
        """Whether a turn or a command runs: then what is sent waits in the queue."""
        return self.loading or self.command_running

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools by name: built-in ones and those of connected MCP servers."""
        return {**self.built_in, **self.mcp.tools()}

    @property
    def current_workdir(self) -> str:
        """The working directory as the wire has it: the client's own words until the model moves."""
        return self.workdir if self.folder == self.original else str(self.folder)

    def emit(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification under the session's id."""
        self.shared.outlet.notify(method, params, self.id if self.known else None)

    def set_loading(self, *, loading: bool) -> None:
        """Say whether a turn runs; repeats itself where the real CLI does."""
        self.loading = loading
        self.emit("loadingChange", {"loading": loading, "latestTotalTokens": self.tokens})

    def set_command_running(self, *, running: bool) -> None:
        """Say whether a `!` command runs."""
        self.command_running = running
        self.emit("commandRunningChange", {"running": running})

    def set_mode(self, mode: str | None) -> None:
        """Change the permission mode; any string is taken, and none at all is announced as none."""
        self.mode = mode or DEFAULT_MODE
        if mode == "plan" and self.plan_file is None:
            self.plan_file = self.host.wave / "plans" / f"{three_words()}.md"
        self.emit("permissionModeChange", {"mode": mode} if mode is not None else {})

    def announce_todos(self) -> None:
        """Send the whole task list."""
        self.replies_without_todos = 0
        self.emit("tasksChange", {"tasks": self.todos.listed()})

    def move(self, folder: str) -> bool:
        """Follow the model's `cd`; False if nothing changed."""
        if Path(folder).resolve() == self.folder.resolve():
            return False
        self.folder = Path(folder)
        self.emit("workdirChange", {"workdir": folder})
        return True

    def rename(self, session_id: str) -> None:
        """Go on under another id; the last word under the old one says so."""
        self.emit("sessionIdChange", {"sessionId": session_id})
        if self.shared.live.get(self.id) is self:
            del self.shared.live[self.id]
            self.shared.live[session_id] = self
        self.id = session_id
        self._bind()

    def save(self) -> None:
        """Write what is new to the session's file."""
        self.journal.save(self.thread.messages)

    def plan(self) -> str:
        """Give the text of the plan file."""
        try:
            return self.plan_file.read_text("utf-8") if self.plan_file else ""
        except OSError:
            return ""

    async def permit(self, use: ToolUse) -> None:
        """Let a call pass, or raise ToolFailed; asks the user where the mode and the rules want that."""
        verdict = self._judge(use)
        if verdict.kind == "deny":
            raise ToolFailed(f"{use.call.name} operation denied by user, reason: {verdict.reason}")
        if verdict.kind == "ask" and not (use.tool and use.tool.asks_itself):
            decision = await self.question(use)
            if decision.get("behavior") != "allow":
                raise ToolFailed(
                    f"{use.call.name} operation denied by user, reason: {decision.get('message') or 'no reason given'}"
                )

    async def question(self, use: ToolUse, **more: object) -> Decision:
        """Ask the user about a call and follow what the answer says besides: a new mode, a new rule."""
        verdict = self._judge(use)
        context: dict[str, Any] = {
            "toolName": use.call.name,
            "permissionMode": self.mode,
            "toolInput": use.shown_arguments(),
            "toolCallId": use.call.id,
            **more,
        }
        if verdict.suggested_prefix:
            context["suggestedPrefix"] = verdict.suggested_prefix
        if verdict.hide_persistent:
            context["hidePersistentOption"] = True
        with use.waiting():
            decision = await self.shared.approvals.ask(self, self.id, self.emit, context)
        if decision.get("behavior") == "allow":
            self._follow(decision)
        return decision

    def notice(self, ended: Ended) -> None:
        """Tell the conversation that background work has ended: at once when idle, else in its turn."""
        item = Item("notification", ended.summary, notice=ended)
        if self.busy:
            self.queue.put(item)
        else:
            self.queue.announce()
            self.start(item)

    @contextmanager
    def foreground(self, move: Callable[[], Awaitable[None]]) -> Iterator[None]:
        """Have `move` called if the user wants the running call in the background."""
        self._to_background.append(move)
        try:
            yield
        finally:
            self._to_background.remove(move)

    async def move_to_background(self) -> None:
        """Move what runs in the foreground; nothing where nothing runs."""
        for move in tuple(self._to_background):
            await move()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something that no request waits for, as long as the session lives."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Wait for what was spawned."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def cancel(self) -> None:
        """Give up what was spawned."""
        for task in self._tasks:
            task.cancel()

    @property
    def _permissions(self) -> dict[str, Any]:
        found = self.settings.get("permissions")
        return found if isinstance(found, dict) else {}

    def _judge(self, use: ToolUse) -> permissions.Verdict:
        rules = permissions.Rules(
            [*(self.params.get("allowedTools") or ()), *self._permissions.get("allow", ())],
            self._permissions.get("deny", ()),
            self.params.get("disallowedTools") or (),
        )
        scene = permissions.Scene(
            self.mode,
            self.original.resolve(),
            self.folder.resolve(),
            self.plan_file and self.plan_file.resolve(),
            rules,
            self._permissions.get("additionalDirectories", ()),
        )
        return permissions.judge(scene, use.call.name, use.arguments)

    def _follow(self, decision: Decision) -> None:
        if isinstance(mode := decision.get("newPermissionMode"), str):
            self.set_mode(mode)
        if isinstance(rule := decision.get("newPermissionRule"), str):
            kept = permissions.rules_to_keep(rule, str(self.folder))
            settings.remember_rules(self.host, self.workdir, kept)
            self.settings = settings.load(self.host, self.workdir)

    def _bind(self) -> None:
        """Tie the session's id to its files."""
        where = paths.normalise(self.workdir, self.host.cwd, str(self.host.home))
        self.journal = Journal(paths.session_file(self.host.wave, where, self.id), self.workdir, self.original)
        self.todos = TodoList(self.host.wave / "tasks" / self.id)
        self.checkpoints = Checkpoints(self.host.wave / "file-history" / self.id)
