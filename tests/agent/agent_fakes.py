"""Starts the fake agent and writes down all that comes from it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path

import psutil

from wave_bridge.agent.client import AgentClient, Ports
from wave_bridge.agent.garbage import GarbageLog
from wave_bridge.agent.process import AgentCommand
from wave_bridge.agent.supervisor import Supervisor
from wave_bridge.agent.timing import Timing

SCRIPT = Path(__file__).with_name("fake_agent.py")
QUICK = Timing(
    start=10.0,
    close_grace=0.4,
    death_grace=0.3,
    drain=0.3,
    survivor_grace=0.2,
    backoff_first=0.01,
    backoff_last=0.05,
    healthy_after=30.0,
)


def fake(*flags: str, env: dict[str, str] | None = None, cwd: str | None = None) -> AgentCommand:
    return AgentCommand((sys.executable, "-SEsuB", str(SCRIPT), *flags), env, cwd)


class Notebook:
    """`log` holds (kind, value) in the order of arrival; `garbage` keeps what a client passed over."""

    def __init__(self) -> None:
        self.log: list[tuple[str, object]] = []
        self.garbage = GarbageLog()
        self._news = asyncio.Event()

    def write(self, kind: str):
        def note(*values: object) -> None:
            self.log.append((kind, values[0] if len(values) == 1 else values))
            self._news.set()

        return note

    def of(self, kind: str) -> list:
        return [value for found, value in self.log if found == kind]

    async def until(self, kind: str, test=lambda _: True):
        """Wait for a note of `kind` that passes `test` and give it."""
        while True:
            for value in self.of(kind):
                if test(value):
                    return value
            self._news.clear()
            await self._news.wait()

    def _sample(self, reason: str, size: int, line: bytes) -> None:
        self.write("garbage")(self.garbage.add(reason, size, line))

    def ports(self) -> Ports:
        return Ports(self.write("event"), lambda: None, self.write("stderr"), self._sample, self.write("ended"))


@contextlib.asynccontextmanager
async def running(command: AgentCommand, timing: Timing = QUICK):
    """Give (client, notebook) of one generation; close it at the end."""
    notebook = Notebook()
    client = await AgentClient.spawn(command, 1, notebook.ports(), timing)
    try:
        yield client, notebook
    finally:
        await client.close()


def made(command: AgentCommand):
    """Give a start that needs no preparation."""

    async def prepare(phase, *, fresh) -> AgentCommand:
        return command

    return prepare


def supervisor_of(command: AgentCommand, notebook: Notebook, timing: Timing = QUICK, restore=None) -> Supervisor:
    async def nothing(client: AgentClient) -> None:
        notebook.write("restore")(client.generation)

    return Supervisor(
        made(command),
        on_event=notebook.write("event"),
        on_batch_end=lambda: None,
        on_status=notebook.write("status"),
        on_ended=notebook.write("ended"),
        restore=restore or nothing,
        on_stderr=notebook.write("stderr"),
        on_garbage=notebook.write("garbage"),
        timing=timing,
    )


@contextlib.asynccontextmanager
async def supervised(command: AgentCommand, timing: Timing = QUICK, restore=None):
    """Give (supervisor, notebook); close it at the end."""
    notebook = Notebook()
    supervisor = supervisor_of(command, notebook, timing, restore)
    task = asyncio.create_task(supervisor.run())
    try:
        yield supervisor, notebook
    finally:
        await supervisor.close()
        await task


def do(*verbs: list) -> dict[str, object]:
    """Give parameters of `sendMessage` that make the fake agent do these things."""
    return {"do": list(verbs)}


def alive(pid: int) -> bool:
    """Tell whether a process runs; a zombie that init has not reaped yet does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


async def dead(pid: int) -> None:
    """Wait until a process, which is nobody's child here, is over: a kill takes a moment to arrive."""
    async with asyncio.timeout(5):
        while alive(pid):
            await asyncio.sleep(0.005)


def heard(result: bytes) -> dict[str, object]:
    """Give the line that the fake agent read, decoded."""
    return json.loads(json.loads(result)["line"])
