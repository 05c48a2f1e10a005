"""The environment that the CLI gets: ours, what the login shell adds, and what the settings say, which wins.

An editor that a desktop started does not have the PATH of a terminal. The user's login shell is asked for it, once,
the way `ssh` and editors do; its start-up files may print, prompt or hang.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from wave_bridge.agent.asking import ask
from wave_bridge.core.limits import LOGIN_SHELL_FAILURE_KEPT, LOGIN_SHELL_TIMEOUT

if sys.platform != "win32":
    import pwd

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Taken from the login shell where our own environment has none: how to reach the network, where version managers live.
ADOPTED: Final = (
    *(name for plain in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY") for name in (plain, plain.lower())),
    *("NODE_EXTRA_CA_CERTS", "NODE_USE_ENV_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("NVM_DIR", "FNM_DIR", "VOLTA_HOME", "ASDF_DATA_DIR", "MISE_DATA_DIR"),
)
RESOLVING: Final = "WAVE_BRIDGE_RESOLVING_ENVIRONMENT"  # start-up files can see by it that nobody looks
_ASKING: Final = "WAVE_BRIDGE_ASKING"  # the command itself comes by variables: each shell quotes in its own way
_MARK: Final = f"{_ASKING}_MARK"  # around the answer, and different each time: start-up files print, too
_REPORT: Final = (
    f"import os,sys;m=os.environb.pop(b'{_MARK}');"
    "sys.stdout.buffer.write(m+b'<'+b'\\0'.join(k+b'='+v for k,v in os.environb.items())+m+b'>')"
)
_COMMAND: Final = f'"${_ASKING}_PYTHON" -I -S -c "${_ASKING}_REPORT"'  # means the same to sh, fish and csh
_LOGIN: Final = {"csh": ("-i",), "tcsh": ("-i",)}  # they take -l alone only


class LoginEnvironment(msgspec.Struct, frozen=True):
    """What the login shell exports; empty with a reason when it could not be asked."""

    shell: str
    variables: dict[str, str] = {}
    fault: str = ""

    @property
    def path(self) -> str:
        """Its PATH."""
        return self.variables.get("PATH", "")


class LoginShell:
    """Asks the user's login shell once; a failure is tried again after a while."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, LoginEnvironment]] = {}

    async def environment(self, surroundings: Mapping[str, str]) -> LoginEnvironment:
        """Give what the shell named by SHELL, else by the user database, exports when started in `surroundings`."""
        shell = login_shell(surroundings)
        until, known = self._known.get(shell, (0.0, None))
        if known is not None and time.monotonic() < until:
            return known
        answer = await ask_login_shell(shell, surroundings)
        kept = LOGIN_SHELL_FAILURE_KEPT if answer.fault else float("inf")
        self._known[shell] = (time.monotonic() + kept, answer)
        return answer


def login_shell(surroundings: Mapping[str, str]) -> str:
    """Give the path of the user's shell; "" where there is none to ask."""
    if sys.platform == "win32":
        return ""  # PATH is the registry's, and editors have it
    named = surroundings.get("SHELL", "")
    if named.startswith("/"):
        return named
    try:
        return pwd.getpwuid(os.getuid()).pw_shell
    except KeyError:  # a container's user without an entry
        return ""


async def ask_login_shell(
    shell: str, surroundings: Mapping[str, str], seconds: float = LOGIN_SHELL_TIMEOUT
) -> LoginEnvironment:
    """Start `shell` as an interactive login shell, and give the environment that its start-up files leave behind."""
    if not shell:
        return LoginEnvironment(shell, fault="there is no login shell")
    mark = secrets.token_hex(16)
    asking = {
        RESOLVING: "1",
        f"{_ASKING}_PYTHON": sys.executable,
        f"{_ASKING}_REPORT": _REPORT,
        _MARK: mark,
    }
    flags = _LOGIN.get(Path(shell).name, ("-l", "-i"))
    said = await ask(
        (shell, *flags, "-c", _COMMAND), seconds, env={**surroundings, **asking}, until=f"{mark}>".encode()
    )
    found = re.search(rf"{mark}<(.*){mark}>".encode(), said.output, re.DOTALL)
    if found is None:
        return LoginEnvironment(shell, fault=f"{shell} {said.why()}")
    return LoginEnvironment(shell, _exported(found[1], asking))


def _exported(report: bytes, asking: Mapping[str, str]) -> dict[str, str]:
    pairs = (os.fsdecode(line).partition("=") for line in report.split(b"\0"))
    return {name: value for name, _, value in pairs if name and name not in asking}


def child_environment(
    surroundings: Mapping[str, str], login: LoginEnvironment, explicit: Iterable[tuple[str, str | None]] = ()
) -> dict[str, str]:
    """Give the CLI's whole environment; an explicit None takes a variable away."""
    adopted = {name: login.variables[name] for name in ADOPTED if name in login.variables}
    environment = {**adopted, **surroundings}
    if path := join_paths(surroundings.get("PATH", ""), login.path):
        environment["PATH"] = path
    for name, value in explicit:
        if value is None:
            environment.pop(name, None)
        else:
            environment[name] = value
    return environment


def join_paths(ours: str, login: str) -> str:
    """Give one PATH, in the login shell's order, unless ours has folders of its own: then it was set up on purpose."""
    our_folders, login_folders = _folders(ours), _folders(login)
    if set(our_folders) <= set(login_folders):
        return os.pathsep.join(login_folders)
    return os.pathsep.join(dict.fromkeys([*our_folders, *login_folders]))


def _folders(path: str) -> list[str]:
    return [folder for folder in path.split(os.pathsep) if folder]
