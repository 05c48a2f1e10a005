"""The stdio door is all that a remote machine needs: an editor's server command is `ssh host wave-bridge --stdio`."""

import asyncio
import getpass
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from generic_editor import GenericEditor, announcing

SSHD = shutil.which("sshd", path="/usr/sbin:/usr/bin:/usr/local/sbin")
ROOT = Path(__file__).parent.parent.parent


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
async def host(tmp_path, machine):
    """An ssh server on loopback with keys of its own; gives the ssh command that reaches it."""
    if SSHD is None or not shutil.which("ssh"):
        pytest.skip("sshd or ssh is not installed")
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    port = free_port()
    (tmp_path / "authorized").write_text((tmp_path / "user.pub").read_text())
    (tmp_path / "authorized").chmod(0o600)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # OpenSSH wants it
    options = {
        "Port": port,
        "ListenAddress": "127.0.0.1",
        "HostKey": tmp_path / "host",
        "AuthorizedKeysFile": tmp_path / "authorized",
        "StrictModes": "no",
        "UsePAM": "no",
        "PidFile": "none",
        "PermitRootLogin": "yes",
    }
    flags = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
    server = await asyncio.create_subprocess_exec(
        SSHD, "-D", "-e", "-f", "/dev/null", *flags, stderr=asyncio.subprocess.PIPE, env=machine.env
    )
    async with asyncio.timeout(20):
        while b"listening" not in (line := await server.stderr.readline()):
            assert line, "sshd ended"
    yield [
        *("ssh", "-F", "none", "-p", str(port), "-i", str(tmp_path / "user")),
        *("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"),
        f"{getpass.getuser()}@127.0.0.1",
    ]
    server.terminate()
    await server.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="OpenSSH's server is another one there")
async def test_a_session_over_ssh(machine, work, host):
    """A login shell is what runs the command there: the environment is named in it."""
    passed = " ".join(f"{name}='{value}'" for name, value in machine.env.items())
    editor = GenericEditor(announcing("neovim_v0.11.0"))
    command = f"cd '{ROOT}' && env {passed} '{sys.executable}' -m wave_bridge --stdio"
    await editor.start_io(*host, command, env=machine.env, cwd=str(machine.root))
    machine.editors.append(editor)
    await editor.hello(work)
    answer = await editor.run("wave.ask", {"text": 'Far away [[{"text": "Here I am."}]]'})
    await editor.shows(answer["uri"], "Here I am.")
    await editor.quit()
    await editor.stop()
