"""Just enough of the shell's grammar to cut a command into its parts. Pure.

What is not understood (substitution, grouping, here-documents) is marked unclear, and so never judged harmless.
"""

from __future__ import annotations

import re
import shlex
from typing import Final, NamedTuple

_OPERATORS: Final = ("&&", "||", "|&", ";", "|", "&", "\n")
_HARMLESS_REDIRECTION: Final = re.compile(r"\d*>&\d|&?\d*>>?\s*/dev/null|<\s*/dev/null")
_REDIRECTION: Final = re.compile(r"&?\d*>>?\s*\S+|<\s*\S+")
_ASSIGNMENTS: Final = re.compile(r"(?:\w+=(?:'[^']*'|\"[^\"]*\"|\S*)\s+)+")
_UNCLEAR: Final = re.compile(r"[`(){}]|<<")
_INNER: Final = re.compile(r"\$?[`(){}]")


class Part(NamedTuple):
    """One simple command of a chain. `text` is it without assignments and redirections, `words` its words.

    `redirects`: it reads or writes a file by redirection; `writes`: it writes one; `assigns`: variables are set for it.
    """

    text: str
    words: tuple[str, ...]
    redirects: bool = False
    writes: bool = False
    assigns: bool = False
    unclear: bool = False

    @property
    def name(self) -> str:
        """The command's name."""
        return self.words[0] if self.words else ""


def split(command: str) -> list[Part]:
    """Give the parts of a command, cut at operators outside quotes."""
    return [_part(text.strip()) for text in _cut(command) if text.strip()]


def split_everywhere(command: str) -> list[Part]:
    """Give the parts of a command and those inside groups and substitutions: whatever might be run."""
    inner = [text for text in _INNER.split(command) if text.strip()]
    return [*split(command), *(part for text in inner for part in split(text))]


def _part(text: str) -> Part:
    assigned = _ASSIGNMENTS.match(text)
    command = text[assigned.end() :] if assigned else text
    bare = _HARMLESS_REDIRECTION.sub("", command)
    stripped = _REDIRECTION.sub("", bare).strip()
    writes = ">" in bare
    redirects = writes or "<" in bare
    try:
        words = tuple(shlex.split(stripped))
    except ValueError:
        return Part(stripped, (), redirects, writes, bool(assigned), unclear=True)
    return Part(stripped, words, redirects, writes, bool(assigned), unclear=bool(_UNCLEAR.search(text)))


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
