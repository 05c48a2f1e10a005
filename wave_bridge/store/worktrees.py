"""What git says of a folder: its repository's worktrees, its branch. Failing or taking long, it says nothing (SB6).

git gets no input and a time limit; each question is one process. Paths come back as git has them, links resolved.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from wave_bridge.store.limits import GIT_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Iterator

GIT: Final = "git"


class Worktree(Struct, frozen=True):
    """A working directory of a repository. `branch` is None when detached; its folder may have been deleted."""

    path: str
    branch: str | None


def worktrees(workdir: str, *, git: str = GIT, timeout: float = GIT_TIMEOUT) -> list[Worktree]:
    """Give the worktrees of the repository that `workdir` is in, the main one first; none outside a repository.

    With fewer than two there is nothing to widen a list to (S7.3).
    """
    listed = _ask(git, workdir, timeout, "worktree", "list", "--porcelain", "-z")
    if listed is not None:
        return list(_parse(listed.split("\0")))
    listed = _ask(git, workdir, timeout, "worktree", "list", "--porcelain")  # before git 2.36 there was no -z
    return list(_parse(listed.split("\n"))) if listed else []


def current_branch(workdir: str, *, git: str = GIT, timeout: float = GIT_TIMEOUT) -> str | None:
    """Give the branch checked out in `workdir` for a header (S11.1); None when git fails, hangs or is detached."""
    shown = _ask(git, workdir, timeout, "branch", "--show-current")
    return (shown or "").strip() or None


def _parse(lines: list[str]) -> Iterator[Worktree]:
    """Give the worktrees of a porcelain listing: blocks of `key value`, a blank line after each."""
    block: dict[str, str] = {}
    for line in [*lines, ""]:
        if line:
            key, _, value = line.partition(" ")
            block[key] = value
        elif block:
            if "bare" not in block and "worktree" in block:
                branch = block.get("branch")
                yield Worktree(block["worktree"], branch.removeprefix("refs/heads/") if branch else None)
            block = {}


def _ask(git: str, workdir: str, timeout: float, *arguments: str) -> str | None:
    """Give git's answer; None for any failure."""
    try:
        answer = subprocess.run(
            [git, "-C", workdir, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):  # ValueError: NUL in the path
        return None
    return answer.stdout.decode("utf-8", "surrogateescape") if answer.returncode == 0 else None
