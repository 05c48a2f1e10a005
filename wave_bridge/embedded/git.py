"""Branches and worktrees, through git itself."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path
from typing import Any, Final

from wave_bridge.embedded.failure import Refused

_WORDS: Final = (
    ("deep", "calm", "bold", "warm", "keen", "long", "soft", "wide"),
    ("swift", "quiet", "bright", "early", "gentle", "silver", "golden", "round"),
    ("plain", "river", "forest", "harbor", "meadow", "summit", "valley", "island"),
)
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def three_words() -> str:
    """Give a name that people can say."""
    return "-".join(random.choice(words) for words in _WORDS)  # noqa: S311  # a name, no secret


def current_branch(folder: Path) -> str | None:
    """Give the branch of the work tree that holds `folder`; None outside of one and when detached. Runs nothing."""
    for parent in (folder, *folder.parents):
        head = _head(parent / ".git")
        if head is not None:
            return head.removeprefix("ref: refs/heads/").strip() if head.startswith("ref: refs/heads/") else None
    return None


async def branches(folder: Path) -> dict[str, Any]:
    """Give the local branches and the current one (None when detached)."""
    listed = await _git(folder, "for-each-ref", "--format=%(refname:short)", "refs/heads")
    current = await _git(folder, "branch", "--show-current")
    if listed is None or current is None:
        raise Refused(f"Not a git repository (or git unavailable): {folder}")
    return {"branches": listed.split(), "current": current.strip() or None}


async def create_worktree(folder: Path, base: str | None, name: str | None) -> dict[str, Any]:
    """Make `<repo>/.wave/worktrees/<name>` on a branch `worktree-<name>`; one that exists is given as it is."""
    root = await _root(folder)
    name = name or three_words()
    if not _NAME.fullmatch(name):
        raise Refused(f"Invalid worktree name: {name}")
    path, branch = root / ".wave" / "worktrees" / name, f"worktree-{name}"
    base = base or await _current(root)
    is_new = not path.exists()
    if is_new:
        known = await _git(root, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}") is not None
        target = [str(path), branch] if known else ["-b", branch, str(path), base]
        if await _git(root, "worktree", "add", *target) is None:
            raise Refused(f"Failed to create worktree {path} from {base}")
    return {
        "name": name,
        "path": str(path),
        "branch": branch,
        "repoRoot": str(root),
        "baseBranch": base,
        "isNew": is_new,
        "hookBased": False,
    }


async def remove_worktree(path: Path, branch: str, root: Path) -> None:
    """Remove a worktree below `root` by force, and its branch. One that is gone is fine; links are refused."""
    if not _is_real_and_below(path, root):
        raise Refused(f"Refusing to remove worktree outside repo root: {path}")
    await _git(root, "worktree", "remove", "--force", str(path))
    await _git(root, "worktree", "prune")
    if branch and not branch.startswith("-"):
        await _git(root, "branch", "-D", branch)


def _is_real_and_below(path: Path, root: Path) -> bool:
    real, top = path.resolve(), root.resolve()
    return not path.is_symlink() and real.is_relative_to(top) and real != top


async def _root(folder: Path) -> Path:
    top = await _git(folder, "rev-parse", "--show-toplevel")
    if top is None:
        raise Refused(f"Not a git repository (or git unavailable): {folder}")
    return Path(top.strip())


async def _current(root: Path) -> str:
    return (await _git(root, "branch", "--show-current") or "").strip() or "HEAD"


async def _git(folder: Path, *arguments: str) -> str | None:
    """Run git; None if it fails or is not there."""
    try:
        process = await asyncio.create_subprocess_exec(
            "git",
            "-C",
            str(folder),
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return None
    output, _ = await process.communicate()
    return output.decode(errors="replace") if process.returncode == 0 else None


def _head(git: Path) -> str | None:
    """Give the text of HEAD; `.git` is a folder, or in a linked worktree a file that names one."""
    try:
        if git.is_file():
            git = git.parent / git.read_text("utf-8").removeprefix("gitdir:").strip()
        return (git / "HEAD").read_text("utf-8")
    except OSError:
        return None
