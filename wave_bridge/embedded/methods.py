"""The one table of requests: method → what it needs and what answers it.

Parameters are taken as they come: like the real CLI, this one validates little; its clients do.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from wave_bridge.embedded import (
    auth,
    bang,
    checkpoints,
    commands,
    compaction,
    files,
    git,
    history,
    lifecycle,
    plugins,
    settings,
    side_question,
    turns,
)
from wave_bridge.embedded.dependencies import ripgrep
from wave_bridge.embedded.failure import Refused
from wave_bridge.embedded.message_queue import Item
from wave_bridge.store import listing, paths

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wave_bridge.embedded.session import Session, Shared

Params = dict[str, Any]
_SEARCH_RESULTS: Final = 100


class OfSession(NamedTuple):
    """Needs `sessionId` on the envelope. The result, or a coroutine of it, is the answer."""

    run: Callable[[Session, Params], Any]


class OfProcess(NamedTuple):
    """Needs no session; one that is named gives a default workdir at most."""

    run: Callable[[Shared, Params, Session | None], Any]


# Life cycle


def _destroy(shared: Shared, params: Params, session: Session | None) -> Awaitable[None] | None:
    return None if session is None else lifecycle.leave(shared, session, str(params.get("reason") or "other"))


def _session_info(session: Session, _: Params) -> Params:
    return {**lifecycle.summary(session), "availableTools": list(session.tools)}


def _live_sessions(shared: Shared, *_: object) -> Params:
    return {
        "sessions": [
            {
                "sessionId": session.id,
                "workingDirectory": session.current_workdir,
                "isLoading": session.loading,
                "messageCount": len(session.thread.messages),
            }
            for session in shared.live.values()
        ]
    }


async def _list_sessions(shared: Shared, params: Params, session: Session | None) -> Params:
    workdir = params.get("workdir") or (session.current_workdir if session else shared.host.cwd)
    if not isinstance(workdir, str):
        raise Refused("Failed to list sessions: TypeError: workdir must be a string")
    where = paths.normalise(workdir, shared.host.cwd, str(shared.host.home))
    page = await asyncio.to_thread(listing.list_workdirs, shared.host.wave, [where], datetime.now(UTC))
    rows = msgspec.to_builtins(page.sessions)
    return {"sessions": [{key: row[key] for key in row if key not in {"project", "damaged"}} for row in rows]}


def _models(session: Session, _: Params) -> Params:
    named = list(session.settings.get("models") or {})
    current = session.models.model
    return {"models": list(dict.fromkeys([*named, current])), "currentModel": current}


def _set_model(session: Session, params: Params) -> None:
    model = params.get("model")
    if not isinstance(model, str):
        return
    session.models = session.models._replace(model=model)
    path = settings.user_file(session.host)
    settings.write_object(path, {**settings.read_object(path), "model": model})


# Messages


async def _send(session: Session, params: Params) -> None:
    text = params.get("text")
    if not isinstance(text, str):
        session.set_loading(loading=session.loading)
        return
    await turns.send(session, text, params.get("images") or [], force=bool(params.get("force")))


async def _bang(session: Session, params: Params) -> None:
    command = params.get("command")
    if not isinstance(command, str):
        raise Refused('The "file" argument must be of type string. Received undefined', "ERR_INVALID_ARG_TYPE")
    if session.busy:
        session.queue.put(Item("bang", command))
        return
    await bang.run(session, bang.begin(session, command), lambda: turns.follow(session))


def _edit_queued(session: Session, params: Params) -> Params:
    return {"ok": session.queue.edit(params.get("id"), params.get("text", ""), params.get("images"))}


def _whole_thread(session: Session, _: Params) -> Params:
    messages = lifecycle.stored_thread(session)
    return {"messages": messages, "sessionIds": [session.id] if messages else []}


# Permissions and background work


def _output(session: Session, params: Params) -> Params:
    return {"output": session.background.output(params.get("taskId", ""))}


def _stop_task(session: Session, params: Params) -> Params:
    return {"success": session.background.stop(params.get("taskId", ""))}


# Lookups


async def _connect(session: Session, params: Params) -> Params:
    return {"success": await session.mcp.connect(params.get("serverName"))}


def _disconnect(session: Session, params: Params) -> Params:
    return {"success": session.mcp.disconnect(params.get("serverName"))}


async def _search_files(shared: Shared, params: Params, session: Session | None) -> Params:
    workdir = _workdir(shared, params, session)
    query, most = params.get("query") or "", params.get("maxResults") or _SEARCH_RESULTS
    folder, rg = shared.host.folder(workdir), ripgrep(shared.host)
    found = await asyncio.to_thread(files.search, folder, str(query), int(most), rg)
    return {"files": found}


def _history(shared: Shared, params: Params, session: Session | None) -> Params:
    workdir = params.get("workdir") or (session.current_workdir if session else None)
    path = shared.host.wave / "history.jsonl"
    return {"history": history.find(path, workdir, str(params.get("query") or ""))}


def _write_artifact(shared: Shared, params: Params, _: Session | None) -> Params:
    try:
        content = base64.b64decode(params.get("contentBase64") or "", validate=True)
    except (binascii.Error, TypeError):
        raise Refused("contentBase64 is not base64") from None
    return {"path": files.write_artifact(shared.host.tmp, params.get("name"), content)}


def _required_workdir(shared: Shared, params: Params) -> Any:
    if not params.get("workdir"):
        raise Refused("workdir is required")
    return shared.host.folder(params["workdir"])


async def _branches(shared: Shared, params: Params, _: Session | None) -> Params:
    return await git.branches(_required_workdir(shared, params))


async def _create_worktree(shared: Shared, params: Params, _: Session | None) -> Params:
    folder = _required_workdir(shared, params)
    return await git.create_worktree(folder, params.get("baseBranch"), params.get("name"))


async def _remove_worktree(shared: Shared, params: Params, _: Session | None) -> Params:
    path, root = (shared.host.folder(str(params.get(key, ""))) for key in ("path", "repoRoot"))
    await git.remove_worktree(path, str(params.get("branch", "")), root)
    return {"ok": True}


# Plugins


def _workdir(shared: Shared, params: Params, session: Session | None) -> str:
    return params.get("workdir") or (session.current_workdir if session else shared.host.cwd)


def _switch(shared: Shared, params: Params, session: Session | None, *, on: bool) -> str:
    where = _workdir(shared, params, session)
    return plugins.switch(shared.host, where, params.get("pluginId"), params.get("scope"), on=on)


def _switch_built_in(shared: Shared, params: Params, session: Session | None) -> Params:
    _switch(shared, params, session, on=bool(params.get("enabled")))
    return _enabled(shared, params, session)


def _enabled(shared: Shared, params: Params, session: Session | None) -> Params:
    return {"enabledPlugins": plugins.enabled(shared.host, _workdir(shared, params, session))}


METHODS: Final[dict[str, OfSession | OfProcess]] = {
    "initialize": OfProcess(lambda shared, params, _: lifecycle.initialize(shared, params)),
    "destroy": OfProcess(_destroy),
    "restoreSession": OfSession(lambda session, params: lifecycle.restore(session, params.get("sessionId"))),
    "listSessions": OfProcess(_list_sessions),
    "getSessionInfo": OfSession(_session_info),
    "listDaemonSessions": OfProcess(_live_sessions),
    "updateConfig": OfSession(lambda session, params: lifecycle.update_config(session.shared, session, params)),
    "getConfiguredModels": OfSession(_models),
    "setModel": OfSession(_set_model),
    "sendMessage": OfSession(_send),
    "bang": OfSession(_bang),
    "abortMessage": OfSession(lambda session, _: turns.abort(session)),
    "clearMessages": OfSession(lambda session, _: lifecycle.clear(session)),
    "rewindToMessage": OfSession(lambda session, params: lifecycle.rewind(session, params.get("messageId"))),
    "listRewindCheckpoints": OfSession(
        lambda session, _: {"checkpoints": checkpoints.listed(lifecycle.stored_thread(session))}
    ),
    "deleteQueuedMessage": OfSession(lambda session, params: session.queue.delete_at(params.get("index"))),
    "deleteQueuedMessageById": OfSession(lambda session, params: session.queue.delete(params.get("id"))),
    "updateQueuedMessage": OfSession(_edit_queued),
    "getMessages": OfSession(lambda session, _: {"messages": session.thread.messages}),
    "getFullMessageThread": OfSession(_whole_thread),
    "compact": OfSession(
        lambda session, params: compaction.on_request(session, str(params.get("customInstructions") or ""))
    ),
    "askBtw": OfSession(lambda session, params: side_question.ask(session, str(params.get("question") or ""))),
    "setPermissionMode": OfSession(lambda session, params: session.set_mode(params.get("mode"))),
    "getPermissionMode": OfSession(lambda session, _: {"mode": session.mode}),
    "listPendingPermissions": OfProcess(lambda shared, *_: {"requests": shared.approvals.listed()}),
    "getBackgroundTaskOutput": OfSession(_output),
    "stopBackgroundTask": OfSession(_stop_task),
    "backgroundCurrentTask": OfSession(lambda session, _: session.move_to_background()),
    "getWorkflowRuns": OfSession(lambda *_: {"runs": []}),
    "stopWorkflowRun": OfSession(lambda *_: {"success": True}),
    "getSlashCommands": OfSession(lambda session, _: {"commands": commands.listed(session)}),
    "getSubagentConfigurations": OfSession(lambda session, _: {"configurations": commands.agents(session)}),
    "getSkillMetadata": OfSession(lambda session, _: {"skills": commands.skills(session)}),
    "getMcpServers": OfSession(lambda session, _: {"servers": session.mcp.listed()}),
    "connectMcpServer": OfSession(_connect),
    "disconnectMcpServer": OfSession(_disconnect),
    "searchFiles": OfProcess(_search_files),
    "getPromptHistory": OfProcess(_history),
    "searchPromptHistory": OfProcess(_history),
    "writeArtifactFile": OfProcess(_write_artifact),
    "listGitBranches": OfProcess(_branches),
    "createWorktree": OfProcess(_create_worktree),
    "removeWorktree": OfProcess(_remove_worktree),
    "getAuthStatus": OfProcess(lambda shared, *_: auth.status(shared.host)),
    "login": OfProcess(lambda shared, params, _: auth.login(shared.host, shared.outlet, params.get("serverUrl"))),
    "logout": OfProcess(lambda shared, *_: auth.logout(shared.host)),
    "listPlugins": OfProcess(lambda *_: {"plugins": []}),
    "installPlugin": OfProcess(plugins.refuse),
    "uninstallPlugin": OfProcess(plugins.refuse),
    "updatePlugin": OfProcess(plugins.refuse),
    "enablePlugin": OfProcess(lambda *given: _switch(*given, on=True)),
    "disablePlugin": OfProcess(lambda *given: _switch(*given, on=False)),
    "getProjectSettings": OfProcess(_enabled),
    "setBuiltinPluginEnabled": OfProcess(_switch_built_in),
    "listMarketplaces": OfProcess(lambda shared, *_: plugins.marketplaces(shared.host)),
    "addMarketplace": OfProcess(plugins.refuse),
    "removeMarketplace": OfProcess(plugins.refuse),
    "updateMarketplace": OfProcess(plugins.refuse),
}
