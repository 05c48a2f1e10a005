"""The user's own commands at certain moments, from the settings: SessionStart, UserPromptSubmit, SessionEnd.

    {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "cat NOTES.md"}]}]}}

A hook reads a JSON object on stdin. What a SessionStart hook prints becomes a hidden message for the model; a
UserPromptSubmit hook that exits with 2 blocks the prompt, its stderr saying why.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING, Any, Final, Literal

from wave_bridge.embedded.blocks import new_message, text_block
from wave_bridge.embedded.shell.process import argv

if TYPE_CHECKING:
    from wave_bridge.embedded.blocks import Message
    from wave_bridge.embedded.session import Session

Moment = Literal["SessionStart", "UserPromptSubmit", "SessionEnd"]

_SECONDS: Final = 60.0
_BLOCKS: Final = 2  # the exit code that blocks a prompt


def configured(session: Session, moment: Moment) -> list[str]:
    """Give the commands of a moment."""
    found = session.settings.get("hooks")
    groups = found.get(moment, []) if isinstance(found, dict) else []
    hooks = [hook for group in groups if isinstance(group, dict) for hook in group.get("hooks", [])]
    return [hook["command"] for hook in hooks if isinstance(hook, dict) and isinstance(hook.get("command"), str)]


async def begin(session: Session, source: str) -> Message | None:
    """Run the SessionStart hooks; give the hidden message with what they print, None if that is nothing."""
    printed = [
        (await _run(session, "SessionStart", command, {"source": source}))[1]
        for command in configured(session, "SessionStart")
    ]
    text = "\n".join(part for part in printed if part)
    if not text:
        return None
    return new_message("user", [text_block(f"<system-reminder>{text}</system-reminder>", source="hook")], meta=True)


async def refusal(session: Session, prompt: str) -> str | None:
    """Run the UserPromptSubmit hooks; give the reason if one blocks the prompt."""
    for command in configured(session, "UserPromptSubmit"):
        code, _, errors = await _run(session, "UserPromptSubmit", command, {"prompt": prompt})
        if code == _BLOCKS:
            return errors or "blocked by hook"
    return None


async def end(session: Session, reason: str) -> None:
    """Run the SessionEnd hooks."""
    for command in configured(session, "SessionEnd"):
        await _run(session, "SessionEnd", command, {"reason": reason})


async def _run(session: Session, moment: Moment, command: str, more: dict[str, Any]) -> tuple[int, str, str]:
    """Give exit code, output and errors of a hook; one that can't run or takes too long says nothing."""
    told = {"hook_event_name": moment, "session_id": session.id, "cwd": str(session.folder), **more}
    try:
        process = await asyncio.create_subprocess_exec(
            *argv(command, session.host.environ),
            cwd=session.original,
            env=session.host.environ,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as error:
        sys.stderr.write(f"{moment} hook: {error}\n")
        return 1, "", ""
    try:
        output, errors = await asyncio.wait_for(process.communicate(json.dumps(told).encode()), _SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return 1, "", ""
    return process.returncode or 0, output.decode(errors="replace").strip(), errors.decode(errors="replace").strip()
