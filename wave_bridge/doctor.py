"""`wave-bridge doctor`: what there is on this machine and what is wrong with it. Changes nothing, starts no daemon.

    wave-bridge doctor [--json] [--bundle FILE]      look, and write the report into an archive that may be sent
    wave-bridge doctor --replay FILE                 judge the report of an archive again

A report is facts only, as plain JSON; `problems` judges them and looks at nothing else. So an archive that a user sent
shows what their machine showed, and is a test of the judgement.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import msgspec

from wave_bridge import __version__
from wave_bridge.agent.locate import look
from wave_bridge.agent.node import search_node
from wave_bridge.agent.node_places import node_places
from wave_bridge.agent.orphans import orphans
from wave_bridge.agent.wanted import CliWanted
from wave_bridge.core.client_types import Diagnosis
from wave_bridge.log import log_path, safe
from wave_bridge.rendezvous import NotThere, Place, RendezvousError, meeting_folder, visit

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

Report = dict[str, Any]

ANSWER_TIME: Final = 5.0  # seconds for a daemon to answer
LOG_END: Final = 256 * 1024  # bytes of a log that are looked at
FAULTS_SHOWN: Final = 20  # lines of the log
LITTLE_SPACE: Final = 200 * 1024 * 1024  # bytes; a session or a copy of the CLI may not fit any more
REPORT: Final = "report.json"  # in the archive
_OTHERS_WRITE: Final = 0o022


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    """Mount the sub-command `doctor`."""
    parser = subparsers.add_parser("doctor", help="say what is wrong on this machine; changes nothing")
    parser.add_argument("--json", action="store_true", help="the facts and the problems, for programs")
    parser.add_argument("--bundle", metavar="FILE", help="write the report, without secrets, into a new archive")
    parser.add_argument("--replay", metavar="FILE", help="judge the report of an archive instead of this machine")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Show the report; 0 without problems, 1 with some, 2 when an archive can't be read or written."""
    try:
        report = read_bundle(options.replay) if options.replay else collect(options.environment)
        if options.bundle:
            write_bundle(options.bundle, report)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as fault:
        sys.stderr.write(f"wave-bridge: {fault}\n")
        return 2
    found = problems(report)
    if options.json:
        sys.stdout.write(json.dumps({**report, "problems": found}, indent=2, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(shown(report, found))
    return 1 if found else 0


def examine(environment: Mapping[str, str], wanted: CliWanted) -> Diagnosis:
    """Look at this machine as it is for an editor with these wishes (wave/daemon/doctor). Blocks for seconds."""
    report = collect(environment, wanted)
    found = problems(report)
    return Diagnosis(report=report, problems=found, text=shown(report, found))


def collect(environment: Mapping[str, str], wanted: CliWanted | None = None) -> Report:
    """Look at this machine; the home folder is written `~`, and secrets are masked.

    Without the wishes of an editor the CLI is looked up as for one that brings none.
    """
    home = Path(environment.get("HOME") or Path.home())
    wanted = wanted or CliWanted(
        home, variable=environment.get("WAVE_CLI_PATH") or None, path=environment.get("PATH", "")
    )
    logs = {name: log_path(environment.get("WAVE_BRIDGE_LOG"), name) for name in ("daemon", "standalone")}
    meeting = meeting_folder(environment)
    report = {
        "versions": {
            "bridge": __version__,
            "python": f"{platform.python_version()} {sys.executable}",
            "system": platform.platform(),
        },
        "cli": [msgspec.to_builtins(each) for each in look(wanted).tried],
        "node": _node({**environment, "PATH": wanted.path}, home, wanted.runtime),
        "daemons": _daemons(meeting),
        "orphans": [msgspec.to_builtins(orphan) for orphan in orphans()],
        "folders": [_folder(Path(path)) for path in (meeting, home / ".wave", home / ".wave" / "cli")],
        "logs": [{"path": str(path), "faults": _faults(path)} for path in dict.fromkeys(logs.values())],
    }
    anonymous: Report = _anonymous(report, str(home))
    return anonymous


def problems(report: Report) -> list[str]:
    """Judge a report: sentences for a person, the worst first. Looks at nothing but the report."""
    found = []
    if not any(each["chosen"] for each in report["cli"]):
        found.append("No CLI can be run: " + "; ".join(f"{each['path']}: {each['why']}" for each in report["cli"]))
    if not any(each["chosen"] for each in report["node"]):
        found.append("No Node.js of version 22 or later was found; JetBrains IDEs need one.")
    for each in report["daemons"]:
        if each["state"] in {"silent", "refuses"}:
            found.append(f"The daemon at {each['socket']} {each['state']}: {each['why']}.")
        down = [agent for agent in each.get("agents", []) if agent["state"] == "down"]
        found += [f"A CLI is down: {agent.get('reason') or 'no reason'}. Restart it in the editor." for agent in down]
    found += [
        f"{each['name']}, process {each['pid']}, was left by a CLI." for each in report["orphans"] if each["ended"]
    ]
    for folder in report["folders"]:
        found += [f"{folder['path']}: {fault}." for fault in folder["faults"]]
    return found


def shown(report: Report, found: list[str]) -> str:
    """Give the report for a person."""
    lines = [f"wave-bridge {report['versions']['bridge']}, Python {report['versions']['python']}"]
    lines += [f"  {report['versions']['system']}", "CLI", *map(_candidate, report["cli"])]
    lines += ["Node.js", *map(_candidate, report["node"]), "Daemons"]
    lines += [f"  {each['state']}  {each['socket']}  {each['why']}".rstrip() for each in report["daemons"]]
    lines += ["Left running", *(f"  {each['pid']}  {each['name']}" for each in report["orphans"]), "Folders"]
    lines += [
        f"  {each['path']}  {each['mode']}  {each['freeBytes'] // 1_000_000} MB free" for each in report["folders"]
    ]
    for each in report["logs"]:
        lines += [f"Log {each['path']}", *(f"  {line}" for line in each["faults"])]
    lines += ["", *(f"! {problem}" for problem in found)] if found else ["", "No problem was found."]
    return safe("\n".join(lines)) + "\n"


def write_bundle(path: str, report: Report) -> None:
    """Write a new archive for its owner only. Raises OSError, also when the file is there already."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(REPORT, json.dumps(report, indent=2, ensure_ascii=False))


def read_bundle(path: str) -> Report:
    """Give the report of an archive. Raises OSError, BadZipFile, KeyError or ValueError when it holds none."""
    with zipfile.ZipFile(path) as archive:
        report = json.loads(archive.read(REPORT))
    if not isinstance(report, dict) or "versions" not in report:
        raise ValueError(f"{path} holds no report of the doctor")
    return report


# The facts


def _node(environment: Mapping[str, str], home: Path, runtime: str | None) -> list[Report]:
    search = anyio.run(search_node, node_places(environment, home, "", runtime))
    return [msgspec.to_builtins(each) for each in search.tried]


def _daemons(folder: str) -> list[Report]:
    if not Path(folder).is_dir():
        return []
    try:
        places = Place(folder, "", tcp=False).siblings()
    except OSError as fault:
        return [{"socket": folder, "state": "refuses", "why": str(fault)}]
    return [_daemon(place) for place in places]


def _daemon(place: Place) -> Report:
    facts: Report = {"socket": place.socket, "build": place.build, "lock": os.path.lexists(place.lock)}
    try:
        link, answer = visit(place, {"purpose": "status"}, ANSWER_TIME)
    except NotThere:
        return {**facts, "state": "gone", "why": "a dead daemon left its socket; the next one removes it"}
    except TimeoutError:
        return {**facts, "state": "silent", "why": f"no answer within {ANSWER_TIME:g} s"}
    except (RendezvousError, OSError) as fault:
        return {**facts, "state": "refuses", "why": str(fault)}
    link.close()
    status = answer["status"]
    agents = [{"command": agent["command"], **agent["status"]} for agent in status["agents"]]
    return {**facts, "state": "runs", "why": f"process {answer['pid']}", "pid": answer["pid"], "agents": agents}


def _folder(path: Path) -> Report:
    """Give owner, mode and space; through no link."""
    existing = next(each for each in (path, *path.parents) if each.exists())
    free = shutil.disk_usage(existing).free
    facts: Report = {"path": str(path), "mode": "not made yet", "freeBytes": free, "faults": []}
    if free < LITTLE_SPACE:
        facts["faults"].append(f"only {free // 1_000_000} MB are free")
    try:
        found = path.lstat()
    except OSError:
        return facts
    facts["mode"] = stat.filemode(found.st_mode)
    if not stat.S_ISDIR(found.st_mode):
        facts["faults"].append("it is not a folder, or a link to one")
    elif sys.platform != "win32":
        if found.st_uid != os.getuid():
            facts["faults"].append(f"it belongs to another user (uid {found.st_uid})")
        if found.st_mode & _OTHERS_WRITE:
            facts["faults"].append("others may write to it")
        if not os.access(path, os.W_OK | os.X_OK):
            facts["faults"].append("it can't be written to")
    return facts


def _faults(path: Path) -> list[str]:
    """Give the last warnings and errors of a log, crashes of the CLI among them."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LOG_END))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
    return [line for line in lines if " WARNING " in line or " ERROR " in line][-FAULTS_SHOWN:]


def _anonymous(value: Any, home: str) -> Any:
    """Write the home folder as `~` and mask what looks like a secret, in every text of the report."""
    if isinstance(value, dict):
        return {key: _anonymous(each, home) for key, each in value.items()}
    if isinstance(value, list):
        return [_anonymous(each, home) for each in value]
    return safe(value.replace(home, "~")) if isinstance(value, str) else value


def _candidate(each: Report) -> str:
    return (
        f"  {'*' if each['chosen'] else '-'} {each['source']}: {each['path']} {each.get('version') or ''} {each['why']}"
    )
