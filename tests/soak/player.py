"""One panel's user: does what people do, at random from a seed.

What may be refused while a CLI or the daemon dies is refused with a reason that says so. Any other refusal, and an
answer or an end of a turn that does not come, is a fault.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from follower import DEATHS, LATE, Abandoned, Follower
from lean_editor import Gone, Refused

TURN_TIME = 60.0  # seconds for a turn that nobody holds up
PATIENCE = 4.0  # seconds until a turn that waits for an approval is stopped
WORDS = ("the", "bridge", "carries", "every", "token", "once", "and", "in", "order", "汉字", "😀", "too", "—")
CROSSED = {("rewind", "agentError")}  # another panel went back further, a moment before
Act = Callable[[], Awaitable[None]]


class Player:
    """Plays one panel. `others` gives the sessions that other panels show; `window` where the panel is opened again."""

    def __init__(self, name: str, seed: str, folder: str, others: Callable[[], list[str]], window: Callable) -> None:
        self.follower = Follower(name, folder, self._decide_later)
        self.done: Counter[str] = Counter()
        self.faults: list[str] = []
        self._random = random.Random(f"{seed}/{name}")
        self._others = others
        self._window = window
        self._numbers = itertools.count(1)
        self._settling = False
        self._acts: dict[Act, int] = {
            self.say: 40,
            self.say_much: 6,
            self.use_a_tool: 12,
            self.run_a_command: 8,
            self.queue_up: 8,
            self.stop: 5,
            self.compare: 8,
            self.look_around: 8,
            self.clear: 3,
            self.compact: 3,
            self.rewind: 3,
            self.begin_anew: 4,
            self.join: 6,
            self.reload: 5,
        }

    async def play(self, seconds: float) -> None:
        """Do one thing after another."""
        end = asyncio.get_running_loop().time() + seconds
        while asyncio.get_running_loop().time() < end:
            await self._try(self._random.choices(list(self._acts), list(self._acts.values()))[0])
            await asyncio.sleep(self._random.uniform(0, 0.4))

    async def _try(self, act: Act) -> None:
        try:
            if self.follower.lost:
                await self.follower.reopen()
            await act()
            self.done[act.__name__] += 1
        except Refused as refused:
            self.done[f"refused: {refused.kind}"] += 1
            self.follower.lost |= refused.kind == "sessionNotFound"
            if refused.kind not in DEATHS | LATE and (act.__name__, refused.kind) not in CROSSED:
                self.faults.append(f"{act.__name__}: {refused}")
        except (Gone, Abandoned):
            self.done["abandoned"] += 1
            await asyncio.sleep(0.5)  # the window comes back, or another daemon

    async def settle(self) -> None:
        """Let what runs come to its end, every approval denied; then the view must be the CLI's list."""
        self._settling = True
        for request_id in list(self.follower.approvals):
            self._decide_later(request_id)
        try:
            async with asyncio.timeout(TURN_TIME):
                while not self.follower.settled() or await self._busy():
                    await self._try(self._nothing)
                    await asyncio.sleep(0.1)
        except TimeoutError:
            self.faults.append(f"never came to rest: {self.follower.doing()}")
            return
        compared = self.follower.compared
        await self.follower.compare()
        if self.follower.compared == compared:
            self.faults.append("at the end there was nothing to compare")

    async def _busy(self) -> bool:
        await self.follower.compare()
        state = self.follower.state
        return bool(state["busy"] or state["compacting"] or state["queue"])

    async def _nothing(self) -> None:
        """Only see to it that the session is there."""

    # Acts

    async def say(self) -> None:
        chunks = self._random.randint(2, 40)
        await self._through(self._answer(chunks * 12, chunks=chunks, delay=self._random.choice([0, 0.002, 0.02])))

    async def say_much(self) -> None:
        await self._through(self._answer(40_000, chunks=2000))

    async def use_a_tool(self) -> None:
        name = f"file-{self._random.randint(1, 5)}.txt"
        tools = {
            "Write": {"file_path": f"{self.follower.folder}/{name}", "content": self._words(40)},
            "Bash": {"command": f"echo {self._random.random()}; sleep 0.0{self._random.randint(0, 9)}"},
            "Glob": {"pattern": "*.txt"},
        }
        tool = self._random.choice(list(tools))
        call = {"name": tool, "args": tools[tool], "id": f"call-{self.follower.name}-{next(self._numbers)}"}
        await self._through(f"{_directive(tool=call, chunks=4)}{self._answer(60, chunks=5)}")

    async def run_a_command(self) -> None:
        turn, over = self._expect()
        command = self._random.choice(["echo done", "seq 200", "sleep 0.2; echo late", "exit 3", "cat nothing"])
        await self._send(turn, {"type": "bang", "command": command})
        await self._wait(over)

    async def queue_up(self) -> None:
        """Send several at once, then change one's mind about one of them."""
        turns = [self._expect() for _ in range(3)]
        await asyncio.gather(*(self._send(turn, _text(self._answer(60, chunks=6, delay=0.03))) for turn, _ in turns))
        queue = (await self.follower.ask("wave/queue/list"))["messages"]
        if queue and self._random.random() < 0.6:
            method = self._random.choice(["wave/queue/remove", "wave/queue/sendNow"])
            await self.follower.ask(method, id=self._random.choice(queue)["id"])
        for _, over in turns:
            await self._wait(over)

    async def stop(self) -> None:
        turn, over = self._expect()
        await self._send(turn, _text(self._answer(400, chunks=40, delay=0.05)))
        await asyncio.sleep(self._random.uniform(0, 0.6))
        await self.follower.ask("wave/turn/cancel")
        await self._wait(over)

    async def compare(self) -> None:
        await self.follower.compare()

    async def look_around(self) -> None:
        asked = {
            "wave/session/list": {"cwd": self.follower.folder, "limit": 20},
            "wave/session/info": {},
            "wave/session/thread": {},
            "wave/models/list": {},
            "wave/permission/list": {},
            "wave/session/rename": {"title": self._words(3), "workdir": self.follower.folder},
            "wave/session/btw": {"question": "what is this? " + self._answer(50, chunks=4)},
            "wave/daemon/status": {},
        }
        for method in self._random.sample(list(asked), 3):
            await self.follower.ask(method, **asked[method])

    async def clear(self) -> None:
        await self.follower.ask("wave/session/clear")

    async def compact(self) -> None:
        await self.follower.ask("wave/session/compact")

    async def rewind(self) -> None:
        places = (await self.follower.ask("wave/checkpoint/list"))["checkpoints"]
        if places and not await self._busy():
            await self.follower.ask("wave/checkpoint/rewind", messageId=self._random.choice(places)["id"])

    async def begin_anew(self) -> None:
        """Leave the session, for good or for a while, and begin another one."""
        method = self._random.choice(["wave/session/close", "wave/session/unsubscribe"])
        await self.follower.ask(method)
        await self.follower.new()

    async def join(self) -> None:
        """Leave the session and show one that another panel shows."""
        others = self._others()
        if others:
            await self.follower.ask("wave/session/unsubscribe")
            await self.follower.load(self._random.choice(others))

    async def reload(self) -> None:
        await self._window(self.follower)

    # Turns and approvals

    def _expect(self) -> tuple[str, asyncio.Future[str]]:
        turn = f"{self.follower.name}-{next(self._numbers)}"
        return turn, self.follower.expect(turn)

    async def _through(self, text: str) -> None:
        turn, over = self._expect()
        await self._send(turn, _text(text))
        await self._wait(over)

    async def _send(self, turn: str, part: dict[str, Any]) -> None:
        await self.follower.ask("wave/turn/start", clientTurnId=turn, parts=[part])

    async def _wait(self, over: asyncio.Future[str]) -> None:
        """Wait for a turn's end; one that waits for an approval that nobody gives is stopped."""
        for last in (False, True):
            done, _ = await asyncio.wait([over], timeout=TURN_TIME if last else PATIENCE)
            if done:
                break
            if self.follower.approvals:
                await self.follower.ask("wave/turn/cancel")
        if not over.done():
            self.faults.append(f"a turn never ended: {self.follower.doing()}")
            raise Abandoned
        if over.cancelled():
            raise Abandoned
        self.done[f"turn {over.result()}"] += 1

    def _decide_later(self, request_id: str) -> None:
        """Answer an approval soon, one in ten not at all."""
        if self._settling or self._random.random() < 0.9:
            behavior = "deny" if self._settling or self._random.random() < 0.3 else "allow"
            delay = self._random.uniform(0, 0.5)
            asyncio.get_running_loop().call_later(
                delay, lambda: asyncio.create_task(self._decide(request_id, behavior))
            )

    async def _decide(self, request_id: str, behavior: str) -> None:
        decision = {"behavior": behavior, "message": "no"} if behavior == "deny" else {"behavior": behavior}
        try:
            if self.follower.panel is not None:
                await self.follower.panel.ask("wave/permission/respond", requestId=request_id, decision=decision)
        except Gone:
            pass
        except AssertionError as fault:  # nobody waits for this task
            self.faults.append(str(fault))
        except Refused as refused:
            if refused.kind not in DEATHS | LATE:
                self.faults.append(f"respond: {refused}")

    # Words

    def _words(self, count: int) -> str:
        return " ".join(self._random.choices(WORDS, k=count))

    def _answer(self, length: int, **options: Any) -> str:
        text = self._words(length // 6 + 1)
        return _directive(text=text, reasoning=text[:30] if self._random.random() < 0.2 else "", **options)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _directive(**members: Any) -> str:
    return f"[[{json.dumps(members)}]]"
