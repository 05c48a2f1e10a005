"""A recording of the real CLI: its sessions, and what each of them must hear.

Also the player: `python tape.py FILE --stdio` acts as the CLI. It prints what the recording holds, in order, and waits
at each recorded `initialize` that opens a session until it is asked for one. With `--die-after N` it kills itself,
once, after N lines (FILE's path with `.died` marks that it did).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path

END = {"method": "authUrl", "params": {"url": "end:of-tape"}}


@dataclass
class Opening:
    """A recorded `initialize` that makes or restores a session, or is refused."""

    restore: str | None
    answer: dict
    session_id: str | None
    events: list[dict] = field(default_factory=list)  # what its panel must hear, in order


@dataclass
class Tape:
    """`steps`: an Opening where the player waits, else a line of output (bytes)."""

    openings: list[Opening]
    steps: list[Opening | bytes]


def read(path: Path) -> Tape:
    """Read a recording."""
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    answers = {e["json"]["id"]: e["json"] for e in entries if e.get("dir") == "<" and _is_answer(e.get("json"))}
    tape = Tape([], [])
    table: dict[str, Opening] = {}  # as a router must keep it: session id → who hears it
    parked: dict[str, list[dict]] = {}
    waiting: dict[object, Opening] = {}  # asked for, not yet answered
    for entry in entries:
        message = entry.get("json")
        if entry.get("dir") == ">" and isinstance(message, dict) and message.get("method") == "initialize":
            _open(tape, waiting, table, message, answers)
        elif entry.get("dir") == "<":
            _hear(tape, waiting, table, parked, entry)
    return tape


def _open(tape, waiting, table, message, answers):
    answer = answers.get(message.get("id"))
    if answer is None:
        return
    session_id = answer.get("result", {}).get("sessionId")
    if session_id in table:
        return  # a second `initialize` of a live session: the bridge attaches without asking
    opening = Opening((message.get("params") or {}).get("restoreSessionId"), answer, session_id)
    waiting[message["id"]] = opening
    tape.openings.append(opening)
    tape.steps.append(opening)


def _hear(tape, waiting, table, parked, entry):
    message = entry.get("json")
    if _is_answer(message):
        opening = waiting.pop(message.get("id"), None)
        if opening is not None:
            tape.steps.append(json.dumps(message, ensure_ascii=False).encode())
            if opening.session_id:
                table[opening.session_id] = opening
                opening.events += parked.pop(opening.session_id, [])
        return
    raw = entry["raw"] if message is None else json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    tape.steps.append(raw.encode())
    if not isinstance(message, dict) or "method" not in message:
        return
    session_id = message.get("sessionId")
    if session_id is None:
        _unnamed(waiting, message)
    elif session_id in table:
        opening = table[session_id]
        opening.events.append(message)
        if message["method"] == "sessionIdChange":
            table[message["params"]["sessionId"]] = table.pop(session_id)
    else:
        parked.setdefault(session_id, []).append(message)


def _unnamed(waiting, message):
    """Early events carry no id: they belong to the session that is being opened, and are told with its id."""
    for opening in waiting.values():
        if message["method"] not in {"sessionIdChange", "authUrl"} and opening.session_id:
            opening.events.append({**message, "sessionId": opening.session_id})


def _is_answer(message):
    return isinstance(message, dict) and "method" not in message and "id" in message


class Player:
    """The CLI, as far as the recording goes."""

    def __init__(self, path: Path, die_after: int | None) -> None:
        self.path = path
        self.grave = path.with_name(path.name + ".died")
        self.again = self.grave.exists()
        self.left = None if self.again else die_after
        self.steps = [] if self.again else list(read(path).steps)
        self.asked: list[dict] = []

    def run(self) -> None:
        for line in sys.stdin.buffer:
            self.take(json.loads(line))

    def take(self, message: dict) -> None:
        match message.get("method"):
            case "initialize" if self.again:
                self.restore(message)
            case "initialize":
                self.asked.append(message)
                self.play()
            case "listDaemonSessions":
                self.say({"id": message["id"], "result": {"sessions": []}})
            case "getMessages":
                self.say({"id": message["id"], "result": {"messages": []}})
            case _ if "id" in message:
                self.say({"id": message["id"], "result": None})

    def play(self) -> None:
        """Print up to the next `initialize` that was not asked for yet."""
        while self.steps:
            step = self.steps.pop(0)
            if isinstance(step, Opening):
                if not self.asked:
                    self.steps.insert(0, step)
                    return
                self.opening, self.request = step, self.asked.pop(0)
            else:
                self.put(self.renumbered(step))
        self.say(END)

    def renumbered(self, line: bytes) -> bytes:
        """Give the answer the number that it was asked with."""
        try:
            message = json.loads(line)
        except ValueError:
            return line
        if _is_answer(message) and message == self.opening.answer:
            return json.dumps({**message, "id": self.request["id"]}).encode()
        return line

    def restore(self, message: dict) -> None:
        params = message["params"]
        wanted = params.get("restoreSessionId") or "00000000-0000-4000-8000-00000000beef"
        self.say({"id": message["id"], "result": {"sessionId": wanted, "workingDirectory": params["workdir"]}})

    def say(self, message: dict) -> None:
        sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
        sys.stdout.buffer.flush()

    def put(self, line: bytes) -> None:
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()
        if self.left is not None:
            self.left -= 1
            if self.left == 0:
                self.grave.touch()
                os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    chosen = int(sys.argv[sys.argv.index("--die-after") + 1]) if "--die-after" in sys.argv else None
    Player(Path(sys.argv[1]), chosen).run()
