"""`wave-bridge panel [folder]`: opens a panel in the browser, on the user's daemon, which is started if need be."""

from __future__ import annotations

import itertools
import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from wave_bridge import __version__
from wave_bridge.attach import TOLD
from wave_bridge.core.lsp_codec import FrameReader, Malformed, frame
from wave_bridge.rendezvous import RendezvousError
from wave_bridge.summon import Summoner

if TYPE_CHECKING:
    import argparse
    import socket
    from collections.abc import Mapping

CHUNK: Final = 64 * 1024
ANSWER_TIME: Final = 30.0  # seconds


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount the sub-command `panel`."""
    parser = subparsers.add_parser("panel", help="open a panel in the browser")
    parser.add_argument("folder", nargs="?", default=".", help="where the agent works (without: here)")
    parser.add_argument("--session", metavar="ID", help="show this session")
    parser.add_argument("--no-open", action="store_true", help="only print the address; it opens once, and soon")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Open it; gives the exit code. The address is printed in any case, for another browser."""
    folder = Path(options.folder).absolute()
    if not folder.is_dir():
        sys.stderr.write(f"wave-bridge panel: {folder} is not a folder\n")
        return 1
    url = panel_url(options.environment, str(folder), options.session)
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()
    if not (options.no_open or webbrowser.open(url)):
        sys.stderr.write("wave-bridge panel: no browser could be started; open the address above\n")
    return 0


def panel_url(environ: Mapping[str, str], folder: str, session_id: str | None = None) -> str:
    """Give the address of a new panel. Raises RendezvousError, with a sentence for the user."""
    told = {name: environ[name] for name in TOLD if name in environ}
    hello = {"purpose": "attach", "pid": os.getpid(), "cwd": folder, "env": told}
    with Summoner(environ, __version__, hello).reach() as link:
        link.settimeout(ANSWER_TIME)
        asking = _Asking(link)
        client = {"name": "wave-bridge panel", "version": __version__}
        asking.ask("initialize", processId=None, rootUri=None, capabilities={}, clientInfo=client)
        session = {"sessionId": session_id} if session_id else {}
        url: str = asking.ask("wave/panel/url", workdir=folder, **session)["url"]
        return url


class _Asking:
    """A client that asks one thing after the other."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._reader = FrameReader()
        self._ids = itertools.count(1)

    def ask(self, method: str, **params: Any) -> Any:
        """Give the result. Raises RendezvousError with the daemon's words when it refuses or hangs up."""
        request_id = next(self._ids)
        body = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        try:
            self._link.sendall(frame(json.dumps(body).encode()))
            answer = self._answer_to(request_id)
        except OSError as fault:
            raise RendezvousError(f"the daemon does not answer: {fault}") from fault
        if "error" in answer:
            raise RendezvousError(str(answer["error"]["message"]))
        return answer["result"]

    def _answer_to(self, request_id: int) -> dict[str, Any]:
        while data := self._link.recv(CHUNK):
            for found in self._reader.feed(data):
                message: dict[str, Any] = {} if isinstance(found, Malformed) else json.loads(found)
                if message.get("id") == request_id:
                    return message
        raise RendezvousError("the daemon hung up")
