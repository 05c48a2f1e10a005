"""HTTP and WebSocket at the browser door, by websockets: who may have which answer. Everybody else gets nothing.

A page of another site can make a browser send requests here, under a name of its own that leads to the loopback. So
the Host must be ours, what a page may ask for must come from our page, and without the cookie there is nothing at all.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import anyio
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.datastructures import Headers, MultipleValuesError
from websockets.http11 import Request, Response

from wave_bridge.core.limits import MAX_FRAME, TRANSPORT_HIGH_WATER, WEB_LINGER
from wave_bridge.messages import choose_locale
from wave_bridge.web import page
from wave_bridge.web.admission import COOKIE
from wave_bridge.web.pane import Pane, host_facts

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.web.admission import Admission, Admitted

OPEN, PANEL, CHANNEL = "/open/", "/panel/", "channel"
FOREIGN: Final = {"cross-site", "same-site"}  # of Sec-Fetch-Site: another page made the browser ask
log = logging.getLogger(__name__)
logging.getLogger("websockets").setLevel(logging.CRITICAL)  # it writes a traceback for whoever knocks and goes


async def serve(
    bridge: Bridge,
    listener: socket.socket,
    admission: Admission,
    started: Callable[[str], None],
    changed: Callable[[], None],
) -> None:
    """Serve browsers until cancelled; `started` is told the authority, `host:port`."""
    host, port = listener.getsockname()[:2]
    authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    door = _Doorkeeper(bridge, authority, admission, changed)
    server = await listen(
        door.connect,
        sock=listener,
        process_request=door.answer,
        compression=None,  # nothing leaves this machine
        max_size=MAX_FRAME,
        write_limit=TRANSPORT_HIGH_WATER,
        ping_interval=None,  # the system tells when a process on this machine is gone
        server_header=None,
    )
    log.info("browsers are served at %s", authority)
    started(authority)
    try:
        await anyio.sleep_forever()
    finally:
        with anyio.move_on_after(WEB_LINGER, shield=True):
            server.close()
            await server.wait_closed()


class _Doorkeeper:
    """Answers requests, and connects those that open the channel."""

    def __init__(self, bridge: Bridge, authority: str, admission: Admission, changed: Callable[[], None]) -> None:
        self._bridge = bridge
        self._origin = f"http://{authority}"
        self._authority = authority
        self._admission = admission
        self._changed = changed
        self._fences = page.fences(authority)
        self._files = page.files()

    def answer(self, _: ServerConnection, request: Request) -> Response | None:
        """Answer a request; None where it may go on to a WebSocket."""
        try:
            return self._answer(request)
        except MultipleValuesError:
            return self._say(HTTPStatus.BAD_REQUEST)

    async def connect(self, connection: ServerConnection) -> None:
        """Carry one panel's messages until either side ends."""
        assert connection.request is not None  # noqa: S101 - it was answered
        admitted = self._admitted(connection.request)
        if admitted is None:
            return
        admitted.connections += 1
        self._changed()
        try:
            await Pane(self._bridge, connection, admitted.opening).serve()
        finally:
            admitted.connections -= 1
            self._changed()

    def _answer(self, request: Request) -> Response | None:
        headers, path = request.headers, request.path.partition("?")[0]
        if headers.get("Host") != self._authority:
            return self._say(HTTPStatus.MISDIRECTED_REQUEST)
        if path.startswith(OPEN):
            return self._let_in(path.removeprefix(OPEN), headers)
        if headers.get("Origin", self._origin) != self._origin or headers.get("Sec-Fetch-Site") in FOREIGN:
            return self._say(HTTPStatus.FORBIDDEN)
        admitted = self._admitted(request)
        if admitted is None:
            return self._refuse(headers)
        name = path.removeprefix(f"{PANEL}{admitted.name}").removeprefix("/")
        if name == CHANNEL:
            return None if headers.get("Origin") == self._origin else self._say(HTTPStatus.FORBIDDEN)
        return self._page(admitted) if name == "" else self._file(name)

    def _admitted(self, request: Request) -> Admitted | None:
        """Give the browser that a path is about, if it is the one that asks."""
        path = request.path.partition("?")[0]
        name = path.removeprefix(PANEL).partition("/")[0] if path.startswith(PANEL) else ""
        return self._admission.find(name, request.headers.get("Cookie", ""))

    def _let_in(self, token: str, headers: Headers) -> Response:
        """Exchange the address for a cookie, and clean it out of the browser's history."""
        admitted = self._admission.exchange(token)
        if admitted is None:
            return self._refuse(headers)
        path = f"{PANEL}{admitted.name}/"
        cookie = f"{COOKIE}={admitted.secret}; Path={path}; HttpOnly; SameSite=Strict"
        return self._say(HTTPStatus.SEE_OTHER, {"Location": path, "Set-Cookie": cookie})

    def _page(self, admitted: Admitted) -> Response:
        locale = choose_locale(admitted.opening.info.locale)
        if page.SCRIPT not in self._files:
            self._files = page.files()  # it may have been built meanwhile
        if page.SCRIPT not in self._files:
            return self._show(HTTPStatus.SERVICE_UNAVAILABLE, page.plain_page("web.notBuilt", locale))
        return self._show(HTTPStatus.OK, page.panel_page(host_facts(admitted, locale, CHANNEL), locale))

    def _file(self, name: str) -> Response:
        if name not in self._files:
            return self._say(HTTPStatus.NOT_FOUND)
        return self._say(HTTPStatus.OK, {"Content-Type": page.content_type(name)}, self._files[name].read_bytes())

    def _refuse(self, headers: Headers) -> Response:
        locale = choose_locale(headers.get("Accept-Language", "en"))
        return self._show(HTTPStatus.FORBIDDEN, page.plain_page("web.refused", locale))

    def _show(self, status: HTTPStatus, content: str) -> Response:
        return self._say(status, {"Content-Type": page.HTML}, content.encode())

    def _say(self, status: HTTPStatus, headers: dict[str, Any] | None = None, body: bytes = b"") -> Response:
        fields = {**self._fences, **(headers or {}), "Content-Length": str(len(body)), "Connection": "close"}
        return Response(status.value, status.phrase, Headers(fields), body)
