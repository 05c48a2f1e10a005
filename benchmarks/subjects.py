"""What is measured: each a command that takes LSP on stdin, or a bare pipe, with the same CLI stand-in behind it."""

from __future__ import annotations

import os
import select
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil

from wave_bridge import __version__
from wave_bridge.core.envelope import decode_any, request_body
from wave_bridge.core.lsp_codec import FrameReader, frame
from wave_bridge.rendezvous import NotThere, find_place, visit

PEERS = Path(__file__).resolve().parent / "peers"
TIMEOUT = 30.0  # seconds for any one step
CHUNK = 1 << 20


class Subject:
    """A server and how to talk to it. `local` is a request that it answers itself, `agent` one that the CLI answers."""

    name: str
    opens_session = False
    times = 1  # as many times the messages, where CPU time is too coarse a clock
    local: tuple[str, dict] = ("bench/local", {})
    agent: tuple[str, dict] = ("bench/agent", {"sessionId": "s"})

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.control = folder / "control.sock"
        self.agent_command = [sys.executable, str(PEERS / "agent.py"), str(self.control)]
        self.environment = dict(os.environ)

    def command(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> subprocess.Popen:
        """Start the process whose stdin and stdout an editor would have."""
        return subprocess.Popen(
            self.command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self.environment,
            bufsize=0,
        )

    def processes(self, door: subprocess.Popen, agents_parent: int) -> set[int]:
        """Give the processes whose CPU time is the subject's own."""
        return {door.pid, agents_parent}

    def forget(self) -> None:
        """End what outlives a connection."""


class Pygls(Subject):
    name = "stock pygls"

    def command(self):
        return [sys.executable, str(PEERS / "pygls_server.py"), *self.agent_command]


class Node(Subject):
    name = "Node readline"

    def command(self):
        return ["node", str(PEERS / "node_server.js"), *self.agent_command]


class Anyio(Subject):
    """The same in anyio's streams, without an LSP library."""

    name = "anyio streams"

    def command(self):
        return [sys.executable, str(PEERS / "anyio_server.py"), *self.agent_command]


class JsonRpc(Subject):
    """The library under VS Code's language clients and servers."""

    name = "vscode-jsonrpc"
    packages = PEERS / "jsonrpc/node_modules"

    def command(self):
        return ["node", str(PEERS / "jsonrpc/server.js"), *self.agent_command]


class Standalone(Subject):
    """The bridge in one process."""

    name = "wave-bridge --standalone"
    opens_session = True
    local = ("wave/permission/list", {})
    agent = ("wave/models/list", {"sessionId": "s"})
    flags = ("--stdio", "--standalone")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        cli = folder / "cli"
        # What WAVE_CLI_PATH names is one file; `exec` keeps the bridge the agent's parent.
        cli.write_text(f"#!/bin/sh\nexec {shlex.join(self.agent_command)}\n")
        cli.chmod(cli.stat().st_mode | stat.S_IXUSR)
        self.environment |= {"WAVE_CLI_PATH": str(cli), "WAVE_BRIDGE_DIR": str(folder / "run"), "HOME": str(folder)}

    def command(self):
        return [str(Path(sys.executable).parent / "wave-bridge"), *self.flags]


class Daemon(Standalone):
    """The bridge as editors meet it: the attach process in front of the shared daemon."""

    name = "wave-bridge"
    flags = ("--stdio",)

    def forget(self) -> None:
        """End the daemon, and wait until it is gone."""
        daemons = [process for process in psutil.process_iter() if self._is_ours(process)]
        for process in daemons:
            process.send_signal(signal.SIGKILL)
        psutil.wait_procs(daemons, TIMEOUT)

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("WAVE_BRIDGE_DIR") == self.environment["WAVE_BRIDGE_DIR"]
        except psutil.Error:
            return False


class AtSocket(Daemon):
    """The daemon alone, spoken to at its socket: what is left when no attach process stands in front."""

    name = "wave-bridge, the daemon alone"

    def start(self):
        command = [sys.executable, "-m", "wave_bridge", "daemon"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=self.environment)
        place = find_place(self.environment, __version__)
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                return SocketDoor(process, visit(place, {"purpose": "attach"})[0])
            except NotThere:
                time.sleep(0.02)
        raise TimeoutError(f"{self.name} did not listen within {TIMEOUT:.0f} s")


class SocketDoor:
    """A socket in the place of a process's stdin and stdout."""

    def __init__(self, process: subprocess.Popen, link: socket.socket) -> None:
        self._process = process
        self.pid = process.pid
        self.stdin, self.stdout = link.makefile("wb", buffering=0), link.makefile("rb", buffering=0)
        link.close()  # the files keep it open

    def wait(self, _timeout: float | None = None) -> None:
        """Return: the daemon outlives its connections, `forget` ends it."""


class Cat(Subject):
    """The CLI's bytes as they are, through one process that copies."""

    name = "cat"
    times = 20

    def start(self):
        pipe = subprocess.PIPE
        self._source = subprocess.Popen(self.agent_command, stdin=pipe, stdout=pipe, bufsize=0)
        cat = subprocess.Popen(["cat"], stdin=self._source.stdout, stdout=pipe, bufsize=0)
        self._source.stdout.close()
        return cat

    def processes(self, door, _agents_parent):
        return {door.pid}

    def forget(self):
        self._source.stdin.close()
        self._source.wait(TIMEOUT)


class Echo(Subject):
    """A request's bytes back, as they are: what the pipes alone cost."""

    name = "cat"

    def command(self):
        return ["cat"]


class Direct(Subject):
    """Nothing between the CLI and the reader."""

    name = "direct pipe"

    def command(self):
        return self.agent_command


class Link:
    """A connection to a running subject, and to the CLI stand-in behind it."""

    def __init__(self, subject: Subject, *, with_agent: bool = True) -> None:
        self.subject = subject
        self._reader = FrameReader()
        self._frames: list[bytes] = []
        self._ids = 0
        self._listener = _listen(subject.control) if with_agent else None
        self.door = subject.start()
        self.agent: socket.socket | None = None

    def shake_hands(self) -> None:
        """Send `initialize` and wait for the answer."""
        capabilities = {"experimental": {"wave": {"version": 1}}}
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})

    def open(self, *, lsp: bool = True) -> None:
        """Go on to where deltas can flow: the CLI stand-in runs and has reported itself."""
        if lsp:
            self.shake_hands()
            self.door.stdin.write(frame(b'{"jsonrpc":"2.0","method":"initialized","params":{}}'))
        if self.subject.opens_session:
            self.request("wave/session/new", {"workdir": str(self.subject.folder)})
        self._listener.settimeout(TIMEOUT)
        self.agent, _ = self._listener.accept()
        self.agent.settimeout(TIMEOUT)
        parent = int(self.agent.recv(64))
        self.processes = [psutil.Process(pid) for pid in self.subject.processes(self.door, parent)]

    def cpu(self) -> float:
        """Give the CPU seconds that the subject's processes have used."""
        return sum(sum(process.cpu_times()[:2]) for process in self.processes)

    def read(self) -> bytes:
        """Give what is there, at least one byte."""
        ready, _, _ = select.select([self.door.stdout], [], [], TIMEOUT)
        data = os.read(self.door.stdout.fileno(), CHUNK) if ready else b""
        if not data:
            raise TimeoutError(f"{self.subject.name} said nothing within {TIMEOUT:.0f} s")
        return data

    def request(self, method: str, params: dict) -> object:
        """Send a request, wait for its answer, and give the result."""
        self._ids += 1
        body = request_body(self._ids, method, params)
        self.door.stdin.write(frame(body))
        while True:
            for answer in map(decode_any, self._bodies()):
                if answer.get("id") == self._ids:
                    return answer.get("result")

    def round_trip(self, body: bytes) -> float:
        """Give the seconds until one frame has come back for `body`."""
        framed = frame(body)
        begin = time.perf_counter()
        self.door.stdin.write(framed)
        while not self._reader.feed(os.read(self.door.stdout.fileno(), CHUNK)):
            pass
        return time.perf_counter() - begin

    def _bodies(self) -> list[bytes]:
        return [found for found in self._reader.feed(self.read()) if isinstance(found, bytes)]

    def close(self) -> None:
        """End the connection; what outlives it goes on."""
        if self.agent is not None:
            self.agent.close()
        if self._listener is not None:
            self._listener.close()
            self.subject.control.unlink()
        if self.door.stdin is not None:
            self.door.stdin.close()
        try:
            self.door.wait(3)
        except subprocess.TimeoutExpired:
            self.door.kill()
            self.door.wait()
        self.door.stdout.close()


def _listen(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(1)
    return listener


def available(kinds: list[type[Subject]]) -> list[type[Subject]]:
    """Give those whose program is there; say which are left out."""
    missing = {Node} if not shutil.which("node") else set()
    if missing or not JsonRpc.packages.is_dir():
        missing.add(JsonRpc)
    if left := [kind.name for kind in kinds if kind in missing]:
        print(f"left out, as node or its packages are not there: {', '.join(left)}", file=sys.stderr)
    return [kind for kind in kinds if kind not in missing]
