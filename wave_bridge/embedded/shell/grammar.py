"""Just enough of the shell's grammar to judge a command: its parts, and what each may do. Pure.

What is not understood (substitution, grouping, here-documents) is never judged harmless.
"""

from __future__ import annotations

import os.path
import re
import shlex
from typing import Final, NamedTuple

_OPERATORS: Final = ("&&", "||", "|&", ";", "|", "&", "\n")
_HARMLESS_REDIRECTION: Final = re.compile(r"\d*>&\d|&?\d*>>?\s*/dev/null|<\s*/dev/null")
_REDIRECTION: Final = re.compile(r"&?\d*>>?\s*\S+|<\s*\S+")
_ASSIGNMENT: Final = re.compile(r"(?:\w+=(?:'[^']*'|\"[^\"]*\"|\S*)\s+)+")
_UNCLEAR: Final = re.compile(r"[`(){}]|\$\(|<<|<\(|>\(")

_READING: Final = frozenset(
    [
        "ls",
        "pwd",
        "echo",
        "cat",
        "head",
        "tail",
        "wc",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "find",
        "which",
        "whoami",
        "date",
        "sleep",
        "true",
        "false",
        "test",
        "stat",
        "file",
        "du",
        "df",
        "sort",
        "uniq",
        "cut",
        "tr",
        "diff",
        "cmp",
        "basename",
        "dirname",
        "realpath",
        "readlink",
        "printf",
        "seq",
        "uname",
        "hostname",
        "id",
        "tree",
        "cd",
        ":",
    ]
)
_READING_GIT: Final = frozenset(
    ["status", "log", "diff", "show", "branch", "rev-parse", "ls-files", "blame", "remote", "describe"]
)
_DANGEROUS: Final = frozenset(
    [
        "rm",
        "rmdir",
        "sudo",
        "su",
        "dd",
        "mkfs",
        "shred",
        "chmod",
        "chown",
        "kill",
        "pkill",
        "killall",
        "shutdown",
        "reboot",
        "halt",
        "mv",
        "truncate",
        "eval",
        "exec",
    ]
)
_RUNNERS: Final = {
    "npm": 3,
    "pnpm": 3,
    "yarn": 2,
    "bun": 3,
    "git": 2,
    "cargo": 2,
    "go": 2,
    "mvn": 2,
    "gradle": 2,
    "make": 2,
    "python": 3,
    "python3": 3,
    "uv": 3,
    "docker": 2,
    "pytest": 1,
}


class Part(NamedTuple):
    """One simple command of a chain, assignments and redirections stripped from `text`."""

    text: str
    words: tuple[str, ...]
    writes: bool
    unclear: bool

    @property
    def name(self) -> str:
        """The command's name."""
        return self.words[0] if self.words else ""


def split(command: str) -> list[Part]:
    """Give the parts of a command, cut at operators outside quotes."""
    return [_part(text) for text in _cut(command) if text.strip()]


def is_reading(part: Part, workdir: str) -> bool:
    """Tell whether a part only reads, inside `workdir`."""
    if part.unclear or part.writes or not part.words:
        return False
    if part.name == "git":
        return len(part.words) > 1 and part.words[1] in _READING_GIT
    if part.name not in _READING or is_dangerous(part):
        return False
    return all(_inside(word, workdir) for word in part.words[1:])


def is_dangerous(part: Part) -> bool:
    """Tell whether a part should never be allowed for good."""
    if part.name in _DANGEROUS or part.unclear:
        return True
    if part.name == "find":
        return any(word in {"-exec", "-execdir", "-delete", "-ok"} for word in part.words)
    return part.name == "sed" and any(word.startswith(("-i", "--in-place")) for word in part.words)


def leaves(part: Part, workdir: str) -> bool:
    """Tell whether a part changes to a folder outside `workdir`."""
    return part.name == "cd" and not all(_inside(word, workdir) for word in part.words[1:])


def prefix(part: Part) -> str | None:
    """Give the leading words by which a command of a known family can be recognised: `npm run build`."""
    count = _RUNNERS.get(part.name)
    if count is None or len(part.words) < count or part.unclear:
        return None
    if part.name in {"python", "python3"} and part.words[1] != "-m":
        return None
    if count == 3 and part.name in {"npm", "pnpm", "bun", "uv"} and part.words[1] not in {"run", "exec"}:
        return " ".join(part.words[:2])
    return " ".join(part.words[:count])


def _part(text: str) -> Part:
    text = _ASSIGNMENT.sub("", text.strip(), count=1) if _ASSIGNMENT.match(text.strip()) else text.strip()
    bare = _HARMLESS_REDIRECTION.sub("", text)
    stripped = _REDIRECTION.sub("", bare).strip()
    try:
        words = tuple(shlex.split(stripped))
    except ValueError:
        return Part(stripped, (), writes=True, unclear=True)
    return Part(stripped, words, writes=">" in bare and stripped != bare.strip(), unclear=bool(_UNCLEAR.search(text)))


def _cut(command: str) -> list[str]:
    parts, start, position, quote = [], 0, 0, ""
    while position < len(command):
        character = command[position]
        if character == "\\" and quote != "'":
            position += 2
            continue
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif operator := _operator_at(command, position):
            parts.append(command[start:position])
            position += len(operator)
            start = position
            continue
        position += 1
    parts.append(command[start:])
    return parts


def _operator_at(command: str, position: int) -> str | None:
    operator = next((each for each in _OPERATORS if command.startswith(each, position)), None)
    if operator == "&" and (command[position - 1 : position] == ">" or command[position + 1 : position + 2] == ">"):
        return None  # 2>&1 and &>file are redirections
    return operator


def _inside(word: str, workdir: str) -> bool:
    if word.startswith("~"):
        return False
    if not word.startswith(("/", "..")) and "/.." not in word:
        return True
    whole = os.path.normpath(os.path.join(workdir, word))  # noqa: PTH118  # pure text; a Path would not fold ".."
    return whole == workdir or whole.startswith(workdir.rstrip("/") + "/")
