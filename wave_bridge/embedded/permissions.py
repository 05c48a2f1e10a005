"""Whether a tool call may run: the mode, the rules, and the question to the user.

Deny rules win in every mode. Rules are `Tool` or `Tool(pattern)`. Never asks by itself and writes nothing.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from wave_bridge.embedded.shell import grammar, judgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RESTRICTED: Final = frozenset(
    {"Edit", "Bash", "Write", "EnterPlanMode", "ExitPlanMode", "AskUserQuestion", "Artifact"}
)
_EDITS: Final = frozenset({"Edit", "Write"})
_RULE: Final = re.compile(r"^([^()]+)\((.*)\)$", re.DOTALL)


class Rules(NamedTuple):
    """What is allowed and denied without asking; `instance_deny` came with `initialize`."""

    allow: Sequence[str]
    deny: Sequence[str]
    instance_deny: Sequence[str]


class Scene(NamedTuple):
    """Where a call happens: `workdir` is the session's own, `folder` where the model has gone. Both without links."""

    mode: str
    workdir: Path
    folder: Path
    plan_file: Path | None
    rules: Rules
    more_folders: Sequence[str] = ()


class Verdict(NamedTuple):
    """What to do, and with `ask`, what the question says besides."""

    kind: Literal["allow", "deny", "ask"]
    reason: str = ""
    hide_persistent: bool = False
    suggested_prefix: str | None = None


_ALLOW: Final = Verdict("allow")


def judge(scene: Scene, tool: str, arguments: dict[str, Any]) -> Verdict:
    """Decide about one call."""
    if denied := _denied(scene, tool, arguments):
        return denied
    if tool not in _RESTRICTED and not tool.startswith("mcp__"):
        return _ALLOW
    if tool == "AskUserQuestion":
        return Verdict("ask", hide_persistent=True)
    if scene.mode == "bypassPermissions":
        return _ALLOW
    if tool in _EDITS and (edit := _judge_edit(scene, arguments)):
        return edit
    if _allowed(scene, tool, arguments):
        return _ALLOW
    if scene.mode == "dontAsk":
        return Verdict(
            "deny",
            f"Tool '{tool}' was automatically denied because 'dontAsk' permission mode is active and no pre-approved "
            "rule matches this call.",
        )
    return _question(scene, tool, arguments)


def rules_to_keep(rule: str, workdir: str) -> list[str]:
    """Expand the rule of an answer: a chained Bash command becomes one rule for each part that needs one."""
    match = _RULE.match(rule)
    if not match or match[1] != "Bash":
        return [rule]
    kept = []
    for part in grammar.split(match[2]):
        if judgement.is_reading(part, workdir) or judgement.is_dangerous(part):
            continue
        known = judgement.prefix(part)
        kept.append(f"Bash({known}*)" if known else f"Bash({part.text})")
    return kept


def _denied(scene: Scene, tool: str, arguments: dict[str, Any]) -> Verdict | None:
    for kind, rules in (("instance rule", scene.rules.instance_deny), ("rule", scene.rules.deny)):
        for rule in rules:
            if _denies(scene, rule, tool, arguments):
                return Verdict("deny", f"Access to tool '{tool}' is explicitly denied by {kind}: {rule}")
    return None


def _judge_edit(scene: Scene, arguments: dict[str, Any]) -> Verdict | None:
    path = _path_of(scene, arguments)
    if scene.mode == "plan":
        if path == scene.plan_file:
            return _ALLOW
        return Verdict(
            "deny", f"In plan mode, you are only allowed to edit the designated plan file: {scene.plan_file}."
        )
    return _ALLOW if scene.mode == "acceptEdits" and _is_safe(scene, path) else None


def _allowed(scene: Scene, tool: str, arguments: dict[str, Any]) -> bool:
    if tool != "Bash":
        return any(_allows(scene, rule, tool, arguments) for rule in scene.rules.allow)
    parts = grammar.split(_command(arguments))
    return bool(parts) and all(_is_reading(scene, part) or _part_allowed(scene.rules.allow, part) for part in parts)


def _is_reading(scene: Scene, part: grammar.Part) -> bool:
    return scene.folder.is_relative_to(scene.workdir) and judgement.is_reading(part, str(scene.folder))


def _question(scene: Scene, tool: str, arguments: dict[str, Any]) -> Verdict:
    if tool == "Bash":
        parts = grammar.split(_command(arguments))
        risky = any(
            part.writes or judgement.is_dangerous(part) or judgement.leaves(part, str(scene.folder)) for part in parts
        )
        known = judgement.prefix(parts[0]) if len(parts) == 1 and not risky else None
        return Verdict("ask", hide_persistent=risky, suggested_prefix=known)
    if tool in _EDITS:
        return Verdict("ask", hide_persistent=not _is_safe(scene, _path_of(scene, arguments)))
    if tool.startswith("mcp__"):
        return Verdict("ask", suggested_prefix=tool)
    return Verdict("ask", hide_persistent=tool == "EnterPlanMode")


def _denies(scene: Scene, rule: str, tool: str, arguments: dict[str, Any]) -> bool:
    """Tell whether a deny rule concerns a call: for Bash, any command that might be run, however it is wrapped."""
    if rule == tool:
        return True
    pattern = _pattern(rule, tool)
    if pattern is None:
        return False
    if tool == "Bash":
        return any(_glob(pattern, part.text) for part in grammar.split_everywhere(_command(arguments)))
    return "file_path" in arguments and any(_fits(scene, pattern, path) for path in _both_paths(scene, arguments))


def _part_allowed(rules: Iterable[str], part: grammar.Part) -> bool:
    """Tell whether a Bash rule fits a part: its pattern is anchored, and only `*` is special."""
    if "Bash" in rules:
        return True
    patterns = [pattern for rule in rules if (pattern := _pattern(rule, "Bash")) is not None]
    return not part.unclear and not part.writes and any(_glob(pattern, part.text) for pattern in patterns)


def _allows(scene: Scene, rule: str, tool: str, arguments: dict[str, Any]) -> bool:
    if rule == tool:
        return True
    pattern = _pattern(rule, tool)
    return pattern is not None and "file_path" in arguments and _fits(scene, pattern, _path_of(scene, arguments))


def _pattern(rule: str, tool: str) -> str | None:
    match = _RULE.match(rule)
    return match[2] if match and match[1] == tool else None


def _fits(scene: Scene, pattern: str, path: Path) -> bool:
    relative = path.relative_to(scene.workdir) if path.is_relative_to(scene.workdir) else path
    return fnmatchcase(str(path), pattern) or fnmatchcase(str(relative), pattern)


def _both_paths(scene: Scene, arguments: dict[str, Any]) -> tuple[Path, Path]:
    """Give the file as it is named and as it really is."""
    return Path(scene.folder, str(arguments["file_path"])), _path_of(scene, arguments)


def _command(arguments: dict[str, Any]) -> str:
    return str(arguments.get("command", ""))


def _glob(pattern: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None


def _is_safe(scene: Scene, path: Path) -> bool:
    folders = [scene.workdir, *map(Path, scene.more_folders)]
    return any(path.is_relative_to(folder) for folder in folders)


def _path_of(scene: Scene, arguments: dict[str, Any]) -> Path:
    """Give the file that a call names, links and `..` resolved: neither leads out of the workdir unseen."""
    return Path(scene.folder, str(arguments.get("file_path", ""))).resolve()
