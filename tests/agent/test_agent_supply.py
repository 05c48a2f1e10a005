"""From wishes to a command, with real Node and a CLI of three pieces as editors bundle it, which is then really run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from agent_fakes import running
from supply_fakes import NODE, bundled, fake_node, program, wants

from wave_bridge.agent import supply as supplying
from wave_bridge.agent.fault import SupplyFault
from wave_bridge.agent.supply import Supplier

BUNDLE = "dist/bundle/wave.mjs"


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def cli(tmp_path):
    return bundled(tmp_path / "extension" / "wave-cli")


@pytest.fixture
def supplier(home):
    surroundings = {"PATH": os.defpath, "HOME": str(home), "HOMEBREW_PREFIX": "/nowhere", "INHERITED": "yes"}
    return Supplier(surroundings)


async def prepared(supplier, wanted, **more):
    """Give the command and the phases that led to it."""
    phases = []
    return await supplier.supply(wanted).prepare(phases.append, **more), phases


async def facts(command):
    """Run a CLI and ask it what it knows of itself."""
    async with running(command) as (client, _):
        return json.loads(await client.request("getAuthStatus"))


@pytest.mark.req("T1.1", "TB3")
async def test_vscode_runs_the_copy_with_its_own_runtime(supplier, home, cli):
    """No PATH, no npm: neither is there."""
    command, phases = await prepared(supplier, wants(home, bundled=str(cli), runtime=NODE, path="/nowhere"))
    copy = home / ".wave" / "cli" / "vscode"
    assert command.argv == (NODE, str(copy / "bin" / "wave-code.js"), "--stdio")
    assert phases == ["copy", "probe"]
    told = await facts(command)
    assert told["execPath"] == NODE
    assert told["bundle"] == (copy / BUNDLE).as_uri()
    assert told["environment"]["ELECTRON_RUN_AS_NODE"] == "1"
    assert told["environment"]["INHERITED"] == "yes"


@pytest.mark.req("T2.1", "TB1")
async def test_jetbrains_runs_the_copy_with_the_systems_node(supplier, home, cli, tmp_path):
    """As an argument list, the probe too: a Node whose path a shell would take apart."""
    folder = tmp_path / "no de; touch was-run & $(touch was-run) '"
    folder.mkdir()
    (folder / "node").symlink_to(NODE)
    wanted = wants(home, editor="jetbrains", bundled=str(cli), path=str(folder))
    command, phases = await prepared(supplier, wanted)
    copy = home / ".wave" / "cli" / "jetbrains"
    assert command.argv == (str(folder / "node"), str(copy / "bin" / "wave-code.js"), "--stdio")
    assert phases == ["runtime", "copy", "probe"]
    told = await facts(command)
    assert told["argv"][1:] == [str(copy / "bin" / "wave-code.js"), "--stdio"]
    assert "ELECTRON_RUN_AS_NODE" not in told["environment"]
    assert not list(Path.cwd().glob("was-run"))


async def test_jetbrains_own_runtime_folder_is_a_place_to_look_for_node(supplier, home, cli, tmp_path):
    (tmp_path / "jbr" / "bin").mkdir(parents=True)
    (tmp_path / "jbr" / "bin" / "node").symlink_to(NODE)
    wanted = wants(home, editor="jetbrains", bundled=str(cli), path="/nowhere", runtime=str(tmp_path / "jbr"))
    command, _ = await prepared(supplier, wanted)
    assert command.argv[0] == str(tmp_path / "jbr" / "bin" / "node")


@pytest.mark.req("T1.2", "T2.2")
async def test_a_build_of_the_workspace_is_run_where_it_lies(supplier, home, cli, tmp_path):
    build = bundled(tmp_path / "checkout", "my own")
    wanted = wants(home, bundled=str(cli), runtime=NODE, variable=str(build / "bin" / "wave-code.js"))
    command, _ = await prepared(supplier, wanted)
    assert command.argv[1] == str(build / "bin" / "wave-code.js")
    assert (await facts(command))["bundle"] == (build / BUNDLE).as_uri()
    assert not (home / ".wave" / "cli").exists(), "nothing was copied"


@pytest.mark.req("T1.3", "T2.3")
@pytest.mark.parametrize("editor", ["vscode", "jetbrains"])
async def test_what_was_resolved_is_remembered(supplier, home, cli, tmp_path, editor):
    """No second search, copy or probe; a restart by hand asks for all of it again."""
    asked = tmp_path / "asked"
    node = program(tmp_path / "bin" / "node", f'echo "$@" >> {asked}; exec {NODE} "$@"')
    wanted = wants(home, editor=editor, bundled=str(cli), path=str(node.parent))
    first, phases = await prepared(supplier, wanted)
    assert phases == ["runtime", "copy", "probe"]
    probes = asked.read_text()
    for _ in range(3):
        assert await prepared(supplier, wanted) == (first, [])
    assert asked.read_text() == probes
    assert (await prepared(supplier, wanted, fresh=True)) == (first, ["runtime", "copy", "probe"])


@pytest.mark.req("T3.2", "T3.3", "T3.4")
@pytest.mark.parametrize("editor", ["vscode", "jetbrains"])
async def test_an_updated_extension_runs_its_new_bytes(supplier, home, cli, editor):
    wanted = wants(home, editor=editor, bundled=str(cli), runtime=NODE)
    old = supplier.supply(wanted)
    await old.prepare(lambda _: None)
    copy = home / ".wave" / "cli" / editor
    (copy / "node_modules").mkdir()
    with (cli / BUNDLE).open("a") as bundle:
        bundle.write("// the next version\n")
    new = supplier.supply(wanted)
    assert new.key != old.key
    await new.prepare(lambda _: None)
    assert (copy / BUNDLE).read_bytes() == (cli / BUNDLE).read_bytes()
    assert (copy / "node_modules").is_dir()
    assert supplier.supply(wanted) is new


@pytest.mark.req("TB4")
async def test_dependencies_resolve_upward_from_the_bundle_at_each_use(supplier, home, cli):
    """The shared node_modules is found, also when it is filled after the start; the editor's own comes before it."""

    def put(folder, answer):
        package = folder / "node_modules" / "@vscode" / "ripgrep"
        package.mkdir(parents=True)
        (package / "index.js").write_text(f"module.exports = {{ answer: {answer!r} }}")

    command, _ = await prepared(supplier, wants(home, bundled=str(cli), runtime=NODE))
    async with running(command) as (client, _):

        async def resolved():
            return json.loads(await client.request("getAuthStatus"))["dependency"]

        assert await resolved() == "MODULE_NOT_FOUND"
        put(home / ".wave" / "cli", "shared")
        assert await resolved() == "shared"
    put(home / ".wave" / "cli" / "vscode", "own")
    assert (await facts(command))["dependency"] == "own"


