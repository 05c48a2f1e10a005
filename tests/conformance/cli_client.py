"""A minimal client of the CLI's stdio protocol: everything that came is kept in order, and waiting is for a message."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from dataclasses import dataclass, field
from typing import Any

WAIT = 20.0  # seconds; a test that waits this long has failed


class CliError(Exception):
    """The CLI answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.code = error.get("code")
        self.message = error.get("message")


@dataclass
class Cli:
    """One CLI process. `log` holds each line of stdout: the decoded object, or the text where it is no JSON."""

    process: asyncio.subprocess.Process
    log: list[Any] = field(default_factory=list)
    stderr: bytearray = field(default_factory=bytearray)
    closed: bool = False

    @classmethod
    async def start(cls, argv: list[str], env: dict[str, str], cwd: str) -> Cli:
        process = await asyncio.create_subprocess_exec(
            *argv,
            cwd=cwd,
            env=env,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 26,
            start_new_session=True,
        )
        cli = cls(process)
        cli._grown = asyncio.Condition()
        cli._count = 0
        cli._tasks = [asyncio.create_task(cli._read_stdout()), asyncio.create_task(cli._read_stderr())]
        return cli

    async def _read_stdout(self) -> None:
        while line := await self.process.stdout.readline():
            text = line.decode("utf-8", "replace").rstrip("\n")
            try:
                self.log.append(json.loads(text))
            except ValueError:
                self.log.append(text)
            async with self._grown:
                self._grown.notify_all()
        self.closed = True
        async with self._grown:
            self._grown.notify_all()

    async def _read_stderr(self) -> None:
        while data := await self.process.stderr.read(1 << 16):
            self.stderr += data

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)

    def send(self, method: str, params: Any = None, session: str | None = None) -> int:
        """Send a request; give its id."""
        self._count += 1
        self._write_message({"id": self._count, "method": method}, params, session)
        return self._count

    def notify(self, method: str, params: Any = None, session: str | None = None) -> None:
        self._write_message({"method": method}, params, session)

    def _write_message(self, message: dict[str, Any], params: Any, session: str | None) -> None:
        if params is not None:
            message["params"] = params
        if session is not None:
            message["sessionId"] = session
        self.write(json.dumps(message).encode() + b"\n")

    async def answer(self, request_id: int | str) -> Any:
        """Wait for the response of a request."""
        found = await self.wait(lambda line: is_message(line) and line.get("id") == request_id and "method" not in line)
        if "error" in found:
            raise CliError(found["error"])
        return found["result"]

    async def call(self, method: str, params: Any = None, session: str | None = None) -> Any:
        return await self.answer(self.send(method, params, session))

    async def wait(self, wanted, since: int = 0) -> Any:
        """Wait for the first line from `since` on that `wanted` accepts: a function, or a notification's name."""
        accept = wanted if callable(wanted) else lambda line: is_event(line, wanted)
        position = since
        async with asyncio.timeout(WAIT), self._grown:
            while True:
                for place in range(position, len(self.log)):
                    if accept(self.log[place]):
                        return self.log[place]
                position = len(self.log)
                if self.closed:
                    raise AssertionError(f"the CLI ended first; stderr: {self.stderr.decode(errors='replace')}")
                await self._grown.wait()

    async def session(self, workdir: str, **params: Any) -> str:
        """Initialise a session; give its id."""
        return (await self.call("initialize", {"workdir": workdir, **params}))["sessionId"]

    def events(self, session: str | None, *methods: str, since: int = 0) -> list[dict[str, Any]]:
        """Give the notifications of a session so far, of these methods or of all."""
        return [
            line
            for line in self.log[since:]
            if is_message(line)
            and "method" in line
            and line.get("sessionId") == session
            and (not methods or line["method"] in methods)
        ]

    async def close(self) -> int:
        """Close stdin and wait for the end; give the exit code."""
        with contextlib.suppress(ConnectionError):
            self.process.stdin.close()
            await self.process.stdin.wait_closed()
        return await self.ended()

    async def ended(self) -> int:
        async with asyncio.timeout(WAIT):
            await asyncio.gather(*self._tasks)
            return await self.process.wait()

    async def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        with contextlib.suppress(ConnectionError):
            self.process.stdin.close()
            await self.process.stdin.wait_closed()
        await self.ended()


def is_message(line: Any) -> bool:
    return isinstance(line, dict)


def is_event(line: Any, method: str) -> bool:
    return is_message(line) and line.get("method") == method and "id" not in line


def scripted(*directives: dict[str, Any], text: str = "do") -> str:
    """Give a user's text that scripts the model, one directive a call."""
    return text + " " + "".join(f"[[{json.dumps(directive)}]]" for directive in directives)


def tool(name: str, **args: Any) -> dict[str, Any]:
    """Give a directive that calls one tool."""
    call_id = args.pop("id", f"call_{name}")
    return {"tool": {"name": name, "args": args, "id": call_id}}
