"""The Agent tool: a subagent with its own thread and file. On the wire only a few lines of progress are seen of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from wave_bridge.embedded import conversation
from wave_bridge.embedded.aborting import Abort
from wave_bridge.embedded.background import Ended
from wave_bridge.embedded.blocks import is_block_of, text_block
from wave_bridge.embedded.failure import ToolFailed
from wave_bridge.embedded.journal import Journal
from wave_bridge.embedded.models import choice as models
from wave_bridge.embedded.thread import Thread
from wave_bridge.embedded.tools.use import Outcome, TellWaiting, ToolUse
from wave_bridge.store import paths

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.embedded.models.events import Usage
    from wave_bridge.embedded.session import Session

_DEFAULT_TYPE: Final = "general-purpose"
_LINES: Final = 2  # of progress
_TAIL: Final = 30  # characters of a text that grows


class Subagent:
    """A conversation of its own. `changed` hears its progress in a few lines."""

    def __init__(self, session: Session, abort: Abort, changed: Callable[[str], None]) -> None:
        where = paths.normalise(session.workdir, session.host.cwd, str(session.host.home))
        file = paths.subagent_file(session.host.wave, where, str(uuid4()))
        self._session = session
        self._abort = abort
        self._changed = changed
        self._tokens = 0
        self._journal = Journal(file, session.workdir, session.original)
        self._thread = Thread(self._progress)

    async def work(self, prompt: str, waiting: TellWaiting) -> str:
        """Work on `prompt` to the end; give the last text. Raises ToolFailed if it came to none."""
        self._thread.say([text_block(prompt)])
        run = conversation.Run(
            self._session,
            self._thread,
            self._abort,
            models.for_turn(self._session, prompt),
            lambda: self._journal.save(self._thread.messages),
            self._note,
            waiting,
        )
        await conversation.converse(run)
        last = self._thread.newest_reply()
        if is_block_of(last, "error"):
            raise ToolFailed(next(block["content"] for block in last["blocks"] if block["type"] == "error"))
        return "".join(block["content"] for block in last["blocks"] if block["type"] == "text")

    def lines(self) -> str:
        """Give the progress: how many tools, how many tokens, the last of what it did."""
        tools = [block for message in self._thread.messages for block in message["blocks"] if block["type"] == "tool"]
        shown = [f"{tool['name']} {tool.get('compactParams') or tool['parameters'][-_TAIL:]}" for tool in tools]
        blocks = self._thread.messages[-1]["blocks"] if self._thread.messages else []
        if blocks and blocks[-1]["type"] == "text" and blocks[-1].get("stage") == "streaming":
            shown.append(blocks[-1]["content"][-_TAIL:])
        tokens = f" | {self._tokens} tokens" if self._tokens else ""
        head = [f"({len(tools)} tools{tokens})"] if tools else []
        return "\n".join([*head, *shown[-_LINES:]])

    def _note(self, usage: Usage) -> None:
        self._tokens = usage.prompt + usage.completion

    def _progress(self, _method: str, _params: dict[str, Any]) -> None:
        self._changed(self.lines())


def summary(use: ToolUse) -> str:
    """Give the subagent's type and the task's description."""
    kind = use.arguments.get("subagent_type") or _DEFAULT_TYPE
    return f"{kind}: {use.arguments.get('description', '')}"


async def run(use: ToolUse) -> Outcome:
    """Run a subagent and wait for its report, unless it belongs to the background."""
    prompt = use.argument("prompt")
    if use.arguments.get("run_in_background"):
        return _start_in_background(use, prompt)
    agent = Subagent(use.session, use.abort, lambda lines: use.progress(shortResult=lines))
    report = await agent.work(prompt, use.tell_waiting)
    if use.abort.fired:
        raise ToolFailed("Task was aborted")
    return Outcome(report, short=agent.lines())


def in_background(session: Session, title: str, prompt: str, summary_of_end: str) -> str:
    """Start a subagent that the conversation hears of when it ends; give its task id."""
    abort = Abort()
    task = session.background.add("subagent", title, abort.fire)
    agent = Subagent(session, abort, lambda _: None)

    async def work() -> None:
        try:
            report, status = await agent.work(prompt, _nobody_waits), "completed"
        except ToolFailed as failure:
            report, status = str(failure), "failed"
        task.write(report + "\n")
        if session.background.end(task, status):
            text = f"{summary_of_end} {status}"
            session.notice(Ended(task.task_id, "agent", status, text, None, report))

    session.spawn(work())
    return task.task_id


def _nobody_waits(*, waiting: bool) -> None:
    """Take note of nothing: no turn waits for a subagent in the background."""


def _start_in_background(use: ToolUse, prompt: str) -> Outcome:
    title = str(use.arguments.get("description", ""))
    task_id = in_background(use.session, title, prompt, f'Agent task "{title}"')
    return Outcome(
        f"Agent started in background with ID: {task_id}.\nYou will be notified when it completes.",
        short=f"Agent started in background: {task_id}",
        more={"backgroundTaskId": task_id},
    )
