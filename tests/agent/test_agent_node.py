"""Which Node runs the CLI. The candidates are small programs that name a version, print noise, hang or crash."""

from __future__ import annotations

import os
import time

import pytest
from supply_fakes import NODE, fake_node, program

from wave_bridge.agent import node as nodes
from wave_bridge.agent import node_places as node_places_module
from wave_bridge.agent.fault import SupplyFault
from wave_bridge.agent.node import NodeFinder, search_node
from wave_bridge.agent.node_places import NodePlace, node_places


@pytest.fixture(autouse=True)
def _machine_of_its_own(monkeypatch):
    """No Node of the machine's plays a part, and a busy machine is no reason to call one mute."""
    monkeypatch.setattr(nodes, "NODE_TIMEOUT", 30.0)
    monkeypatch.setattr(node_places_module, "_HOMEBREW", ())


def path_of(*folders):
    return {"PATH": os.pathsep.join(map(str, folders))}


def on_path(tmp_path, *kinds):
    """Give a PATH with one Node of each kind, and where they lie."""
    folders = [fake_node(tmp_path / kind, kind).parent for kind in kinds]
    return path_of(*folders)


async def found(environment, home, **more):
    return await NodeFinder().find(environment, home, **more)


async def test_the_newest_wins_wherever_it_stands(tmp_path):
    search = await found(on_path(tmp_path, "old", "new", "newer", "oldest"), tmp_path)
    assert search.found() == str(tmp_path / "newer" / "node")
    assert [(row.version, row.why) for row in search.tried] == [
        ("v20.19.5", "older than 22"),
        ("v24.1.0", "older than the newest"),
        ("v24.10.2", "the newest"),
        ("v22.0.0", "older than the newest"),
    ]


async def test_at_equal_versions_the_first_on_the_way_wins(tmp_path):
    one, two = (fake_node(tmp_path / name, "new") for name in ("one", "two"))
    search = await found(path_of(one.parent, two.parent), tmp_path)
    assert search.found() == str(one)
    assert search.tried[1].why == "as new as another one that comes first"


async def test_noise_around_the_version_and_a_nightly_are_understood(tmp_path):
    assert (await found(on_path(tmp_path, "noisy"), tmp_path)).tried[0].version == "v23.4.5"
    assert (await found(on_path(tmp_path, "nightly"), tmp_path)).tried[0].version == "v25.0.0"


async def test_a_real_one_is(tmp_path):
    search = await search_node([NodePlace("PATH", tmp_path / "gone"), NodePlace("PATH", type(tmp_path)(NODE))])
    assert search.found() == NODE
    assert search.tried[0].why == "can't be run (No such file or directory)"


@pytest.mark.req("T2.8")
@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("hangs", "did not answer in time"),
        ("crashes", "ended with exit code 3 instead of answering"),
        ("killed", "was killed by signal 9 instead of answering"),
        ("mute", "answered ''"),
        ("chats", "answered 'hello, I am a wave'"),
        ("floods", "did not answer in time"),
    ],
)
async def test_without_a_usable_node_the_text_is_the_specifications(tmp_path, monkeypatch, kind, why):
    if why == "did not answer in time":
        monkeypatch.setattr(nodes, "NODE_TIMEOUT", 0.5)
    started = time.monotonic()
    search = await found(on_path(tmp_path, kind), tmp_path)
    assert search.tried[0].why == why
    with pytest.raises(SupplyFault) as caught:
        search.found()
    assert caught.value.told("zh-CN") == "未检测到 Node.js。请先安装 Node.js (https://nodejs.org)，然后重启编辑器。"
    assert time.monotonic() - started < 10


async def test_no_node_anywhere_is_the_same(tmp_path):
    search = await found({"PATH": ""}, tmp_path)
    assert (search.node, search.newest) == (None, None)


@pytest.mark.req("T2.9")
async def test_a_node_that_is_too_old_is_named_with_the_version_that_was_found(tmp_path):
    search = await found(on_path(tmp_path, "ancient", "old", "crashes"), tmp_path)
    with pytest.raises(SupplyFault) as caught:
        search.found()
    assert caught.value.told("zh-CN") == (
        "Node.js 版本过低（当前 v20.19.5，需要 >= 22）。请升级 Node.js (https://nodejs.org)，然后重启编辑器。"
    )
    assert "v20.19.5" in caught.value.told("en")


async def test_they_are_asked_without_a_terminal_and_several_at_a_time(tmp_path, monkeypatch):
    """One that reads gets the end of its input; five that hang take two limits, not five."""
    assert (await found(on_path(tmp_path, "reads"), tmp_path)).node
    hanging = [fake_node(tmp_path / str(number), "hangs").parent for number in range(5)]
    monkeypatch.setattr(nodes, "NODE_TIMEOUT", 2.0)
    started = time.monotonic()
    assert (await found(path_of(*hanging), tmp_path)).node is None
    assert time.monotonic() - started < 9.5