def broken_once(tmp_path, how):
    """Make a Node that fails at its first question about a script, and is a real one from then on."""
    return program(
        tmp_path / "bin" / "node",
        f'case "$1" in -v) echo v24.0.0; exit;; esac\n[ -e {tmp_path}/asked ] || {{ touch {tmp_path}/asked; {how}; }}\n'
        f'exec {NODE} "$@"',
    )


@pytest.mark.req("TB2")
@pytest.mark.parametrize("how", ["sleep 600", "exit 1"])
async def test_a_copy_that_does_not_tell_its_version_is_made_again_once(supplier, home, cli, monkeypatch, how):
    monkeypatch.setattr(supplying, "PROBE_TIMEOUT", 3.0 if "sleep" in how else 30.0)
    node = broken_once(home.parent, how)
    wanted = wants(home, editor="jetbrains", bundled=str(cli), path=f"{node.parent}:{os.defpath}")
    command, phases = await prepared(supplier, wanted)
    assert phases == ["runtime", "copy", "probe", "copy", "probe"]
    assert command.argv[0] == str(node)
    assert supplier.supply(wanted).version == "0.0.1"


@pytest.mark.req("TB2", "T4.1")
async def test_a_damaged_copy_is_healed_and_a_damaged_bundle_is_told(supplier, home, cli):
    wanted = wants(home, bundled=str(cli), runtime=NODE)
    await prepared(supplier, wanted)
    copy = home / ".wave" / "cli" / "vscode"
    (copy / "bin" / "wave-code.js").write_text("")  # cut by a crash; the bundle has its bytes
    (copy / "package.json").write_text("{")
    _, phases = await prepared(supplier, wanted, fresh=True)
    assert phases == ["copy", "probe", "copy", "probe"]

    (cli / "bin" / "wave-code.js").write_text("process.exit(7)")
    (copy / BUNDLE).write_text("")
    with pytest.raises(SupplyFault) as caught:
        await prepared(supplier, wanted, fresh=True)
    assert caught.value.key == "cli.damaged.extension"
    assert "exit code 7" in caught.value.message
    assert "node" not in caught.value.told("zh-CN").replace(NODE, "").lower()


