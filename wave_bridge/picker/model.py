"""What a picker shows at a moment: plain state and the steps that change it; knows no terminal and no files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wave_bridge.picker.shelf import Scope
    from wave_bridge.store.listing import Session


class Hint(msgspec.Struct, frozen=True):
    """A session that is not resumed here: why (the key of a text), and the command that does it elsewhere."""

    reason: str
    command: str
    copied: str


class Model:
    """The list, the selected row and the scope. `selected` is an index into `rows`, 0 for an empty list."""

    def __init__(self, scope: Scope) -> None:
        self.rows: list[Session] = []
        self.selected = 0
        self.scope = scope
        self.has_worktrees = False
        self.is_loading = True
        self.is_renaming = False
        self.notice = ""
        self.hint: Hint | None = None

    @property
    def current(self) -> Session | None:
        """The selected session; None in an empty list."""
        return self.rows[self.selected] if self.rows else None

    def move(self, by: int) -> None:
        """Select the row that is `by` further down, or the last one on the way."""
        self.selected = max(0, min(self.selected + by, len(self.rows) - 1))

    def begin(self, rows: Sequence[Session], *, at_top: bool) -> None:
        """Show the first page of a list; unless `at_top`, the selected session stays selected while it is in it."""
        before = self.current
        self.rows = list(rows)
        same = (i for i, each in enumerate(self.rows) if before and not at_top and each.id == before.id)
        self.selected = next(same, 0)

    def extend(self, rows: Sequence[Session]) -> None:
        """Show a further page."""
        self.rows += rows

    def retitle(self, session: Session, title: str | None) -> None:
        """Show another title for a listed session, wherever it is by now."""
        for index, each in enumerate(self.rows):
            if each.id == session.id:
                self.rows[index] = msgspec.structs.replace(each, custom_title=title)

    def widen_to_worktrees(self) -> bool:
        """Switch between the directory and all worktrees (S7.2); false, and nothing, where there is one (S7.3)."""
        if self.has_worktrees:
            self.scope = msgspec.structs.replace(self.scope, worktrees=not self.scope.worktrees)
        return self.has_worktrees

    def widen_to_all(self) -> None:
        """Switch between the directory and all projects (S6.2, S6.4)."""
        self.scope = msgspec.structs.replace(self.scope, everywhere=not self.scope.everywhere)
