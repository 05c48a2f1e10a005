"""The repository's own rules: it stands alone, it is small-roomed and explained, and its commands can be run."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 320

# Files that may be longer, each with the reason.
LONG_FILES = {
    "wave_bridge/core/client_types.py": "one Struct after the other: the protocol's own vocabulary, read by name",
}
FAULT_ROOTS = ("tests", "editors/vscode-shim/test", "editors/jetbrains-shim")
CODE = {".py", ".ts", ".tsx", ".java", ".lua", ".sh"}
GENERATED = re.compile(r"generated|golden", re.IGNORECASE)

# A bracket in each pattern keeps this file from finding itself.
FOREIGN = {
    "the folder that reference material comes from": r"\.\./s[h]ared|\bs[h]ared/(?:spec|design|reference|cases)\b",
    "a path of the machine it was written on": r"/w[o]rk/|/f[a]rm/|bash_j[o]bs",
    "the host of a package registry": r"registry\.n[p]mjs|p[y]pi\.org|p[y]thonhosted\.org|repo1?\.m[a]ven",
}


def tracked() -> list[Path]:
    """Give the files that a clone has, or will have."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return [path for name in listed.stdout.decode().split("\0") if name and (path := ROOT / name).is_file()]


FILES = tracked()


def read(path: Path) -> str:
    return path.read_text("utf-8", "replace")


def is_data(path: Path) -> bool:
    return path.is_relative_to(ROOT / "tests/data")


def names(paths) -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in paths]


@pytest.mark.parametrize("pattern", FOREIGN.values(), ids=FOREIGN)
def test_the_repository_stands_alone(pattern):
    """Recorded data is left out: it is full of other people's paths."""
    assert names(path for path in FILES if not is_data(path) and re.search(pattern, read(path))) == []


def test_no_file_is_too_long_to_be_one_room():
    def lines(path):
        return read(path).count("\n")

    code = [path for path in FILES if path.suffix in CODE and not GENERATED.search(path.as_posix())]
    long = [name for path, name in zip(code, names(code), strict=True) if lines(path) > MAX_LINES]
    assert [name for name in long if name not in LONG_FILES] == []
    assert set(LONG_FILES) <= set(long), "an exception that is no longer needed"


def test_every_module_says_what_it_is():
    modules = [path for path in FILES if path.suffix == ".py" and not is_data(path)]
    assert names(path for path in modules if not ast.get_docstring(ast.parse(read(path)))) == []


def test_what_starts_with_a_shebang_can_be_run():
    run = [path for path in FILES if read(path).startswith("#!")]
    assert {"scripts/test", "scripts/demo", "scripts/requirements", ".ci/run"} <= set(names(run))
    assert names(path for path in run if not os.access(path, os.X_OK)) == []


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE"])
def test_a_newcomer_finds_the_usual_pages(name):
    assert (ROOT / name).stat().st_size > 0


def test_links_between_the_pages_lead_somewhere():
    pages = [path for path in FILES if path.suffix == ".md" and not is_data(path)]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", read(page))
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_each_row_of_the_faults_names_tests_that_exist():
    """Its last column: a file or folder below tests/ or a file of a shim, then words of its tests' names."""
    rows = [line for line in (ROOT / "docs/FAULTS.md").read_text().splitlines() if line.startswith("| ")]
    named = [row.rstrip(" |").rpartition("| ")[2] for row in rows]
    lost = [what for row in named for what in _not_found(row)]
    assert len(named) > 100
    assert lost == []


def _not_found(row):
    """Give what one row names and is not there."""
    for place, words in re.findall(r"`([\w./-]+)`([^`]*)", row):
        files = [file for root in FAULT_ROOTS for file in (ROOT / root).glob(f"**/{place.rstrip('/')}*")]
        files = [file for file in files if "node_modules" not in file.parts]
        files += [inner for file in files if file.is_dir() for inner in file.rglob("*.py")]
        text = "\n".join(file.read_text() for file in files if file.is_file() and file.suffix != ".pyc")
        if not text:
            yield place
        yield from (word for word in re.findall(r"\w{4,}", re.sub(r"\S+\.md", "", words)) if word not in text)
