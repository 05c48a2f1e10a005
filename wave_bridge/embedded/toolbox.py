"""The one table of tools."""

from __future__ import annotations

from typing import Any, Final

from wave_bridge.embedded import todo, tool_agent, tool_bash, tool_files, tool_talk
from wave_bridge.embedded.tool_use import Tool

TOOLS: Final[dict[str, Tool]] = {
    "Bash": Tool(tool_bash.run, tool_bash.summary, shown=tool_bash.shown),
    "TaskStop": Tool(tool_bash.stop_task),
    "Edit": Tool(tool_files.edit, tool_files.path_summary, shown=tool_files.edit_shown),
    "Write": Tool(tool_files.write, tool_files.write_summary),
    "ExitPlanMode": Tool(tool_talk.exit_plan, asks_itself=True),
    "EnterPlanMode": Tool(tool_talk.enter_plan, asks_itself=True),
    "AskUserQuestion": Tool(tool_talk.ask_question, asks_itself=True),
    "Glob": Tool(tool_files.glob, tool_files.pattern_summary, reading=True),
    "Grep": Tool(tool_files.grep, tool_files.pattern_summary, reading=True),
    "Read": Tool(tool_files.read, tool_files.path_summary, reading=True),
    "Agent": Tool(tool_agent.run, tool_agent.summary),
    "TaskCreate": Tool(todo.create),
    "TaskGet": Tool(todo.get, reading=True),
    "TaskUpdate": Tool(todo.update),
    "TaskList": Tool(todo.listing, reading=True),
}


def chosen(params: dict[str, Any]) -> dict[str, Tool]:
    """Give the built-in tools of a session: all, or those that `tools` of initialize names."""
    wanted = params.get("tools")
    return TOOLS if wanted is None else {name: tool for name, tool in TOOLS.items() if name in wanted}
