"""A user's machine for these tests: a home, a rendezvous folder, editors as real processes, and two daemons to meet.

One is the real one. The other is played by the test, at the real one's socket, where a test needs to say when it
answers, and to die in mid-frame.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

from wave_bridge import __version__
from wave_bridge.frames import Frames, frame
from wave_bridge.rendezvous import Place, code_hash, own_folder

BRIDGE = [sys.executable, "-m", "wave_bridge"]
WAIT = 30.0  # seconds; a test that waits this long has failed
PASSED_ON = ("PATH", "LANG", "COVERAGE_PROCESS_START", "VIRTUAL_ENV")
MUTE_CLI = "#!/bin/sh\nwhile read -r _; do :; done\n"  # answers nothing, ends with its stdin


def until(found, what):
    """Wait until `found()` gives something true, and give it."""
    deadline = time.monotonic() + WAIT
    while time.monotonic() < deadline:
        if result := found():
            return result
        time.sleep(0.01)  # another process's doing sends no event
    raise AssertionError(f"not within {WAIT:g} s: {what}")


class House:
    """`site` holds a copy of the code: an edit while the tests run would make another build of it."""

    def __init__(self, root: Path, site: Path) -> None:
        self.root = root
        self.code = site / "wave_bridge"
        (root / "home").mkdir()
        cli = root / "mute-cli"
        cli.write_text(MUTE_CLI)
        cli.chmod(0o755)
        self.env = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | {
            "HOME": str(root / "home"),
            "WAVE_BRIDGE_DIR": str(root / "run"),
            "WAVE_BRIDGE_LOG": str(root / "bridge.log"),
            "WAVE_BRIDGE_TEST": str(root),  # marks every process that descends from this test
            "WAVE_CLI_PATH": str(cli),
            "PYTHONPATH": str(site),
        }
        self.started: list[subprocess.Popen[bytes]] = []
        self.editors: list[Editor] = []

    @property
    def place(self):
        """The meeting place of the copied code."""
        build = f"{__version__}-{code_hash(str(self.code)):08x}"
        tcp = self.env.get("WAVE_BRIDGE_TRANSPORT") == "tcp"
        return Place(own_folder(self.env["WAVE_BRIDGE_DIR"]), build, tcp=tcp)

    def start(self, *arguments: str, **options) -> subprocess.Popen[bytes]:
        """Start `wave-bridge`."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return self.spawn([*BRIDGE, *arguments], **pipes)

    def spawn(self, command: list[str], **pipes) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, env=self.env, cwd=self.root, **pipes)
        self.started.append(process)
        return process

    def start_daemon(self) -> subprocess.Popen[bytes]:
        """Start a daemon by hand, and wait until it listens."""
        process = self.start("daemon", stdin=subprocess.DEVNULL)
        until(lambda: os.path.lexists(self.place.socket), "the daemon listens")
        return process

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command of `wave-bridge` to its end."""
        command = [*BRIDGE, *arguments]
        return subprocess.run(
            command, env=self.env, cwd=self.root, capture_output=True, text=True, timeout=WAIT, check=False
        )

    def editor(self, *flags: str) -> Editor:
        editor = Editor(self.start("--stdio", *flags))
        self.editors.append(editor)
        return editor

    def processes(self) -> list[psutil.Process]:
        mine = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get("WAVE_BRIDGE_TEST") == str(self.root) and process.status() != "zombie":
                    mine.append(process)
        return mine

    def daemons(self) -> list[psutil.Process]:
        found = []
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                if process.cmdline()[-1:] == ["daemon"] or "daemon" in process.cmdline()[3:5]:
                    found.append(process)
        return found

    def log(self) -> str:
        return (self.root / "bridge.log").read_text("utf-8")

    def hang_up(self) -> None:
        """Let every editor close its end."""
        for editor in self.editors:
            with contextlib.suppress(BrokenPipeError):
                editor.process.stdin.close()

    def wait_for_editors(self) -> None:
        for editor in self.editors:
            editor.process.wait(WAIT)

    def end(self) -> None:
        """End what the test left running on purpose; whatever then still runs is a failure."""
        self.hang_up()
        self.wait_for_editors()
        if self.daemons():
            self.run("stop")
        for process in self.started:
            process.wait(WAIT)
            for pipe in (process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()
        _, alive = psutil.wait_procs(self.processes(), timeout=10)
        left = [" ".join(process.cmdline()) for process in alive]
        for process in alive:
            process.kill()
        assert not left, f"left behind: {left}"


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
