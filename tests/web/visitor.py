"""A browser that can say anything."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from websockets.asyncio.client import connect


class Browser:
    """Speaks HTTP/1.1 by the byte: a library would correct what these tests get wrong on purpose."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port, self.path = parts.hostname, parts.port, parts.path
        self.authority = parts.netloc
        self.origin = f"http://{parts.netloc}"
        self.cookie = ""
        self.page = ""

    async def get(self, path, **headers):
        """Give status, headers and body; a header that is None is left out."""
        fields = {"Host": self.authority, "Cookie": self.cookie or None, **headers}
        lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value is not None]
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write("\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
        await writer.wait_closed()
        status, *fields = head.decode().split("\r\n")
        return int(status.split()[1]), dict(field.split(": ", 1) for field in fields), body.decode()

    async def open(self):
        """Follow the address, as a browser does."""
        status, headers, _ = await self.get(self.path)
        assert status == 303, status
        self.cookie = headers["Set-Cookie"].partition(";")[0]
        self.page = headers["Location"]
        return headers

    def channel(self, **headers):
        """Open the WebSocket; a header that is None is left out."""
        fields = {"Origin": self.origin, "Cookie": self.cookie, **headers}
        return connect(
            f"ws://{self.authority}{self.page}channel",
            additional_headers={name: value for name, value in fields.items() if value is not None},
        )
