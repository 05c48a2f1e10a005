"""scripts/requirements: which ids are proven by which tests, read from the marks of every language."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts/requirements"

DOCUMENT = """
| id | what must hold | part |
|---|---|---|
| T1.1 | one | daemon |
| T1.2 | two | daemon, vsc |
| TB1 | three | panel |
| S10.4 | a fourth, of somebody else | – |
"""

IN_CLASSES = """
@pytest.mark.req("T1.1", "TB1")
class TestA:
    @mark.req("T1.2")
    def test_b(self): ...
"""
IN_PARAMETERS = """
@parametrize("x", [pytest.param(1, marks=pytest.mark.req("T1.1"))])
async def test_a(x): ...
"""


def run(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPT, "--root", root, *options]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def repository(root: Path, files: dict[str, str]) -> Path:
    for name, text in (files | {"docs/requirements.md": DOCUMENT}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


@pytest.mark.parametrize(
    ("name", "source", "proven"),
    [
        (
            "tests/test_a.py",
            IN_CLASSES,
            {
                "T1.1": ["tests/test_a.py::TestA"],
                "T1.2": ["tests/test_a.py::TestA::test_b"],
                "TB1": ["tests/test_a.py::TestA"],
            },
        ),
        ("test_a.py", IN_PARAMETERS, {"T1.1": ["test_a.py::test_a"]}),
        ("test_a.py", 'pytestmark = pytest.mark.req("T1.1")', {"T1.1": ["test_a.py"]}),
        (
            "a/b.test.ts",
            'test(req("T1.1"), …)\ntest(req("T1.2"), …)',
            {"T1.1": ["a/b.test.ts:1"], "T1.2": ["a/b.test.ts:2"]},
        ),
        ("a/BTest.java", '@Req({"T1.1", "TB1"})', {"T1.1": ["a/BTest.java:1"], "TB1": ["a/BTest.java:1"]}),
        ("a/BTest.java", '\n@Tag("TB1")', {"TB1": ["a/BTest.java:2"]}),
        ("node_modules/b.test.ts", 'req("T1.1")', {}),
    ],
    ids=["class", "parameter", "module", "TypeScript", "Java", "Java tag", "installed"],
)
def test_marks_are_found(tmp_path, name, source, proven):
    done = run(repository(tmp_path, {name: source}), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"T1.1": [], "T1.2": [], "TB1": []} | proven


@pytest.mark.parametrize(
    ("mark", "fault"),
    [
        ('"T9.9"', "T9.9 is not in docs/requirements.md"),
        ('"S10.4"', "S10.4 is not in docs/requirements.md"),
        ("*IDS", "an id is no literal text"),
    ],
)
def test_a_mark_that_names_no_id_of_the_document_is_a_fault(tmp_path, mark, fault):
    done = run(repository(tmp_path, {"test_a.py": f"pytestmark = mark.req({mark})"}))
    assert (done.returncode, done.stderr) == (1, f"test_a.py: {fault}\n")


def test_the_last_line_counts_and_only_strict_fails_without_a_test(tmp_path):
    repository(tmp_path, {"test_a.py": IN_PARAMETERS})
    assert run(tmp_path).stdout.splitlines()[-2:] == ["Without a test: T1.2 TB1", "1 of 3 ids proven"]
    assert (run(tmp_path).returncode, run(tmp_path, "--strict").returncode) == (0, 1)
    repository(tmp_path, {"test_a.py": IN_CLASSES})
    assert run(tmp_path).stdout.splitlines()[-1] == "3 of 3 ids proven"
    assert run(tmp_path, "--strict").returncode == 0


def test_every_mark_of_this_repository_names_an_id_that_exists():
    done = run(SCRIPT.parent.parent, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "tests/core/test_rpc.py::test_a_request_is_one_line_with_an_increasing_id" in json.loads(done.stdout)["T5.1"]
