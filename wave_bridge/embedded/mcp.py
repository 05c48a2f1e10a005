"""MCP servers of a session: their list, their connections (stdio), their tools."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from wave_bridge.embedded.blocks import now_ms
from wave_bridge.embedded.failure import ToolFailed
from wave_bridge.embedded.settings import Json, read_object
from wave_bridge.embedded.tools.use import Outcome, Tool, ToolUse

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from wave_bridge.embedded.host import Host
    from wave_bridge.embedded.thread import Emit

_VERSION: Final = "2025-06-18"
_SECONDS: Final = 30.0  # for an answer of a server
_LINE: Final = 1 << 24  # bytes of one message
_PREFIX: Final = "mcp__"


class _Server:
    """One server: its configuration, its state, its process while connected."""

    def __init__(self, name: str, config: Json) -> None:
        self.name = name
        self.config = config
        self.state: dict[str, Any] = {"status": "disconnected"}
        self._process: asyncio.subprocess.Process | None = None
        self._count = 0
        self._turn = asyncio.Lock()

    def wire(self) -> Json:
        return {"name": self.name, "config": self.config, **self.state}

    async def connect(self, folder: str, environ: dict[str, str]) -> None:
        """Start it, greet it, learn its tools. Raises ToolFailed with the reason."""
        command = self.config.get("command")
        if not isinstance(command, str):
            raise ToolFailed("only stdio servers are supported by the embedded CLI")
        try:
            self._process = await asyncio.create_subprocess_exec(
                command,
                *self.config.get("args", []),
                cwd=folder,
                env={**environ, **self.config.get("env", {})},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LINE,
                start_new_session=os.name == "posix",
            )
        except OSError:
            raise ToolFailed(f"spawn {command} ENOENT") from None
        client = {"name": "wave-embedded", "version": "1"}
        await self.request("initialize", {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": client})
        await self._write({"method": "notifications/initialized"})
        tools = (await self.request("tools/list", {})).get("tools", [])
        self.state = {"status": "connected", "tools": tools, "toolCount": len(tools)}
        self.state |= {"capabilities": ["tools"], "lastConnected": now_ms()}

    async def request(self, method: str, params: Json) -> Json:
        """Ask and wait for the answer; one at a time."""
        async with self._turn:
            self._count += 1
            await self._write({"id": self._count, "method": method, "params": params})
            try:
                answer = await asyncio.wait_for(self._answer(self._count), _SECONDS)
            except TimeoutError:
                raise ToolFailed(f"MCP server {self.name} did not answer {method}") from None
        if "error" in answer:
            raise ToolFailed(str(answer["error"].get("message", "MCP error")))
        result: Json = answer.get("result") or {}
        return result

    def close(self) -> None:
        """End its process."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                if os.name == "posix":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()

    async def _write(self, message: Json) -> None:
        if self._process is None or self._process.stdin is None:
            raise ToolFailed(f"MCP server {self.name} is not connected")
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        with suppress(ConnectionError):
            await self._process.stdin.drain()

    async def _answer(self, request_id: int) -> Json:
        stream = self._process.stdout if self._process else None
        while stream is not None and (line := await stream.readline()):
            with suppress(ValueError):
                message = json.loads(line)
                if isinstance(message, dict) and message.get("id") == request_id:
                    return message
        raise ToolFailed(f"MCP server {self.name} closed the connection")


class McpServers:
    """The servers of one session; every change of state is announced with the whole list."""

    def __init__(self, emit: Emit, folder: str, environ: dict[str, str], configs: dict[str, Json]) -> None:
        self._emit = emit
        self._folder = folder
        self._environ = environ
        self._servers = {name: _Server(name, config) for name, config in configs.items()}

    def begin(self, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        """Announce the list and connect in the background: nobody waits for a slow server."""
        for server in self._servers.values():
            server.state = {"status": "connecting"}
        self.announce()
        for name in self._servers:
            spawn(self._connect(name))

    def announce(self) -> None:
        """Send the whole list."""
        self._emit("mcpServersChange", {"servers": self.listed()})

    def listed(self) -> list[Json]:
        """Give the servers as the wire has them. `config` holds secrets."""
        return [server.wire() for server in self._servers.values()]

    async def connect(self, name: object) -> bool:
        """Connect a server anew; False if that fails or there is none of this name."""
        if not isinstance(name, str) or name not in self._servers:
            return False
        self._servers[name].close()
        self._servers[name].state["status"] = "connecting"
        self.announce()
        await self._connect(name)
        return bool(self._servers[name].state["status"] == "connected")

    def disconnect(self, name: object) -> bool:
        """End a server's connection; False if there is none of this name."""
        if not isinstance(name, str) or name not in self._servers:
            return False
        server = self._servers[name]
        server.close()
        server.state |= {"status": "disconnected", "tools": [], "toolCount": 0}
        self.announce()
        return True

    def close(self) -> None:
        """End all connections."""
        for server in self._servers.values():
            server.close()

    def tools(self) -> dict[str, Tool]:
        """Give the tools of connected servers: `mcp__<server>__<tool>`."""
        return {
            f"{_PREFIX}{server.name}__{tool['name']}": Tool(partial(_use, server, tool["name"]))
            for server in self._servers.values()
            if server.state["status"] == "connected"
            for tool in server.state["tools"]
        }

    async def _connect(self, name: str) -> None:
        server = self._servers[name]
        try:
            await server.connect(self._folder, self._environ)
        except ToolFailed as failure:
            server.close()
            server.state = {"status": "error", "error": str(failure)}
        self.announce()


async def _use(server: _Server, tool: str, use: ToolUse) -> Outcome:
    answer = await server.request("tools/call", {"name": tool, "arguments": use.arguments})
    text = "\n".join(part["text"] for part in answer.get("content", []) if part.get("type") == "text")
    if answer.get("isError"):
        raise ToolFailed(text)
    return Outcome(text)


def configured(host: Host, workdir: str, params: Json) -> dict[str, Json]:
    """Give the servers of `.mcp.json`, overridden by name by those of initialize."""
    found = read_object(host.folder(workdir) / ".mcp.json").get("mcpServers", {})
    return {**(found if isinstance(found, dict) else {}), **(params.get("mcpServers") or {})}
