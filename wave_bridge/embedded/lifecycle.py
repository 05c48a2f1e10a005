"""Sessions come and go: created, restored, cleared, rewound, given another configuration, destroyed."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from wave_bridge.embedded import checkpoints, history, hooks, mcp, turns
from wave_bridge.embedded.blocks import Message, first_text
from wave_bridge.embedded.failure import Refused
from wave_bridge.embedded.session import Session, Shared
from wave_bridge.embedded.tools import table
from wave_bridge.errors import SessionNotFound, SessionUnreadable
from wave_bridge.store import folders, paths, transcript

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from pathlib import Path

Params = dict[str, Any]


async def initialize(shared: Shared, params: Params) -> Params:
    """Create a session, or restore one; one that is live already is given as it is, all other params ignored.

    What is announced before the response carries no session id: the client does not know it yet.
    """
    if not isinstance(params.get("workdir", ""), str | None):
        raise Refused("workdir must be a string")
    wanted = params.get("restoreSessionId") or None
    if wanted is not None and wanted in shared.live:
        return summary(shared.live[wanted])
    history.trim(shared.host.wave / "history.jsonl")
    session = _create(shared, wanted or str(uuid4()), params)
    if wanted is not None:
        _restore_new(session)
    if context := await hooks.begin(session, "startup" if wanted is None else "resume"):
        session.thread.messages.append(context)
        session.save()
    session.known = True
    shared.live[session.id] = session
    return summary(session)


def summary(session: Session) -> Params:
    """Give what `initialize` answers."""
    return {
        "sessionId": session.id,
        "workingDirectory": session.current_workdir,
        "permissionMode": session.mode,
        "latestTotalTokens": session.tokens,
    }


async def restore(session: Session, target: object) -> None:
    """Go on with another stored session in this slot; what runs is aborted."""
    if not target:
        return
    if target == session.id:
        session.emit("messagesChange", {"messages": session.thread.messages})
        session.set_loading(loading=session.loading)
        return
    path = _find(session, str(target), f"Session not found: {target}")
    loaded = _load(path, f"Session not found: {target}")
    turn, command = session.turn, session.bang
    turns.abort(session)
    if command is not None:
        await command.settled.wait()
    session.journal.keep_title()
    session.rename(str(target))
    _take_over(session, path, loaded)
    if turn is not None:
        await turn.settled.wait()
        await asyncio.sleep(0)
    for _ in range(2):
        session.announce_todos()


def clear(session: Session) -> None:
    """Begin anew under a new id; ignored while a turn or a command runs. The old file stays."""
    if session.busy:
        return
    session.set_loading(loading=False)
    if hooks.configured(session, "SessionEnd") or hooks.configured(session, "SessionStart"):
        session.spawn(_clear_with_hooks(session))
    else:
        _clear(session)
        asyncio.get_running_loop().call_soon(session.announce_todos)


async def _clear_with_hooks(session: Session) -> None:
    """Clear between the hooks of the old conversation and of the new one; the response does not wait for them."""
    await hooks.end(session, "clear")
    _clear(session)
    session.announce_todos()
    if context := await hooks.begin(session, "clear"):
        session.thread.messages.append(context)
        session.emit("userMessageAdded", {"message": context})


def _clear(session: Session) -> None:
    session.journal.keep_title()
    session.rename(str(uuid4()))
    session.thread.replace([])
    session.tokens = 0
    session.last_calls = set()


def rewind(session: Session, message_id: object) -> Params:
    """Drop a message and all after it, bring files back; give its text, to be put into the input."""
    thread = _whole_thread(session)
    places = [place for place, message in enumerate(thread) if message["id"] == message_id]
    if not places:
        raise Refused(f"Message not found: {'undefined' if message_id is None else message_id}")
    dropped = thread[places[-1] :]
    gone = {message["id"] for message in dropped}
    checkpoints.restore_files(dropped)
    session.journal.rewind(str(message_id))
    session.thread.messages[:] = [message for message in session.thread.messages if message["id"] not in gone]
    session.todos.reset()
    session.announce_todos()
    return {"inputContent": first_text(dropped[0])}


def update_config(shared: Shared, session: Session, params: Params) -> Params:
    """Destroy the session and create it anew with other settings, restored; one without a file is lost."""
    destroy(shared, session)
    merged = {**session.params, **params, "workdir": session.workdir}
    anew = _create(shared, session.id, merged, announce_mode=False)
    _restore_new(anew)
    anew.known = True
    shared.live[anew.id] = anew
    return {"sessionId": anew.id}


def destroy(shared: Shared, session: Session) -> None:
    """End a session: abort, save, kill what it runs."""
    farewell(session)
    shared.live.pop(session.id, None)
    shared.approvals.give_up(session)


def leave(shared: Shared, session: Session, reason: str) -> Awaitable[None] | None:
    """End a session for a reason that its SessionEnd hooks hear first; at once where there are none."""
    if hooks.configured(session, "SessionEnd"):
        return _leave_with_hooks(shared, session, reason)
    destroy(shared, session)
    return None


async def _leave_with_hooks(shared: Shared, session: Session, reason: str) -> None:
    await hooks.end(session, reason)
    destroy(shared, session)


def farewell(session: Session) -> None:
    """Say and do what the end of a session asks for. A reply under way is saved as far as it came."""
    for _ in range(2):
        session.set_loading(loading=False)
    session.background.stop_all()
    session.save()
    session.journal.keep_title()
    for running in (session.turn, session.bang):
        if running is not None:
            running.abort.fire()
    session.mcp.close()


def stored_thread(session: Session) -> list[Message]:
    """Give everything on disk, from before compactions too; empty without a file."""
    try:
        return transcript.load(session.journal.path).thread
    except (SessionNotFound, SessionUnreadable):
        return []


def _create(shared: Shared, session_id: str, params: Params, *, announce_mode: bool = True) -> Session:
    _check_id(session_id)
    session = Session(shared, session_id, params)
    session.built_in = table.chosen(params)
    session.start = partial(turns.start, session)
    if params.get("permissionMode") and announce_mode:
        session.set_mode(session.mode)
    configs = mcp.configured(shared.host, session.workdir, params)
    session.mcp = mcp.McpServers(session.emit, str(session.original), dict(shared.host.environ), configs)
    session.mcp.begin(session.spawn)
    return session


def _restore_new(session: Session) -> None:
    missing = f"Session {session.id} not found on disk"
    path = _find(session, session.id, missing)
    loaded = _load(path, missing)
    session.shared.outlet.raw(f"Restoring session: {session.id}")
    session.emit("sessionIdChange", {"sessionId": session.id})
    session.known = True
    _take_over(session, path, loaded)
    for _ in range(2):
        session.announce_todos()


def _take_over(session: Session, path: Path, loaded: transcript.Loaded) -> None:
    session.journal.path = path
    session.journal.restore()
    session.thread.replace(loaded.messages)
    session.tokens = loaded.tokens
    session.last_calls = set()


def _find(session: Session, session_id: str, missing: str) -> Path:
    """Give the session's file: the workdir's project folder first, then every other."""
    _check_id(session_id)
    host = session.host
    where = paths.normalise(session.workdir, host.cwd, str(host.home))
    here = paths.session_file(host.wave, where, session_id)
    candidates = [here, *(folder / here.name for folder in folders.project_folders(paths.projects(host.wave)))]
    for path in candidates:
        if path.is_file():
            return path
    raise Refused(missing)


def _check_id(session_id: str) -> None:
    if not paths.is_session_id(session_id):
        raise Refused(f"Failed to load session {session_id}: Error: Invalid session ID format: {session_id}")


def _load(path: Path, missing: str) -> transcript.Loaded:
    """Read the file; a damaged one counts as absent, as with the real CLI."""
    try:
        return transcript.load(path).require_whole()
    except (SessionNotFound, SessionUnreadable):
        raise Refused(missing) from None


def _whole_thread(session: Session) -> list[Message]:
    """Give the thread from the beginning: what is on disk, then what is in memory only."""
    stored = stored_thread(session)
    known = {message["id"]: message for message in session.thread.messages}
    earlier = [message for message in stored if message["id"] not in known]
    return [*earlier, *session.thread.messages]
