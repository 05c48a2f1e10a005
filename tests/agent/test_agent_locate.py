"""Which CLI serves an editor: the order, what is an error and never passed over, and the account of every candidate."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from supply_fakes import bundled, program, wants

from wave_bridge.agent import install as installing
from wave_bridge.agent.candidates import shown
from wave_bridge.agent.fault import SupplyFault
from wave_bridge.agent.locate import locate, look
from wave_bridge.agent.wanted import folder_name


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def npm_wave(folder, name="wave-code"):
    """Install a `wave` as npm does: the program is a link to the package's script."""
    script = folder / "lib" / "node_modules" / "wave-code" / "bin" / "wave-code.js"
    program(script, "")
    (script.parent.parent / "package.json").write_text(f'{{"name": "{name}"}}')
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    (folder / "bin" / "wave").symlink_to(script)
    return folder / "bin"


@pytest.mark.req("T1.2", "T2.2")
def test_the_setting_wins_over_the_variable_and_that_over_the_bundled(home, tmp_path):
    one, two = program(tmp_path / "one", ""), program(tmp_path / "two", "")
    three = bundled(tmp_path / "three")
    everything = {"setting": str(one), "variable": str(two), "bundled": str(three)}
    assert locate(wants(home, **everything)).entry == one
    assert locate(wants(home, **everything | {"setting": None})).entry == two
    found = locate(wants(home, bundled=str(three)))
    assert (found.source, found.entry) == ("bundled", three / "bin" / "wave-code.js")


def test_a_folder_a_script_and_a_program_may_be_named(home, tmp_path):
    folder = bundled(tmp_path / "cli")
    script = folder / "bin" / "wave-code.js"
    assert locate(wants(home, setting=str(folder))).entry == script
    assert locate(wants(home, setting=str(script))).is_script
    assert not locate(wants(home, variable=str(program(tmp_path / "wave o'brien", "")))).is_script


def test_a_name_that_leads_nowhere_is_named_and_never_passed_over(home, tmp_path):
    program(tmp_path / "there", "").chmod(0o644)
    (tmp_path / "empty").mkdir()
    good = str(bundled(tmp_path / "good"))
    for name, shows in {"missing": "missing", "empty": "empty/bin/wave-code.js", "there": "there"}.items():
        with pytest.raises(SupplyFault) as caught:
            locate(wants(home, variable=str(tmp_path / name), bundled=good))
        assert caught.value.data == {"path": str(tmp_path / shows), "source": "WAVE_CLI_PATH"}
        assert str(tmp_path / shows) in caught.value.message


@pytest.mark.req("T1.4", "T2.4")
@pytest.mark.parametrize("piece", ["bin/wave-code.js", "package.json", "dist/bundle/wave.mjs"])
@pytest.mark.parametrize(("editor", "what"), [("vscode", "扩展"), ("jetbrains", "插件")])
def test_a_damaged_bundle_says_reinstall_and_nothing_of_node(home, tmp_path, editor, what, piece):
    """Nothing else is tried: an installed `wave` does not stand in, nor is one fetched."""
    folder = bundled(tmp_path / "cli")
    (folder / piece).unlink()
    wanted = wants(home, editor=editor, bundled=str(folder), path=str(npm_wave(tmp_path / "npm")))
    with pytest.raises(SupplyFault) as caught:
        locate(wanted)
    told = caught.value.told("zh-CN")
    assert f"请重新安装 Wave {what}" in told
    assert str(folder / piece) in told
    for text in (told, caught.value.told("en")):
        assert "node" not in text.replace(str(tmp_path), "").lower()


def test_a_piece_that_can_not_be_read_is_damage_as_well(home, tmp_path):
    """As root nothing is forbidden, so it is a folder; a pipe must not be waited for."""
    folder = bundled(tmp_path / "cli")
    for make in (Path.mkdir, os.mkfifo):
        (folder / "package.json").unlink()
        make(folder / "package.json")
        with pytest.raises(SupplyFault, match="not a file"):
            locate(wants(home, bundled=str(folder)))
        installing._remove(folder / "package.json")
        (folder / "package.json").touch()


