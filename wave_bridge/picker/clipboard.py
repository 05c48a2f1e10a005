"""Copying a command: into the system's clipboard, else by asking the terminal (OSC 52), which works over ssh too."""

from __future__ import annotations

import base64
import subprocess
from typing import TYPE_CHECKING, Final, Literal

import anyio
import anyio.to_thread
import pyperclip

if TYPE_CHECKING:
    from prompt_toolkit.output import Output

TIME: Final = 2.0  # seconds for the program that holds the clipboard; a display that is gone answers never

Copied = Literal["clipboard", "terminal"]


async def copy(text: str, output: Output) -> Copied:
    """Copy `text`, and tell where to: a terminal does not say whether it took it (SB7)."""
    with anyio.move_on_after(TIME):
        if await anyio.to_thread.run_sync(_into_clipboard, text, abandon_on_cancel=True):
            return "clipboard"
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    output.write_raw(f"\x1b]52;c;{encoded}\x07")
    output.flush()
    return "terminal"


def _into_clipboard(text: str) -> bool:
    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError, subprocess.SubprocessError):
        return False
    return True
