"""Slash commands, skills and subagents: Markdown files with front matter, of the project and of the user."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wave_bridge.embedded.shell import process
from wave_bridge.embedded.shell.output import Tail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wave_bridge.embedded.session import Session

SUBTASK: Final = "subtask"
_FRONT_MATTER: Final = re.compile(r"\A---\r?\n(.*?)\r?\n---\r?\n?", re.DOTALL)
_SHELL_LINE: Final = re.compile(r"!`([^`]+)`")
_PLACE: Final = re.compile(r"\$(\d)")
_SHELL_SECONDS: Final = 10

_BUILT_IN_AGENTS: Final = (
    ("Bash", "Runs commands.", ["Bash"]),
    ("Explore", "Looks around in the files, changes nothing.", ["Glob", "Grep", "Read", "Bash"]),
    ("general-purpose", "Works on a task of several steps with all tools.", None),
    ("Plan", "Makes a plan, changes nothing.", ["Glob", "Grep", "Read", "Bash"]),
)


class Document(NamedTuple):
    """A Markdown file: its front matter and what follows."""

    path: Path
    meta: dict[str, str]
    body: str


class Expanded(NamedTuple):
    """A command's message: what is shown and what the model reads."""

    shown: str
    prompt: str


def listed(session: Session) -> list[dict[str, Any]]:
    """Give the slash commands: custom ones, built-in ones, skills."""
    custom = [(name, document.meta.get("description", name)) for name, document in _commands(session).items()]
    built_in = [(SUBTASK, "Start a subagent in the background that knows this conversation")]
    own = [(skill["name"], f"Skill: {skill['description']}") for skill in skills(session)]
    return [{"id": name, "name": name, "description": text} for name, text in [*custom, *built_in, *own]]


def expand(session: Session, text: str) -> Expanded | None:
    """Give the prompt that a custom command or a skill stands for; None for any other text."""
    if not text.startswith("/"):
        return None
    name, _, arguments = text[1:].partition(" ")
    if document := _commands(session).get(name):
        return Expanded(f"/{name}", _fill(document.body, arguments.strip()))
    for skill in skills(session):
        if skill["name"] == name:
            body = _read(Path(skill["skillPath"]) / "SKILL.md").body
            return Expanded(text, f"{body.strip()}\n\n{arguments.strip()}".strip())
    return None


async def with_output(session: Session, prompt: str) -> str:
    """Give the prompt with each command in it, written as !`command`, replaced by what that prints."""
    for command in dict.fromkeys(_SHELL_LINE.findall(prompt)):
        prompt = prompt.replace(f"!`{command}`", await _output_of(command, session))
    return prompt


def skills(session: Session) -> list[dict[str, Any]]:
    """Give the skills: folders with a SKILL.md below `.wave/skills` of the project and of the user."""
    found = []
    for kind, base in (("project", session.original), ("personal", session.host.home)):
        for path in sorted((base / ".wave" / "skills").glob("*/SKILL.md")):
            document = _read(path)
            found.append(
                {
                    "name": document.meta.get("name", path.parent.name),
                    "description": document.meta.get("description", ""),
                    "type": kind,
                    "skillPath": str(path.parent),
                    "userInvocable": True,
                }
            )
    return found


def agents(session: Session) -> list[dict[str, Any]]:
    """Give the subagents: of the project, of the user, built in."""
    found: list[dict[str, Any]] = []
    for priority, (scope, base) in enumerate((("project", session.original), ("user", session.host.home)), 1):
        for path in sorted((base / ".wave" / "agents").glob("*.md")):
            document = _read(path)
            found.append(_agent(document, scope, priority))
    for name, description, tools in _BUILT_IN_AGENTS:
        entry: dict[str, Any] = {"name": name, "description": description, "systemPrompt": description, "filePath": ""}
        found.append({**entry, **({"tools": tools} if tools else {}), "scope": "builtin", "priority": 3})
    return found


def _agent(document: Document, scope: str, priority: int) -> dict[str, Any]:
    tools = [tool.strip() for tool in document.meta.get("tools", "").split(",") if tool.strip()]
    return {
        "name": document.meta.get("name", document.path.stem),
        "description": document.meta.get("description", ""),
        **({"tools": tools} if tools else {}),
        **({"model": document.meta["model"]} if "model" in document.meta else {}),
        "systemPrompt": document.body.strip(),
        "filePath": str(document.path),
        "scope": scope,
        "priority": priority,
    }


def _commands(session: Session) -> dict[str, Document]:
    """Give the custom commands; the project's win over the user's, sub-folders are not read."""
    found: dict[str, Document] = {}
    for base in (session.original, session.host.home):
        for path in sorted((base / ".wave" / "commands").glob("*.md")):
            found.setdefault(path.stem, _read(path))
    return found


def _read(path: Path) -> Document:
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError:
        return Document(path, {}, "")
    head = _FRONT_MATTER.match(text)
    return Document(path, dict(_members(head[1])), text[head.end() :]) if head else Document(path, {}, text)


def _members(text: str) -> Iterator[tuple[str, str]]:
    """Front matter as it is used here: one `key: value` a line."""
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon and not key.startswith((" ", "#")):
            yield key.strip(), value.strip().strip("\"'")


def _fill(body: str, arguments: str) -> str:
    words = arguments.split()
    text = body.replace("$ARGUMENTS", arguments)
    text = _PLACE.sub(lambda match: words[int(match[1]) - 1] if 0 < int(match[1]) <= len(words) else "", text)
    return text.strip()


async def _output_of(command: str, session: Session) -> str:
    """Give what a command in a prompt prints."""
    output = Tail()
    try:
        running = await process.start(command, session.folder, session.host.environ, output.add)
    except OSError as error:
        return f"[{command}: {error}]"
    try:
        await asyncio.wait_for(running.wait(), _SHELL_SECONDS)
    except TimeoutError:
        running.end()
        return f"[{command}: timed out]"
    return str(output).strip()