@pytest.mark.parametrize("name", ["a\0b", "~nobody-of-that-name/wave", "/" + "x" * 5000])
@pytest.mark.parametrize("source", ["setting", "bundled"])
def test_a_name_that_no_system_takes_is_a_fault_like_any_other(home, name, source):
    with pytest.raises(SupplyFault):
        locate(wants(home, **{source: name}))


def test_an_installed_wave_serves_editors_that_bundle_nothing(home, tmp_path):
    first, second = npm_wave(tmp_path / "one"), npm_wave(tmp_path / "two")
    wanted = wants(home, path=os.pathsep.join((str(first), str(second))))
    found = locate(wanted)
    assert (found.source, found.entry) == ("installed", (first / "wave").resolve())
    assert found.is_script


@pytest.mark.req("T1.1", "T2.1")
def test_it_does_not_serve_editors_that_bundle_one(home, tmp_path):
    """PATH plays no part, not even as the last resort."""
    wanted = wants(home, bundled=str(bundled(tmp_path / "cli")), path=str(npm_wave(tmp_path / "npm")))
    assert locate(wanted).source == "bundled"
    assert [row.source for row in look(wanted).tried] == ["bundled", "embedded"]


def test_an_installed_wave_is_found_beside_a_version_managers_node(home, tmp_path):
    folder = npm_wave(home / ".nvm" / "versions" / "node" / "v22.11.0")
    program(folder / "node", "")
    assert locate(wants(home)).entry == (folder / "wave").resolve()


def test_a_wave_of_somebody_else_is_passed_over_and_said_so(home, tmp_path):
    """There are other programs of that name; none is run to find out what it is."""
    alien = tmp_path / "alien"
    program(alien / "wave", f"touch {tmp_path}/was-run")
    other = npm_wave(tmp_path / "other", name="wave-terminal")
    wanted = wants(home, path=os.pathsep.join((str(alien), str(other))))
    assert locate(wanted).fallback
    lost = [row for row in look(wanted).tried if row.source == "installed"]
    assert [row.path for row in lost] == [str(alien / "wave"), str(other / "wave")]
    assert all("not the npm package" in row.why for row in lost)
    assert not (tmp_path / "was-run").exists()


def test_the_embedded_one_is_asked_for_by_name_or_the_last_resort(home):
    for name in ("setting", "variable"):
        found = locate(wants(home, **{name: "embedded"}))
        assert (found.source, found.fallback) == ("embedded", False)
    assert locate(wants(home)).fallback


def test_the_account_says_of_every_candidate_why_it_lost(home, tmp_path):
    wanted = wants(home, setting=str(tmp_path / "gone"), variable=str(program(tmp_path / "two", "")), bundled="/x")
    lines = shown(look(wanted).tried).splitlines()
    assert lines[0].startswith(f"- setting: {tmp_path}/gone: ")
    assert "gone" in lines[0]
    assert [line.rpartition(": ")[2] for line in lines[1:]] == ["what is named before it can't be used"] * 3
    lines = shown(look(wants(home, variable=str(tmp_path / "two"), bundled="/x")).tried).splitlines()
    assert lines[0] == f"* WAVE_CLI_PATH: {tmp_path}/two: there"
    assert lines[1] == "- bundled: /x: not needed: the one before it was chosen"


@pytest.mark.req("T3.1")
def test_the_bundled_version_is_nobodys_business(home, tmp_path):
    folder = bundled(tmp_path / "cli")
    before = locate(wants(home, bundled=str(folder)))
    (folder / "package.json").write_text('{"name": "wave-code", "version": "99.0.0"}')
    assert locate(wants(home, bundled=str(folder))) == before


@pytest.mark.parametrize(
    ("editor", "folder"),
    [
        ("vscode", "vscode"),
        ("jetbrains", "jetbrains"),
        ("Visual Studio Code - Insiders", "visual-studio-code-insiders"),
        ("../../etc", "etc"),
        ("..", "editor"),
        ("", "editor"),
        ("node_modules", "editor"),
        ("编辑器", "editor"),
        ("a/b\\c\0d", "a-b-c-d"),
        ("x" * 300, "x" * 64),
    ],
)
@pytest.mark.req("T3.5")
def test_an_editors_folder_is_one_safe_name_and_never_the_shared_one(editor, folder):
    assert folder_name(editor) == folder
