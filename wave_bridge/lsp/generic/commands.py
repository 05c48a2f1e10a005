"""What `workspace/executeCommand` offers to a generic editor: one plain JSON object as argument, or none."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from pygls.uris import to_fs_path

from wave_bridge.chat.markdown import fenced
from wave_bridge.core.agent_api import Decision
from wave_bridge.core.envelope import decode_any
from wave_bridge.core.limits import CHOICES
from wave_bridge.document import Place
from wave_bridge.errors import BridgeError, Expired, InvalidParams, MethodNotFound
from wave_bridge.lsp.generic import files
from wave_bridge.lsp.generic.approvals import DENIED
from wave_bridge.lsp.generic.arguments import (
    Answered,
    Ask,
    FixProblem,
    Mention,
    Mode,
    Model,
    NewSession,
    Nothing,
    OfSelection,
    OfSession,
    Queued,
    Rename,
)
from wave_bridge.lsp.generic.asking import result
from wave_bridge.messages import text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wave_bridge.core.agent_api import Wire
    from wave_bridge.lsp.generic.chat import Chat
    from wave_bridge.lsp.generic.surface import Surface


class Command(NamedTuple):
    """How a command's argument is read, and what does it."""

    params: type[Wire]
    run: Callable[[Surface, Any], Awaitable[Any]]


async def ask(surface: Surface, params: Ask) -> Any:
    """Send a message, or show where to write one."""
    chat = await surface.wanted_session(params.session_id, params.workdir)
    if params.text is None or not params.text.strip():
        surface.show(chat)
        return _shown(chat)
    return await _send(surface, chat, params.text, list(params.mentions))


async def ask_selection(surface: Surface, params: OfSelection) -> Any:
    """Ask about a part of a document; without a text: explain it."""
    return await _send_selection(surface, params, params.text or text("chat.explain", surface.locale))


async def explain(surface: Surface, params: OfSelection) -> Any:
    """Have a part of a document explained."""
    return await _send_selection(surface, params, text("chat.explain", surface.locale))


async def fix_problem(surface: Surface, params: FixProblem) -> Any:
    """Have problems fixed: those that the editor sent along, no others."""
    chat = await surface.wanted_session(params.session_id)
    document = surface.documents.find(params.uri)
    surface.facts["problems"] = {
        "uri": params.uri,
        "roots": surface.client.info.folders,
        "diagnostics": params.diagnostics,
        "positionEncoding": surface.documents.encoding,
        **({"text": document.content} if document else {}),
    }
    return await _send(surface, chat, params.text or text("chat.fix", surface.locale), ["problems"])


async def new_session(surface: Surface, params: NewSession) -> Any:
    """Begin a session and show it."""
    chat = await surface.new_session(params.workdir or surface.bridge.folder_of(surface.client))
    surface.show(chat)
    return _shown(chat)


async def resume(surface: Surface, params: OfSession) -> Any:
    """Open a session, live or stored, and show it; without an id the user chooses among the latest."""
    session_id = params.session_id or await _choose(surface)
    if session_id is None:
        return None
    chat = await surface.open_session(session_id)
    surface.show(chat)
    return _shown(chat)


async def rename(surface: Surface, params: Rename) -> Any:
    """Give a session a title."""
    chat = await surface.wanted_session(params.session_id)
    return await surface.call("wave/session/rename", sessionId=chat.session_id, title=params.title)


async def send(surface: Surface, params: OfSession) -> Any:
    """Send what stands below the document's marker."""
    chat = await _of(surface, params)
    written = surface.paper(chat).take_draft()
    if not written:
        raise InvalidParams("There is nothing below the marker to send.")
    mentions: list[Mention] = [kind for kind in ("terminal", "problems") if f"@{kind.capitalize()}" in written]
    return await _send(surface, chat, written, mentions)


async def stop(surface: Surface, params: OfSession) -> Any:
    """Stop the turn."""
    chat = await _of(surface, params)
    return await surface.call("wave/turn/cancel", sessionId=chat.session_id)


async def permissions(surface: Surface, params: OfSession) -> Any:
    """Give what waits for approval, and ask the user again."""
    chat = await _of(surface, params)
    for approval in list(chat.approvals.values()):
        surface.put_question(chat, approval)
    return {"requests": msgspec.to_builtins(list(chat.approvals.values()))}


async def respond(surface: Surface, params: Answered) -> Any:
    """Answer an approval."""
    chat = await surface.wanted_session(params.session_id)
    request_id = params.request_id or next(iter(chat.approvals), None)
    if request_id is None:
        raise Expired("Nothing waits for approval.")
    message = params.message or (DENIED if params.decision == "deny" else None)
    decision = Decision(params.decision) if message is None else Decision(params.decision, message=message)
    return await surface.call("wave/permission/respond", requestId=request_id, decision=msgspec.to_builtins(decision))


async def queue(surface: Surface, params: Queued) -> Any:
    """Give the queue, or change it."""
    chat = await surface.wanted_session(params.session_id)
    if params.action == "list":
        return await surface.call("wave/queue/list", sessionId=chat.session_id)
    if params.id is None:
        raise InvalidParams("id is missing: which queued message?")
    return await surface.call(f"wave/queue/{params.action}", sessionId=chat.session_id, id=params.id)


async def set_mode(surface: Surface, params: Mode) -> Any:
    """Set the permission mode."""
    chat = await surface.wanted_session(params.session_id)
    return await surface.call("wave/session/setMode", sessionId=chat.session_id, mode=params.mode)


async def set_model(surface: Surface, params: Model) -> Any:
    """Choose the model."""
    chat = await surface.wanted_session(params.session_id)
    return await surface.call("wave/models/set", sessionId=chat.session_id, model=params.model)


