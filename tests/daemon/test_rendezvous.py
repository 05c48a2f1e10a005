"""The folder where attach and daemon meet is the user's alone, or there is no meeting."""

import json
import os
import socket
import stat
import threading
from pathlib import Path

import pytest

from wave_bridge.instance import AlreadyRunning, Denied, claim, peer_uid
from wave_bridge.rendezvous import (
    MAX_SOCKET_PATH,
    NotThere,
    Refused,
    Untrusted,
    code_hash,
    find_place,
    own_folder,
    proof,
    somebody_listens,
    visit,
)


def place_in(folder, **env):
    return find_place({"WAVE_BRIDGE_DIR": str(folder), **env}, "1.0")


def test_the_folder_is_made_for_its_owner_only(tmp_path):
    before = os.umask(0)
    try:
        own_folder(str(tmp_path / "a" / "run"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a" / "run").stat().st_mode) == 0o700


def test_a_readable_folder_of_ours_is_closed(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o755)
    own_folder(str(folder))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_may_write_to_is_refused(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(Untrusted, match="others may write"):
        own_folder(str(folder))


def test_a_link_is_refused(tmp_path):
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "run").symlink_to(tmp_path / "real")
    with pytest.raises(Untrusted, match="link"):
        own_folder(str(tmp_path / "run"))


def test_a_file_in_its_place_is_refused(tmp_path):
    (tmp_path / "run").write_text("")
    with pytest.raises(Untrusted, match="can't be made"):
        own_folder(str(tmp_path / "run"))


@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_is_refused(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, -1)
    with pytest.raises(Untrusted, match="another user"):
        own_folder(str(folder))


def test_an_untrusted_folder_is_what_the_editor_hears(house):
    Path(house.env["WAVE_BRIDGE_DIR"]).symlink_to(house.root / "home")
    editor = house.editor()
    error = editor.reply(editor.ask("initialize", processId=None, rootUri=None, capabilities={}))["error"]
    assert "WAVE_BRIDGE_DIR" in error["message"]
    assert editor.process.wait(5) == 1
    status = house.run("status")
    assert status.returncode == 1
    assert "WAVE_BRIDGE_DIR" in status.stderr
    Path(house.env["WAVE_BRIDGE_DIR"]).unlink()


def test_a_long_path_has_a_short_stand_in(tmp_path):
    long = tmp_path / ("x" * 120)
    env = {"TMPDIR": str(tmp_path.parent)}
    place = place_in(long, **env)
    assert len(place.socket) <= MAX_SOCKET_PATH
    assert place.socket == place_in(long, **env).socket
    assert place.socket != place_in(f"{long}y", **env).socket
    assert stat.S_IMODE(Path(place.folder).stat().st_mode) == 0o700
    Path(place.folder).rmdir()


def test_every_session_of_a_user_finds_the_same_folder(tmp_path):
    tmp_path.chmod(0o700)
    with_desktop = find_place({"XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}, "1.0").folder
    assert with_desktop == str(tmp_path / "wave-bridge")
    stale = find_place({"XDG_RUNTIME_DIR": "/nowhere", "TMPDIR": str(tmp_path)}, "1.0").folder
    assert stale in {f"/run/user/{os.getuid()}/wave-bridge", str(tmp_path / f"wave-bridge-{os.getuid()}")}


def test_the_build_changes_with_the_code(tmp_path):
    package = tmp_path / "p"
    (package / "inner").mkdir(parents=True)
    (package / "a.py").write_text("1")
    (package / "inner" / "b.py").write_text("2")
    seen = {code_hash(str(package))}
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "a.py").write_text("x")
    (package / "notes.txt").write_text("x")
    assert code_hash(str(package)) in seen
    (package / "inner" / "b.py").write_text("3")
    seen.add(code_hash(str(package)))
    (package / "inner" / "b.py").rename(package / "inner" / "c.py")
    seen.add(code_hash(str(package)))
    assert len(seen) == 3


@pytest.fixture(params=["", "tcp"], ids=["local socket", "loopback"])
def place(request, tmp_path):
    return place_in(tmp_path / "run", WAVE_BRIDGE_TRANSPORT=request.param)


def serve_one(mine, **options):
    """Admit one visitor in a thread; the list that is given gets what came of it."""
    outcome = []

    def serve():
        visitor, _ = mine.listener.accept()
        with visitor:
            line = visitor.makefile("rb").readline()
            try:
                hello, more = mine.admit(line, visitor, **options)
                outcome.append(hello)
                answer = {"ok": True, **more}
            except Denied as fault:
                outcome.append(fault)
                answer = {"ok": False, "kind": fault.kind, "message": str(fault)}
            visitor.sendall(json.dumps(answer).encode() + b"\n")

    thread = threading.Thread(target=serve)
    thread.start()
    return outcome, thread


def test_the_owner_is_let_in(place):
    with claim(place) as mine:
        outcome, thread = serve_one(mine)
        link, _ = visit(place, {"purpose": "attach", "pid": 7, "env": {"A": "b"}})
        link.close()
        thread.join()
    assert (outcome[0].pid, outcome[0].env, outcome[0].purpose) == (7, {"A": "b"}, "attach")
    assert not os.path.lexists(place.socket)


@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="this system can't tell the peer's user")
def test_another_user_is_not_let_in(tmp_path):
    place = place_in(tmp_path / "run")
    with claim(place) as mine:
        outcome, thread = serve_one(mine, uid=os.getuid() + 1)
        with pytest.raises(Refused, match="another user") as refused:
            visit(place, {})
        thread.join()
    assert refused.value.kind == outcome[0].kind == "denied"


def test_the_peers_user_is_told_by_the_system():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert peer_uid(ours) == os.getuid()


def secret_file(place):
    return Path(place.socket)


def test_who_does_not_know_the_secret_is_not_let_in(tmp_path):
    place = place_in(tmp_path / "run", WAVE_BRIDGE_TRANSPORT="tcp")
    with claim(place) as mine:
        assert stat.S_IMODE(secret_file(place).stat().st_mode) == 0o600
        text = secret_file(place).read_text()
        wrong = text.replace('"secret":"', '"secret":"0', 1)[:-3] + '"}'
        secret_file(place).write_text(wrong)
        outcome, thread = serve_one(mine)
        with pytest.raises(Refused, match="secret"):
            visit(place, {})
        thread.join()
    assert isinstance(outcome[0], Denied)


def test_a_stranger_at_the_old_port_learns_nothing_of_use(tmp_path):
    """A dead daemon's port may be taken by anyone: it can't prove that it knows the secret, and is not told it."""
    place = place_in(tmp_path / "run", WAVE_BRIDGE_TRANSPORT="tcp")
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        secret_file(place).write_text(f'{{"port":{stranger.getsockname()[1]},"secret":"sesame"}}')
        heard = []

        def listen():
            visitor, _ = stranger.accept()
            with visitor:
                heard.append(visitor.makefile("rb").readline())
                visitor.sendall(b'{"ok":true,"proof":"' + proof("guess", "daemon", "n").encode() + b'"}\n')

        thread = threading.Thread(target=listen)
        thread.start()
        with pytest.raises(NotThere, match="another program"):
            visit(place, {})
        thread.join()
    assert b"sesame" not in heard[0]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"port":"x","secret":1}', '{"port":1}'])
def test_a_spoilt_secret_file_is_no_daemon(tmp_path, text):
    place = place_in(tmp_path / "run", WAVE_BRIDGE_TRANSPORT="tcp")
    secret_file(place).write_text(text)
    assert not somebody_listens(place)


def test_only_one_holds_the_claim(place):
    with claim(place), pytest.raises(AlreadyRunning, match="is running"), claim(place):
        pass


def test_a_leaving_daemon_is_waited_for(place):
    with claim(place) as mine:
        mine.listener.close()
        with pytest.raises(AlreadyRunning, match="does not listen"), claim(place, leaving_time=0.1):
            pass


def test_the_claim_is_free_again_afterwards(place):
    for _ in range(2):
        with claim(place):
            assert somebody_listens(place)
        assert not somebody_listens(place)


def test_a_daemon_that_hangs_up_is_not_there(place):
    with claim(place) as mine:

        def hang_up():
            mine.listener.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(NotThere):
            visit(place, {})
        thread.join()
