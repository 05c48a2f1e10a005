"""What the real CLI said, line for line, in the order in which it said it."""

from __future__ import annotations

import json

import pytest
from recording import Player

LEGACY = {"WAVE_EMBEDDED_LEGACY_BANG": "1"}
SHORTER = {"sleep 0.3": "sleep 0.05", "sleep 0.4": "sleep 0.05", "sleep 1.5": "sleep 0.5", "sleep 2;": "sleep 0.6;"}


def prepare(workdir):
    """Put into a folder what the recorded turns read."""
    (workdir / "README.md").write_text("# hello\n")
    (workdir / "src").mkdir()
    (workdir / "src" / "main.py").write_text("")
    commands, skill = workdir / ".wave" / "commands", workdir / ".wave" / "skills" / "demo"
    commands.mkdir(parents=True)
    skill.mkdir(parents=True)
    (commands / "greet.md").write_text(
        '---\ndescription: Greets\n---\n$ARGUMENTS [[{"first": 0.04, "text": "greeted"}]]'
    )
    (skill / "SKILL.md").write_text('---\ndescription: Shows\n---\n[[{"first": 0.04, "text": "demo done"}]]')


async def play(start, name, folder):
    cli = await start(**LEGACY)
    workdir = start.workdir / folder
    workdir.mkdir(exist_ok=True)
    prepare(workdir)
    await Player(cli, {f"/home/user/proj/{folder}": str(workdir), **SHORTER}).play(name)


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("05-queue.jsonl", "queue"),
        ("06-force-send.jsonl", "queue"),
        ("07-bang.jsonl", "queue"),
        ("08-abort.jsonl", "queue"),
        ("09-compact.jsonl", "life"),
        ("10-rewind.jsonl", "life"),
        ("15-eof-while-streaming.jsonl", "edge"),
        ("16-eof-with-pending-permission.jsonl", "edge"),
        ("22-model-errors.jsonl", "more"),
        ("23-no-key-no-model.jsonl", "more"),
        ("28-images.jsonl", "extra"),
        ("31-update-config-and-models.jsonl", "extra"),
        ("04-allowed-and-disallowed-tools.jsonl", "tools"),
        ("03-tools-and-permissions.jsonl", "tools"),
    ],
)
async def test_turns_go_out_as_recorded(start, only_embedded, name, folder):
    await play(start, name, folder)


@pytest.mark.parametrize(
    ("name", "folder", "until"),
    [
        ("26-background-tasks-subagents.jsonl", "more", "--- task list tools"),
        ("29-slash-commands-and-skills.jsonl", "extra", None),
    ],
)
async def test_turns_with_answers_of_our_own_go_out_as_recorded(start, only_embedded, name, folder, until):
    """Where no directive says what the model answers, only the number of tokens differs.

    When the output of a background command comes is a matter of chance.
    """
    workdir = start.workdir / folder
    workdir.mkdir()
    prepare(workdir)
    player = Player(
        await start(),
        {f"/home/user/proj/{folder}": str(workdir), **SHORTER},
        ignored=("latestTotalTokens",),
        skipped=("backgroundTasksChange",),
    )
    await player.play(name, until)


async def test_sessions_are_cleared_and_restored_as_recorded(start, only_embedded):
    """Three processes one after the other, the last one on the sessions of the first two."""
    folders = {f"/home/user/proj/{name}": str(start.workdir / name) for name in ("life2", "life")}
    for name in ("life2", "life"):
        (start.workdir / name).mkdir()
    for name in ("09-compact.jsonl", "10-rewind.jsonl", "11-clear-and-restore.jsonl"):
        await Player(await start(), folders, skipped=("tasksChange",)).play(name)


async def test_a_killed_session_is_restored_as_recorded(start, only_embedded):
    (start.workdir / "edge").mkdir()
    replaced = {"/home/user/proj/edge": str(start.workdir / "edge")}
    for name in ("13-kill9-while-streaming.jsonl", "14-restore-after-kill9.jsonl"):
        await Player(await start(), replaced).play(name)


async def test_hooks_run_as_recorded(start, only_embedded):
    """A hidden message at the start, a prompt that is blocked, a clear that waits for a slow farewell."""
    folder = start.workdir / "extra" / ".wave"
    folder.mkdir(parents=True)
    block = "grep -q BLOCKME && { echo blocked by hook >&2; exit 2; } || exit 0"
    commands = {"SessionStart": "echo context", "UserPromptSubmit": block, "SessionEnd": "sleep 0.3"}
    hooks = {name: [{"hooks": [{"type": "command", "command": command}]}] for name, command in commands.items()}
    (folder / "settings.json").write_text(json.dumps({"hooks": hooks}))
    await Player(await start(), {"/home/user/proj/extra": str(start.workdir / "extra")}).play("36-hooks.jsonl")
