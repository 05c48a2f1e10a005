"""Signing in: a loopback listener that the browser comes back to, a code changed into a token, auth.json."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, quote, urlsplit

from wave_bridge.embedded import settings
from wave_bridge.embedded.blocks import now_ms
from wave_bridge.embedded.failure import Refused

if TYPE_CHECKING:
    from pathlib import Path

    from wave_bridge.embedded.host import Host
    from wave_bridge.embedded.outlet import Outlet

_DEFAULT_SERVER: Final = "https://wave.example.com"
_SECONDS: Final = 300.0
_REQUEST_LINE: Final = 8192  # bytes
_TOKENS: Final = ("SSO_TOKEN", "SSO_REFRESH_TOKEN", "SSO_TOKEN_EXPIRES_AT")
_PAGE: Final = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n"
    b"<!doctype html><title>Wave</title><p>You can close this page and go back to your editor."
)


def status(host: Host) -> dict[str, Any]:
    """Tell whether somebody is signed in; the user stays known after signing out."""
    kept = settings.read_object(_file(host))
    user = {"user": kept["user"]} if "user" in kept else {}
    return {"isAuthenticated": bool(kept.get("SSO_TOKEN")), **user, "serverUrl": _server(host)}


def logout(host: Host) -> None:
    """Forget the token."""
    kept = settings.read_object(_file(host))
    if kept:
        settings.write_object(_file(host), {key: kept[key] for key in kept if key not in _TOKENS}, 0o600)


async def login(host: Host, outlet: Outlet, server: str | None) -> dict[str, Any]:
    """Sign in through the browser: emits `authUrl`, a global event, and waits for its coming back."""
    server = (server or _server(host)).rstrip("/")
    came_back: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.read(_REQUEST_LINE)).split(b"\r\n")[0].decode(errors="replace")
        query = parse_qs(urlsplit(line.split(" ")[1] if " " in line else "").query)
        writer.write(_PAGE)
        await writer.drain()
        writer.close()
        if not came_back.done() and query.keys() & {"code", "error"}:
            came_back.set_result({key: values[0] for key, values in query.items()})

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with listener:
        port = listener.sockets[0].getsockname()[1]
        callback = quote(f"http://127.0.0.1:{port}", safe="")
        outlet.notify("authUrl", {"url": f"{server}/login?callback_url={callback}"}, None)
        try:
            answer = await asyncio.wait_for(came_back, _SECONDS)
        except TimeoutError:
            raise Refused("SSO login failed: timed out") from None
    if "code" not in answer:
        raise Refused(f"SSO login failed: {answer['error']}")
    return {"user": await _redeem(host, server, answer["code"])}


async def _redeem(host: Host, server: str, code: str) -> dict[str, Any]:
    """Change the code into a token and keep it, for the user alone to read."""
    import httpx  # noqa: PLC0415  # loaded where it is used only

    try:
        async with httpx.AsyncClient() as client:
            body = {"grant_type": "authorization_code", "code": code}
            response = await client.post(f"{server}/api/auth/token", json=body)
            response.raise_for_status()
            granted = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise Refused(f"SSO login failed: {error}") from error
    kept = {"SSO_TOKEN": granted.get("token"), "user": granted.get("user")}
    if "refreshToken" in granted:
        kept["SSO_REFRESH_TOKEN"] = granted["refreshToken"]
    if "expiresIn" in granted:
        kept["SSO_TOKEN_EXPIRES_AT"] = now_ms() + 1000 * granted["expiresIn"]
    settings.write_object(_file(host), kept, 0o600)
    user: dict[str, Any] = granted.get("user") or {}
    return user


def _file(host: Host) -> Path:
    return host.wave / "auth.json"


def _server(host: Host) -> str:
    return host.environ.get("WAVE_SERVER_URL") or _DEFAULT_SERVER
