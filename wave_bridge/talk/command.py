"""`wave-bridge chat`: talk in the terminal, on the embedded CLI.

wave-bridge chat [FOLDER]                a new conversation
wave-bridge chat -c                      the folder's latest one
wave-bridge chat -r                      one that is chosen
wave-bridge chat --restore ID            that one, wherever it was made
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from wave_bridge.agent.process import AgentCommand
from wave_bridge.errors import BridgeError
from wave_bridge.messages import locale_of, text
from wave_bridge.picker.command import base_folder, launcher, say_hint
from wave_bridge.picker.shelf import FOLDER, Shelf
from wave_bridge.store import resume

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from wave_bridge.messages import Locale

CLI: Final = ("-P", "-m", "wave_bridge.embedded", "--stdio")
USAGE: Final = 2  # exit code


class Start(msgspec.Struct, frozen=True):
    """Where to begin: a folder, and the session to go on with, if any."""

    workdir: str
    session_id: str | None = None


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount the sub-command `chat`."""
    parser = subparsers.add_parser("chat", help="talk in the terminal, on the embedded CLI")
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="where to work (here)")
    stored = parser.add_mutually_exclusive_group()
    stored.add_argument("-c", "--continue", dest="latest", action="store_true", help="go on with the folder's latest")
    stored.add_argument("-r", "--resume", action="store_true", help="choose a session to go on with")
    stored.add_argument("--restore", metavar="ID", help="go on with this session")
    parser.add_argument("--locale", help="zh-CN or en (without: as the environment says)")
    parser.set_defaults(run=run)


def run(namespace: argparse.Namespace) -> int:
    """Talk; gives the exit code. `namespace.environment` is the process's."""
    environment: Mapping[str, str] = namespace.environment
    locale = locale_of(environment, namespace.locale)
    folder = Path(namespace.folder).absolute()
    if not folder.is_dir():
        sys.stderr.write(f"wave-bridge chat: there is no folder {folder}\n")
        return USAGE
    return asyncio.run(_chat(namespace, environment, locale, str(folder)))


async def _chat(options: argparse.Namespace, environment: Mapping[str, str], locale: Locale, folder: str) -> int:
    from wave_bridge.talk.front import Chat  # noqa: PLC0415 - the terminal library, which a usage error does not need

    base, program = base_folder(environment), launcher(environment)
    shelf = Shelf(base, folder, program)
    try:
        start = await _start(options, shelf, locale)
    except BridgeError as fault:
        sys.stderr.write(f"wave-bridge chat: {fault.message}\n")
        return 1
    if isinstance(start, int):
        return start
    os.chdir(start.workdir)
    command = AgentCommand((sys.executable, *CLI), dict(environment), start.workdir)
    return await Chat(base, program, locale).run(command, start.workdir, start.session_id)


async def _start(options: argparse.Namespace, shelf: Shelf, locale: Locale) -> Start | int:
    """Give where to begin, or the exit code where there is nothing to do. BridgeError for what is no session id."""
    if options.restore:
        return _restored(shelf.judge_id(options.restore), options.restore, shelf.workdir, locale)
    if options.resume:
        from wave_bridge.picker.picker import pick  # noqa: PLC0415 - likewise

        choice = await pick(shelf, locale, stays=False)
        if choice is None:
            return 0
        if choice.hint is not None:
            say_hint(choice.hint, locale)
            return 0
        return Start(choice.resume.workdir, choice.session.id)
    if options.latest:
        newest = next(shelf.pages(FOLDER)).sessions[:1]
        return Start(shelf.workdir, newest[0].id if newest else None)
    return Start(shelf.workdir)


def _restored(found: resume.Resume, session_id: str, here: str, locale: Locale) -> Start | int:
    """Go on with a session wherever it was made (S8.5); a folder that is gone is stood in for by this one."""
    match found:
        case resume.RecordMissing():
            sys.stderr.write(f"wave-bridge chat: {text('talk.missing', locale, session=session_id)}\n")
            return 1
        case resume.RecordDamaged(reason=reason):
            sys.stderr.write(f"wave-bridge chat: {text('picker.unreadable', locale, reason=reason)}\n")
            return 1
        case resume.FolderGone():
            return Start(here, session_id)
    return Start(found.workdir, session_id)
