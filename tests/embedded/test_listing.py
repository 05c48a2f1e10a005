"""Listing a folder's files: ripgrep and our own walk give the same, and a ripgrep that fails costs nothing."""

import shutil
from pathlib import Path

import pytest

from wave_bridge.embedded import files

RG = shutil.which("rg")


@pytest.fixture
def tree(tmp_path):
    for name in (
        "a.py", "b/c.ts", "b/d e.txt", "b/.hidden", "日本/語.md", "node_modules/x/y.js", "build/out.o", "b/keep.log",
        "b/drop.log", ".git/HEAD", ".DS_Store", "b/sub/deep.log", "z-last",
    ):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", "utf-8")
    (tmp_path / ".gitignore").write_text("node_modules/\n/build\n*.log\n", "utf-8")
    (tmp_path / "b" / ".gitignore").write_text("!keep.log\n", "utf-8")
    (tmp_path / "link").symlink_to("a.py")
    return tmp_path


@pytest.mark.req("T1.6")
@pytest.mark.skipif(RG is None, reason="ripgrep is not installed")
def test_ripgrep_lists_what_we_would(tree):
    listed = list(files.walk(tree, Path(RG)))
    own = [path for path in files.walk(tree) if path != "link"]
    assert sorted(listed) == sorted(own)
    assert "b/keep.log" in listed
    assert not {"b/drop.log", "node_modules/x/y.js", ".git/HEAD", ".DS_Store"} & set(listed)
    assert files.search(tree, "keep", 5, Path(RG)) == files.search(tree, "keep", 5)


@pytest.mark.parametrize("script", ["exit 2", "kill -9 $$"])
def test_a_ripgrep_that_fails_is_done_without(tree, tmp_path_factory, script):
    broken = tmp_path_factory.mktemp("bin") / "rg"
    broken.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    broken.chmod(0o700)
    own = list(files.walk(tree))
    assert own
    assert list(files.walk(tree, broken)) == own
    assert list(files.walk(tree, tree / "no-such-rg")) == own


def test_an_empty_folder_has_no_files(tmp_path):
    for rg in [None, *([Path(RG)] if RG else [])]:
        assert list(files.walk(tmp_path, rg)) == []
