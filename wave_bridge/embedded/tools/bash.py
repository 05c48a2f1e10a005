"""The Bash tool: a command in the session's folder, in the foreground, in the background, or moved there."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded.background import Ended, Task, stopper
from wave_bridge.embedded.failure import ToolFailed
from wave_bridge.embedded.shell import process as shell
from wave_bridge.embedded.shell.output import Paced, Tail, joined, last_lines
from wave_bridge.embedded.tools.use import Outcome, ToolUse

if TYPE_CHECKING:
    from collections.abc import Awaitable

DEFAULT_TIMEOUT_MS: Final = 120_000
ABORTED: Final = Outcome("Command execution was aborted", success=False, error="Command execution was aborted")


def summary(use: ToolUse) -> str:
    """Give the description, else the command."""
    text = str(use.arguments.get("description") or use.arguments.get("command", ""))
    return f"{text} (background)" if use.arguments.get("run_in_background") else text


def shown(use: ToolUse) -> dict[str, Any]:
    """Give what the question to the user shows besides the command."""
    return {"timeout": use.arguments.get("timeout", DEFAULT_TIMEOUT_MS), "workdir": str(use.session.folder)}


async def run(use: ToolUse) -> Outcome:
    """Run the command and wait for it, unless it belongs to the background."""
    command = use.argument("command")
    if use.arguments.get("run_in_background"):
        return await _background(use, command)
    return await _Foreground(use, command).run()


async def _background(use: ToolUse, command: str) -> Outcome:
    task = await _start_task(use, command)
    return Outcome(
        f"Command running in background with ID: {task.task_id}. Output is being written to: {task.log}",
        short=f"Background process {task.task_id} started → {task.log}",
        more={"backgroundTaskId": task.task_id},
    )


async def _start_task(use: ToolUse, command: str) -> Task:
    background = use.session.background
    early: list[tuple[str, bool]] = []
    running = await _start(
        use, command, lambda text: early.append((text, False)), lambda text: early.append((text, True))
    )
    task = background.add("shell", command, stopper(running))
    for text, error in early:
        task.write(text, error=error)
    running.output = lambda text: background.write(task, text)
    running.errors = lambda text: background.write(task, text, error=True)
    use.session.spawn(_watch(use, task, running.wait()))
    return task


async def _watch(use: ToolUse, task: Task, ending: Awaitable[int]) -> None:
    """Wait for a background command and tell the session of its end."""
    code = await ending
    status = "completed" if code == 0 else "failed"
    if use.session.background.end(task, status, code):
        text = f'Command "{task.title}" {status} with exit code {code}'
        use.session.notice(Ended(task.task_id, "shell", status, text, str(task.log), None))


async def _start(use: ToolUse, command: str, output: shell.OnOutput, errors: shell.OnOutput) -> shell.Shell:
    try:
        return await shell.start(command, use.session.folder, use.session.host.environ, output, errors)
    except OSError as error:
        raise ToolFailed(f"spawn failed: {error}") from error


class _Foreground:
    """A command that the turn waits for, its output shown as it comes."""

    def __init__(self, use: ToolUse, command: str) -> None:
        self._use = use
        self._command = command
        self._output, self._errors = Tail(), Tail()
        self._paced = Paced(self._show)
        self._running: asyncio.Future[shell.Shell] = asyncio.get_running_loop().create_future()
        self._moved: asyncio.Future[Task] = asyncio.get_running_loop().create_future()

    async def run(self) -> Outcome:
        with tempfile.TemporaryDirectory(prefix="wave-bash-") as scratch:
            report = Path(scratch, "folder")
            command = shell.reporting_folder(self._command, report)
            with self._use.abort.listening(self._abort), self._use.session.foreground(self._move):
                running = await _start(self._use, command, self._hear, self._hear_errors)
                self._running.set_result(running)
                if self._use.abort.fired:
                    running.end()
                return await self._wait(running, report)

    async def _wait(self, running: shell.Shell, report: Path) -> Outcome:
        ending: asyncio.Future[int] = asyncio.ensure_future(running.wait())
        seconds = self._use.arguments.get("timeout", DEFAULT_TIMEOUT_MS) / 1000
        waited: set[asyncio.Future[Any]] = {ending, self._moved}
        done, _ = await asyncio.wait(waited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if self._moved in done:
            task = self._moved.result()
            self._use.session.spawn(_watch(self._use, task, ending))
            return _moved_outcome(task)
        if not done:
            running.end()
            await ending
            self._paced.stop()
            raise ToolFailed(f"Command timed out after {seconds:g} seconds")
        self._paced.stop()
        return self._outcome(ending.result(), _moved_to(self._use, report))

    def _outcome(self, code: int, folder: str | None) -> Outcome:
        text = joined(str(self._output), str(self._errors))
        notice = f"Shell working directory changed to {folder}\n" if folder else ""
        return Outcome(
            notice + (text or f"Command executed with exit code: {code}"),
            success=code == 0,
            error=None if code == 0 else f"Command failed with exit code: {code}",
            short=last_lines(text) if text.strip() else None,
        )

    def _hear(self, text: str) -> None:
        self._output.add(text)
        self._paced.change()

    def _hear_errors(self, text: str) -> None:
        self._errors.add(text)
        self._paced.change()

    def _show(self) -> None:
        text = joined(str(self._output), str(self._errors))
        self._use.progress(shortResult=last_lines(text))
        self._use.progress(result=text)

    def _abort(self) -> None:
        self._use.end(ABORTED)
        if self._running.done():
            self._running.result().end()

    async def _move(self) -> None:
        """Go on in the background, as the user wants."""
        running = await self._running
        background = self._use.session.background
        task = background.add("shell", self._command, stopper(running))
        task.write(str(self._output))
        task.write(str(self._errors), error=True)
        running.output = lambda text: background.write(task, text)
        running.errors = lambda text: background.write(task, text, error=True)
        self._paced.stop()
        self._use.handed_over = True
        self._use.end(_moved_outcome(task))
        self._moved.set_result(task)


def _moved_outcome(task: Task) -> Outcome:
    return Outcome(
        f"Command was manually backgrounded by user with ID: {task.task_id}. Output is being written to: {task.log}",
        short=f"Process {task.task_id} backgrounded",
        more={"backgroundTaskId": task.task_id, "backgroundedByUser": True},
    )


def _moved_to(use: ToolUse, report: Path) -> str | None:
    """Follow the command's `cd`: the session goes on in the folder where it ended."""
    try:
        folder = report.read_text("utf-8").strip()
    except OSError:
        return None
    return folder if folder and use.session.move(folder) else None


async def stop_task(use: ToolUse) -> Outcome:
    """Stop a background task."""
    task_id = use.argument("task_id")
    if not use.session.background.stop(task_id):
        raise ToolFailed(f"No running task with ID: {task_id}")
    return Outcome(f"Task {task_id} stopped", short=f"Stopped {task_id}")
