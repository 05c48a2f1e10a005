"""What the editor can do, as its capabilities say, and the questions that may be asked of it accordingly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wave_bridge.core.answer import Answer
from wave_bridge.core.envelope import decode_any
from wave_bridge.core.limits import EDITOR_TIMEOUT, NOTICE_TIMEOUT
from wave_bridge.errors import BridgeError
from wave_bridge.lsp.protocol import CONVERTER

if TYPE_CHECKING:
    from collections.abc import Callable

    from lsprotocol import types

    from wave_bridge.lsp.generic.client import GenericClient

INFO = 3  # LSP's MessageType


class Can:
    """The few capabilities that matter here; what a client leaves out it can't."""

    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        said: dict[str, Any] = CONVERTER.unstructure(capabilities)
        self.show_document = _is(said, "window", "showDocument", "support")
        self.progress = _is(said, "window", "workDoneProgress")
        self.apply_edit = _is(said, "workspace", "applyEdit")
        self.versioned = _is(said, "workspace", "workspaceEdit", "documentChanges")
        self.refresh_lenses = _is(said, "workspace", "codeLens", "refreshSupport")
        self.lenses = _is(said, "textDocument", "codeLens")
        self.completion = _is(said, "textDocument", "completion")
        self.actions = _is(said, "textDocument", "codeAction")
        self.action_literals = _is(said, "textDocument", "codeAction", "codeActionLiteralSupport")


class Editor:
    """Asks the editor; an answer of `applyEdit` that never comes counts as a refusal."""

    def __init__(self, client: GenericClient, can: Can) -> None:
        self.client = client
        self.can = can

    def show(self, uri: str, fallback: str, *, external: bool = False) -> None:
        """Let the editor show a document; the user of one that can't is told where it is."""
        if not self.can.show_document:
            self.say(fallback)
            return
        params = {"uri": uri, "external": external}

        def tell(outcome: bytes | BridgeError) -> None:
            if not _done(outcome, "success"):
                self.say(fallback)

        def again(outcome: bytes | BridgeError) -> None:
            """Neovim 0.11 can't go there from a place without a word (E348); it can without taking the focus."""
            if not _done(outcome, "success"):
                self._show({**params, "takeFocus": False}).on_done(tell)

        self._show({**params, "takeFocus": True}).on_done(again)

    def _show(self, params: dict[str, Any]) -> Answer[bytes]:
        return self.client.ask("window/showDocument", params, EDITOR_TIMEOUT)

    def say(self, message: str) -> None:
        """Show a sentence."""
        if self.client.alive:
            self.client.notify("window/showMessage", {"type": INFO, "message": message})

    def choose(self, message: str, titles: list[str]) -> Answer[str]:
        """Let the user choose; the answer is a title, empty when the question was dismissed."""
        answer: Answer[str] = Answer()
        actions = [{"title": title} for title in titles]
        asked = self.client.ask(
            "window/showMessageRequest", {"type": INFO, "message": message, "actions": actions}, NOTICE_TIMEOUT
        )

        def chosen(outcome: bytes | BridgeError) -> None:
            title = "" if isinstance(outcome, BridgeError) else _member(outcome, "title")
            answer.set(title if isinstance(title, str) else "")

        asked.on_done(chosen)
        return answer

    def edit(self, uri: str, version: int, edits: list[dict[str, Any]], then: Callable[[bool], None]) -> None:
        """Change a document; `then` hears whether the editor says that it did."""
        if self.can.versioned:
            change: dict[str, Any] = {
                "documentChanges": [{"textDocument": {"uri": uri, "version": version}, "edits": edits}]
            }
        else:
            change = {"changes": {uri: edits}}
        asked = self.client.ask("workspace/applyEdit", {"edit": change}, EDITOR_TIMEOUT)
        asked.on_done(lambda outcome: then(_done(outcome, "applied")))

    def refresh_lenses(self) -> None:
        """Let the editor ask for the lenses again."""
        if self.can.refresh_lenses and self.client.alive:
            self.client.ask("workspace/codeLens/refresh", {}, EDITOR_TIMEOUT)


def _is(said: Any, *names: str) -> bool:
    """Say whether a capability is there: true, or an object."""
    for name in names:
        said = said.get(name) if isinstance(said, dict) else None
    return said is not None and said is not False


def _done(outcome: bytes | BridgeError, name: str) -> bool:
    return isinstance(outcome, bytes) and bool(_member(outcome, name))


def _member(result: bytes, name: str) -> Any:
    value = decode_any(result)
    return value.get(name) if isinstance(value, dict) else None
