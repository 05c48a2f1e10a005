"""What a generic editor sees of the bridge: its sessions as documents, approvals as questions, turns as progress.

Listens in the editor's place (client.Listener) and asks the bridge by the same methods that a panel uses.
"""

from __future__ import annotations

import contextlib
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from wave_bridge.core.answer import Answer
from wave_bridge.core.client_types import (
    AgentStatus,
    Approval,
    ApprovalEnded,
    OpenUrl,
    Snapshot,
    StateParams,
    TurnEnded,
)
from wave_bridge.core.envelope import decode_any
from wave_bridge.errors import BridgeError, SessionNotFound, Unsupported
from wave_bridge.lsp.generic import approvals, files, tmux
from wave_bridge.lsp.generic.asking import ask, result
from wave_bridge.lsp.generic.chat import Chat
from wave_bridge.lsp.generic.documents import Documents
from wave_bridge.lsp.generic.paper import Paper
from wave_bridge.lsp.generic.work import Work
from wave_bridge.messages import choose_locale, text

if TYPE_CHECKING:
    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.lsp.generic.client import GenericClient
    from wave_bridge.lsp.generic.editor import Editor

log = logging.getLogger(__name__)


class Surface:
    """One generic editor's sessions."""

    def __init__(self, bridge: Bridge, client: GenericClient, editor: Editor) -> None:
        self.bridge = bridge
        self.client = client
        self.editor = editor
        self.locale = choose_locale(client.info.locale)
        self.documents = Documents(self._document_changed)
        self.chats: dict[str, Chat] = {}
        self.papers: dict[str, Paper] = {}  # by the document's URI
        self._current: Chat | None = None
        self._last_used = files.LastUsed(bridge.state, client.info.process)
        self.facts: dict[str, dict[str, Any]] = {}  # what a mention of the next message is answered with
        self.work = Work(editor, self.locale)

    # Asking the bridge

    async def call(self, method: str, **params: Any) -> Any:
        """Ask the bridge by a method of the protocol; parameters in the protocol's own names. Raises BridgeError."""
        return await result(self.ask(method, **params))

    def ask(self, method: str, **params: Any) -> Answer[Any]:
        """Ask the bridge; the answer comes at its place among the events. Raises BridgeError."""
        return ask(self.bridge, self.client, method, params)

    # Sessions

    @property
    def current(self) -> Chat | None:
        """The session that was used last; one of another daemon is opened when it is wanted."""
        return self._current

    @current.setter
    def current(self, chat: Chat | None) -> None:
        self._current = chat
        self._last_used.note(None if chat is None else chat.session_id)

    async def new_session(self, workdir: str) -> Chat:
        """Begin a session; it is the current one from now on."""
        opened: Answer[Chat] = Answer()

        def take(outcome: Any) -> None:
            if not isinstance(outcome, BridgeError):
                chat = self._chat(outcome.session_id)
                chat.take_state(outcome.state, outcome.approvals)
                outcome = chat
            opened.set(outcome)

        self.ask("wave/session/new", workdir=workdir).on_done(take)
        return await result(opened)

    async def open_session(self, session_id: str) -> Chat:
        """Attach to a session, live or stored; it is the current one from now on."""
        known = self.chats.get(session_id)
        if known is not None and session_id in self.client.streams:
            self.current = known
            return known
        loaded: Answer[Chat] = Answer()

        def take(outcome: Any) -> None:
            loaded.set(outcome if isinstance(outcome, BridgeError) else self._take_snapshot(outcome))

        self.ask("wave/session/load", sessionId=session_id).on_done(take)
        return await result(loaded)

    async def wanted_session(self, session_id: str | None, workdir: str | None = None) -> Chat:
        """Give the session that is named, else the current one, else a new one."""
        if session_id:
            return await self.open_session(session_id)
        last = self._last_used.recall() if self.current is None else self.current.session_id
        if last is not None:
            with contextlib.suppress(SessionNotFound):
                return await self.open_session(last)
        return await self.new_session(workdir or self.bridge.folder_of(self.client))

    def paper(self, chat: Chat) -> Paper:
        """Give the session's document."""
        paper = self.papers.get(chat.uri)
        if paper is None:
            paper = self.papers[chat.uri] = Paper(chat, self.documents, self.editor)
        return paper

    def show(self, chat: Chat) -> None:
        """Show the session's document. Raises OSError when it can't be written."""
        self.paper(chat).create()
        self.editor.show(chat.uri, text("chat.where", self.locale, path=chat.path))

    def chat_of(self, uri: str) -> Chat | None:
        """Give the session whose document this is."""
        return next((chat for chat in self.chats.values() if chat.uri == uri), None)

    def tell(self, fault: BridgeError) -> None:
        """Tell the user of a failure that no request waits for."""
        self.editor.say(text("chat.refused", self.locale, reason=fault.message))

    def respond(self, request_id: str, decision: Any) -> None:
        """Answer an approval."""
        self.ask("wave/permission/respond", requestId=request_id, decision=msgspec.to_builtins(decision))

    def put_question(self, chat: Chat, approval: Approval) -> None:
        """Ask the user for an approval. Dismissed, or answered elsewhere meanwhile: nothing."""
        offered = approvals.options(approval, self.locale)
        question = approvals.asked(approval) or chat.question(approval)

        def chosen(title: str | BridgeError) -> None:
            if isinstance(title, str) and title in offered and approval.request_id in chat.approvals:
                self.respond(approval.request_id, offered[title])

        self.editor.choose(question, list(offered)).on_done(chosen)

    def lost(self) -> None:
        """Let go of everything: the editor is gone."""
        for paper in self.papers.values():
            paper.close()
        for progress in filter(None, (chat.progress for chat in self.chats.values())):
            progress.end()
        self.work.lost()

    # What the bridge tells (client.Listener)

    def told(self, method: str, params: Any) -> None:
        """Take a notification of the bridge."""
        match params:
            case AgentStatus():
                self.work.starts(params)
            case StateParams() if chat := self.chats.get(params.session_id):
                self._state(chat, params)
            case Approval() if chat := self.chats.get(params.session_id):
                chat.approvals[params.request_id] = params
                self._changed(chat, lenses=True)
                self.put_question(chat, params)
            case ApprovalEnded() if chat := self.chats.get(params.session_id):
                chat.approvals.pop(params.request_id, None)
                self._changed(chat, lenses=True)
            case _:
                log.debug("nothing to show: %s", method)

    def event(self, session_id: str, method: str, params: Any) -> None:
        """Take an event of the CLI. One of a shape that is not known costs a new snapshot, nothing else."""
        chat = self.chats.get(session_id)
        if chat is None:
            return
        if method == "sessionIdChange":
            self._renamed(chat, str(params.get("sessionId") or session_id))
            return
        try:
            changed = chat.take_event(method, params)
        except (AttributeError, KeyError, TypeError) as fault:
            log.warning("an event of an unknown shape: %s: %r", method, fault)
            self._resync(chat)
            return
        if changed:
            if chat.progress is not None:
                chat.progress.report(chat.doing())
            self._changed(chat, lenses=method == "queuedMessagesChange")

    def asked(self, method: str, params: Any) -> Answer[bytes]:
        """Answer a question of the bridge."""
        answer: Answer[bytes] = Answer()
        if method == "wave/context/read":
            self._read_context(params.kinds, answer)
        elif isinstance(params, OpenUrl):
            self.editor.show(params.url, params.url, external=True)
            answer.set(b'{"ok":true}')
        else:
            answer.set(Unsupported(f"{method}: this editor can't."))
        return answer

    def offers(self, capability: str) -> bool:
        """Say whether the next message's mention can be answered."""
        return capability == "terminal" or capability in self.facts

    # Inside

    def _read_context(self, kinds: list[str], answer: Answer[bytes]) -> None:
        """Give the facts of the message that is sent."""

        async def work() -> None:
            facts = {kind: self.facts[kind] for kind in kinds if kind in self.facts}
            if "terminal" in kinds:
                kept = partial(self.bridge.library.last_command, self.bridge.folder_of(self.client))
                facts["terminal"] = await tmux.terminal(self.client.info.environment, kept)
            answer.set(msgspec.json.encode(facts))

        self.bridge.spawn(work, answer)

    def _chat(self, session_id: str) -> Chat:
        chat = self.chats.get(session_id)
        if chat is None:
            chat = Chat(session_id, files.document_of(self.bridge.state, session_id), self.locale)
            self.chats[session_id] = chat
        self.current = chat
        return chat

    def _take_snapshot(self, snapshot: Snapshot) -> Chat:
        chat = self._chat(snapshot.session_id)
        messages = decode_any(snapshot.messages)
        chat.take_messages(messages if isinstance(messages, list) else [])
        chat.take_state(snapshot.state, snapshot.approvals)
        self._changed(chat, lenses=True)
        return chat

    def _changed(self, chat: Chat, *, lenses: bool = False) -> None:
        if chat.uri in self.papers:
            self.paper(chat).update()
            if lenses:
                self.editor.refresh_lenses()

    def _document_changed(self, uri: str) -> None:
        paper = self.papers.get(uri)
        if paper is not None:
            paper.document_changed()
        elif self.documents.find(uri) is not None and self.chat_of(uri) is None:
            self._take_up(uri)

    def _take_up(self, uri: str) -> None:
        """Go on with a session whose document the editor has open already: another daemon's, or another day's."""
        session_id = files.session_of(self.bridge.state, uri)
        if session_id is None:
            return
        before = self.current
        chat = self._chat(session_id)

        def take(outcome: Any) -> None:
            if isinstance(outcome, Snapshot):
                self._take_snapshot(outcome)
                self.paper(chat).document_changed()
                return
            log.info("session %s: its document is not followed: %s", session_id, outcome)
            self.chats.pop(session_id, None)
            self.current = before if self.current is chat else self.current

        try:
            self.ask("wave/session/load", sessionId=session_id).on_done(take)
        except BridgeError as fault:
            take(fault)

    def _renamed(self, chat: Chat, new: str) -> None:
        """Follow the session's new id; its document keeps its name."""
        self.chats.pop(chat.session_id, None)
        chat.session_id = new
        self.chats[new] = chat
        self._last_used.note(new)
        files.renamed(chat.path, new)

    def _state(self, chat: Chat, state: StateParams) -> None:
        if isinstance(state.title, str):
            chat.title = state.title
        if isinstance(state.busy, bool) and state.busy != chat.busy:
            chat.busy = state.busy
            self.work.show(chat, partial(self._stop, chat))
        if isinstance(state.turn_ended, TurnEnded) and state.turn_ended.reason in {"agentCrashed", "failed"}:
            detail = state.turn_ended.detail
            self.tell(BridgeError(detail if isinstance(detail, str) else state.turn_ended.reason))
        if state.resync:
            self._resync(chat)
        self._changed(chat, lenses=isinstance(state.busy, bool))

    def _resync(self, chat: Chat) -> None:
        """Fetch everything anew. A session that is lost stays as it was shown."""

        def take(outcome: Any) -> None:
            if isinstance(outcome, Snapshot):
                current, self.current = self.current, chat
                self._take_snapshot(outcome)
                self.current = current

        try:
            self.ask("wave/session/snapshot", sessionId=chat.session_id).on_done(take)
        except BridgeError as fault:
            log.info("session %s: no snapshot: %s", chat.session_id, fault.message)

    def _stop(self, chat: Chat) -> None:
        try:
            self.ask("wave/turn/cancel", sessionId=chat.session_id)
        except BridgeError as fault:
            self.tell(fault)
