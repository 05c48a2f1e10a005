"""The session's task list, kept as one JSON file a task, and the tools on it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded import settings
from wave_bridge.embedded.failure import ToolFailed
from wave_bridge.embedded.tools.use import Outcome, ToolUse

if TYPE_CHECKING:
    from pathlib import Path

_STATUSES: Final = ("pending", "in_progress", "completed", "deleted")
_PLAIN: Final[tuple[str, ...]] = ("subject", "description", "activeForm", "owner", "status")
_LINKS: Final = {"addBlocks": ("blocks", "blockedBy"), "addBlockedBy": ("blockedBy", "blocks")}

Todo = dict[str, Any]


class TodoList:
    """The tasks of one session, by id, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def listed(self) -> list[Todo]:
        """Give the tasks, oldest first; deleted ones left out."""
        numbered = sorted((int(path.stem), path) for path in self._folder.glob("*.json") if path.stem.isdecimal())
        todos = [settings.read_object(path) for _, path in numbered]
        return [todo for todo in todos if todo and todo.get("status") != "deleted"]

    def get(self, todo_id: str) -> Todo:
        """Give one task. Raises ToolFailed if there is none."""
        todo = settings.read_object(self._file(todo_id))
        if not todo:
            raise ToolFailed(f"Task #{todo_id} not found")
        return todo

    def create(self, subject: str, description: str, active_form: str | None) -> Todo:
        """Add a task."""
        number = max((int(path.stem) for path in self._folder.glob("*.json") if path.stem.isdecimal()), default=0) + 1
        active = {"activeForm": active_form} if active_form else {}
        todo: Todo = {"subject": subject, "description": description, "status": "pending", **active}
        todo |= {"blocks": [], "blockedBy": [], "metadata": {}, "id": str(number)}
        self.put(todo)
        return todo

    def put(self, todo: Todo) -> None:
        """Keep a task as it is now."""
        settings.write_object(self._file(todo["id"]), todo)

    def reset(self) -> None:
        """Forget all tasks."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, todo_id: str) -> Path:
        if not todo_id.isdecimal():
            raise ToolFailed(f"Task #{todo_id} not found")
        return self._folder / f"{todo_id}.json"


async def create(use: ToolUse) -> Outcome:
    """Add a task to the list."""
    todo = use.session.todos.create(
        use.argument("subject"), use.argument("description"), use.arguments.get("activeForm")
    )
    use.session.announce_todos()
    return Outcome(
        f"Task #{todo['id']} created successfully: {todo['subject']}",
        short=f"Created task {todo['id']}: {todo['subject']}",
    )


async def update(use: ToolUse) -> Outcome:
    """Change a task; links between tasks are kept on both sides."""
    todos, todo_id = use.session.todos, use.argument("taskId")
    todo = todos.get(todo_id)
    if use.arguments.get("status", "pending") not in _STATUSES:
        raise ToolFailed(f"Invalid status: {use.arguments['status']}")
    changed = [name for name in _PLAIN if name in use.arguments]
    todo.update({name: use.arguments[name] for name in changed})
    for member, (here, there) in _LINKS.items():
        for other_id in use.arguments.get(member, []):
            changed.append(here)
            _link(todo, here, other_id)
            other = todos.get(other_id)
            _link(other, there, todo_id)
            todos.put(other)
    todos.put(todo)
    use.session.announce_todos()
    return Outcome(f"Updated task #{todo_id} {', '.join(dict.fromkeys(changed))}", short=f"Updated task {todo_id}")


async def get(use: ToolUse) -> Outcome:
    """Tell everything about one task."""
    todo = use.session.todos.get(use.argument("taskId"))
    return Outcome("\n".join(f"{name}: {value}" for name, value in todo.items()), short=todo["subject"])


async def listing(use: ToolUse) -> Outcome:
    """List the tasks."""
    todos = use.session.todos.listed()
    lines = [f"#{todo['id']} [{todo['status']}] {todo['subject']}" for todo in todos]
    return Outcome("\n".join(lines) or "No tasks", short=f"{len(todos)} tasks")


def _link(todo: Todo, member: str, other_id: str) -> None:
    if other_id not in todo[member]:
        todo[member].append(other_id)