MANAGERS = {
    "nvm": (".nvm/versions/node/v22.1.0/bin", "NVM_DIR", "versions/node/v22.1.0/bin"),
    "fnm": (
        ".local/share/fnm/node-versions/v22.1.0/installation/bin",
        "FNM_DIR",
        "node-versions/v22.1.0/installation/bin",
    ),
    "volta": (".volta/tools/image/node/22.1.0/bin", "VOLTA_HOME", "tools/image/node/22.1.0/bin"),
    "asdf": (".asdf/installs/nodejs/22.1.0/bin", "ASDF_DATA_DIR", "installs/nodejs/22.1.0/bin"),
    "mise": (".local/share/mise/installs/node/22.1.0/bin", "MISE_DATA_DIR", "installs/node/22.1.0/bin"),
}


@pytest.mark.parametrize("manager", MANAGERS)
def test_version_managers_are_known_at_their_usual_place_and_where_they_were_moved(tmp_path, manager):
    usual, variable, below = MANAGERS[manager]
    here, moved = fake_node(tmp_path / "home" / usual, "new"), fake_node(tmp_path / "moved" / below, "new")
    places = node_places({}, tmp_path / "home")
    assert (manager, here) in places
    places = node_places({variable: str(tmp_path / "moved")}, tmp_path / "home")
    assert (manager, moved) in places
    assert (manager, here) not in places


def test_homebrews_unlinked_versions_are_known(tmp_path):
    node = fake_node(tmp_path / "brew" / "opt" / "node@22" / "bin", "new")
    assert node_places({"HOMEBREW_PREFIX": str(tmp_path / "brew")}, tmp_path) == [("Homebrew", node)]


def test_of_one_manager_the_newest_are_tried(tmp_path):
    for minor in range(30):
        fake_node(tmp_path / f".nvm/versions/node/v22.{minor}.0/bin", "new")
    tried = [place.path.parent.parent.name for place in node_places({}, tmp_path) if place.source == "nvm"]
    assert tried == [f"v22.{minor}.0" for minor in range(29, 21, -1)]


def test_the_login_shells_path_and_the_ides_own_folder_are_looked_at(tmp_path):
    shell, ide = fake_node(tmp_path / "shell", "new"), fake_node(tmp_path / "jbr" / "bin", "new")
    places = node_places({}, tmp_path, str(shell.parent), str(tmp_path / "jbr"))
    assert ("login shell", shell) in places
    assert ("IDE", ide) in places


def test_one_program_is_tried_once_and_a_relative_path_never(tmp_path, monkeypatch):
    """A folder that is open in an editor must not provide the Node."""
    node = fake_node(tmp_path / "bin", "new")
    (tmp_path / "link").symlink_to(tmp_path / "bin")
    monkeypatch.chdir(tmp_path)
    environment = path_of("bin", ".", "", node.parent, tmp_path / "link")
    assert [place for place in node_places(environment, tmp_path) if place.source == "PATH"] == [("PATH", node)]


async def test_what_was_found_is_remembered_and_a_failure_for_a_while(tmp_path, monkeypatch):
    asked = tmp_path / "asked"
    finder = NodeFinder()
    good = program(tmp_path / "good" / "node", f"echo x >> {asked}; echo v24.0.0")
    for _ in range(3):
        assert (await finder.find(path_of(good.parent), tmp_path)).node
    assert asked.read_text() == "x\n"

    bad = program(tmp_path / "bad" / "node", f"echo x >> {asked}; exit 1")
    for _ in range(3):
        assert (await finder.find(path_of(bad.parent), tmp_path)).node is None
    assert asked.read_text() == "x\n" * 2
    await finder.find(path_of(bad.parent), tmp_path, fresh=True)
    assert asked.read_text() == "x\n" * 3
    monkeypatch.setattr(nodes, "NODE_FAILURE_KEPT", 0.0)
    await finder.find(path_of(bad.parent), tmp_path, fresh=True)
    await finder.find(path_of(bad.parent), tmp_path)
    assert asked.read_text() == "x\n" * 5


async def test_a_node_that_was_installed_meanwhile_is_seen_at_once(tmp_path):
    finder = NodeFinder()
    assert (await finder.find(on_path(tmp_path, "old"), tmp_path)).node is None
    assert (await finder.find(on_path(tmp_path, "old", "new"), tmp_path)).node == str(tmp_path / "new" / "node")
