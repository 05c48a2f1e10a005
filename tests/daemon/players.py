"""The two who meet over an attach process: an editor, and a daemon that the test plays.

The played daemon sits at the real one's socket. It says when it answers, and it can die in mid-frame.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import socket
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from wave_bridge.frames import Frames, frame

if TYPE_CHECKING:
    import subprocess

    from house import House

WAIT = 30.0  # seconds; a test that waits this long has failed
INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {"experimental": {"wave": {"version": 1}}}}


class Editor:
    """An editor's side of `wave-bridge --stdio`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.seen: list[dict] = []  # whatever came, in order
        self.raw = b""
        self._found: queue.Queue[dict | None] = queue.Queue()
        self._next = 1
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        frames = Frames()
        descriptor = self.process.stdout.fileno()
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(descriptor, 65536):
                self.raw += data
                for _, body in frames.feed(data):
                    self._found.put(json.loads(body))
        self._found.put(None)

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method: str, **params) -> None:
        self.write(frame({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method: str, /, **params) -> int:
        """Send a request and give its id."""
        request_id, self._next = self._next, self._next + 1
        self.write(frame({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}))
        return request_id

    def answer(self, request_id: object, result: object) -> None:
        self.write(frame({"jsonrpc": "2.0", "id": request_id, "result": result}))

    def hear(self, fits) -> dict:
        """Give the next message that fits; the ones before it are in `seen`."""
        deadline = time.monotonic() + WAIT
        while True:
            try:
                message = self._found.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"never came; last came {self.seen[-10:]}") from None
            if message is None:
                raise AssertionError(f"the bridge hung up; last came {self.seen[-10:]}")
            self.seen.append(message)
            if fits(message):
                return message

    def reply(self, request_id: object) -> dict:
        return self.hear(lambda message: message.get("id") == request_id and "method" not in message)

    def told(self, method: str) -> dict:
        return self.hear(lambda message: message.get("method") == method)

    def request(self, method: str, /, **params) -> dict:
        answer = self.reply(self.ask(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    def hello(self, *, wave: bool = True) -> dict:
        experimental = {"experimental": {"wave": {"version": 1}}} if wave else {}
        result = self.request("initialize", processId=None, rootUri=None, capabilities=experimental)
        self.notify("initialized")
        return result

    def daemon_pid(self) -> int:
        return self.request("wave/daemon/status")["pid"]

    def close(self) -> int:
        """Close stdin, as an editor does that ends; gives the exit code."""
        self.process.stdin.close()
        return self.process.wait(WAIT)


class FakeDaemon:
    """A daemon that the test plays, at the real one's socket. Each `accept` is one attach process at the door."""

    def __init__(self, house: House) -> None:
        self.place = house.place
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.place.socket)
        self._listener.listen()
        self._listener.settimeout(WAIT)
        self._links: list[Link] = []

    def accept(self, answer: dict | None = None) -> Link:
        link = Link(self._listener.accept()[0])
        self._links.append(link)
        link.greet(answer or {"ok": True, "protocol": 1, "build": self.place.build, "epoch": "e", "pid": 1})
        return link

    def hang_up(self) -> None:
        """Close each link at the end of what comes over it, as a daemon does."""
        for link in self._links:
            with contextlib.suppress(OSError):
                while link.hear() is not None:
                    pass
            link.close()

    def close(self) -> None:
        self._listener.close()
        Path(self.place.socket).unlink(missing_ok=True)


class Link:
    """One attach process, from the daemon's side."""

    def __init__(self, found: socket.socket) -> None:
        self._socket = found
        self._socket.settimeout(WAIT)
        self._frames = Frames()
        self._bodies: list[dict] = []
        self.hello: dict = {}

    def greet(self, answer: dict) -> None:
        data = b""
        while not data.endswith(b"\n"):
            data += self._socket.recv(1)
        self.hello = json.loads(data)
        self.send(json.dumps(answer).encode() + b"\n")

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def say(self, **message) -> None:
        self.send(frame({"jsonrpc": "2.0", **message}))

    def hear(self) -> dict | None:
        """Give the next message; None when the attach process hung up."""
        while not self._bodies:
            data = self._socket.recv(65536)
            if not data:
                return None
            self._bodies += [json.loads(body) for _, body in self._frames.feed(data)]
        return self._bodies.pop(0)

    def close(self) -> None:
        self._socket.close()


def introduced(house, fake, *, capabilities=INITIALIZE["capabilities"]):
    """Give an editor and a link over which it has been initialised."""
    editor = house.editor()
    link = fake.accept()
    asked = editor.ask("initialize", **{**INITIALIZE, "capabilities": capabilities})
    assert link.hear()["method"] == "initialize"
    link.say(id=asked, result={"capabilities": {}})
    assert editor.reply(asked)["result"] == {"capabilities": {}}
    editor.notify("initialized")
    assert link.hear()["method"] == "initialized"
    return editor, link


def taken_over(fake):
    """Play the next daemon up to the end of the introduction; gives the link."""
    link = fake.accept()
    first = link.hear()
    assert first["method"] == "initialize"
    link.say(id=first["id"], result={"capabilities": {}})
    assert link.hear()["method"] == "initialized"
    return link


def last(editor, link):
    """Give what the editor has heard up to a message that is said now."""
    start = len(editor.seen)
    link.say(method="end")
    editor.told("end")
    return editor.seen[start:-1]
