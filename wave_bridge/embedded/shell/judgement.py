"""What a part of a command may do: only read, harm, lead away; and by which words it is known. Pure.

Errs towards asking: what is not on the list of commands that only read is not one.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wave_bridge.embedded.shell.grammar import Part

# fmt: off
_READING: Final = frozenset((
    ":", "basename", "cat", "cd", "cmp", "cut", "df", "diff", "dirname", "du", "echo", "egrep", "false", "fgrep",
    "file", "find", "grep", "head", "id", "ls", "printf", "pwd", "readlink", "realpath", "rg", "seq", "sleep", "sort",
    "stat", "tail", "test", "tr", "tree", "true", "uname", "wc", "which", "whoami",
))
_READING_GIT: Final = frozenset(("blame", "describe", "diff", "log", "ls-files", "rev-parse", "show", "status"))
_DANGEROUS: Final = frozenset((
    "chmod", "chown", "dd", "eval", "exec", "halt", "kill", "killall", "mkfs", "mv", "pkill", "reboot", "rm", "rmdir",
    "shred", "shutdown", "su", "sudo", "truncate",
))
_ACTING_FIND: Final = ("-exec", "-execdir", "-delete", "-ok", "-okdir", "-fprint", "-fprintf", "-fls")
_WRITING_OPTIONS: Final = ("--output", "--pre", "--compress-program", "--ext-diff", "--textconv")
_PLAIN_O: Final = frozenset(("egrep", "fgrep", "grep", "ls", "rg"))  # to others, -o names a file to write
_EXPANDING: Final = frozenset(("echo", "printf"))  # may name variables
# fmt: on
_RUNNERS: Final = {
    "bun": 3,
    "cargo": 2,
    "docker": 2,
    "git": 2,
    "go": 2,
    "gradle": 2,
    "make": 2,
    "mvn": 2,
    "npm": 3,
    "pnpm": 3,
    "pytest": 1,
    "python": 3,
    "python3": 3,
    "uv": 3,
    "yarn": 2,
}
_SCRIPT_RUNNERS: Final = frozenset(("bun", "npm", "pnpm", "uv"))  # `run x` or `exec x`, else one word


def is_reading(part: Part, workdir: str) -> bool:
    """Tell whether a part only reads, inside `workdir`."""
    if part.unclear or part.redirects or part.assigns or not part.words or is_dangerous(part):
        return False
    if leaves(part, workdir):
        return False
    options = part.words[1:]
    return (
        _is_known(part) and not any(_is_harmful(part.name, word) for word in options) and _stays(part, options, workdir)
    )


def _is_known(part: Part) -> bool:
    if part.name != "git":
        return part.name in _READING
    return len(part.words) > 1 and part.words[1] in _READING_GIT


def is_dangerous(part: Part) -> bool:
    """Tell whether a part should never be allowed for good."""
    if part.name in _DANGEROUS or part.unclear:
        return True
    if part.name == "find":
        return any(word.startswith(_ACTING_FIND) for word in part.words)
    return part.name == "sed" and any(word.startswith(("-i", "--in-place")) for word in part.words)


def leaves(part: Part, workdir: str) -> bool:
    """Tell whether a part changes to a folder outside `workdir`; `cd` alone and `cd -` do."""
    places = part.words[1:]
    return part.name == "cd" and (not places or "-" in places or not all(_inside(word, workdir) for word in places))


def prefix(part: Part) -> str | None:
    """Give the leading words by which a command of a known family can be recognised: `npm run build`."""
    count = _RUNNERS.get(part.name)
    if count is None or len(part.words) < count or part.unclear:
        return None
    if part.name in {"python", "python3"} and part.words[1] != "-m":
        return None
    if part.name in _SCRIPT_RUNNERS and part.words[1] not in {"run", "exec"}:
        count = 2
    return " ".join(part.words[:count])


def _is_harmful(name: str, word: str) -> bool:
    return word.startswith(_WRITING_OPTIONS) or (word.startswith("-o") and name not in _PLAIN_O)


def _stays(part: Part, words: tuple[str, ...], workdir: str) -> bool:
    if part.name not in _EXPANDING and any("$" in word for word in words):
        return False
    return all(_inside(word.partition("=")[2] if word.startswith("-") else word, workdir) for word in words)


def _inside(word: str, workdir: str) -> bool:
    if word.startswith("~"):
        return False
    if not word.startswith(("/", "..")) and "/.." not in word:
        return True
    whole = os.path.normpath(os.path.join(workdir, word))  # noqa: PTH118  # pure text; a Path would not fold ".."
    return whole == workdir or whole.startswith(workdir.rstrip("/") + "/")
