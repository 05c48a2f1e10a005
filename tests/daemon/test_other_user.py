"""Another user of the machine gets no word out of the daemon, even where its folder was opened by mistake."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

NOBODY = 65534
VISIT = """
import os, socket, sys
os.setgroups([]); os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))
link = socket.socket(socket.AF_UNIX)
try:
    link.connect(sys.argv[1])
except OSError as fault:
    sys.exit(f'{type(fault).__name__}')
link.sendall(b'{"waveBridge":1,"protocol":1,"purpose":"status"}\\n')
sys.stdout.buffer.write(link.makefile('rb').read())
"""
needs_root = pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can act as another user")


def visit_as(uid, place):
    command = [sys.executable, "-I", "-c", VISIT, place.socket, str(uid)]
    return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)


@needs_root
def test_the_folder_keeps_another_user_out(house):
    house.start_daemon()
    refused = visit_as(NOBODY, house.place)
    assert refused.stderr.strip() == "PermissionError"
    assert refused.stdout == ""


@needs_root
def test_another_user_who_gets_in_is_refused_and_told_nothing(house):
    """The second lock: the system says who is at the other end."""
    house.start_daemon()
    place = house.place
    opened = [Path(place.socket), *Path(place.socket).parents]
    modes = {path: path.stat().st_mode for path in opened}
    try:
        for path in opened:
            if not modes[path] & 0o001 or path.is_relative_to(house.root):
                path.chmod(0o777)
        answer = json.loads(visit_as(NOBODY, place).stdout)
    finally:
        for path, mode in modes.items():
            path.chmod(mode & 0o7777)
    assert answer == {"ok": False, "kind": "denied", "message": "this daemon belongs to another user"}
    assert "was refused (denied)" in house.log()
    assert json.loads(visit_as(0, house.place).stdout)["ok"] is True


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no local sockets")
def test_a_link_in_the_place_of_the_lock_is_not_followed(house):
    """A planted link must not let the daemon write, or truncate, what it points to."""
    victim = house.root / "victim"
    victim.write_text("precious")
    Path(house.place.lock).symlink_to(victim)
    assert house.run("daemon").returncode != 0
    assert victim.read_text() == "precious"
    Path(house.place.lock).unlink()
