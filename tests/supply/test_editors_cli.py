"""Editors bring their CLIs: which process serves whom, from `initialize` to a session, with real Node."""

from __future__ import annotations

import asyncio
import json

import psutil
import pytest
from lsprotocol import types
from machine import BRIDGE
from shop import Shop, everything_written, ready, until
from supply_fakes import NODE, fake_node, program

BUNDLE = "dist/bundle/wave.mjs"


@pytest.fixture
def shop(machine):
    return Shop(machine)


def copy_of(machine, editor):
    return machine.home / ".wave" / "cli" / editor


@pytest.mark.req("T1.1", "T3.1")
async def test_vscode_gets_a_session_from_the_cli_that_it_ships(shop, machine):
    editor = await shop.vscode()
    await editor.new(machine.folder("work"))
    (child,) = await shop.children(editor)
    entry = copy_of(machine, "vscode") / "bin" / "wave-code.js"
    assert child["command"] == [NODE, str(entry), "--stdio"]
    assert child["source"] == "bundled"
    assert (copy_of(machine, "vscode") / BUNDLE).read_bytes() == (shop.cli("extension") / BUNDLE).read_bytes()
    told = await shop.facts(editor)
    assert told["environment"]["HOME"] == str(machine.home), "the child inherits (TB10)"
    assert shop.notices["vscode"] == []


@pytest.mark.req("T2.1")
async def test_jetbrains_gets_one_with_the_node_of_the_login_shell(shop, machine):
    """Started from a desktop it has no PATH to speak of."""
    node = program(machine.root / "tools" / "node", f'exec {NODE} "$@"')
    shell = program(machine.root / "login-shell", f'PATH={node.parent}:$PATH; export PATH; exec /bin/sh -c "$4"')
    machine.env["SHELL"] = str(shell)
    machine.env["PATH"] = "/usr/bin:/bin"
    editor = await shop.jetbrains()
    await editor.new(machine.folder("work"))
    (child,) = await shop.children(editor)
    assert child["command"] == [str(node), str(copy_of(machine, "jetbrains") / "bin" / "wave-code.js"), "--stdio"]
    assert (await shop.facts(editor))["environment"]["PATH"].startswith(f"{node.parent}:")


@pytest.mark.req("T3.5")
async def test_equal_bytes_are_one_process_and_other_bytes_another(shop, machine):
    machine.env["PATH"] = f"{fake_node(machine.root / 'n', 'new').parent}:{machine.env['PATH']}"
    code = await shop.vscode("code")
    await ready(code)
    idea = await shop.jetbrains("idea")
    pid = (await shop.facts(code))["pid"]
    assert (await shop.facts(idea))["pid"] == pid
    jetbrains = copy_of(machine, "jetbrains") / BUNDLE
    await until(jetbrains.exists, "JetBrains' copy is refreshed although VS Code's runs")

    newer = await shop.vscode("newer", shop.cli("update", "other bytes"))
    assert (await shop.facts(newer))["pid"] != pid
    assert (await shop.facts(code))["pid"] == pid, "the window that runs the old one keeps it"
    assert len(await shop.children(code)) == 2
    first, second = (await code.new(machine.folder("a")), await newer.new(machine.folder("b")))
    facts = await shop.children(code)
    assert [[session["sessionId"] for session in child["sessions"]] for child in facts] == [[first], [second]]


async def test_settings_that_ask_for_another_environment_get_a_process_of_their_own(shop):
    network = {"proxy": "http://user:hidden@proxy:3128", "noProxy": "localhost", "caFile": "/ca.pem"}
    plain = await shop.vscode("plain")
    special = await shop.vscode("special", settings={"cli": {"environment": {"WAVE_MODEL": "m"}}, "network": network})
    ours, theirs = await shop.facts(plain), await shop.facts(special)
    assert ours["pid"] != theirs["pid"]
    wanted = {
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), network["proxy"]),
        "NO_PROXY": "localhost",
        "NODE_EXTRA_CA_CERTS": "/ca.pem",
        "NODE_USE_ENV_PROXY": "1",
        "WAVE_MODEL": "m",
    }
    assert wanted.items() <= theirs["environment"].items()
    assert "WAVE_MODEL" not in ours["environment"]
    same = await shop.vscode("same", settings={"network": network, "cli": {"environment": {"WAVE_MODEL": "m"}}})
    assert (await shop.facts(same))["pid"] == theirs["pid"]


async def test_settings_that_change_are_served_by_another_process_from_then_on(shop):
    editor = await shop.vscode()
    before = await shop.facts(editor)
    settings = {"wave": {"cli": {"environment": {"NEW": "yes"}}}}
    editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    after = await shop.facts(editor)
    assert after["environment"]["NEW"] == "yes"
    assert after["pid"] != before["pid"]


