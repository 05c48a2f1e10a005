"""What a session's document offers while it is read, lenses and completion, and actions on a selection elsewhere."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from wave_bridge.chat import page
from wave_bridge.core.envelope import decode_any
from wave_bridge.document import units
from wave_bridge.errors import BridgeError
from wave_bridge.lsp.generic.commands import COMMANDS
from wave_bridge.lsp.generic.documents import place
from wave_bridge.lsp.protocol import CONVERTER
from wave_bridge.messages import text

if TYPE_CHECKING:
    from wave_bridge.lsp.generic.chat import Chat
    from wave_bridge.lsp.generic.editor import Can
    from wave_bridge.lsp.generic.surface import Surface

log = logging.getLogger(__name__)

QUICK_FIX: Final = "quickfix.wave"
REWRITE: Final = "refactor.rewrite.wave"
MENTIONS: Final = ("Terminal", "Problems")
FILES: Final = 50  # that a completion offers
_WORD: Final = re.compile(r"(?:^|\s)([/@])(\S*)$")


def offer(capabilities: types.ServerCapabilities, can: Can) -> None:
    """Announce the surface, as far as the editor can use it."""
    capabilities.text_document_sync = types.TextDocumentSyncOptions(
        open_close=True, change=types.TextDocumentSyncKind.Incremental
    )
    capabilities.execute_command_provider = types.ExecuteCommandOptions(commands=list(COMMANDS))
    if can.actions:
        capabilities.code_action_provider = types.CodeActionOptions(code_action_kinds=[QUICK_FIX, REWRITE])
    if can.lenses:
        capabilities.code_lens_provider = types.CodeLensOptions(resolve_provider=False)
    if can.completion:
        capabilities.completion_provider = types.CompletionOptions(trigger_characters=["/", "@"])


def lenses(surface: Surface, params: types.CodeLensParams) -> list[types.CodeLens]:
    """Give the buttons of a session's document, from memory."""
    chat = surface.chat_of(params.text_document.uri)
    document = surface.documents.find(params.text_document.uri)
    if chat is None or document is None:
        return []
    lines = document.lines()
    bottom = page.marker(lines)
    found = _approval_lenses(surface, chat, lines)
    if bottom is None:
        return found
    of_session = {"sessionId": chat.session_id}
    if page.draft(lines).strip():
        found.append(_lens(bottom, text("chat.send", surface.locale), "wave.send", of_session))
    if chat.busy:
        found.append(_lens(bottom, text("chat.stop", surface.locale), "wave.stop", of_session))
    if chat.queue:
        title = text("chat.queue", surface.locale, count=len(chat.queue))
        found.append(_lens(bottom, title, "wave.queue", of_session))
    return found


def actions(surface: Surface, params: types.CodeActionParams, can: Can) -> list[Any]:
    """Give the actions for a place in a document, from memory; the diagnostics sent along are the problems."""
    uri, only = params.text_document.uri, params.context.only
    where = {"uri": uri, "range": CONVERTER.unstructure(params.range)}
    found = []
    if params.context.diagnostics and _wanted(only, QUICK_FIX):
        problems = {"uri": uri, "diagnostics": CONVERTER.unstructure(list(params.context.diagnostics))}
        found.append(_action(surface, "fix", QUICK_FIX, "wave.fixProblem", problems))
    if params.range.start != params.range.end and _wanted(only, REWRITE):
        found.append(_action(surface, "ask", REWRITE, "wave.askSelection", where))
        found.append(_action(surface, "explain", REWRITE, "wave.explain", where))
    return found if can.action_literals else [action.command for action in found]


