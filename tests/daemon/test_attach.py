"""The stdio door, against a daemon that the test plays: it says when it answers and how it dies."""

import json
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from house import BRIDGE
from players import INITIALIZE, Editor, introduced

from wave_bridge import attach
from wave_bridge.frames import frame


def test_frames_go_both_ways_as_they_are(house, fake):
    editor, link = introduced(house, fake)
    strange = b'content-length:  31 \nX-Other: 1\n\n{"jsonrpc":"2.0","method":"x" }'
    plain = frame({"jsonrpc": "2.0", "method": "y", "params": {"text": "é" * 200_000}})
    editor.write(strange + plain)
    assert [link.hear()["method"] for _ in range(2)] == ["x", "y"]
    before = len(editor.raw)
    link.send(plain[:100])
    link.send(plain[100:] + strange)
    editor.told("x")
    assert editor.raw[before:] == plain + strange
    link.close()


def test_the_hello_says_who_comes(house, fake):
    house.env["LC_ALL"] = "de_DE.UTF-8"
    house.env["AWS_SECRET_ACCESS_KEY"] = "hush"
    editor = house.editor()
    hello = fake.accept().hello
    assert hello["waveBridge"] == hello["protocol"] == 1
    assert hello["build"] == house.place.build
    assert hello["pid"] == editor.process.pid
    assert hello["cwd"] == str(house.root)
    assert hello["env"]["LC_ALL"] == "de_DE.UTF-8"
    assert hello["env"]["WAVE_CLI_PATH"] == house.env["WAVE_CLI_PATH"]
    assert "AWS_SECRET_ACCESS_KEY" not in hello["env"]


def test_exit_ends_it_with_the_code_that_lsp_wants(house, fake):
    editor, link = introduced(house, fake)
    asked = editor.ask("shutdown")
    link.say(id=link.hear()["id"], result=None)
    editor.reply(asked)
    editor.notify("exit")
    assert link.hear()["method"] == "exit"
    link.close()
    assert editor.process.wait(5) == 0
    editor, link = introduced(house, fake)
    editor.notify("exit")
    link.close()
    assert editor.process.wait(5) == 1


def test_it_does_not_wait_for_a_daemon_that_ignores_the_end(house, fake):
    editor, link = introduced(house, fake)
    begun = time.monotonic()
    assert editor.close() == 0
    assert time.monotonic() - begun < 5
    assert link.hear() is None


def test_a_refusal_is_the_answer_to_initialize(house, fake):
    editor = house.editor()
    fake.accept({"ok": False, "kind": "denied", "message": "not today"})
    error = editor.reply(editor.ask("initialize", **INITIALIZE))["error"]
    assert error["data"]["kind"] == "agentUnavailable"
    assert "not today" in error["message"]
    assert editor.process.wait(5) == 1
    assert b"not today" in editor.process.stderr.read()


def with_daemon(house, program):
    """Start an attach process whose daemon is `program`."""
    launch = f"import os, sys; from wave_bridge.attach import main; sys.exit(main(os.environ, {program!r}))"
    pipe = subprocess.PIPE
    editor = Editor(house.spawn([sys.executable, "-c", launch], stdin=pipe, stdout=pipe, stderr=pipe))
    house.editors.append(editor)
    return editor


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ([sys.executable, "-c", "import sys; sys.exit('no such module')"], "no such module"),
        (["/does/not/exist"], "No such file"),
    ],
)
def test_a_daemon_that_does_not_start_is_explained_to_the_editor(house, program, said):
    editor = with_daemon(house, program)
    message = editor.reply(editor.ask("initialize", **INITIALIZE))["error"]["message"]
    assert said in message
    assert editor.process.wait(5) == 1
    assert said.encode() in editor.process.stderr.read()
    if program[0] == sys.executable:
        assert house.place.start_log in message
        assert stat.S_IMODE(Path(house.place.start_log).stat().st_mode) == 0o600


def test_an_upgrade_while_the_daemon_starts_is_noticed(house):
    """The daemon that comes up is another build than the one that was waited for."""
    copy = house.root / "site" / "wave_bridge"
    shutil.copytree(house.code, copy)
    house.env["PYTHONPATH"] = str(copy.parent)
    upgrade = (
        f"import runpy, sys; open({str(copy / 'errors.py')!r}, 'a').write('# new'); "
        "sys.argv = ['wave-bridge', 'daemon']; runpy.run_module('wave_bridge', run_name='__main__')"
    )
    editor = with_daemon(house, [sys.executable, "-P", "-c", upgrade])
    editor.hello()
    editor.close()
    assert len({path.stem for path in Path(house.env["WAVE_BRIDGE_DIR"]).iterdir()}) == 2
    stop = subprocess.run([*BRIDGE, "stop"], env=house.env, check=True, capture_output=True)
    assert b"Stopped" in stop.stdout


def test_planted_links_are_not_followed(house):
    """The start log is opened for writing: a link there could make us write anywhere."""
    victim = house.root / "victim"
    victim.write_text("kept")
    Path(house.place.start_log).symlink_to(victim)
    editor = house.editor()
    assert "error" in editor.reply(editor.ask("initialize", **INITIALIZE))
    assert victim.read_text() == "kept"


def test_it_imports_the_standard_library_only_and_little_of_that(house):
    program = (
        "import sys, json; from wave_bridge import attach\n"
        "print(json.dumps([n for n in sys.modules if '.' not in n] + "
        "[n for n in sys.modules if n.startswith('wave_bridge.')]))"
    )
    bare = [sys.executable, "-S", "-c", program]  # without what the virtual environment itself imports
    env = {"PYTHONPATH": str(Path(attach.__file__).parent.parent)}
    out = subprocess.run(bare, env=env, capture_output=True, text=True, check=True).stdout
    names = set(json.loads(out))
    ours = {name for name in names if name.startswith("wave_bridge.")}
    assert ours == {
        f"wave_bridge.{room}" for room in ("attach", "buffers", "conversation", "frames", "rendezvous", "summon")
    }
    assert names - ours - {"wave_bridge"} <= sys.stdlib_module_names | {"__main__"}
    assert not names & {"asyncio", "typing", "dataclasses", "subprocess", "pathlib", "logging", "hashlib", "tempfile"}
