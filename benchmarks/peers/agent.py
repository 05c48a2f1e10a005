"""Stands for the CLI in measurements: answers the bridge's requests at once and streams deltas when told to.

Told over a socket of its own, whose path is the first argument, so that what is measured carries nothing else:
`flood COUNT SIZE WINDOW SESSIONS` streams as fast as credits come back (`c` is half a window), to so many sessions in
turn; `pace COUNT SIZE RATE` streams RATE lines a second, each with the time at which it was written. SIZE is a line's
length in bytes. `size BYTES` makes the answer to `getMessages` so long. Sessions are s, s1, s2 …
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

SESSION = "s"
OUT = 1
COUNT = 10  # messages of a session
BURST = 50  # lines in one write, as a busy CLI's pipe holds them

ANSWERS = {
    "initialize": {
        "sessionId": SESSION,
        "workingDirectory": str(Path.cwd()),
        "permissionMode": "default",
        "latestTotalTokens": 0,
    },
    "listDaemonSessions": {"sessions": []},
    "getMessages": {"messages": []},
    "getConfiguredModels": {"models": ["a", "b"], "currentModel": "a"},
}


def name(number: int) -> str:
    return f"{SESSION}{number or ''}"


def delta(text: str, size: int, session: str = SESSION) -> bytes:
    """Give one line of `size` bytes whose chunk begins with `text`."""
    head = b'{"method":"assistantContentUpdated","params":{"messageId":"m","chunk":"' + text.encode()
    tail = b'","stage":"streaming"},"sessionId":"' + session.encode() + b'"}\n'
    return head + b"x" * (size - len(head) - len(tail)) + tail


def write(data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(OUT, rest) :]


def flood(link: socket.socket, count: int, size: int, window: int, sessions: int = 1) -> None:
    half, credit = window // 2, 0
    each = [delta("", size, name(number)) for number in range(sessions)]
    bursts = itertools.cycle(b"".join(burst) for burst in _batched(itertools.cycle(each), max(1, sessions // BURST)))
    for sent in range(0, count, BURST):
        while sent + BURST > window + half * credit:
            credit += len(link.recv(64))
        write(next(bursts))
    while (missing := count // half - credit) > 0:
        credit += len(link.recv(missing))  # no more: the next command follows


def _batched(lines: Iterator[bytes], count: int) -> list[list[bytes]]:
    return [list(itertools.islice(lines, BURST)) for _ in range(count)]


def pace(count: int, size: int, rate: int) -> None:
    start = time.monotonic()
    for number in range(count):
        time.sleep(max(0.0, start + number / rate - time.monotonic()))
        write(delta(f"{time.monotonic_ns() // 1000:015d}", size))


def obey(path: str) -> None:
    link = socket.socket(socket.AF_UNIX)
    link.connect(path)
    link.sendall(b"%d\n" % os.getppid())
    while command := link.recv(256).decode().split():
        what, *numbers = command
        if what == "flood":
            flood(link, *map(int, numbers))
        elif what == "size":
            text = "x" * max(0, int(numbers[0]) // COUNT - 90)
            message = {"id": "m", "role": "user", "blocks": [{"type": "text", "content": text}]}
            ANSWERS["getMessages"] = {"messages": [message] * COUNT}
            link.sendall(b"done")
        else:
            pace(*map(int, numbers))


def main() -> None:
    threading.Thread(target=obey, args=(sys.argv[1],), daemon=True).start()
    sessions = itertools.count()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" in request:
            result = ANSWERS.get(request["method"])
            if request["method"] == "initialize":
                result = {**result, "sessionId": name(next(sessions))}
            answer = {"id": request["id"], "result": result}
            write(json.dumps(answer, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main()
