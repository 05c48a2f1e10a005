"""`wave-bridge doctor` says what is wrong, changes nothing, keeps secrets; its archive can be judged again."""

import json
import os
import stat
import zipfile
from pathlib import Path

import pytest

from wave_bridge.doctor import problems

SECRET = "hush-4711"


def report_of(house, *flags):
    ran = house.run("doctor", "--json", *flags)
    assert ran.stderr == ""
    return json.loads(ran.stdout)


def everything(root):
    return {path: path.lstat().st_mode for path in root.rglob("*")}


def test_it_changes_nothing_and_starts_nothing(house):
    before = everything(house.root)
    report = report_of(house)
    assert everything(house.root) == before
    assert house.processes() == []
    assert report["daemons"] == []
    assert {folder["mode"] for folder in report["folders"]} == {"not made yet"}


def test_each_cli_that_was_considered_is_named_with_what_became_of_it(house):
    report = report_of(house)
    chosen = [each for each in report["cli"] if each["chosen"]]
    assert [(each["source"], each["path"]) for each in chosen] == [("WAVE_CLI_PATH", house.env["WAVE_CLI_PATH"])]
    assert all(each["why"] for each in report["cli"] + report["node"])
    house.env["WAVE_CLI_PATH"] = str(house.root / "no-such-cli")
    ran = house.run("doctor")
    assert ran.returncode == 1
    assert "! No CLI can be run" in ran.stdout
    assert "no-such-cli" in ran.stdout


def test_a_daemon_that_runs_and_one_that_died_are_told_apart(house):
    daemon = house.start_daemon()
    (found,) = report_of(house)["daemons"]
    assert (found["state"], found["pid"]) == ("runs", daemon.pid)
    daemon.kill()
    daemon.wait()
    (found,) = report_of(house)["daemons"]
    assert found["state"] == "gone"
    assert os.path.lexists(house.place.socket), "the doctor only looks"


@pytest.mark.skipif(os.name == "nt", reason="modes are POSIX's")
def test_a_folder_that_others_may_write_to_or_that_is_a_link_is_named(house):
    (house.root / "run").mkdir()
    (house.root / "run").chmod(0o777)
    (house.root / "home" / ".wave").symlink_to(house.root)
    found = "\n".join(report_of(house)["problems"])
    assert "run: others may write to it" in found
    assert ".wave: it is not a folder, or a link to one" in found


def test_an_archive_holds_no_secret_and_is_judged_alike_elsewhere(house):
    (house.root / "bridge.log").write_text(f'2026 ERROR wave [1] it failed: {{"apiKey": "{SECRET}"}} Bearer {SECRET}\n')
    house.env["WAVE_CLI_PATH"] = str(house.root / "home" / "no-such-cli")
    archive = house.root / "report.zip"
    seen = house.run("doctor", "--bundle", str(archive))
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    inside = zipfile.ZipFile(archive).read("report.json").decode()
    assert SECRET not in inside
    assert str(house.root / "home") not in inside
    assert "it failed" in inside
    house.env["WAVE_CLI_PATH"] = "embedded"
    replayed = house.run("doctor", "--replay", str(archive))
    assert (replayed.returncode, replayed.stdout) == (seen.returncode, seen.stdout)
    assert problems(json.loads(inside)) != []
    again = house.run("doctor", "--bundle", str(archive))
    assert again.returncode == 2, "what is there is not overwritten"


def test_what_is_no_archive_is_refused_in_one_line(house):
    other = Path(house.root / "other.zip")
    other.write_text("no archive")
    ran = house.run("doctor", "--replay", str(other))
    assert (ran.returncode, ran.stdout) == (2, "")
    assert len(ran.stderr.splitlines()) == 1


def test_a_running_daemon_says_it_for_an_editor(house):
    editor = house.editor()
    editor.hello()
    diagnosis = editor.request("wave/daemon/doctor")
    (daemon,) = diagnosis["report"]["daemons"]
    assert (daemon["state"], daemon["pid"]) == ("runs", editor.daemon_pid())
    assert any(each["chosen"] for each in diagnosis["report"]["cli"])
    assert diagnosis["problems"] == problems(diagnosis["report"])
    assert diagnosis["text"].startswith("wave-bridge ")
