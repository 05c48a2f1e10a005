"""What is derived from the protocol table is what the table says; each message has one example that decodes."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from wave_bridge.core.client_api import METHODS

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/data/golden"


def stem(row):
    return f"{row.direction}/{row.name.removeprefix('wave/').replace('/', '.')}"


MESSAGES = {f"{stem(row)}.params.json": row.params for row in METHODS} | {
    f"{stem(row)}.result.json": row.result for row in METHODS if row.kind == "request"
}


ROWS = {(row.name, row.direction): row for row in METHODS}


def sample():
    """Give the messages of docs/PROTOCOL.md's sample exchange, each with the direction it goes."""
    block = (ROOT / "docs/PROTOCOL.md").read_text("utf-8").split("```text\n")[1].split("```")[0]
    messages = re.split(r"^(?=[→←])", block, flags=re.MULTILINE)[1:]
    return [("toBridge" if text[0] == "→" else "toClient", json.loads(text[1:])) for text in messages]


def check(part):
    command = [sys.executable, str(ROOT / "scripts/protocol"), "--check", part]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("part", ["page", "golden", "java"])
def test_what_is_generated_is_up_to_date(part):
    check(part)


@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="the TypeScript types need Node and npm")
def test_the_typescript_types_are_up_to_date():
    check("typescript")


def test_each_message_has_one_example_and_no_example_is_of_no_message():
    there = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()}
    assert there == set(MESSAGES)


@pytest.mark.parametrize("name", MESSAGES)
def test_an_example_is_read_and_written_back_whole(name):
    """A member that a Struct does not know, or names otherwise, would be lost."""
    text = (GOLDEN / name).read_bytes()
    value = msgspec.json.decode(text, type=MESSAGES[name])
    assert json.loads(msgspec.json.encode(value)) == json.loads(text)


@pytest.mark.parametrize("name", [name for name, kind in MESSAGES.items() if kind is not object])
def test_an_example_has_every_member(name):
    struct = MESSAGES[name]
    wanted = {field.encode_name for field in msgspec.structs.fields(struct)}
    assert set(json.loads((GOLDEN / name).read_bytes())) == wanted


def test_the_sample_exchange_is_one():
    """Each message fits the table, and each answer what was asked."""
    asked = {}
    for direction, message in sample():
        if "result" in message:
            msgspec.convert(message["result"], asked.pop(message["id"]).result)
            continue
        row = ROWS[message["method"], direction]
        msgspec.convert(message["params"], row.params)
        if row.kind == "request":
            asked[message["id"]] = row
    assert not asked