async def complete(surface: Surface, params: types.CompletionParams) -> types.CompletionList:
    """Give what may follow `/` or `@` below the marker; nothing anywhere else, and nothing while the CLI is away."""
    chat = surface.chat_of(params.text_document.uri)
    document = surface.documents.find(params.text_document.uri)
    if chat is None or document is None:
        return _list([])
    lines = document.lines()
    bottom, line = page.marker(lines), params.position.line
    before = document.until(place(params.position))
    word = _WORD.search(before)
    if bottom is None or line <= bottom or word is None:
        return _list([])
    begin = params.position.character - units(word[0].lstrip(), surface.documents.encoding)
    at = types.Range(types.Position(line, max(begin, 0)), params.position)
    if word[1] == "/":
        return _list(await _commands(surface, chat, at) if not before[: word.start(1)].strip() else [])
    return _list([*_mentions(word[2], at), *await _files(surface, chat, word[2], at)])


def _approval_lenses(surface: Surface, chat: Chat, lines: list[str]) -> list[types.CodeLens]:
    found = []
    for approval in chat.approvals.values():
        line = next((number for number, line in enumerate(lines) if line == chat.asking(approval)), None)
        if line is not None:
            for decision in ("allow", "deny"):
                what = {"requestId": approval.request_id, "sessionId": chat.session_id, "decision": decision}
                found.append(_lens(line, text(f"chat.{decision}", surface.locale), "wave.respond", what))
    return found


def _lens(line: int, title: str, command: str, argument: dict[str, Any]) -> types.CodeLens:
    at = types.Position(line, 0)
    return types.CodeLens(types.Range(at, at), types.Command(title, command, arguments=[argument]))


def _action(surface: Surface, key: str, kind: str, command: str, argument: dict[str, Any]) -> types.CodeAction:
    title = text(f"chat.action.{key}", surface.locale)
    return types.CodeAction(title, kind=kind, command=types.Command(title, command, arguments=[argument]))


def _wanted(only: Any, kind: str) -> bool:
    """Say whether the editor wants this kind: a kind holds those below it."""
    return not only or any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in only)


async def _commands(surface: Surface, chat: Chat, at: types.Range) -> list[types.CompletionItem]:
    listed = await _listed(surface, "commands", "wave/commands/list", sessionId=chat.session_id)
    named = [item for item in listed if isinstance(item, dict) and isinstance(item.get("id"), str)]
    return [
        types.CompletionItem(
            f"/{item['id']}",
            kind=types.CompletionItemKind.Function,
            detail=str(item.get("description") or "") or None,
            filter_text=f"/{item['id']}",
            text_edit=types.TextEdit(at, f"/{item['id']} "),
        )
        for item in named
    ]


async def _listed(surface: Surface, member: str, method: str, **params: Any) -> list[Any]:
    """Ask the CLI for a list; one that can't be had is empty: nobody waits for a completion that fails."""
    try:
        found = decode_any(await surface.call(method, **params))
    except BridgeError as fault:
        log.info("%s: %s", method, fault.message)
        return []
    listed = found.get(member) if isinstance(found, dict) else None
    return listed if isinstance(listed, list) else []


def _mentions(typed: str, at: types.Range) -> list[types.CompletionItem]:
    fitting = [name for name in MENTIONS if name.lower().startswith(typed.lower())]
    return [_at(name, types.CompletionItemKind.Reference, at) for name in fitting]


async def _files(surface: Surface, chat: Chat, typed: str, at: types.Range) -> list[types.CompletionItem]:
    asked = {"query": typed, "maxResults": FILES, "sessionId": chat.session_id}
    listed = await _listed(surface, "files", "wave/files/search", **asked)
    paths = [item.get("path") if isinstance(item, dict) else item for item in listed]
    return [_at(path, types.CompletionItemKind.File, at) for path in paths if isinstance(path, str)]


def _at(name: str, kind: types.CompletionItemKind, at: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        f"@{name}", kind=kind, filter_text=f"@{name}", text_edit=types.TextEdit(at, f"@{name} ")
    )


def _list(items: list[types.CompletionItem]) -> types.CompletionList:
    return types.CompletionList(is_incomplete=True, items=items)
