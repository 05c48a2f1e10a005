"""The picker: what its keys do. One for `wave-bridge sessions` and for `/resume`, so that both are the same (SB8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import anyio.to_thread
from msgspec import Struct
from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys

from wave_bridge.errors import BridgeError
from wave_bridge.messages import text
from wave_bridge.picker.clipboard import copy
from wave_bridge.picker.model import Hint, Model
from wave_bridge.picker.screen import STYLE, Screen
from wave_bridge.picker.shelf import FOLDER, Scope
from wave_bridge.store import resume, titles
from wave_bridge.store.listing import Session

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Iterator

    from prompt_toolkit.key_binding import KeyPressEvent

    from wave_bridge.messages import Locale
    from wave_bridge.picker.shelf import Shelf
    from wave_bridge.store.listing import Page

ESCAPE_TIME: Final = 0.05  # seconds in which the rest of an arrow key's bytes may follow its Esc


class Choice(Struct, frozen=True):
    """A chosen session and what resuming it means. `hint` is there where it is not resumed here, and was copied."""

    session: Session
    resume: resume.InPlace | resume.OtherWorktree | resume.OtherProject | resume.FolderGone
    hint: Hint | None = None


async def pick(shelf: Shelf, locale: Locale, *, stays: bool, scope: Scope = FOLDER, search: str = "") -> Choice | None:
    """Let the user choose a session in the terminal; None: left by Esc, nothing changed.

    `scope` and `search` are what the list begins with. With `stays`, as inside a conversation, a session of another
    project is not given back: its command is shown and the list is there again (S9.6). Without, it is the choice, and
    the caller shows its command (S8.3).
    """
    return await _Picker(shelf, locale, stays, scope, search).run()


class _Picker:
    """The keys' actions over a model. `_load` reads the list in a thread, page by page; a newer list ends an older."""

    def __init__(self, shelf: Shelf, locale: Locale, stays: bool, scope: Scope, search: str) -> None:  # noqa: FBT001
        self._shelf = shelf
        self._locale = locale
        self._stays = stays
        self._model = Model(scope)
        self._screen = Screen(self._model, locale)
        self._screen.search.insert_text(search)
        self._screen.search.on_text_changed += lambda _: self._reload(at_top=True)
        self._loading: asyncio.Task[None] | None = None

    async def run(self) -> Choice | None:
        app: Application[Choice | None] = Application(
            self._screen.layout, STYLE, key_bindings=self._keys(), full_screen=True
        )
        app.ttimeoutlen = ESCAPE_TIME
        self._app = app

        def begin() -> None:
            self._reload(at_top=True)
            app.create_background_task(self._look_for_worktrees())

        return await app.run_async(pre_run=begin)

    def _keys(self) -> KeyBindings:
        hinting = Condition(lambda: self._model.hint is not None)
        renaming = Condition(lambda: self._model.is_renaming)
        listing = ~hinting & ~renaming
        keys = KeyBindings()
        keys.add("up", filter=listing)(self._mover(lambda: -1))
        keys.add("c-p", filter=listing)(self._mover(lambda: -1))
        keys.add("down", filter=listing)(self._mover(lambda: 1))
        keys.add("c-n", filter=listing)(self._mover(lambda: 1))
        keys.add("pageup", filter=listing)(self._mover(lambda: -self._screen.height))
        keys.add("pagedown", filter=listing)(self._mover(lambda: self._screen.height))
        keys.add("c-home", filter=listing)(self._mover(lambda: -len(self._model.rows)))
        keys.add("c-end", filter=listing)(self._mover(lambda: len(self._model.rows)))
        keys.add("c-a", filter=listing)(self._all)
        keys.add("c-w", filter=listing)(self._worktrees)
        keys.add("c-r", filter=listing)(self._rename)
        for name in ("enter", "c-j"):  # a terminal that was not in raw mode yet sends a line feed for Enter
            keys.add(name, filter=listing)(self._choose)
            keys.add(name, filter=renaming)(self._save)
            keys.add(name, filter=hinting)(self._leave)
        keys.add(Keys.BracketedPaste)(_paste)
        keys.add(Keys.Any, filter=hinting)(lambda _: None)
        for name in ("escape", "c-c", "c-d"):
            keys.add(name, eager=True)(self._leave)
        return keys

    def _mover(self, by: Callable[[], int]) -> Callable[[KeyPressEvent], None]:
        return lambda _: self._model.move(by())

    # Lists

    async def _look_for_worktrees(self) -> None:
        found = await anyio.to_thread.run_sync(self._shelf.worktrees)
        self._model.has_worktrees = len(found) > 1
        self._app.invalidate()

    def _all(self, _: KeyPressEvent) -> None:
        self._model.widen_to_all()
        self._reload()

    def _worktrees(self, _: KeyPressEvent) -> None:
        if self._model.widen_to_worktrees():
            self._reload()

    def _reload(self, *, at_top: bool = False) -> None:
        if self._loading is not None:
            self._loading.cancel()
        self._model.is_loading = True
        self._loading = self._app.create_background_task(self._load(at_top=at_top))

    async def _load(self, *, at_top: bool) -> None:
        pages = self._shelf.pages(self._model.scope, self._screen.search.text)
        self._model.notice = ""
        try:
            first = await anyio.to_thread.run_sync(_next, pages)
            self._model.begin(first.sessions if first else [], at_top=at_top)
            self._app.invalidate()
            while (page := await anyio.to_thread.run_sync(_next, pages)) is not None:
                self._model.extend(page.sessions)
                self._app.invalidate()
        except BridgeError as fault:
            self._model.begin([], at_top=True)
            self._model.notice = fault.message
        self._model.is_loading = False
        self._app.invalidate()

    # Titles

    def _rename(self, _: KeyPressEvent) -> None:
        session = self._model.current
        if session is not None:
            self._screen.title.text = titles.label(session.custom_title, session.first_message, self._locale)
            self._screen.title.cursor_position = len(self._screen.title.text)
            self._set_renaming(to=True)

    def _save(self, _: KeyPressEvent) -> None:
        session, title = self._model.current, titles.accepted(self._screen.title.text)
        self._set_renaming(to=False)
        if session is not None and title is not None and title != session.custom_title:
            self._app.create_background_task(self._retitle(session, title))

    def _set_renaming(self, *, to: bool) -> None:
        self._model.is_renaming = to
        self._model.notice = ""
        self._screen.focus()

    async def _retitle(self, session: Session, title: str) -> None:
        """Show the title at once and save it; when that fails, show the old one again and say why (S13.6)."""
        self._model.retitle(session, title)
        try:
            await anyio.to_thread.run_sync(self._shelf.rename, session, title)
        except BridgeError as fault:
            self._model.retitle(session, session.custom_title)
            self._model.notice = text("picker.notRenamed", self._locale, reason=fault.message)
        self._app.invalidate()

    # Choosing and leaving

    def _choose(self, _: KeyPressEvent) -> None:
        if self._model.current is not None:
            self._app.create_background_task(self._resume(self._model.current))

    async def _resume(self, session: Session) -> None:
        match await anyio.to_thread.run_sync(self._shelf.judge, session):
            case resume.RecordMissing():
                self._model.notice = text("picker.missing", self._locale)
            case resume.RecordDamaged(reason=reason):
                self._model.notice = text("picker.unreadable", self._locale, reason=reason)
            case resume.OtherProject() | resume.FolderGone() as elsewhere:
                reason = "otherProject" if isinstance(elsewhere, resume.OtherProject) else "folderGone"
                hint = Hint(reason, elsewhere.command, await copy(elsewhere.command, self._app.output))
                if self._stays:
                    self._model.hint = hint
                else:
                    self._end(Choice(session, elsewhere, hint))
            case here:
                self._end(Choice(session, here))
        self._app.invalidate()

    def _leave(self, _: KeyPressEvent) -> None:
        """Close what is open: the command, the title being edited (rolled back), else the picker."""
        if self._model.hint is not None:
            self._model.hint = None
        elif self._model.is_renaming:
            self._set_renaming(to=False)
        else:
            self._end(None)

    def _end(self, choice: Choice | None) -> None:
        if not self._app.is_done:  # by an Esc while the choice was being judged, or a second Enter
            self._app.exit(result=choice)


def _next(pages: Iterator[Page]) -> Page | None:
    return next(pages, None)


def _paste(event: KeyPressEvent) -> None:
    """Take pasted text as one line: a title or a search has no more."""
    event.current_buffer.insert_text(" ".join(event.data.split()))
