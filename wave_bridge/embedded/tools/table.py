"""The one table of tools."""

from __future__ import annotations

from typing import Any, Final

from wave_bridge.embedded.tools import agent, bash, files, talk, todo
from wave_bridge.embedded.tools.use import Tool

TOOLS: Final[dict[str, Tool]] = {
    "Bash": Tool(bash.run, bash.summary, shown=bash.shown),
    "TaskStop": Tool(bash.stop_task),
    "Edit": Tool(files.edit, files.path_summary, shown=files.edit_shown),
    "Write": Tool(files.write, files.write_summary),
    "ExitPlanMode": Tool(talk.exit_plan, asks_itself=True),
    "EnterPlanMode": Tool(talk.enter_plan, asks_itself=True),
    "AskUserQuestion": Tool(talk.ask_question, asks_itself=True),
    "Glob": Tool(files.glob, files.pattern_summary, reading=True),
    "Grep": Tool(files.grep, files.pattern_summary, reading=True),
    "Read": Tool(files.read, files.path_summary, reading=True),
    "Agent": Tool(agent.run, agent.summary),
    "TaskCreate": Tool(todo.create),
    "TaskGet": Tool(todo.get, reading=True),
    "TaskUpdate": Tool(todo.update),
    "TaskList": Tool(todo.listing, reading=True),
}


def chosen(params: dict[str, Any]) -> dict[str, Tool]:
    """Give the built-in tools of a session: all, or those that `tools` of initialize names."""
    wanted = params.get("tools")
    return TOOLS if wanted is None else {name: tool for name, tool in TOOLS.items() if name in wanted}
