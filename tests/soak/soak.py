"""Fifty panels in five editors at once, while editors stall and are reloaded and processes are killed at random.

    python tests/soak/soak.py [--seconds 600] [--seed N] [--figure docs/figures/soak.svg]

At the end every panel shows what the CLI has, nothing is left of anything, and memory is flat. Prints what happened;
exits with 1 when a promise was broken. The same seed plays the same roles; when they meet is the machine's affair.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "e2e")]

from follower import Follower  # noqa: E402 - the paths are set above
from lean_editor import LeanEditor, Refused  # noqa: E402
from machine import BRIDGE, Machine  # noqa: E402
from player import Player  # noqa: E402
from trouble import Memory, Trouble  # noqa: E402

EDITORS, PANELS = 5, 50
LONG = {"kill_cli": 25.0, "kill_daemon": 60.0, "stall": 4.0, "reload": 8.0}  # seconds between two, on average
SHORT = {"kill_cli": 8.0, "kill_daemon": 6.0, "stall": 3.0, "reload": 4.0}
GROWTH = 8.0  # MiB that the daemon may grow by while the same goes on …
ENDING = 15.0  # seconds for the last sessions to end
LONG_ENOUGH = 120.0  # … in a soak of at least so many seconds: a young process still fills its caches


@dataclass
class Report:
    """What happened."""

    faults: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    trouble: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    memory: list[tuple[float, int, float]] = field(default_factory=list)
    growth: float = 0.0


class Soak:
    """One run, on a machine of its own below `root`."""

    def __init__(self, root: Path, seed: str) -> None:
        self._machine = Machine(root)
        self._machine.env["TMPDIR"] = str(self._machine.folder("tmp"))
        self._editors: list[LeanEditor] = []
        folders = [str(self._machine.folder(f"work {number}")) for number in range(EDITORS)]
        self._players = [
            Player(f"panel-{n}", seed, folders[n % EDITORS], self._sessions, self._open_again) for n in range(PANELS)
        ]
        self._memory = Memory(self._machine)
        self._trouble = Trouble(self._machine, seed, self._editors, self._reload)
        self.report = Report()

    async def run(self, seconds: float, rates: dict[str, float]) -> Report:
        """Play, settle, leave, look what is left."""
        for number in range(EDITORS):
            self._editors.append(await self._start(number))
        await self._each(lambda player: self._open_again(player.follower))
        watching = asyncio.create_task(self._memory.watch())
        async with asyncio.TaskGroup() as playing:
            for player in self._players:
                playing.create_task(player.play(seconds))
            playing.create_task(self._trouble.make(seconds, rates))
        await self._each(lambda player: player.settle())
        watching.cancel()
        self._sum_up(seconds)
        await self._leave()
        return self.report

    async def _each(self, act) -> None:
        async with asyncio.TaskGroup() as together:
            for player in self._players:
                together.create_task(act(player))

    # Windows

    async def _start(self, number: int) -> LeanEditor:
        editor = LeanEditor(f"editor {number}")
        await editor.start([*BRIDGE, "--stdio"], self._machine.env, str(self._machine.root))
        return editor

    def _home(self, follower: Follower) -> int:
        return int(follower.name.rpartition("-")[2]) % EDITORS

    async def _open_again(self, follower: Follower) -> None:
        await follower.open(self._editors[self._home(follower)])

    async def _reload(self, number: int) -> None:
        """Kill an editor's process and start it again, with all its panels."""
        followers = [player.follower for player in self._players if self._home(player.follower) == number]
        for follower in followers:
            follower.left()
            follower.panel = None
        await self._editors[number].kill()
        self._editors[number] = await self._start(number)
        for follower in followers:
            await self._open_again(follower)

    def _sessions(self) -> list[str]:
        return sorted({player.follower.session_id for player in self._players if not player.follower.lost})

    # The end

    def _sum_up(self, seconds: float) -> None:
        report = self.report
        for player in self._players:
            name = player.follower.name
            report.faults += [f"{name}: {fault}" for fault in player.faults + player.follower.view.faults]
            report.done += player.done
            report.compared += player.follower.compared
        report.trouble = self._trouble.done
        report.memory, report.growth = self._memory.samples, self._memory.growth()
        if seconds >= LONG_ENOUGH and report.growth > GROWTH:
            report.faults.append(f"the daemon grew by {report.growth:.1f} MiB")

    async def _leave(self) -> None:
        """End every session, close every panel; what the daemon then holds, and what is left behind it, is a leak."""
        for editor in self._editors:
            for name in list(editor.panels):
                editor.close_panel(name)
            status = await editor.ask("wave/daemon/status")  # answered behind what was sent before
        for session in [session for agent in status["agents"] for session in agent["sessions"]]:
            with contextlib.suppress(Refused):  # one that nobody watched for a while is ending just now
                await self._editors[0].ask("wave/session/close", sessionId=session["sessionId"])
        self._judge(await self._emptied())
        for editor in self._editors:
            unanswered, code = editor.unanswered, await editor.quit()
            if unanswered or code:
                self.report.faults.append(f"{editor.name}: {unanswered} unanswered, exit code {code}")
        await self._machine.end()
        self._look_at_files()

    async def _emptied(self) -> dict:
        """Give the daemon's status once no session is left, or when it is too late for that."""
        end = asyncio.get_running_loop().time() + ENDING
        while True:
            status = await self._editors[0].ask("wave/daemon/status")
            late = asyncio.get_running_loop().time() > end
            if late or not any(agent["sessions"] for agent in status["agents"]):
                return status
            await asyncio.sleep(0.1)

    def _judge(self, status: dict) -> None:
        sessions = [session for agent in status["agents"] for session in agent["sessions"]]
        left = {
            "sessions": sessions,
            "approvals": status["approvals"],
            "requests": sum(agent["unanswered"] for agent in status["agents"]),
            "panels": [panel for client in status["clients"] for panel in client["panels"]],
            "editors": len(status["clients"]) - EDITORS,
            "held bytes": sum(client["heldBytes"] for client in status["clients"]),
            "tasks": max(0, status["tasks"] - TASKS),
        }
        self.report.faults += [f"left in the daemon: {name}: {what}" for name, what in left.items() if what]

    def _look_at_files(self) -> None:
        root = self._machine.root
        sockets = [path for path in (root / "run").rglob("*") if path.is_socket()]
        self.report.faults += [f"left behind: {path}" for path in [*sockets, *self._left_by_cli(root / "tmp")]]
        said = (root / "bridge.log").read_text("utf-8").splitlines()
        self.report.faults += [f"logged: {line}" for line in said if "ERROR" in line or "Traceback" in line]

    def _left_by_cli(self, tmp: Path) -> list[Path]:
        """Give its temporary files; one that was killed over a command could not clear away that command's."""
        return [path for path in tmp.iterdir() if not (self.report.trouble and path.name.startswith("wave-bash-"))]


