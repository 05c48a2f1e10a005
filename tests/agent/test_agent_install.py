"""The copy of an editor's bundled CLI: in step by its bytes, whole at every moment, and nothing else is touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from supply_fakes import bundled

from wave_bridge.agent import install as installing
from wave_bridge.agent.install import install

BUNDLE = "dist/bundle/wave.mjs"
PIECES = ("bin/wave-code.js", "package.json", BUNDLE)


@pytest.fixture
def cli(tmp_path):
    return bundled(tmp_path / "extension" / "wave-cli")


@pytest.fixture
def target(tmp_path):
    return tmp_path / "home" / ".wave" / "cli" / "vscode"


def read(folder):
    return {piece: (folder / piece).read_bytes() for piece in PIECES}


def stamp(folder):
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


def beside(target):
    """Give what lies beside the copy, but the lock."""
    return sorted(path.name for path in target.parent.iterdir() if path.suffix != ".lock")


@pytest.mark.req("T1.1", "T2.1", "T3.2", "T3.4")
def test_it_is_copied_once_and_then_only_when_its_bytes_differ(cli, target):
    first = install(cli, target)
    assert (first.copied, first.entry) == (True, target / "bin" / "wave-code.js")
    assert read(target) == read(cli)
    before = stamp(target)
    assert not install(cli, target).copied
    assert stamp(target) == before
    with (cli / BUNDLE).open("r+b") as bundle:  # same size, same time of change: only the bytes tell
        when = os.fstat(bundle.fileno())
        bundle.write(b"\n")
        bundle.flush()
        os.utime(bundle.fileno(), ns=(when.st_atime_ns, when.st_mtime_ns))
    assert install(cli, target).copied
    assert read(target) == read(cli)
    assert beside(target) == ["vscode"]


@pytest.mark.req("T3.2")
def test_the_version_does_not_count(cli, target):
    install(cli, target)
    (cli / "package.json").write_text('{"version": "2.0.0"}')
    assert not install(cli, target).copied


@pytest.mark.req("TB5", "T3.3", "T3.5")
def test_node_modules_stay_and_so_does_whatever_is_not_ours(cli, target):
    install(cli, target)
    shared, neighbour = target.parent / "node_modules" / "rg", target.parent / "jetbrains" / "dist"
    own = target / "node_modules" / "@vscode" / "ripgrep"
    for folder in (shared, neighbour, own):
        folder.mkdir(parents=True)
        (folder / "file").write_text("precious")
    (target / "dist" / "left-over.js").write_text("old")
    (target / "notes.txt").write_text("mine")
    (cli / BUNDLE).write_text("// new\n")
    inode = own.stat().st_ino
    assert install(cli, target).copied
    assert read(target) == read(cli)
    assert not (target / "dist" / "left-over.js").exists()
    assert (target / "notes.txt").read_text() == "mine"
    assert [(folder / "file").read_text() for folder in (shared, neighbour, own)] == ["precious"] * 3
    assert own.stat().st_ino == inode, "moved along, not copied"


@pytest.mark.parametrize("piece", PIECES)
def test_a_copy_that_lacks_a_piece_is_made_again(cli, target, piece):
    install(cli, target)
    (target / piece).unlink()
    assert install(cli, target).copied
    assert read(target) == read(cli)


def test_a_link_in_the_way_is_taken_away_and_not_followed(cli, target, tmp_path):
    elsewhere = bundled(tmp_path / "checkout", "precious")
    before = read(elsewhere), stamp(elsewhere)
    for link in (target, target / "dist", target / BUNDLE, target / "bin" / "wave-code.js"):
        install(cli, target)
        if link.is_dir():
            installing._remove(link)
        else:
            link.unlink()
        link.symlink_to(elsewhere / link.relative_to(target))
        assert install(cli, target).copied
        assert not link.is_symlink()
        assert read(target) == read(cli)
    assert (read(elsewhere), stamp(elsewhere)) == before


def test_a_linked_node_modules_is_kept_as_the_link_that_it_is(cli, target, tmp_path):
    install(cli, target)
    (tmp_path / "modules").mkdir()
    (target / "node_modules").symlink_to(tmp_path / "modules")
    assert install(cli, target, force=True).copied
    assert (target / "node_modules").readlink() == tmp_path / "modules"


def test_a_file_in_the_way_makes_place(cli, target):
    target.parent.mkdir(parents=True)
    target.write_text("not a folder")
    assert install(cli, target).copied
    assert read(target) == read(cli)


def test_a_read_only_installation_can_be_copied_twice(cli, target):
    for path in (*cli.rglob("*"), cli):
        path.chmod(0o555 if path.is_dir() else 0o444)
    assert install(cli, target).copied
    assert install(cli, target, force=True).copied
    assert os.access(target / "dist" / "bundle", os.W_OK)


def test_a_disk_that_takes_no_more_leaves_the_old_copy_whole(cli, target):
    """The system refuses in the middle of a file, as it does when the disk is full."""
    install(cli, target)
    before = read(target)
    with (cli / BUNDLE).open("a") as bundle:
        bundle.write("// " + "new " * 100_000)
    script = (
        "import resource, sys; from pathlib import Path; from wave_bridge.agent.install import install;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000));"
        "install(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    command = [sys.executable, "-c", script, str(cli), str(target)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "OSError: [Errno 27]" in done.stderr
    assert read(target) == before
    assert beside(target) == ["vscode"]
    assert install(cli, target).copied


LOOP = """
import sys
from pathlib import Path
from wave_bridge.agent.install import install
one, two, target = map(Path, sys.argv[1:])
print("ready", flush=True)
while True:
    install(one, target)
    install(two, target)
