"""git for tests: no configuration of the user, an identity of its own."""

from __future__ import annotations

import asyncio
import os

_ENVIRON = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "t@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


async def git(folder, *arguments):
    process = await asyncio.create_subprocess_exec(
        "git",
        "-C",
        str(folder),
        *arguments,
        env={**os.environ, **_ENVIRON},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert await process.wait() == 0


async def commit(folder):
    (folder / "README.md").write_text("# hello\n")
    await git(folder, "add", "README.md")
    await git(folder, "commit", "-m", "first")
