"""Worktrees and branches of real repositories, and a git that fails, hangs or is not there."""

import subprocess
import sys
import time

import pytest
import session_maker as make

from wave_bridge.store import listing, writing
from wave_bridge.store.worktrees import Worktree, current_branch, worktrees


def git(folder, *arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path):
    """Give a repository with two more worktrees whose names begin like its own."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init")
    git(folder, "commit", "--allow-empty", "-m", "first")
    git(folder, "worktree", "add", "-b", "foo", str(tmp_path / "repo-foo"))
    git(folder, "worktree", "add", "--detach", str(tmp_path / "repo bar"))
    return folder


def fake_git(tmp_path, script):
    path = tmp_path / "git"
    path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    path.chmod(0o700)
    return str(path)


@pytest.mark.req("S7.2")
def test_all_worktrees_from_any_of_them(repo, tmp_path):
    expected = [
        Worktree(str(repo), "main"),
        Worktree(str(tmp_path / "repo bar"), None),
        Worktree(str(tmp_path / "repo-foo"), "foo"),
    ]
    (repo / "sub").mkdir()
    for folder in (repo, repo / "sub", tmp_path / "repo-foo"):
        found = worktrees(str(folder))
        assert sorted(found, key=lambda each: each.path) == expected
        assert found[0] == expected[0]


@pytest.mark.req("S7.3", "SB6")
def test_no_worktrees_where_there_is_nothing_to_widen_to(tmp_path):
    assert worktrees(str(tmp_path)) == []
    assert worktrees(str(tmp_path / "missing")) == []
    assert worktrees("\0") == []
    git(tmp_path, "init")
    assert len(worktrees(str(tmp_path))) == 1


def test_a_bare_repository_is_no_worktree(tmp_path):
    git(tmp_path, "init", "--bare", "bare.git")
    assert worktrees(str(tmp_path / "bare.git")) == []


@pytest.mark.req("SB6", "S11.5")
@pytest.mark.parametrize("script", ["exec sleep 60", "exit 1", "kill -9 $$", "echo nonsense >&2; exit 129"])
def test_a_git_that_fails_or_hangs_says_nothing_soon(tmp_path, script):
    fake = fake_git(tmp_path, script)
    began = time.monotonic()
    assert worktrees(str(tmp_path), git=fake, timeout=0.2) == []
    assert current_branch(str(tmp_path), git=fake, timeout=0.2) is None
    assert time.monotonic() - began < 5
    assert worktrees(str(tmp_path), git=str(tmp_path / "missing")) == []


def test_a_git_that_reads_its_input_gets_none_of_ours(tmp_path):
    """stdin belongs to the protocol of whoever asks; here it stays open and silent."""
    fake = fake_git(tmp_path, "cat; printf 'worktree /x\\0\\0'")
    script = "import sys\nfrom wave_bridge.store.worktrees import worktrees\nprint(worktrees('/', git=sys.argv[1]))"
    with subprocess.Popen(
        [sys.executable, "-c", script, fake], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.read() == f"{[Worktree('/x', None)]}\n"


def test_an_old_git_without_nul_separators_is_understood(tmp_path):
    fake = fake_git(
        tmp_path,
        'case "$*" in *-z*) exit 129;; esac\n'
        "printf 'worktree /r\\nHEAD 1\\nbranch refs/heads/a/b\\n\\nworktree /s\\nHEAD 1\\ndetached\\n\\n'",
    )
    assert worktrees(str(tmp_path), git=fake) == [Worktree("/r", "a/b"), Worktree("/s", None)]


@pytest.mark.req("S11.1", "S11.5")
def test_the_branch_for_a_header(repo, tmp_path):
    assert current_branch(str(repo)) == "main"
    assert current_branch(str(tmp_path / "repo-foo")) == "foo"
    assert current_branch(str(tmp_path / "repo bar")) is None
    assert current_branch(str(tmp_path)) is None
    assert current_branch(str(tmp_path / "missing")) is None
    head = writing.header("/w", make.EPOCH, current_branch(str(tmp_path)))
    assert b"gitBranch" not in writing.dump(head)


@pytest.mark.req("S7.1", "S7.2", "S7.4", "S6.1")
def test_lists_of_one_worktree_and_of_all(repo, tmp_path):
    base = tmp_path / "base"
    folders = [str(repo), str(tmp_path / "repo-foo"), str(tmp_path / "repo bar")]
    for number, workdir in enumerate(folders, 1):
        make.put(base, workdir, number, make.header(workdir) + make.message("a", minutes=-number))
    make.put(base, str(tmp_path / "repo-foo-bar"), 4, make.header("/other") + make.message("a"))

    def shown(*workdirs):
        return [each.workdir for each in listing.list_workdirs(base, workdirs, make.NOW).sessions]

    assert shown(str(repo)) == [str(repo)]
    assert shown(str(tmp_path / "repo-foo")) == [str(tmp_path / "repo-foo")]
    assert shown(str(repo), *(each.path for each in worktrees(str(repo)))) == folders
