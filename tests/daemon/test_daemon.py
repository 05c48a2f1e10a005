"""The real daemon, met by real attach processes. Its CLI here is mute: what is asked of it waits."""

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import psutil
import pytest
from house import until
from players import WAIT

from wave_bridge.rendezvous import Place, visit


@pytest.fixture(params=["", "tcp"], ids=["local socket", "loopback"])
def any_house(request, house):
    house.env["WAVE_BRIDGE_TRANSPORT"] = request.param
    return house


def gone(pid):
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def kill(pid):
    os.kill(pid, signal.SIGKILL)
    until(lambda: gone(pid), "the daemon is dead")


def test_editors_that_come_at_once_share_one_daemon(any_house):
    editors = [any_house.editor() for _ in range(6)]
    for editor in editors:
        editor.hello()
    assert len({editor.daemon_pid() for editor in editors}) == 1
    assert len(any_house.daemons()) == 1
    files = {entry.name: entry.stat().st_mode & 0o777 for entry in os.scandir(any_house.env["WAVE_BRIDGE_DIR"])}
    assert set(files.values()) == {0o600}, files


def test_a_killed_daemon_is_replaced_under_its_editors(any_house):
    editors = [any_house.editor() for _ in range(2)]
    for editor in editors:
        editor.hello()
    first = editors[0].daemon_pid()
    asked = [editor.ask("wave/session/new", workdir=str(any_house.root)) for editor in editors]
    editors[0].daemon_pid()  # by now the daemon has the request
    kill(first)
    for editor, request_id in zip(editors, asked, strict=True):
        assert editor.reply(request_id)["error"]["data"]["kind"] == "agentUnavailable"
        assert editor.told("wave/daemon/reattached")["params"] == {}
    second = {editor.daemon_pid() for editor in editors}
    assert len(second) == 1
    assert first not in second
    assert len(any_house.daemons()) == 1


def test_a_socket_that_a_dead_daemon_left_is_no_hindrance(any_house):
    editor = any_house.editor()
    editor.hello()
    pid = editor.daemon_pid()
    editor.process.kill()
    kill(pid)
    assert os.path.lexists(any_house.place.socket)
    other = any_house.editor()
    other.hello()
    assert other.daemon_pid() != pid


@pytest.mark.req("T6.6")
def test_the_end_of_one_editor_is_none_of_the_others_business(house):
    leaving, eof, staying = (house.editor() for _ in range(3))
    for editor in (leaving, eof, staying):
        editor.hello()
    pid = staying.daemon_pid()
    leaving.request("shutdown")
    leaving.notify("exit")
    begun = time.monotonic()
    assert leaving.process.wait(WAIT) == 0
    assert eof.close() == 0
    assert time.monotonic() - begun < 5
    until(lambda: len(json.loads(house.run("status", "--json").stdout)[0]["clients"]) == 1, "two clients have gone")
    assert staying.daemon_pid() == pid


def test_it_ends_when_nobody_comes_back(house):
    house.env["WAVE_BRIDGE_GRACE"] = "0.3"
    editor = house.editor()
    editor.hello()
    daemon = psutil.Process(editor.daemon_pid())
    with pytest.raises(psutil.TimeoutExpired):
        daemon.wait(0.6)  # it has a client
    editor.close()
    until(lambda: gone(daemon.pid), "the daemon has ended")
    assert not os.path.lexists(house.place.socket)
    until(lambda: not house.processes(), "its CLI has ended too")
    again = house.editor()
    again.hello()
    assert again.daemon_pid() != daemon.pid


@pytest.mark.req("T6.7")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_in_order(house, number):
    daemon = house.start_daemon()
    editor = house.editor()
    editor.hello()
    assert editor.daemon_pid() == daemon.pid
    until(lambda: len(house.processes()) > 2, "the CLI runs")
    editor.request("shutdown")
    editor.process.kill()
    editor.process.wait(WAIT)
    daemon.send_signal(number)
    assert daemon.wait(WAIT) == 0
    assert not os.path.lexists(house.place.socket)
    assert not house.processes()
    assert "the daemon ends" in house.log()
    assert daemon.stdout.read() == daemon.stderr.read() == b""


def test_a_second_daemon_gives_way(house):
    first = house.start_daemon()
    assert house.run("daemon").returncode == 0
    assert first.poll() is None
    assert "is running" in house.log()
    status = json.loads(house.run("status", "--json").stdout)
    assert [daemon["pid"] for daemon in status] == [first.pid]


def test_a_daemon_that_does_not_answer_is_not_replaced(house):
    """Not answering is not being gone: a second one would do everything twice."""
    editor = house.editor()
    editor.hello()
    pid = editor.daemon_pid()
    os.kill(pid, signal.SIGSTOP)
    try:
        assert house.run("daemon").returncode == 0
        stopped = house.run("status")
        assert "does not answer" in stopped.stderr
        waiting = house.editor()
        asked = waiting.ask("initialize", processId=None, rootUri=None, capabilities={})
        assert [daemon.pid for daemon in house.daemons()] == [pid]
    finally:
        os.kill(pid, signal.SIGCONT)
    assert "capabilities" in waiting.reply(asked)["result"]
    assert waiting.daemon_pid() == editor.daemon_pid() == pid