"""


def test_a_kill_at_any_moment_leaves_a_whole_copy_or_one_that_is_put_back(cli, target, tmp_path):
    """A process that does nothing but refresh is killed; the next look finds one of the two CLIs, never a mixture."""
    other = bundled(tmp_path / "other", "other bytes")
    (target / "node_modules").mkdir(parents=True)
    (target / "node_modules" / "rg").write_text("precious")
    whole = [read(cli), read(other)]
    interrupted = 0
    for number in range(40):
        process = subprocess.Popen(
            [sys.executable, "-c", LOOP, str(cli), str(other), str(target)], stdout=subprocess.PIPE
        )
        process.stdout.readline()
        time.sleep(0.001 * (number % 13))  # not a wait: the moment of the kill
        process.kill()
        process.communicate()
        interrupted += len(beside(target)) > 1 or not target.exists()
        if target.exists() and (target / BUNDLE).exists():
            assert read(target) in whole, "half a copy"
        install(cli, target)
        assert read(target) == read(cli)
        assert (target / "node_modules" / "rg").read_text() == "precious"
        assert beside(target) == ["vscode"]
    assert interrupted, "no kill came in mid-copy; the test proves nothing"


def test_a_kill_between_the_renames_is_made_good(cli, target):
    install(cli, target)
    (target / "node_modules").mkdir()
    target.rename(target.with_name(".vscode.old"))
    assert install(cli, target, force=False).copied is False, "the old copy is back, and still in step"
    assert (target / "node_modules").is_dir()


def test_many_at_once_make_one_copy(cli, target, tmp_path):
    """Windows that start at the same time: processes and threads; each sees a whole copy, one has made it."""
    script = (
        "import sys; from pathlib import Path; from wave_bridge.agent.install import install;"
        "sys.stdin.read(1); print(install(Path(sys.argv[1]), Path(sys.argv[2])).copied)"
    )
    command = [sys.executable, "-c", script, str(cli), str(target)]
    windows = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        told = list(threads.map(lambda window: window.communicate("x")[0].strip(), windows))
    assert sorted(told) == ["False", "False", "False", "True"]
    assert read(target) == read(cli)


def test_a_window_that_runs_the_old_copy_is_not_disturbed(cli, target):
    """Its open files, and what it resolves later in node_modules, stay."""
    install(cli, target)
    (target / "node_modules").mkdir()
    with (target / BUNDLE).open("rb") as running:
        (cli / BUNDLE).write_text("// new\n")
        install(cli, target)
        assert running.read() != b"// new\n"
    assert (target / "node_modules").is_dir()


def test_a_lock_that_is_held_is_an_error_in_the_end(cli, target, monkeypatch):
    monkeypatch.setattr(installing, "COPY_LOCK_TIMEOUT", 0.05)
    target.parent.mkdir(parents=True)
    script = (
        "import sys, filelock; lock = filelock.FileLock(sys.argv[1]); lock.acquire(); print('held', flush=True);"
        "sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(target.with_name(".vscode.lock"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdout.readline()
    with pytest.raises(OSError, match="lock"):
        install(cli, target)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert install(cli, target).copied


def test_a_home_that_may_not_be_written_is_an_error_that_changes_nothing(cli, tmp_path):
    """As root no permission stops us, so the way is blocked by a file."""
    (tmp_path / "home").write_text("")
    with pytest.raises(OSError, match="home"):
        install(cli, Path(tmp_path, "home", ".wave", "cli", "vscode"))
