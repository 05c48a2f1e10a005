"""`wave-bridge sessions`: the stored sessions, chosen in the terminal, or listed for scripts; needs no daemon.

    wave-bridge sessions [FOLDER] [--worktrees | --all] [--search WORDS]            choose one and resume it
    wave-bridge sessions --json …                                                   the list as one JSON document

Where standard output is no terminal, a plain list is written: id, last activity, title, folder; tabs between.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from wave_bridge.errors import BridgeError
from wave_bridge.messages import locale_of, text
from wave_bridge.picker.shelf import Scope, Shelf
from wave_bridge.store import resume
from wave_bridge.store.titles import harmless, label

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from wave_bridge.messages import Locale
    from wave_bridge.picker.model import Hint
    from wave_bridge.store.listing import Page, Session

EMBEDDED: Final = "wave-bridge chat"  # resumes where no Wave is installed
UNREADABLE: Final = 1  # exit codes
USAGE: Final = 2


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount the sub-command `sessions`."""
    parser = subparsers.add_parser("sessions", help="choose a stored session and resume it, or list them")
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="whose sessions (this one)")
    wider = parser.add_mutually_exclusive_group()
    wider.add_argument("--worktrees", action="store_true", help="of all worktrees of the repository")
    wider.add_argument("--all", action="store_true", help="of all projects")
    parser.add_argument("--search", default="", metavar="WORDS", help="with all these words in title or first message")
    parser.add_argument("--json", action="store_true", help="list them as JSON")
    parser.add_argument("--locale", help="zh-CN or en (without: as the environment says)")
    parser.set_defaults(run=run)


def run(namespace: argparse.Namespace) -> int:
    """Pick and resume, or list; gives the exit code. `namespace.environment` is the process's."""
    environment: Mapping[str, str] = namespace.environment
    locale = locale_of(environment, namespace.locale)
    folder = Path(namespace.folder).absolute()
    if not folder.is_dir():
        sys.stderr.write(f"wave-bridge sessions: there is no folder {folder}\n")
        return USAGE
    shelf = Shelf(base_folder(environment), str(folder), launcher(environment))
    scope = Scope(namespace.worktrees, namespace.all)
    if not namespace.json and sys.stdin.isatty() and sys.stdout.isatty():
        return choose(shelf, locale, scope, namespace.search, environment)
    try:
        page = shelf.every(scope, namespace.search)
    except BridgeError as fault:
        sys.stderr.write(f"wave-bridge sessions: {fault.message}\n")
        return UNREADABLE
    sys.stdout.buffer.write(_json(page) if namespace.json else _plain(page.sessions, locale))
    return 0


def base_folder(environment: Mapping[str, str]) -> Path:
    """Give the user's `~/.wave`."""
    return Path(environment.get("HOME") or Path.home()) / ".wave"


def launcher(environment: Mapping[str, str]) -> str:
    """Give the program of the commands that are shown: a Wave that is installed, else our own chat."""
    return resume.WAVE if shutil.which(resume.WAVE, path=environment.get("PATH")) else EMBEDDED


def choose(shelf: Shelf, locale: Locale, scope: Scope, search: str, environment: Mapping[str, str]) -> int:
    """Show the picker and do what was chosen: resume (S8.1, S8.2), or show the command that does it (S8.3, S8.4)."""
    from wave_bridge.picker.picker import pick  # noqa: PLC0415 - its terminal library is not needed for a list

    choice = asyncio.run(pick(shelf, locale, stays=False, scope=scope, search=search))
    if choice is None:
        return 0
    if choice.hint is not None:
        say_hint(choice.hint, locale)
        return 0
    return _start(choice.session.id, choice.resume.workdir, environment)


def say_hint(hint: Hint, locale: Locale) -> None:
    """Write the command that resumes a session elsewhere, and where it was copied to (S8.3)."""
    why, copied = text(f"picker.{hint.reason}", locale), text(f"picker.copied.{hint.copied}", locale)
    sys.stdout.write(f"{why}\n  {harmless(hint.command)}\n{copied}\n")


def _start(session_id: str, workdir: str, environment: Mapping[str, str]) -> int:
    """Become the program that goes on with the session, in its folder."""
    wave = shutil.which(resume.WAVE, path=environment.get("PATH"))
    argv = [wave] if wave else [sys.executable, "-m", "wave_bridge", "chat"]
    argv += ["--restore", session_id]
    os.chdir(workdir)
    if os.name != "nt":  # there a program that is replaced looks ended to its shell
        os.execv(argv[0], argv)  # noqa: S606 - no shell: that is the point
    return subprocess.call(argv)


def _json(page: Page) -> bytes:
    return msgspec.json.format(msgspec.json.encode({"sessions": page.sessions, "skipped": page.skipped})) + b"\n"


def _plain(sessions: Sequence[Session], locale: Locale) -> bytes:
    lines = (
        "\t".join(
            (
                each.id,
                each.last_active_at,
                harmless(label(each.custom_title, each.first_message, locale)),
                harmless(each.workdir),
            )
        )
        for each in sessions
    )
    return "".join(line + "\n" for line in lines).encode("utf-8", "replace")
