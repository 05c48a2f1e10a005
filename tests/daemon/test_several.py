"""More than one daemon of a user, and what `status` says of each; and what the environment may say wrongly."""

import json
import socket
import threading
from pathlib import Path

import pytest

from wave_bridge.rendezvous import Place


def test_each_transport_has_a_daemon_of_its_own(house):
    local = house.editor()
    local.hello()
    house.env["WAVE_BRIDGE_TRANSPORT"] = "tcp"
    loopback = house.editor()
    loopback.hello()
    assert local.daemon_pid() != loopback.daemon_pid()
    shown = json.loads(house.run("status", "--json").stdout)
    assert {daemon["pid"] for daemon in shown} == {local.daemon_pid(), loopback.daemon_pid()}


def test_a_long_status_is_read_whole(house, fake):
    """Each session has its line in it: a few hundred are more than a hello may be long."""
    status = {"build": "b", "pid": 1, "agents": [], "clients": [], "pad": "x" * 200_000}
    answer = {"ok": True, "status": status, "process": {"rssBytes": 1, "log": "l"}}
    visitor = threading.Thread(target=fake.accept, args=(answer,))
    visitor.start()
    shown = house.run("status", "--json")
    visitor.join()
    assert json.loads(shown.stdout)[0]["pad"] == status["pad"]


def test_a_daemon_that_refuses_does_not_hide_the_others(house):
    editor = house.editor()
    editor.hello()
    pid = editor.daemon_pid()
    other = Place(house.place.folder, "0.0.1-old", tcp=False)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(other.socket)
        listener.listen()
        refusal = {"ok": False, "kind": "protocol", "message": "I speak version 0"}

        def refuse():
            visitor = listener.accept()[0]
            with visitor:
                visitor.recv(65536)
                visitor.sendall(json.dumps(refusal).encode() + b"\n")

        thread = threading.Thread(target=refuse)
        thread.start()
        shown = house.run("status", "--json")
        thread.join()
        editor.close()
        thread = threading.Thread(target=refuse)
        thread.start()
        stop = house.run("stop")
        thread.join()
    Path(other.socket).unlink()
    assert [daemon["pid"] for daemon in json.loads(shown.stdout)] == [pid]
    assert "I speak version 0" in shown.stderr
    assert (stop.returncode, stop.stdout) == (1, "")


@pytest.mark.parametrize(("name", "value"), [("LOG_LEVEL", "chatty"), ("GRACE", "soon"), ("SESSION_GRACE", "nan")])
def test_a_setting_that_is_none_keeps_nobody_out(house, name, value):
    house.env[f"WAVE_BRIDGE_{name}"] = value
    house.editor().hello()
