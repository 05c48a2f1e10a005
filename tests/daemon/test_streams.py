"""What a start sees whose standard streams are not an editor's pipes."""

import subprocess
from pathlib import Path

import pytest
from house import BRIDGE
from players import INITIALIZE, WAIT

from wave_bridge.frames import Frames, frame, head

CONVERSATION = b"".join(
    frame({"jsonrpc": "2.0", **message})
    for message in (
        {"id": 1, "method": "initialize", "params": INITIALIZE},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "wave/daemon/status", "params": {}},
        {"id": 3, "method": "shutdown"},
        {"method": "exit"},
    )
)
both_ways = pytest.mark.parametrize("flags", [[], ["--standalone"]], ids=["daemon", "standalone"])


def run(house, flags, **streams):
    command = [*BRIDGE, "--stdio", *flags]
    return subprocess.run(command, env=house.env, cwd=house.root, timeout=WAIT, check=False, **streams)


@both_ways
@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
def test_a_conversation_may_come_whole_from_a_file(house, flags, warm):
    """It ends with `exit`: what stands before that is answered all the same."""
    if warm:
        house.editor().hello()
    said = house.root / "said"
    said.write_bytes(CONVERSATION)
    with said.open("rb") as file:
        bridge = run(house, flags, stdin=file, capture_output=True)
    assert (bridge.returncode, bridge.stderr) == (0, b"")
    bodies = [body for _, body in Frames().feed(bridge.stdout)]
    answered = {head(body)["id"] for body in bodies if b'"result"' in body}
    assert answered == {1, 2, 3}


@both_ways
@pytest.mark.parametrize("redirection", ["<&-", ">&-"])
def test_a_closed_stream_is_named(house, flags, redirection):
    shell = ["sh", "-c", f'"$@" {redirection}', "sh", *BRIDGE, "--stdio", *flags]
    bridge = subprocess.run(
        shell, env=house.env, cwd=house.root, stdin=subprocess.DEVNULL, capture_output=True, timeout=WAIT, check=False
    )
    assert bridge.returncode == 1
    assert bridge.stderr == b"wave-bridge: stdin or stdout is closed; the editor's messages go through them\n"


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_a_closed_stderr_does_not_keep_the_reason_from_the_editor(house, redirection):
    Path(house.place.start_log).mkdir()
    shell = ["sh", "-c", f'"$@" {redirection}', "sh", *BRIDGE, "--stdio"]
    bridge = subprocess.run(
        shell, env=house.env, cwd=house.root, input=CONVERSATION, capture_output=True, timeout=WAIT, check=False
    )
    assert bridge.returncode == 1
    assert b'"agentUnavailable"' in bridge.stdout
    assert house.place.start_log.encode() in bridge.stdout
