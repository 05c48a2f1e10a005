"""The command line: arguments and environment in, exit code out. The only reader of the environment (but `attach`)."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from wave_bridge import __version__, shell_init
from wave_bridge.core.limits import DAEMON_GRACE, SESSION_GRACE
from wave_bridge.rendezvous import NotThere, RendezvousError, find_place, visit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STOP_TIME = 30.0  # seconds for a daemon to end: its sessions are saved, its CLI is given its grace
ANSWER_TIME = 5.0  # seconds
LOOK_AGAIN = 0.05
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


def main(arguments: Sequence[str]) -> int:
    """Run one command; gives the exit code."""
    if "--stdio" in arguments and arguments[0].startswith(
        "-"
    ):  # editors pass flags of their own behind it, which do not concern us
        arguments = ["standalone", *(flag for flag in arguments if flag.startswith("--log-level="))]
    options = _parser(next(iter(arguments), None)).parse_args(list(arguments))
    options.environment = dict(os.environ)
    try:
        code: int = options.run(options)
    except RendezvousError as fault:
        sys.stderr.write(f"wave-bridge: {fault}\n")
        return 1
    return code


def _parser(first: str | None) -> argparse.ArgumentParser:
    """Give the parser. Commands with rooms of their own are left out where `first` says that they are not wanted."""
    parser = argparse.ArgumentParser(
        prog="wave-bridge",
        description="One daemon between your editors and the Wave coding agent. Editors run `wave-bridge --stdio`.",
        epilog="`wave-bridge --stdio --standalone` serves one editor without a daemon.",
    )
    parser.add_argument("--version", action="version", version=f"wave-bridge {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    daemon = commands.add_parser("daemon", help="be the daemon (editors start it by themselves)")
    for command, run in ((daemon, _daemon), (commands.add_parser("standalone"), _standalone)):
        command.add_argument("--log-level", choices=LOG_LEVELS)
        command.set_defaults(run=run)
    daemon.add_argument("--grace", type=float, help="seconds without a client until it ends")
    daemon.add_argument("--session-grace", type=float, help="seconds an unwatched session lives")
    status = commands.add_parser("status", help="say what runs, and who is attached")
    status.add_argument("--json", action="store_true", help="for programs")
    status.set_defaults(run=_status)
    commands.add_parser("stop", help="end the daemon; sessions are saved first").set_defaults(run=_stop)
    shell_init.add_parser(commands)
    if first not in commands.choices:
        from wave_bridge import doctor, mention, panel  # noqa: PLC0415 - 0.2 s of imports that a daemon's start does without
        from wave_bridge import run as run_command  # noqa: PLC0415 - likewise
        from wave_bridge.demo import run as demo  # noqa: PLC0415 - likewise
        from wave_bridge.picker import command as picker  # noqa: PLC0415 - likewise
        from wave_bridge.talk import command as chat  # noqa: PLC0415 - likewise

        chat.add_parser(commands)
        demo.add_parser(commands)
        doctor.add_parser(commands)
        mention.add_parser(commands)
        panel.add_parser(commands)
        picker.add_parser(commands)
        run_command.add_parser(commands)
    return parser


def _settings(options: argparse.Namespace) -> Any:
    """Give what was chosen: by a flag, else by the environment, which reaches a daemon that an editor starts."""
    from wave_bridge.daemon import Settings  # noqa: PLC0415 - half a second that `status` does not need

    environment: dict[str, str] = options.environment
    grace, session_grace = getattr(options, "grace", None), getattr(options, "session_grace", None)
    return Settings(
        environment,
        __version__,
        grace=_seconds(environment, "WAVE_BRIDGE_GRACE", DAEMON_GRACE) if grace is None else grace,
        session_grace=_seconds(environment, "WAVE_BRIDGE_SESSION_GRACE", SESSION_GRACE)
        if session_grace is None
        else session_grace,
        log_level=options.log_level or _level(environment),
    )


def _seconds(environment: dict[str, str], name: str, otherwise: float) -> float:
    """Give a time from the environment; what is no number of seconds counts as unset."""
    try:
        seconds = float(environment[name])
    except (KeyError, ValueError):
        return otherwise
    return seconds if seconds >= 0 else otherwise


def _level(environment: dict[str, str]) -> str:
    """Give the log level from the environment; what is none counts as unset, for it must not keep an editor out."""
    level = environment.get("WAVE_BRIDGE_LOG_LEVEL", "").upper()
    return level if level in LOG_LEVELS else "INFO"


def _daemon(options: argparse.Namespace) -> int:
    from wave_bridge.daemon import run  # noqa: PLC0415

    return run(_settings(options))


def _standalone(options: argparse.Namespace) -> int:
    from wave_bridge.daemon import run_standalone  # noqa: PLC0415

    return run_standalone(_settings(options))


def _status(options: argparse.Namespace) -> int:
    """Show each daemon of this user; 1 when there is none."""
    from wave_bridge.log import safe  # noqa: PLC0415

    answers = list(_visit_all(options.environment, "status"))
    found = [{**answer["status"], "process": answer["process"]} for answer in answers if answer]
    if options.json:
        sys.stdout.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    elif found or not answers:
        sys.stdout.write(safe("\n".join(map(_shown, found))) or "No daemon runs.\n")
    return 0 if found else 1


def _stop(options: argparse.Namespace) -> int:
    """End each daemon of this user, and wait for it; 0 also when there was none, 1 when one stays."""
    answers = list(_visit_all(options.environment, "stop"))
    stopped = [answer for answer in answers if answer]
    deadline = time.monotonic() + STOP_TIME
    while any(_runs(answer["pid"]) for answer in stopped):
        if time.monotonic() > deadline:
            sys.stderr.write(f"wave-bridge: the daemon does not end within {STOP_TIME:g} s\n")
            return 1
        time.sleep(LOOK_AGAIN)
    if len(stopped) < len(answers):
        return 1
    sys.stdout.write("Stopped.\n" if stopped else "No daemon runs.\n")
    return 0


def _runs(pid: int) -> bool:
    import psutil  # noqa: PLC0415

    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _visit_all(environment: dict[str, str], purpose: str) -> Iterator[dict[str, Any]]:
    """Give the answer of each daemon of this user, of whatever build; {} for one that gives none, named on stderr."""
    for place in find_place(environment, __version__).siblings():
        try:
            link, answer = visit(place, {"purpose": purpose}, ANSWER_TIME)
        except NotThere:
            continue
        except TimeoutError:
            sys.stderr.write(f"wave-bridge: the daemon at {place.socket} does not answer\n")
            yield {}
        except RendezvousError as fault:
            sys.stderr.write(f"wave-bridge: the daemon at {place.socket} refuses: {fault}\n")
            yield {}
        else:
            link.close()
            yield answer


def _shown(status: dict[str, Any]) -> str:
    """Give the status for a person."""
    process = status["process"]
    lines = [
        f"wave-bridge {status['build']}, process {status['pid']}, {process['rssBytes'] // 1_000_000} MB",
        f"  log {process['log']}",
    ]
    for agent in status["agents"]:
        state = agent["status"]
        reason = f" ({state['reason']})" if state.get("reason") else ""
        lines.append(
            f"  agent {state['state']}, generation {state['generation']}{reason}: {' '.join(agent['command'])}"
        )
        lines += [
            f"    {'busy' if session['busy'] else 'idle'}  {session['sessionId']}  {session['workdir']}"
            for session in agent["sessions"]
        ]
    lines += [
        f"  editor {client['name']} {client['version']}, {len(client['panels'])} panels" for client in status["clients"]
    ]
    return "\n".join(lines) + "\n"
