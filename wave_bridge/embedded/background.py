"""Work that goes on behind a conversation: commands and subagents, and the notice when one ends."""

from __future__ import annotations

import os
import signal
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wave_bridge.embedded.blocks import Block, now_ms
from wave_bridge.embedded.shell.output import Tail

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wave_bridge.embedded.shell.process import Shell
    from wave_bridge.embedded.thread import Emit

_IDS: Final = count(1)


class Ended(NamedTuple):
    """The notice of a task that has ended by itself."""

    task_id: str
    kind: str  # shell, agent
    status: str  # completed, failed, killed
    summary: str
    file: str | None
    result: str | None

    def block(self) -> Block:
        """Give the stored block."""
        block: Block = {
            "type": "task_notification",
            "taskId": self.task_id,
            "taskType": self.kind,
            "status": self.status,
            "summary": self.summary,
        }
        if self.file:
            block["outputFile"] = self.file
        if self.result is not None:
            block["result"] = self.result
        return block


class Task:
    """One background task. Its output is kept in memory in part and whole in a log file that can be tailed."""

    def __init__(self, kind: str, title: str, log: Path, stop: Callable[[], None]) -> None:
        self.kind = kind  # shell, subagent
        self.title = title
        self.log = log
        self.stop = stop
        self.status = "running"
        self.started = now_ms()
        self.ended: int | None = None
        self.exit_code: int | None = None
        self.output = Tail()
        self.errors = Tail()
        self.task_id = log.stem.removeprefix("wave-task-").removeprefix("wave-subagent-")

    def write(self, text: str, *, error: bool = False) -> None:
        """Take output."""
        (self.errors if error else self.output).add(text)
        with self.log.open("a", encoding="utf-8") as file:
            file.write(text)

    def wire(self) -> dict[str, Any]:
        """Give the task as the wire has it."""
        more: dict[str, Any] = {"command" if self.kind == "shell" else "description": self.title}
        if self.ended is not None:
            more |= {"endTime": self.ended, "runtime": self.ended - self.started}
        if self.exit_code is not None:
            more["exitCode"] = self.exit_code
        return {
            "id": self.task_id,
            "type": self.kind,
            "status": self.status,
            "startTime": self.started,
            "outputPath": str(self.log),
            **more,
        }


class Background:
    """The background tasks of one session; ended ones stay listed."""

    def __init__(self, emit: Emit, tmp: Path) -> None:
        self._emit = emit
        self._tmp = tmp
        self._tasks: dict[str, Task] = {}

    def add(self, kind: str, title: str, stop: Callable[[], None]) -> Task:
        """Begin a task and announce it."""
        name = "task" if kind == "shell" else "subagent"
        task = Task(kind, title, self._tmp / f"wave-{name}-task_{os.getpid()}_{next(_IDS)}.log", stop)
        task.log.write_text("", "utf-8")
        self._tasks[task.task_id] = task
        self.announce()
        return task

    def write(self, task: Task, text: str, *, error: bool = False) -> None:
        """Take a task's output."""
        task.write(text, error=error)
        self.announce()

    def end(self, task: Task, status: str, exit_code: int | None = None) -> bool:
        """Note that a task has ended. False if it had been stopped: then nobody is to be told."""
        if task.status != "running":
            task.exit_code = exit_code
            self.announce()
            return False
        task.status, task.exit_code, task.ended = status, exit_code, now_ms()
        self.announce()
        return True

    def stop(self, task_id: str) -> bool:
        """Stop a running task; False if there is none of this id."""
        task = self._tasks.get(task_id)
        if task is None or task.status != "running":
            return False
        task.stop()
        return self.end(task, "killed")

    def stop_all(self) -> None:
        """Stop what runs and forget everything, as the end of a session does."""
        for task in self._tasks.values():
            if task.status == "running":
                task.status = "killed"
                task.stop()
        self._tasks.clear()
        self.announce()

    def output(self, task_id: str) -> dict[str, Any] | None:
        """Give a task's output so far; None for an unknown one."""
        task = self._tasks.get(task_id)
        if task is None:
            return None
        told: dict[str, Any] = {
            "stdout": str(task.output),
            "stderr": str(task.errors),
            "status": task.status,
            "outputPath": str(task.log),
            "type": task.kind,
        }
        if task.exit_code is not None:
            told["exitCode"] = task.exit_code
        return told

    def announce(self) -> None:
        """Send the whole list; twice, as the real CLI always does."""
        for _ in range(2):
            self._emit("backgroundTasksChange", {"tasks": [task.wire() for task in self._tasks.values()]})


def stopper(shell: Shell) -> Callable[[], None]:
    """Give what stops a command at once."""
    return lambda: shell.signal(getattr(signal, "SIGKILL", signal.SIGTERM))
