"""An editor that knows LSP and nothing of ours: pytest-lsp's client, with buffers that a user can type in.

It does what real editors do: edits are applied only to the version that they name, and told back as changes. All that
the server sends is kept, and checked against what was announced.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.uris import to_fs_path
from pytest_lsp import LanguageClient, client_capabilities
from wave_client import WAIT, WaveProtocol

CONVERTER = get_converter()
RECORDED = (
    "emacs_v29.1",
    "neovim_v0.6.1",
    "neovim_v0.7.0",
    "neovim_v0.8.0",
    "neovim_v0.9.1",
    "neovim_v0.10.0",
    "neovim_v0.11.0",
    "visual_studio_code_v1.65.2",
)
# From the public sources of these editors, as far as it matters here.
HELIX = {
    "workspace": {"applyEdit": True, "executeCommand": {}, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "completion": {"completionItem": {"insertReplaceSupport": True}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor"]}}},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
}
ZED = {
    "workspace": {
        "applyEdit": True,
        "codeLens": {"refreshSupport": True},
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]},
    },
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True}},
        "codeLens": {"dynamicRegistration": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}}},
    },
    "window": {"workDoneProgress": True},
    "general": {"positionEncodings": ["utf-16"]},
}
KATE = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": False}},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
    },
    "window": {"workDoneProgress": True},
}
HAND_MADE = {"helix": HELIX, "zed": ZED, "kate": KATE, "nothing": {}}

# What a server may send only to a client that has announced it.
NEEDS = {
    "window/showDocument": ("window", "showDocument", "support"),
    "window/workDoneProgress/create": ("window", "workDoneProgress"),
    "$/progress": ("window", "workDoneProgress"),
    "workspace/applyEdit": ("workspace", "applyEdit"),
    "workspace/codeLens/refresh": ("workspace", "codeLens", "refreshSupport"),
    "workspace/configuration": ("workspace", "configuration"),
}
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}  # codec, bytes of a unit
FREE = {"window/showMessage", "window/logMessage", "window/showMessageRequest"}


def announcing(name: str) -> types.ClientCapabilities:
    """Give an editor's capabilities."""
    if name in HAND_MADE:
        return CONVERTER.structure(HAND_MADE[name], types.ClientCapabilities)
    return client_capabilities(name.replace("_v", "@v"))


class Buffer:
    """An open document as the editor has it."""

    def __init__(self, uri: str, text: str) -> None:
        self.uri = uri
        self.text = text
        self.version = 1

    @property
    def draft(self) -> str:
        return self.text.partition("<!-- wave: draft -->\n")[2].removeprefix("\n")


class Recording(WaveProtocol):
    """Keeps the method of everything that comes."""

    def handle_message(self, message):
        if "method" in message:
            self._server.heard.append((message["method"], message.get("params")))
        else:
            self._server.result = message.get("result")
        super().handle_message(message)


class GenericEditor(LanguageClient):
    def __init__(self, capabilities: types.ClientCapabilities) -> None:
        super().__init__(protocol_cls=Recording)
        self.announced = capabilities
        self.heard: list[tuple[str, Any]] = []
        self.result: Any = None  # the last one, plain: lsprotocol takes a code action for a command
        self.buffers: dict[str, Buffer] = {}
        self.questions: list[types.ShowMessageRequestParams] = []
        self.answers: list[str | None] = []  # titles, in the order of the questions; None dismisses
        self.logged: list[str] = []
        self.opens = True  # a shown document is opened in a buffer
        self.applies = True
        self._news = asyncio.Event()
        self._held: list[asyncio.Event] = []
        register(self)

    async def hello(self, folder: Path, **members: Any) -> types.InitializeResult:
        self.capabilities = self.announced
        result = await self.initialize_async(
            types.InitializeParams(
                capabilities=self.announced,
                locale="en",
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), "w")],
                client_info=types.ClientInfo("plain"),
                **members,
            )
        )
        self.initialized(types.InitializedParams())
        self.offered = result.capabilities
        self.encoding = _CODECS[result.capabilities.position_encoding or "utf-16"]
        return result

    def end_of(self, buffer: Buffer) -> types.Position:
        """Give the position behind all that was typed."""
        return _position(buffer.text, len(buffer.text), self.encoding)

    async def run(self, command: str, *arguments: Any) -> Any:
        """Execute a command; its result as plain values."""
        params = types.ExecuteCommandParams(command, arguments=list(arguments))
        async with asyncio.timeout(WAIT):
            return plain(await self.workspace_execute_command_async(params))

    async def until(self, found, what: str):
        """Wait until `found()` gives something true."""
        try:
            async with asyncio.timeout(WAIT):
                while not (value := found()):
                    self._news.clear()
                    await self._news.wait()
                return value
        except TimeoutError:
            shown = "\n".join(buffer.text for buffer in self.buffers.values())
            raise AssertionError(f"never: {what}; heard {[m for m, _ in self.heard][-20:]}\n{shown}") from None

    async def shows(self, uri: str, *wanted: str) -> Buffer:
        """Wait until a document holds these texts."""
        await self.until(lambda: uri in self.buffers and all(t in self.buffers[uri].text for t in wanted), str(wanted))
        return self.buffers[uri]

    def news(self) -> None:
        self._news.set()

    def open(self, uri: str, text: str | None = None) -> Buffer:
        text = Path(to_fs_path(uri)).read_text("utf-8") if text is None else text
        buffer = self.buffers[uri] = Buffer(uri, text)
        item = types.TextDocumentItem(uri, "markdown", 1, text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return buffer

    def type(self, buffer: Buffer, text: str, at: int | None = None) -> None:
        """Type at a place, at the end without one, and tell the server at once."""
        at = len(buffer.text) if at is None else at
        position = _position(buffer.text, at, self.encoding)
        buffer.text = buffer.text[:at] + text + buffer.text[at:]
        self.tell(buffer, [types.TextDocumentContentChangePartial(types.Range(position, position), text)])

    def tell(self, buffer: Buffer, changes: list[Any]) -> None:
        buffer.version += 1
        document = types.VersionedTextDocumentIdentifier(buffer.version, buffer.uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def close(self, buffer: Buffer) -> None:
        del self.buffers[buffer.uri]
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(buffer.uri)))

    def ended(self) -> bool:
        """Say whether a turn's progress has ended."""
        return any(r and r[0]["cancellable"] and r[-1]["kind"] == "end" for r in self.progress_reports.values())

    def unannounced(self) -> list[str]:
        """Give what the server sent and may not have."""
        said = CONVERTER.unstructure(self.announced)
        return [method for method, _ in self.heard if method not in FREE and not _announced(said, method)]

    async def quit(self) -> None:
        self.answers += [None] * len(self.questions)  # the user turns away
        self.news()
        await self.shutdown_async(None)
        self.exit(None)
        assert self.unannounced() == []