async def test_a_cli_that_serves_nobody_any_more_ends_and_the_last_one_stays(shop, machine):
    """Windows of the old version are closed one by one; the daemon has the new one's CLI by then."""
    machine.env["WAVE_BRIDGE_SESSION_GRACE"] = "0.1"
    old = await shop.vscode("old")
    session = await old.new(machine.folder("work"))
    new = await shop.vscode("new", shop.cli("update", "other bytes"))
    kept = (await shop.facts(new))["pid"]
    await old.quit()
    await old.stop()
    await until(lambda: len(machine.running(NODE)) == 1, "the old CLI ends, its session before it")
    (child,) = await shop.children(new)
    assert child["sessions"] == []
    assert (await shop.facts(new))["pid"] == kept
    again = await shop.vscode("again")
    assert await again.new(machine.folder("work")) != session
    epochs = {status["generation"] for method, status in again.inbox.notes if method == "wave/agent/status"}
    assert epochs <= {0, 1}, "a process of its own, not the ended one's next generation"


async def test_a_secret_of_the_settings_is_written_nowhere(shop, machine):
    """Not in the log at DEBUG, not in the output channel, and not in a notice about a CLI that does not start."""
    machine.env["WAVE_BRIDGE_LOG_LEVEL"] = "DEBUG"
    cli = shop.cli("extension")
    (cli / BUNDLE).write_text("process.exit(3)")
    secrets = {"MY_API_KEY": "sk-hidden-1", "HTTPS_PROXY": "http://u:hidden-2@p"}
    network = {"proxy": "http://u:hidden-3@p"}
    editor = await shop.vscode(settings={"cli": {"environment": secrets}, "network": network})
    await shop.notice(editor)
    await shop.output(editor, "command: ")
    written = everything_written(machine, editor)
    assert "bundled" in written
    for number in range(1, 4):
        assert f"hidden-{number}" not in written


@pytest.mark.req("T1.2")
async def test_a_build_named_by_the_variable_serves_every_editor(shop, machine):
    machine.env["WAVE_CLI_PATH"] = str(shop.cli("checkout", "mine") / "bin" / "wave-code.js")
    editor = await shop.vscode()
    await ready(editor)
    (child,) = await shop.children(editor)
    assert (child["source"], child["command"][1]) == ("WAVE_CLI_PATH", machine.env["WAVE_CLI_PATH"])


async def test_a_start_has_named_phases(shop, machine):
    machine.env["SHELL"] = "/bin/sh"
    editor = await shop.vscode()
    await ready(editor)
    phases = [
        status["phase"]
        for method, status in editor.inbox.notes
        if method == "wave/agent/status" and status["state"] == "starting"
    ]
    assert list(dict.fromkeys(phases)) == ["locate", "environment", "copy", "probe", "spawn", "handshake", "restore"]


@pytest.mark.req("T1.3")
async def test_a_restart_after_a_crash_begins_with_what_is_known(shop):
    """No second look, copy or probe: a crash must not cost more than the CLI's own start."""
    editor = await shop.vscode()
    await ready(editor)
    pid = (await shop.facts(editor))["pid"]
    editor.inbox.read_all()
    psutil.Process(pid).kill()
    status = await ready(editor)
    assert status["generation"] == 2
    phases = [note.get("phase") for method, note in editor.inbox.notes if note.get("generation") == 2]
    assert [phase for phase in phases if phase] == ["locate", "spawn", "handshake", "restore"]
    assert shop.notices["vscode"] == [], "it had served, so T4.7 does not apply"


async def test_settings_that_are_none_are_left_out_and_the_rest_holds(shop):
    environment = {"": "x", "A=B": "x", "NUL": "a\0b", "GOOD": "yes", "LANG": None}
    editor = await shop.vscode(settings={"cli": {"environment": environment}, "network": "none"})
    told = (await shop.facts(editor))["environment"]
    assert told["GOOD"] == "yes"
    assert not {"", "A", "NUL", "LANG"} & set(told)


async def test_the_daemon_can_be_stopped_while_a_start_waits_for_a_shell(shop, machine):
    machine.env["SHELL"] = str(program(machine.root / "sh", "sleep 600"))
    editor = await shop.vscode()
    await editor.inbox.until("wave/agent/status", lambda status: status.get("phase") == "environment")
    async with asyncio.timeout(5):
        stop = await asyncio.create_subprocess_exec(*BRIDGE, "stop", env=machine.env)
        assert await stop.wait() == 0
    await editor.inbox.until("wave/daemon/reattached")


@pytest.mark.req("T3.5")
async def test_twenty_editors_at_once_are_one_daemon_one_cli_and_one_copy(shop, machine):
    """`benchmarks/starting.py` does this fifty times."""
    editors = await asyncio.gather(*(shop.vscode(f"window {number}") for number in range(20)))
    told = await asyncio.gather(*(shop.facts(editor) for editor in editors))
    assert len({facts["pid"] for facts in told}) == 1
    status = await editors[0].ask("wave/daemon/status")
    assert len(status["clients"]) == 20
    assert len(machine.running("daemon")) == 1
    assert len(machine.running("--stdio")) == 21, "twenty doors, one CLI"
    assert [path.name for path in copy_of(machine, "vscode").parent.iterdir() if path.is_dir()] == ["vscode"]
    assert json.dumps(shop.notices) == json.dumps({editor.name: [] for editor in editors})
