"""How the picker looks: a search line, the rows, what is to be said, the keys; a row's title turns into an input."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.styles import Style
from prompt_toolkit.widgets import Frame
from wcwidth import width as columns_of

from wave_bridge.messages import text
from wave_bridge.picker.row import Row, row
from wave_bridge.store.titles import harmless

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples

    from wave_bridge.messages import Locale
    from wave_bridge.picker.model import Model

MARK: Final = "❯ "
STYLE: Final = Style.from_dict(
    {
        "selected": "bold reverse",
        "details": "ansibrightblack",
        "selected details": "nobold",
        "branch": "ansicyan",
        "keys": "ansibrightblack",
        "notice": "ansired",
        "renaming": "noreverse underline",
    }
)


class Screen:
    """The layout over a model; `search` and `title` are the two inputs."""

    def __init__(self, model: Model, locale: Locale) -> None:
        self._model = model
        self._locale = locale
        self.search = Buffer(multiline=False)
        self.title = Buffer(multiline=False)
        self._title_window = Window(BufferControl(self.title), height=1, style="class:renaming")
        self._rows = Window(_Rows(model, locale), always_hide_cursor=True)
        self.layout = Layout(self._body())

    @property
    def height(self) -> int:
        """The rows that are seen at once."""
        info = self._rows.render_info
        return info.window_height if info else 1

    def focus(self) -> None:
        """Give the keys to the input that is open."""
        self.layout.focus(self.title if self._model.is_renaming else self.search)

    def _body(self) -> FloatContainer:
        prompt = Window(FormattedTextControl(self._prompt), dont_extend_width=True, height=1)
        said = Window(FormattedTextControl(self._said), height=1)
        keys = Window(FormattedTextControl(self._keys), wrap_lines=True, dont_extend_height=True)
        body = HSplit([VSplit([prompt, Window(BufferControl(self.search), height=1)]), self._rows, said, keys])
        return FloatContainer(body, [self._rename_float(), self._hint_float()])

    def _rename_float(self) -> Float:
        """Give the input that lies over the selected row's title (S13.4)."""
        return Float(
            ConditionalContainer(self._title_window, Condition(lambda: self._model.is_renaming)),
            attach_to_window=self._rows,
            xcursor=True,  # at the place that `_Rows` names
            ycursor=True,
            allow_cover_cursor=True,
            width=self._title_columns,
            height=1,
        )

    def _title_columns(self) -> int:
        if not self._model.is_renaming:
            return 1
        columns = get_app().output.get_size().columns
        return columns_of(_laid_out(self._model, self._model.selected, columns, self._locale).label)

    def _hint_float(self) -> Float:
        shown = Window(FormattedTextControl(self._hint), wrap_lines=True)
        return Float(ConditionalContainer(Frame(shown), Condition(lambda: self._model.hint is not None)))

    def _prompt(self) -> str:
        scope = self._model.scope
        key = "all" if scope.everywhere else "worktrees" if scope.worktrees else "folder"
        more = "…" if self._model.is_loading else ""
        return f"{text('picker.scope.' + key, self._locale)} ({len(self._model.rows)}{more})  {MARK}"

    def _said(self) -> StyleAndTextTuples:
        if self._model.notice:
            return [("class:notice", harmless(self._model.notice))]
        if not self._model.rows and not self._model.is_loading:
            return [("class:details", text("picker.empty", self._locale))]
        return []

    def _keys(self) -> StyleAndTextTuples:
        if self._model.hint is not None:
            names = ["close"]
        elif self._model.is_renaming:
            names = ["save", "rollBack"]
        else:
            names = ["move", "resume", "rename", *(["worktrees"] if self._model.has_worktrees else []), "all", "close"]
        return [("class:keys", " · ".join(text(f"picker.key.{name}", self._locale) for name in names))]

    def _hint(self) -> StyleAndTextTuples:
        hint = self._model.hint
        if hint is None:
            return []
        said = (text(key, self._locale) for key in (f"picker.{hint.reason}", f"picker.copied.{hint.copied}"))
        return [("", f"{next(said)}\n\n"), ("bold", harmless(hint.command)), ("", f"\n\n{next(said)}")]


class _Rows(UIControl):
    """The list; lays out only the lines that are seen, so its length costs nothing."""

    def __init__(self, model: Model, locale: Locale) -> None:
        self._model = model
        self._locale = locale

    def create_content(self, width: int, height: int | None) -> UIContent:  # noqa: ARG002 - the base class's signature
        title = Point(len(MARK), self._model.selected)
        return UIContent(
            lambda index: self._line(index, width),
            line_count=len(self._model.rows),
            cursor_position=title,  # keeps it in view
            menu_position=title,  # where the input for another title appears
        )

    def _line(self, index: int, width: int) -> StyleAndTextTuples:
        is_selected = index == self._model.selected
        shown = _laid_out(self._model, index, width, self._locale)
        style = "class:selected " if is_selected else ""
        parts: StyleAndTextTuples = [(style, MARK if is_selected else " " * len(MARK)), (style, shown.label)]
        for kind, part in (("details", shown.details), ("branch", shown.branch), ("project", shown.project)):
            if part:
                parts.append((f"{style}class:{kind}", f"  {part}"))
        return parts


def _laid_out(model: Model, index: int, width: int, locale: Locale) -> Row:
    now = datetime.now().astimezone()
    return row(model.rows[index], width - len(MARK), now, locale, with_project=model.scope.is_wide)
