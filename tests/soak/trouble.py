"""What goes wrong meanwhile, at random from a seed: processes are killed, editors stall and are reloaded."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import time
from collections import Counter
from collections.abc import Callable

import psutil

STALL = (0.3, 2.0)  # seconds for which an editor does not read
SAMPLE = 0.5  # seconds between two looks at the daemon's memory


class Trouble:
    """Makes trouble on a machine. `reload` loads an editor's window anew, by number."""

    def __init__(self, machine, seed: str, editors: list, reload: Callable) -> None:
        self._machine = machine
        self._random = random.Random(f"{seed}/trouble")
        self._editors = editors
        self._reload = reload
        self.done: Counter[str] = Counter()

    async def make(self, seconds: float, rates: dict[str, float]) -> None:
        """Do each kind of harm every so many seconds, more or less; the daemon dies in the first half only, but once.

        What lives in the second half shows whether its memory is flat. A busy machine may be late for the one death.
        """
        begun = time.monotonic()
        due = {name: begun + self._random.uniform(0.5, 1) * every for name, every in rates.items()}
        while (now := time.monotonic()) < begun + seconds:
            name = min(due, key=due.__getitem__)
            if due[name] > now:
                await asyncio.sleep(min(due[name] - now, 0.2))
                continue
            due[name] = now + self._random.uniform(0.5, 1.5) * rates[name]
            if name != "kill_daemon" or now < begun + seconds / 2 or not self.done[name]:
                await getattr(self, name)()
                self.done[name] += 1

    async def kill_cli(self) -> None:
        self._kill("wave_bridge.embedded")

    async def kill_daemon(self) -> None:
        self._kill("daemon")

    def _kill(self, module: str) -> None:
        for process in self._machine.running(module):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    async def stall(self) -> None:
        """Let an editor's process not read for a while."""
        editor = self._random.choice(self._editors)
        editor.signal(signal.SIGSTOP)
        await asyncio.sleep(self._random.uniform(*STALL))
        editor.signal(signal.SIGCONT)

    async def reload(self) -> None:
        await self._reload(self._random.randrange(len(self._editors)))


class Memory:
    """The daemon's memory over time: `samples` are (seconds, process, MiB)."""

    def __init__(self, machine) -> None:
        self._machine = machine
        self.samples: list[tuple[float, int, float]] = []

    async def watch(self) -> None:
        begun = time.monotonic()
        while True:
            for daemon in self._machine.running("daemon"):
                with contextlib.suppress(psutil.Error):
                    self.samples.append((time.monotonic() - begun, daemon.pid, daemon.memory_info().rss / 2**20))
            await asyncio.sleep(SAMPLE)

    def growth(self) -> float:
        """Give the MiB by which the last daemon grew from the median of its middle third to that of its last."""
        last = self.samples[-1][1]
        rss = [mib for _, pid, mib in self.samples if pid == last]
        third = max(1, len(rss) // 3)
        middle, end = sorted(rss[third : 2 * third] or rss), sorted(rss[-third:])
        return end[len(end) // 2] - middle[len(middle) // 2]