@pytest.mark.req("T4.1")
async def test_a_runtime_that_is_gone_is_no_reason_to_speak_of_node(supplier, home, cli):
    """VS Code was updated below us: its binary lies elsewhere now."""
    with pytest.raises(SupplyFault) as caught:
        await prepared(supplier, wants(home, bundled=str(cli), runtime="/gone/code"))
    assert caught.value.key == "cli.damaged.extension"
    assert "/gone/code" in caught.value.message


@pytest.mark.req("T2.8", "T2.9", "T4.3", "T4.4")
@pytest.mark.parametrize(("kind", "key"), [("old", "node.old"), ("mute", "node.missing")])
async def test_without_a_node_jetbrains_is_told_what_to_install(supplier, home, cli, kind, key):
    node = fake_node(home.parent / "bin", kind)
    supply = supplier.supply(wants(home, editor="jetbrains", bundled=str(cli), path=str(node.parent)))
    with pytest.raises(SupplyFault) as caught:
        await supply.prepare(lambda _: None)
    assert caught.value.key == key
    assert str(node) in supply.report()


@pytest.mark.parametrize(("kind", "key"), [("old", "node.old"), ("crashes", "node.unusable"), (None, "node.unusable")])
async def test_a_node_that_the_settings_name_is_the_one_or_a_fault(supplier, home, cli, kind, key):
    good = fake_node(home.parent / "good", "new")
    named = fake_node(home.parent / "named", kind) if kind else home.parent / "named" / "node"
    wanted = wants(home, editor="jetbrains", bundled=str(cli), path=str(good.parent), node=str(named))
    with pytest.raises(SupplyFault) as caught:
        await prepared(supplier, wanted)
    assert caught.value.key == key
    command, _ = await prepared(supplier, wants(home, editor="jetbrains", bundled=str(cli), node=NODE))
    assert command.argv[0] == NODE


async def test_where_nothing_can_be_copied_the_bundled_one_runs_where_it_lies(supplier, home, cli):
    """A full disk or a read-only home is no reason not to start."""
    (home / ".wave").write_text("in the way")
    wanted = wants(home, bundled=str(cli), runtime=NODE)
    command, _ = await prepared(supplier, wanted)
    assert command.argv[1] == str(cli / "bin" / "wave-code.js")
    assert (await facts(command))["bundle"] == (cli / BUNDLE).as_uri()
    assert "is run where it lies" in supplier.supply(wanted).report()


@pytest.mark.req("T3.5")
async def test_editors_of_equal_bytes_are_one_process_with_a_copy_each(supplier, home, cli, tmp_path):
    same, other = bundled(tmp_path / "jb"), bundled(tmp_path / "zed", "other bytes")
    one = supplier.supply(wants(home, bundled=str(cli), runtime=NODE))
    two = supplier.supply(wants(home, editor="jetbrains", bundled=str(same)))
    assert one.key == two.key
    assert supplier.supply(wants(home, editor="zed", bundled=str(other))).key != one.key
    explicit = wants(home, bundled=str(cli), runtime=NODE, explicit=(("WAVE_MODEL", "m"),))
    assert supplier.supply(explicit).key != one.key
    await one.prepare(lambda _: None)
    await two.refresh_copy()
    assert sorted(path.name for path in (home / ".wave" / "cli").iterdir() if path.is_dir()) == ["jetbrains", "vscode"]


async def test_the_settings_environment_wins_and_no_value_is_ever_shown(supplier, home, cli, tmp_path):
    shell = program(tmp_path / "sh", 'export HTTPS_PROXY=http://login NO_PROXY=secret-host; exec /bin/sh -c "$4"')
    supplier.surroundings = {**supplier.surroundings, "SHELL": str(shell)}
    explicit = (("HTTPS_PROXY", "http://u:hidden@proxy"), ("INHERITED", None))
    wanted = wants(home, bundled=str(cli), runtime=NODE, explicit=explicit, login_shell=True)
    command, phases = await prepared(supplier, wanted)
    assert phases == ["environment", "copy", "probe"]
    told = (await facts(command))["environment"]
    assert told["HTTPS_PROXY"] == "http://u:hidden@proxy"
    assert told["NO_PROXY"] == "secret-host"
    assert "INHERITED" not in told
    assert "hidden" not in supplier.supply(wanted).report()
    assert "secret-host" not in supplier.supply(wanted).report()
