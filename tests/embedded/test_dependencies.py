"""The embedded CLI fetches ripgrep and sharp from a registry that the user names, and runs without them."""

from __future__ import annotations

import contextlib
import gzip
import json
import stat
import sys
import tarfile
import tracemalloc

import pytest
from npm_registry import RIPGREP, SHARP, NpmRegistry, package

from wave_bridge.embedded import dependencies, registry

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the rg of these tests is a shell script")
GREP = '[[{"tool": {"name": "Grep", "args": {"pattern": "needle"}}}]]'


@pytest.fixture
def npm():
    server = NpmRegistry()
    yield server
    server.stop()


def bare_path(start):
    """Give a PATH with what the tests' rg needs, and no rg."""
    folder = start.home.parent / "bin"
    folder.mkdir(exist_ok=True)
    for program in ("sh", "grep"):
        (folder / program).exists() or (folder / program).symlink_to(f"/bin/{program}")
    return str(folder)


async def grep(start, **env):
    """Start a CLI and let it grep; gives the tool's block and the CLI."""
    (start.workdir / "a.txt").write_text("hay\nneedle\n")
    cli = await start(PATH=bare_path(start), **env)
    session = await cli.session(str(start.workdir), permissionMode="bypassPermissions")
    await cli.call("sendMessage", {"text": GREP}, session)
    ends = [event["params"] for event in cli.events(session, "toolBlockUpdated") if event["params"]["stage"] == "end"]
    return ends[0], cli


def modules(start):
    return start.home / ".wave" / "cli" / "node_modules"


@pytest.mark.req("T1.5", "T2.5", "TB6")
async def test_the_first_start_fetches_the_highest_version_in_range_before_it_serves(start, npm):
    block, _ = await grep(start, WAVE_NPM_REGISTRY=npm.address)
    assert block["result"] == "a.txt:2:needle"
    assert [path for path in npm.asked if path.startswith("/-/")] == [
        f"/-/{RIPGREP.binary}/1.17.12.tgz",
        f"/-/{RIPGREP.name}/1.17.12.tgz",
        f"/-/{SHARP.binary}/0.34.0.tgz",
        f"/-/{SHARP.name}/0.34.0.tgz",
    ]
    program = modules(start) / RIPGREP.binary / RIPGREP.proof
    assert stat.S_IMODE(program.stat().st_mode) == 0o755
    assert not (modules(start) / RIPGREP.name / "package.json").stat().st_mode & 0o111
    assert json.loads((modules(start) / ".wave-ripgrep.json").read_text())[RIPGREP.name] == "1.17.12"
    assert sorted(path.name for path in modules(start).iterdir()) == [
        ".wave-ripgrep.json",
        ".wave-sharp.json",
        "@img",
        "@vscode",
        "sharp",
    ]


@pytest.mark.req("T1.6", "T2.6")
async def test_what_is_there_is_used_again(start, npm):
    await grep(start, WAVE_NPM_REGISTRY=npm.address)
    npm.asked.clear()
    block, cli = await grep(start, WAVE_NPM_REGISTRY=npm.address)
    assert block["result"] == "a.txt:2:needle"
    assert npm.asked == []
    assert cli.stderr == b""


@pytest.mark.req("T1.7", "T2.7", "T4.2", "T4.6", "TB7")
@pytest.mark.parametrize("lie", ["hash", "cut", "404"])
async def test_a_failure_is_one_warning_and_the_next_start_tries_again(start, npm, lie):
    """No error of the start; Grep says why it can't; nothing half is left; the registry is asked once."""
    npm.lie = lie
    block, cli = await grep(start, WAVE_NPM_REGISTRY=npm.address)
    assert block["success"] is False
    assert block["error"] == "ripgrep is not available"
    asked = len(npm.asked)
    assert (await cli.call("listDaemonSessions"))["sessions"] != []
    assert len(npm.asked) == asked
    assert cli.stderr.count(b"\n") == 1
    assert cli.stderr.startswith(b"wave: warning: ")
    assert list(modules(start).glob("**/*")) == [] or not (modules(start) / RIPGREP.binary).exists()
    assert not list(modules(start).glob(".wave-*"))
    npm.lie = ""
    block, _ = await grep(start, WAVE_NPM_REGISTRY=npm.address)
    assert block["result"] == "a.txt:2:needle"