TASKS = 8  # of a daemon with one CLI and no session: its own, the bridge's, the supervisor's, the signals'


async def soak(root: Path, seed: str, seconds: float, rates: dict[str, float]) -> Report:
    """Run one soak."""
    return await Soak(root, seed).run(seconds, rates)


def figure(report: Report) -> str:
    """Give the daemon's memory over time, a line for each daemon that lived."""
    sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "benchmarks"))
    from plots import plot

    daemons = list(dict.fromkeys(pid for _, pid, _ in report.memory))
    lines = {f"daemon {n}": [(t, mib) for t, pid, mib in report.memory if pid == p] for n, p in enumerate(daemons, 1)}
    return plot("Memory of the daemon in the soak", "seconds", "MiB", lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--figure", type=Path, help="draw the daemon's memory there, as SVG")
    parser.add_argument("--keep", help="a folder for the daemon's log and the sessions, kept")
    options = parser.parse_args()
    rates = LONG if options.seconds > 120 else SHORT
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        root = Path(options.keep or folder)
        root.mkdir(exist_ok=True)
        report = asyncio.run(soak(root, options.seed, options.seconds, rates))
    if options.figure:
        options.figure.write_text(figure(report), "utf-8")
    sys.stdout.write(
        f"{report.compared} comparisons; trouble: {dict(report.trouble)}; memory grew {report.growth:.1f} MiB\n"
        f"acts: {dict(sorted(report.done.items()))}\n" + ("\n".join(report.faults) or "no fault") + "\n"
    )
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
