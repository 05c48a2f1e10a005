"""What one writes first: stock pygls, a line of the CLI read by asyncio, decoded by json, sent on by `notify`."""

from __future__ import annotations

import asyncio
import itertools
import json
import sys

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("peer", "1", max_workers=2)
agent_command = sys.argv[1:]
waiting: dict[int, asyncio.Future] = {}
ids = itertools.count(1)
tasks: set[asyncio.Task] = set()
agent: asyncio.subprocess.Process | None = None


async def forward() -> None:
    while line := await agent.stdout.readline():
        message = json.loads(line)
        if "method" in message:
            server.protocol.notify("wave/session/event", {"seq": 1, "event": message})
        else:
            waiting.pop(message["id"]).set_result(message["result"])


@server.feature(types.INITIALIZED)
async def start(_params) -> None:
    global agent  # noqa: PLW0603 - a peer as small as its documentation's examples
    if agent_command:
        pipe = asyncio.subprocess.PIPE
        agent = await asyncio.create_subprocess_exec(*agent_command, stdin=pipe, stdout=pipe)
        task = asyncio.create_task(forward())
        tasks.add(task)


@server.feature("bench/local")
def local(_params) -> dict:
    return {"approvals": []}


@server.feature("bench/agent")
async def ask(params) -> object:
    request_id = next(ids)
    future = waiting[request_id] = asyncio.get_running_loop().create_future()
    line = {"id": request_id, "method": "getConfiguredModels", "params": {}, "sessionId": params.sessionId}
    agent.stdin.write(json.dumps(line).encode() + b"\n")
    return await future


if __name__ == "__main__":
    server.start_io()