def test_something_that_is_no_socket_stays_and_is_named(house):
    there = Path(house.place.socket)
    there.write_text("kept")
    failed = house.run("daemon")
    assert failed.returncode == 1
    assert f"{there} is no socket" in failed.stderr
    assert there.read_text() == "kept"


def test_status_and_stop(any_house):
    house = any_house
    nothing = house.run("status")
    assert (nothing.returncode, nothing.stdout) == (1, "No daemon runs.\n")
    assert house.run("stop").stdout == "No daemon runs.\n"
    editor = house.editor()
    editor.request(
        "initialize",
        processId=None,
        rootUri=None,
        capabilities={},
        clientInfo={"name": "vi\x1b[31m", "version": "9"},
    )
    editor.notify("initialized")
    pid = editor.daemon_pid()
    shown = house.run("status")
    assert shown.returncode == 0
    assert f"process {pid}" in shown.stdout
    assert f"log {house.root / 'bridge.log'}" in shown.stdout
    assert "editor vi\\x1b[31m 9, 0 panels" in shown.stdout
    (facts,) = json.loads(house.run("status", "--json").stdout)
    assert facts["pid"] == pid
    assert facts["build"] == house.place.build
    assert facts["process"]["connections"] == 1
    assert facts["process"]["rssBytes"] > 1_000_000
    assert editor.close() == 0
    assert house.run("stop").stdout == "Stopped.\n"
    assert gone(pid)
    assert not house.processes()


def test_stop_under_an_editor_is_a_restart(house):
    editor = house.editor()
    editor.hello()
    pid = editor.daemon_pid()
    assert house.run("stop").returncode == 0
    assert gone(pid)
    editor.told("wave/daemon/reattached")
    assert editor.daemon_pid() != pid


def other_build(house):
    """Start a daemon as another version of this program would; gives the process and its place."""
    program = (
        "import wave_bridge, sys; wave_bridge.__version__ = '0.0.9'; from wave_bridge.__main__ import main; main()"
    )
    process = house.spawn([sys.executable, "-c", program, "daemon"])
    place = Place(house.place.folder, f"0.0.9-{house.place.build.split('-')[1]}", tcp=False)
    until(lambda: os.path.lexists(place.socket), "the other build listens")
    return process, place


def test_an_unused_daemon_of_another_build_ends(house):
    old, place = other_build(house)
    editor = house.editor()
    editor.hello()
    assert editor.daemon_pid() != old.pid
    assert old.wait(WAIT) == 0
    assert not os.path.lexists(place.socket)


def test_a_used_daemon_of_another_build_ends_after_its_last_client(house):
    old, place = other_build(house)
    link, answer = visit(place, {"purpose": "attach"})
    assert answer["pid"] == old.pid
    editor = house.editor()
    editor.hello()
    new = editor.daemon_pid()
    until(lambda: "has come: retire" in house.log(), "the old one was asked to retire")
    shown = json.loads(house.run("status", "--json").stdout)
    assert {daemon["pid"] for daemon in shown} == {old.pid, new}
    assert old.poll() is None
    link.close()
    assert old.wait(WAIT) == 0
    assert editor.daemon_pid() == new


def test_what_a_dead_daemon_of_another_build_left_is_cleared_away(house):
    old, place = other_build(house)
    old.kill()
    old.wait(WAIT)
    house.editor().hello()
    until(lambda: not os.path.lexists(place.socket), "its socket is gone")


def test_a_log_that_cannot_be_written_stops_nothing(house):
    house.env["WAVE_BRIDGE_LOG"] = "/proc/none/bridge.log"
    editor = house.editor()
    editor.hello()
    assert "can't log to /proc/none/bridge.log" in Path(house.place.start_log).read_text()


def test_an_idle_daemon_does_nothing(house):
    editor = house.editor()
    editor.hello()
    daemon = psutil.Process(editor.daemon_pid())
    before = daemon.cpu_times()
    with pytest.raises(psutil.TimeoutExpired):
        daemon.wait(2)
    after = daemon.cpu_times()
    assert after.user + after.system - before.user - before.system < 0.1


def test_flags_of_editors_do_not_disturb(house):
    editor = house.editor("--clientProcessId=4711", "--whatever")
    editor.hello()
    assert editor.close() == 0


def raw(house):
    link = socket.socket(socket.AF_UNIX)
    link.settimeout(WAIT)
    link.connect(house.place.socket)
    return link


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"GET / HTTP/1.1\r\n", "denied"),
        (b"[]\n", "denied"),
        (b'{"waveBridge":2}\n', "denied"),
        (b'{"waveBridge":1,"protocol":1,"build":"another"}\n', "build"),
        (b'{"waveBridge":1,"protocol":9,"build":"another"}\n', "protocol"),
        (b"x" * 70_000 + b"\n", None),
    ],
)
def test_who_does_not_greet_properly_is_sent_away(house, line, kind):
    house.start_daemon()
    with raw(house) as link:
        link.sendall(line)
        data = b""
        while more := link.recv(65536):
            data += more
    if kind is not None:
        answer = json.loads(data)
        assert (answer["ok"], answer["kind"]) == (False, kind)
        assert answer["message"]
