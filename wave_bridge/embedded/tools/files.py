"""The tools on files: Read, Write, Edit, Glob, Grep."""

from __future__ import annotations

import asyncio
import contextlib
import re
from fnmatch import translate
from pathlib import Path
from typing import Any, Final

from wave_bridge.embedded import files
from wave_bridge.embedded.dependencies import ripgrep
from wave_bridge.embedded.failure import ToolFailed
from wave_bridge.embedded.tools.use import Outcome, ToolUse

_LINES: Final = 2000  # of one Read
_LONGEST_LINE: Final = 2000  # characters
_MATCHES: Final = 250  # of one Grep
_RG: Final = (
    "--no-config",
    "--line-number",
    "--no-heading",
    "--with-filename",
    "--color=never",
    "--hidden",
    "--no-require-git",
    "--sort=path",
    "-g=!.git",
)
_RULER: Final = "─" * 50


def path_of(use: ToolUse) -> Path:
    """Give the file that a call names; relative to the session's folder."""
    return Path(use.session.folder, use.argument("file_path"))


def path_summary(use: ToolUse) -> str:
    """Give the file's path, relative when it lies in the session's folder."""
    path = Path(str(use.arguments.get("file_path", "")))
    return path.relative_to(use.session.folder).as_posix() if path.is_relative_to(use.session.folder) else str(path)


def write_summary(use: ToolUse) -> str:
    """Give the path and the size of what is written."""
    content = str(use.arguments.get("content", ""))
    return f"{path_summary(use)} {_lines(content)} lines, {len(content)} chars"


def pattern_summary(use: ToolUse) -> str:
    """Give the pattern."""
    return str(use.arguments.get("pattern", ""))


async def read(use: ToolUse) -> Outcome:
    """Give a file's lines with their numbers, from `offset` on, at most `limit`."""
    path = path_of(use)
    lines = _text(path).split("\n")
    first = max(1, int(use.arguments.get("offset") or 1))
    shown = lines[first - 1 :][: int(use.arguments.get("limit") or _LINES)]
    numbered = (f"{number:6}\t{line[:_LONGEST_LINE]}" for number, line in enumerate(shown, first))
    head = f"File: {path}\nTotal lines: {len(lines)}\n{_RULER}\n"
    return Outcome(head + "\n".join(numbered), short=f"Read {len(shown)} lines")


async def write(use: ToolUse) -> Outcome:
    """Create or replace a file."""
    path, content = path_of(use), use.argument("content")
    existed = path.exists()
    use.session.checkpoints.before_change(use.thread, path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8", newline="")
    except OSError as error:
        raise ToolFailed(f"Failed to write {path}: {error.strerror}") from error
    done = "File overwritten" if existed else "File created"
    size = f"({_lines(content)} lines, {len(content)} characters)"
    return Outcome(f"{done} {size}", short=done, more={"startLineNumber": 1})


async def edit(use: ToolUse) -> Outcome:
    """Replace one occurrence of a text, or all."""
    path = path_of(use)
    old, new, everywhere = use.argument("old_string"), use.argument("new_string"), use.arguments.get("replace_all")
    text = _text(path)
    count = text.count(old) if old else 0
    if not count:
        raise ToolFailed("old_string not found in file")
    if count > 1 and not everywhere:
        raise ToolFailed(f"old_string appears {count} times in file; give more context or set replace_all")
    use.session.checkpoints.before_change(use.thread, path)
    path.write_text(text.replace(old, new), "utf-8", newline="")
    done = f"Replaced {count} occurrences" if everywhere and count > 1 else "Text replaced successfully"
    return Outcome(done, short=done, more={"startLineNumber": line_of(text, old)})


async def glob(use: ToolUse) -> Outcome:
    """List the files whose path fits a pattern; `**` crosses folders."""
    folder = Path(use.session.folder, str(use.arguments.get("path") or ""))
    fits = _path_pattern(use.argument("pattern"))
    found = [path for path in files.walk(folder, ripgrep(use.session.host)) if fits.fullmatch(path)]
    if not found:
        return Outcome("No files match the pattern", short="No files found")
    listed = "\n".join(f"{number}. {path}" for number, path in enumerate(found, 1))
    return Outcome(listed, short=f"Found {len(found)} file{'s' if len(found) > 1 else ''}")


async def grep(use: ToolUse) -> Outcome:
    """List the lines that fit a regular expression; ripgrep finds them."""
    program = ripgrep(use.session.host)
    if program is None:
        raise ToolFailed("ripgrep is not available")
    folder, start = _start_of(Path(use.session.folder, str(use.arguments.get("path") or "")))
    command = [str(program), *_RG, *(["-i"] if use.arguments.get("-i") else [])]
    command += ["-g", str(use.arguments["glob"])] if use.arguments.get("glob") else []
    command += ["-e", use.argument("pattern"), "--", start]
    code, output, errors = await _run(command, folder)
    if code > 1:
        raise ToolFailed(f"ripgrep: {errors.strip()}")
    matches = [line.removeprefix("./")[:_LONGEST_LINE] for line in output.splitlines()]
    if not matches:
        return Outcome("No matches found", short="No matches found")
    return Outcome("\n".join(matches[:_MATCHES]), short=f"Found {len(matches)} matches")


def _start_of(place: Path) -> tuple[Path, str]:
    return (place, ".") if place.is_dir() else (place.parent, place.name)


async def _run(command: list[str], folder: Path) -> tuple[int, str, str]:
    """Run a program to its end; cancelled, it is killed."""
    pipe = asyncio.subprocess.PIPE
    try:
        running = await asyncio.create_subprocess_exec(
            *command, cwd=folder, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
        )
    except (OSError, ValueError) as error:
        raise ToolFailed(f"ripgrep can't be run: {error}") from error
    try:
        output, errors = await running.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            running.kill()
        raise
    return running.returncode or 0, output.decode("utf-8", "replace"), errors.decode("utf-8", "replace")


def line_of(text: str, part: str) -> int:
    """Give the number of the line in which `part` begins; 1 where it is not found."""
    return text[: max(0, text.find(part))].count("\n") + 1


def edit_shown(use: ToolUse) -> dict[str, Any]:
    """Give what the question to the user shows besides the texts: where the change is."""
    try:
        line = line_of(_text(path_of(use)), str(use.arguments.get("old_string", "")))
    except ToolFailed:
        line = 1
    return {"replace_all": bool(use.arguments.get("replace_all")), "startLineNumber": line}


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            return file.read()
    except IsADirectoryError:
        raise ToolFailed(f"Path is a directory: {path}") from None
    except OSError as error:
        raise ToolFailed(f"Failed to read {path}: {error.strerror}") from error


def _lines(content: str) -> int:
    return content.count("\n") + 1


def _path_pattern(pattern: str) -> re.Pattern[str]:
    """`*` stays in a folder, `**/` crosses any number of folders; a pattern without a slash fits in every folder."""
    if "/" not in pattern and pattern != "**":
        pattern = f"**/{pattern}"
    parts = ["(?:.*/)?" if part == "**/" else ".*" if part == "**" else _segment(part) for part in _split(pattern)]
    return re.compile("".join(parts), re.DOTALL)


def _split(pattern: str) -> list[str]:
    return [part for part in re.split(r"(\*\*/|\*\*)", pattern) if part]


def _segment(part: str) -> str:
    r"""Translate a piece without `**` like fnmatch, its `.*` kept within one folder."""
    body = re.sub(r"^\(\?s:|\)\\Z$", "", translate(part))
    return body.replace(".*?", "[^/]*?").replace(".*", "[^/]*").replace("(?>", "(?:")
