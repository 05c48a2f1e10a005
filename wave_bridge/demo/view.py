"""The demo's words on the terminal: steps, checks, two answers side by side."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.columns import Columns
from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from wave_bridge.demo.editor import Missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COLUMN = 38  # characters of one of two panels side by side


class View:
    """Narrates. A check that fails ends the demo."""

    def __init__(self) -> None:
        self.console = Console(highlight=False)
        self.passed = 0
        self._number = 0

    def step(self, title: str) -> None:
        """Begin a step."""
        self._number += 1
        self.console.print()
        self.console.print(Text.assemble((f"{self._number}  ", "bold cyan"), (title, "bold")))

    def line(self, text: str) -> None:
        """Say something."""
        self.console.print(Text(f"   {text}", style="dim"))

    def quote(self, text: str) -> None:
        """Show a text as it is."""
        self.console.print(Panel(Text(text), border_style="dim", expand=False))

    def check(self, claim: str, *, fits: bool) -> None:
        """Say that a claim was observed; raises Missing when it was not."""
        if not fits:
            self.console.print(Text.assemble(("   ✗ ", "bold red"), claim))
            raise Missing(claim)
        self.passed += 1
        self.console.print(Text.assemble(("   ✓ ", "bold green"), claim))

    @contextmanager
    def columns(self, names: list[str]) -> Iterator[Callable[[str, str], None]]:
        """Show texts that grow, side by side; the value is called with a name and its text."""
        texts = dict.fromkeys(names, "")

        def panels() -> Columns:
            return Columns([Panel(Text(texts[name]), title=name, width=COLUMN) for name in names])

        with Live(panels(), console=self.console, refresh_per_second=12) as live:

            def show(name: str, text: str) -> None:
                texts[name] = text
                live.update(panels())

            yield show
        if not self.console.is_terminal:
            self.console.print()  # elsewhere the last frame stands without an end of line

    def end(self, seconds: float) -> None:
        """Say that everything was observed."""
        self.console.print()
        self.console.print(
            Text(f"{self.passed} things observed in {seconds:.1f} s; nothing left behind.", "bold green")
        )

    def fail(self, fault: Missing, log: str) -> None:
        """Say what was missing, and where to look."""
        self.console.print()
        self.console.print(Text(f"Not observed: {fault}", "bold red"))
        self.console.print(Text(log, style="dim"))