@pytest.mark.req("T1.7")
async def test_a_registry_that_nobody_named_is_not_asked_and_costs_nothing(start):
    block, cli = await grep(start)
    assert block["error"] == "ripgrep is not available"
    assert cli.stderr == b""
    assert not modules(start).exists()


async def test_npmrc_names_the_registry_too(start, npm):
    (start.home / ".npmrc").write_text(f"; mine\nregistry = {npm.address}/\n")
    block, _ = await grep(start)
    assert block["result"] == "a.txt:2:needle"


HOSTILE = {
    "a path upwards": package("x", ("package/../../../escaped", ("x", 0o644))),
    "an absolute path": package("x", ("/tmp/wave-escaped", ("x", 0o644))),
    "a link": package("x", links=[("package/bin", "/etc")]),
    "no archive": b"not a tarball",
}


@pytest.mark.req("TB6")
@pytest.mark.parametrize("kind", HOSTILE)
async def test_an_archive_that_would_leave_its_folder_is_refused(start, npm, kind):
    npm.archives[RIPGREP.binary] = HOSTILE[kind]
    block, cli = await grep(start, WAVE_NPM_REGISTRY=npm.address)
    assert block["error"] == "ripgrep is not available"
    assert cli.stderr.count(b"\n") == 1
    assert not list(start.home.parent.glob("**/escaped"))
    assert not (modules(start) / RIPGREP.binary).exists()


@pytest.mark.parametrize(
    ("bound", "value", "lie"),
    [
        ("MAX_ARCHIVE", 10, ""),
        ("MAX_UNPACKED", 10, ""),
        ("_READ_SECONDS", 0.2, "silence"),
    ],
)
def test_a_huge_or_silent_registry_is_given_up(tmp_path, npm, monkeypatch, capsys, bound, value, lie):  # noqa: PLR0917 - fixtures
    from wave_bridge.embedded.host import Host

    npm.lie = lie
    monkeypatch.setattr(registry, bound, value)
    host = Host({"WAVE_NPM_REGISTRY": npm.address}, tmp_path, str(tmp_path), tmp_path)
    dependencies.provide(host)
    assert dependencies.ripgrep(host) is None
    assert capsys.readouterr().err.count("\n") == 1
    assert list((tmp_path / ".wave" / "cli" / "node_modules").iterdir()) == []


@pytest.mark.req("TB6")
def test_an_archive_that_is_all_header_takes_no_more_memory_than_the_bound(tmp_path, monkeypatch):
    """tarfile reads an extended header whole, and such a header may claim gigabytes that pack into kilobytes."""
    claimed = 64 << 20
    header = tarfile.TarInfo("package/package.json")
    header.type, header.size = tarfile.XHDTYPE, claimed
    archive = gzip.compress(header.tobuf() + bytes(claimed), 1)
    monkeypatch.setattr(registry, "MAX_HEADERS", 1 << 20)
    monkeypatch.setattr(registry, "MAX_UNPACKED", 1 << 20)
    tracemalloc.start()
    try:
        with pytest.raises(registry.RegistryFault):
            registry.unpack(archive, tmp_path / "package", "huge")
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.req("TB6")
def test_an_archive_with_a_damaged_stream_is_refused_with_a_reason(tmp_path):
    text = "".join(f"{number * 7919 % 100_003} " for number in range(20_000))
    good = package("p", ("package/a.txt", (text, 0o644)))
    for at in range(10, len(good), len(good) // 60):
        damaged = good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]
        with contextlib.suppress(registry.RegistryFault):
            registry.unpack(damaged, tmp_path / str(at), "p")