async def open_panel(surface: Surface, params: OfSession) -> Any:
    """Open a panel in the browser; the address is given as well, for an editor that can open none."""
    named = {"sessionId": params.session_id} if params.session_id else {}
    address = await surface.call("wave/panel/url", workdir=surface.bridge.folder_of(surface.client), **named)
    surface.editor.show(address.url, address.url, external=True)
    return address


async def status(surface: Surface, _: Nothing) -> Any:
    """Give facts of the daemon."""
    return await surface.call("wave/daemon/status")


async def doctor(surface: Surface, _: Nothing) -> Any:
    """Examine the machine: what there is, and what is wrong with it."""
    return await surface.call("wave/daemon/doctor")


async def restart(surface: Surface, _: Nothing) -> Any:
    """Start the CLI anew; sessions are restored."""
    return await surface.call("wave/agent/restart")


COMMANDS: Final[dict[str, Command]] = {
    "wave.ask": Command(Ask, ask),
    "wave.askSelection": Command(OfSelection, ask_selection),
    "wave.explain": Command(OfSelection, explain),
    "wave.fixProblem": Command(FixProblem, fix_problem),
    "wave.newSession": Command(NewSession, new_session),
    "wave.resume": Command(OfSession, resume),
    "wave.rename": Command(Rename, rename),
    "wave.send": Command(OfSession, send),
    "wave.stop": Command(OfSession, stop),
    "wave.permissions": Command(OfSession, permissions),
    "wave.respond": Command(Answered, respond),
    "wave.queue": Command(Queued, queue),
    "wave.setMode": Command(Mode, set_mode),
    "wave.setModel": Command(Model, set_model),
    "wave.status": Command(Nothing, status),
    "wave.doctor": Command(Nothing, doctor),
    "wave.restart": Command(Nothing, restart),
    "wave.openPanel": Command(OfSession, open_panel),
}


async def execute(surface: Surface, name: str, arguments: list[Any]) -> Any:
    """Do a command; gives a plain JSON value. Raises BridgeError, which the user is shown as well."""
    command = COMMANDS.get(name)
    if command is None:
        raise MethodNotFound(f"no such command: {name:.200}")
    if len(arguments) > 1:
        raise InvalidParams(f"{name}: one object is wanted, not {len(arguments)} arguments")
    given = arguments[0] if arguments else None
    try:
        params = msgspec.convert({} if given is None else given, command.params)
    except msgspec.ValidationError as fault:
        raise InvalidParams(f"{name}: {fault}") from fault
    try:
        return decode_any(msgspec.json.encode(await command.run(surface, params)))
    except OSError as fault:
        raise BridgeError(f"{name}: {fault.strerror or fault}: {fault.filename}") from fault


def _shown(chat: Chat) -> dict[str, Any]:
    return {"sessionId": chat.session_id, "uri": chat.uri}


async def _of(surface: Surface, params: OfSession) -> Chat:
    """Give the session that is named, by its id or by its document, which need not be followed yet."""
    chat = surface.chat_of(params.uri) if params.uri else None
    named = params.session_id or (files.session_of(surface.bridge.state, params.uri) if params.uri else None)
    return await surface.wanted_session(chat.session_id if chat else named)


async def _send(surface: Surface, chat: Chat, written: str, mentions: list[Mention]) -> Any:
    """Send a message and show the session. `facts` is emptied afterwards: the next message reads its own."""
    parts: list[dict[str, Any]] = [{"type": "text", "text": written}]
    if written.startswith("!") and not mentions:
        parts = [{"type": "bang", "command": written[1:].strip()}]
    parts += [{"type": "mention", "kind": kind} for kind in mentions]
    if chat.uri not in surface.papers:
        surface.show(chat)
    turn = f"turn-{secrets.token_hex(8)}"
    try:
        accepted = await surface.call("wave/turn/start", sessionId=chat.session_id, clientTurnId=turn, parts=parts)
    finally:
        surface.facts.clear()
    return {**_shown(chat), **msgspec.to_builtins(accepted)}


async def _send_selection(surface: Surface, params: OfSelection, written: str) -> Any:
    chat = await surface.wanted_session(params.session_id)
    selection = params.selection if params.selection is not None else _selected(surface, params)
    path = to_fs_path(params.uri) or params.uri
    lines = f":{params.range.start.line + 1}-{params.range.end.line + 1}" if params.range else ""
    quoted = "\n".join([written, "", f"{path}{lines}", *fenced(selection.rstrip("\n"))])
    return await _send(surface, chat, quoted, [])


def _selected(surface: Surface, params: OfSelection) -> str:
    """Give the text of a part of an open document, unsaved changes included. Raises InvalidParams."""
    document = surface.documents.find(params.uri)
    if document is None:
        raise InvalidParams(f"{params.uri} is not open here; send its text as `selection`")
    if params.range is None:
        return document.content
    start, end = params.range.start, params.range.end
    return document.between(Place(start.line, start.character), Place(end.line, end.character))


async def _choose(surface: Surface) -> str | None:
    """Let the user choose among the latest sessions of the folder; None: dismissed. Raises Expired without any."""
    page = await surface.call("wave/session/list", limit=CHOICES)
    titles: dict[str, str] = {}
    for row in page["sessions"]:
        title = " ".join(str(row.get("customTitle") or row.get("firstMessage") or row["id"]).split())[:60]
        titles.setdefault(title if title not in titles else f"{title} ({row['id'][:8]})", row["id"])
    if not titles:
        raise Expired("There is no stored session of this folder.")
    chosen = await result(surface.editor.choose(text("chat.choose", surface.locale), list(titles)))
    return titles.get(chosen)
