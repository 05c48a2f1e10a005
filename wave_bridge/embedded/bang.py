"""`!` commands: really run in the session's original folder, their output shown as it comes.

The newer CLIs put a tool block into a user message and update it (T9.4); the older ones send bangMessageAdded and
bangMessageCompleted. Both are here, one is chosen: see `LEGACY_VARIABLE`.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from wave_bridge.embedded.aborting import Abort
from wave_bridge.embedded.blocks import Block, Message, new_message, now_ms
from wave_bridge.embedded.shell import process as shell
from wave_bridge.embedded.shell.output import Paced, Tail

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.embedded.session import Session

LEGACY_VARIABLE: Final = "WAVE_EMBEDDED_LEGACY_BANG"
TOOL: Final = "Bash"


class Bang:
    """A command under way. `settled` is done when its last event is out."""

    def __init__(self, session: Session, command: str) -> None:
        self.command = command
        self.abort = Abort()
        self.settled = asyncio.Event()
        self.output = Tail()
        self._session = session
        self._legacy = bool(session.host.environ.get(LEGACY_VARIABLE))
        self._block: Block = _legacy_block(command) if self._legacy else _tool_block(command)
        self._message: Message = new_message("user", [self._block])
        session.thread.messages.append(self._message)

    def announce(self) -> None:
        """Say that the command runs."""
        if self._legacy:
            self._emit("bangMessageAdded")
        else:
            self._session.emit("userMessageAdded", {"message": self._message})

    def show(self) -> None:
        """Show the output so far; the older form shows it at the end only."""
        if not self._legacy:
            self._block["result"] = str(self.output)
            self._update(result=self._block["result"])

    def end(self, code: int, text: str) -> None:
        """Say how it ended; `text` is the whole output, trimmed."""
        if self._legacy:
            self._block.update(output=text, stage="end", exitCode=code)
            self._emit("bangMessageCompleted", exitCode=code, output=text)
            return
        ending = {"parameters": self._block["parameters"], "result": text, "success": code == 0, "exitCode": code}
        if code:
            ending["error"] = f"Command failed with exit code: {code}"
        self._block.update(ending, stage="end")
        self._update(**ending, timestamp=now_ms())

    def _update(self, **changed: object) -> None:
        update = {
            "id": self._block["id"],
            "name": TOOL,
            "stage": self._block["stage"],
            "compactParams": self.command,
            **changed,
            "messageId": self._message["id"],
        }
        self._session.emit("toolBlockUpdated", update)

    def _emit(self, method: str, **more: object) -> None:
        self._session.emit(method, {"command": self.command, "messageId": self._message["id"], **more})


def begin(session: Session, command: str) -> Bang:
    """Add the message and say that a command runs."""
    session.set_command_running(running=True)
    bang = session.bang = Bang(session, command)
    bang.announce()
    return bang


async def run(session: Session, bang: Bang, follow: Callable[[], None]) -> None:
    """Run the command to its end; then `follow` begins what waits."""
    paced = Paced(bang.show)

    def heard(text: str) -> None:
        bang.output.add(text)
        paced.change()

    try:
        code = await _run(session, bang, heard)
    finally:
        paced.cancel()
    bang.end(code, str(bang.output).strip())
    session.bang = None
    session.save()
    session.set_command_running(running=False)
    bang.settled.set()
    if not bang.abort.fired:
        follow()


async def _run(session: Session, bang: Bang, heard: shell.OnOutput) -> int:
    try:
        running = await shell.start(bang.command, session.original, session.host.environ, heard)
    except OSError:
        bang.output.add("Error: spawn /bin/bash ENOENT")
        return 1
    with bang.abort.listening(running.end):
        code = await running.wait()
    return shell.ABORTED_EXIT if bang.abort.fired else code


def _legacy_block(command: str) -> Block:
    return {"type": "bang", "command": command, "output": "", "stage": "running", "exitCode": None}


def _tool_block(command: str) -> Block:
    return {
        "type": "tool",
        "id": f"bang-{uuid4()}",
        "name": TOOL,
        "parameters": json.dumps({"command": command}, ensure_ascii=False),
        "compactParams": command,
        "result": "",
        "stage": "running",
    }
