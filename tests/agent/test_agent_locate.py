"""Which CLI is run; the programs that are found are really run."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from agent_fakes import running

from wave_bridge.agent.locate import EMBEDDED, locate
from wave_bridge.errors import AgentUnavailable

NODE = shutil.which("node")
ANSWER = "process.stdin.on('data', () => process.stdout.write(JSON.stringify({id: 1, result: ENV}) + '\\n'))".replace(
    "ENV", "process.env.ELECTRON_RUN_AS_NODE || 'node'"
)


def cli_folder(folder: Path) -> Path:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "wave-code.js").write_text(ANSWER)
    return folder


def program(path: Path) -> Path:
    path.write_text('#!/bin/sh\nread line; echo "{\\"id\\":1,\\"result\\":\\"$*\\"}"\n')
    path.chmod(0o755)
    return path


def test_without_a_name_it_is_the_embedded_one():
    assert locate({}, None, None, None).argv == EMBEDDED
    assert locate({"WAVE_CLI_PATH": ""}, "", "", "").argv == (
        sys.executable,
        "-P",
        "-m",
        "wave_bridge.embedded",
        "--stdio",
    )


def test_the_setting_wins_over_the_variable_and_that_over_the_bundled(tmp_path):
    one, two, three = (program(tmp_path / name) for name in ("one", "two", "three"))
    environment = {"WAVE_CLI_PATH": str(two)}
    assert locate(environment, str(one), str(three), None).argv == (str(one), "--stdio")
    assert locate(environment, None, str(three), None).argv == (str(two), "--stdio")
    assert locate({}, None, str(three), None).argv == (str(three), "--stdio")


async def test_a_program_runs_as_it_is(tmp_path):
    command = locate({"WAVE_CLI_PATH": str(program(tmp_path / "wave o'brien"))}, None, None, None)
    async with running(command) as (client, _):
        assert await client.request("listDaemonSessions") == b'"--stdio"'


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
async def test_a_folder_and_a_script_run_with_the_node_on_path(tmp_path):
    folder = cli_folder(tmp_path / "cli")
    environment = {"PATH": str(Path(NODE).parent)}
    command = locate(environment, str(folder), None, None)
    assert command == locate(environment, str(folder / "bin" / "wave-code.js"), None, None)
    async with running(command) as (client, _):
        assert await client.request("listDaemonSessions") == b'"node"'


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
async def test_an_editors_own_runtime_runs_as_node(tmp_path):
    command = locate(os.environ, None, str(cli_folder(tmp_path / "cli")), NODE)
    async with running(command) as (client, _):
        assert json.loads(await client.request("listDaemonSessions")) == "1"


def test_a_name_that_leads_nowhere_is_named(tmp_path):
    program(tmp_path / "there").chmod(0o644)
    (tmp_path / "empty").mkdir()
    cases = {"missing": "missing", "empty": "empty/bin/wave-code.js", "there": "there"}
    for name, shown in cases.items():
        with pytest.raises(AgentUnavailable) as caught:
            locate({"WAVE_CLI_PATH": str(tmp_path / name)}, None, None, None)
        assert caught.value.data == {"path": str(tmp_path / shown), "source": "WAVE_CLI_PATH"}
        assert str(tmp_path / shown) in caught.value.message


def test_a_script_without_node_says_what_to_install(tmp_path):
    with pytest.raises(AgentUnavailable, match=r"Node\.js"):
        locate({"PATH": str(tmp_path)}, str(cli_folder(tmp_path / "cli")), None, None)
