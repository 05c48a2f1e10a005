"""A CLI that does what it is told: `sendMessage {"do": [[verb, ...], ...]}` runs the verbs in order.

Other requests are answered with an echo of what came. Flags: --mute (answers nothing), --deaf (outlives EOF and
SIGTERM), --exit N (ends at once), --say TEXT (to stderr, first).
"""

import json
import os
import signal
import subprocess
import sys
import time


def put(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def send(message: dict) -> None:
    put(json.dumps(message, ensure_ascii=False).encode() + b"\n")


def child(argv: list[str]) -> int:
    """Start a process as the CLI starts Bash: in a session of its own, on none of our pipes."""
    return subprocess.Popen(
        argv, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ).pid


def flood(fd: int, size: int) -> None:
    block = b"x" * 65535 + b"\n"
    for _ in range(size // len(block)):
        os.write(fd, block)


def heir(seconds: str) -> int:
    """Leave a process that holds our stdout open."""
    return subprocess.Popen(["sleep", seconds], start_new_session=True).pid


VERBS = {
    "answer": lambda request, result: send({"id": request["id"], "result": result}),
    "refuse": lambda request, error: send({"id": request["id"], "error": error}),
    "notify": lambda _, method, params, session: send({"method": method, "params": params, "sessionId": session}),
    "raw": lambda _, text: put(text.encode()),
    "hex": lambda _, text: put(bytes.fromhex(text)),
    "dribble": lambda _, text: [put(bytes([byte])) for byte in text.encode()],
    "stderr": lambda _, text: os.write(2, bytes.fromhex(text)),
    "flood": lambda _, fd, size: flood(fd, size),
    "child": lambda request, argv: send({"id": request["id"], "result": child(argv)}),
    "heir": lambda request, seconds: send({"id": request["id"], "result": heir(seconds)}),
    "exit": lambda _, code: os._exit(code),
    "kill": lambda _, number: os.kill(os.getpid(), number),
    "close": lambda _, fd: os.close(fd),
    "sleep": lambda _, seconds: time.sleep(seconds),
    "environment": lambda request, name: send({"id": request["id"], "result": os.environ.get(name)}),
}


def serve(line: bytes) -> None:
    request = json.loads(line)
    params = request.get("params") or {}
    if "id" not in request:
        send({"method": "authUrl", "params": {"heard": line.decode()}})
    elif request["method"] == "sendMessage" and "do" in params:
        for verb, *arguments in params["do"]:
            VERBS[verb](request, *arguments)
    elif request["method"] == "initialize":
        send({"method": "mcpServersChange", "params": {"servers": [], "of": params.get("tag")}})
        time.sleep(params.get("takes", 0))
        send({"id": request["id"], "result": {"sessionId": params.get("tag", "s")}})
    else:
        send({"id": request["id"], "result": {"line": line.decode()}})


def main(flags: list[str]) -> None:
    if "--say" in flags:
        sys.stderr.write(flags[flags.index("--say") + 1] + "\n")
    if "--exit" in flags:
        os._exit(int(flags[flags.index("--exit") + 1]))
    if "--deaf" in flags:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin.buffer:
        if "--mute" not in flags:
            serve(line)
    while "--deaf" in flags:
        time.sleep(60)


main(sys.argv[1:])