def register(editor: GenericEditor) -> None:
    @editor.feature("window/showDocument")
    def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        editor.shown_documents.append(params)
        if editor.opens and not params.external and params.uri not in editor.buffers:
            editor.open(params.uri)
        editor.news()
        return types.ShowDocumentResult(success=True)

    @editor.feature("window/showMessage")
    def message(params: types.ShowMessageParams) -> None:
        editor.messages.append(params)
        editor.news()

    @editor.feature("window/logMessage")
    def logged(params: types.LogMessageParams) -> None:
        editor.logged.append(params.message)
        editor.news()

    @editor.feature("window/showMessageRequest")
    async def question(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        number = len(editor.questions)
        editor.questions.append(params)
        editor.news()
        await editor.until(lambda: len(editor.answers) > number, "an answer of the user")
        title = editor.answers[number]
        return None if title is None else types.MessageActionItem(title)

    @editor.feature("workspace/applyEdit")
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        change = params.edit.document_changes[0] if params.edit.document_changes else None
        uri, edits = (change.text_document.uri, change.edits) if change else next(iter(params.edit.changes.items()))
        buffer = editor.buffers.get(uri)
        stale = change is not None and buffer is not None and change.text_document.version != buffer.version
        editor.news()
        if buffer is None or stale or not editor.applies:
            return types.ApplyWorkspaceEditResult(applied=False)
        for edit in sorted(edits, key=lambda item: _order(item.range.start), reverse=True):
            start, end = (_offset(buffer.text, place, editor.encoding) for place in (edit.range.start, edit.range.end))
            buffer.text = buffer.text[:start] + edit.new_text + buffer.text[end:]
        editor.tell(buffer, [types.TextDocumentContentChangeWholeDocument(buffer.text)])
        return types.ApplyWorkspaceEditResult(applied=True)

    @editor.feature("workspace/codeLens/refresh")
    def refresh(*_: Any) -> None:
        editor.news()

    @editor.feature("window/workDoneProgress/create")
    def create(params: types.WorkDoneProgressCreateParams) -> None:
        editor.progress_reports[params.token] = []

    @editor.feature("$/progress")
    def progress(params: types.ProgressParams) -> None:
        editor.progress_reports[params.token].append(params.value)
        editor.news()


def plain(value: Any) -> Any:
    """Give pygls' tuples as what they were."""
    return json.loads(json.dumps(value, default=lambda v: v._asdict() if hasattr(v, "_asdict") else str(v)))


def _announced(said: Any, method: str) -> bool:
    names = NEEDS.get(method)
    if names is None:
        return False
    for name in names:
        said = said.get(name) if isinstance(said, dict) else None
    return said is not None and said is not False


def _order(position: types.Position) -> tuple[int, int]:
    return position.line, position.character


def _offset(text: str, position: types.Position, codec: tuple[str, int]) -> int:
    lines = text.split("\n")
    if position.line >= len(lines):
        return len(text)
    before = sum(len(line) + 1 for line in lines[: position.line])
    line = lines[position.line].encode(codec[0])
    return before + len(line[: position.character * codec[1]].decode(codec[0]))


def _position(text: str, offset: int, codec: tuple[str, int]) -> types.Position:
    before = text[:offset].split("\n")
    return types.Position(len(before) - 1, len(before[-1].encode(codec[0])) // codec[1])
