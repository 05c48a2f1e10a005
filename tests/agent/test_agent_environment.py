"""The login shell is asked for its environment: real shells, with start-up files that print, prompt, hang and crash."""

from __future__ import annotations

import asyncio
import os
import shutil
import time

import psutil
import pytest
from supply_fakes import program

from wave_bridge.agent import environment as environments
from wave_bridge.agent.environment import (
    RESOLVING,
    LoginEnvironment,
    LoginShell,
    ask_login_shell,
    child_environment,
    join_paths,
    login_shell,
)

# Where each shell looks at the start of an interactive login, and how it sets a variable there.
START_UP = {
    "bash": (".bash_profile", "export {}={}"),
    "zsh": (".zshrc", "export {}={}"),
    "fish": (".config/fish/config.fish", "set -gx {} {}"),
    "dash": (".profile", "export {}={}"),
}
SHELLS = [
    pytest.param(name, marks=pytest.mark.skipif(not shutil.which(name), reason=f"{name} is not installed"))
    for name in START_UP
]


class Home:
    """A home with one shell's start-up file."""

    def __init__(self, root, shell) -> None:
        self.root = root
        self.shell = shutil.which(shell)
        name, self.exporting = START_UP[shell]
        self.file = root / name
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.surroundings = {"HOME": str(root), "PATH": os.defpath, "SHELL": self.shell}

    def write(self, *lines: str) -> None:
        self.file.write_text("\n".join(lines) + "\n")

    def export(self, name: str, value: str) -> str:
        return self.exporting.format(name, value)

    async def ask(self, seconds: float = 20.0):
        return await ask_login_shell(self.shell, self.surroundings, seconds)


def running(*argv: str) -> list[psutil.Process]:
    """Give the processes with this command line; a zombie is none."""
    found = psutil.process_iter(["cmdline", "status"])
    return [one for one in found if one.info["cmdline"] == list(argv) and one.info["status"] != psutil.STATUS_ZOMBIE]


@pytest.fixture(params=SHELLS)
def home(request, tmp_path):
    return Home(tmp_path, request.param)


async def test_what_start_up_files_export_is_known(home):
    home.write(
        home.export("PATH", "/opt/tools/bin:/usr/bin:/bin"),
        home.export("HTTPS_PROXY", "'http://user:secret@proxy:8080'"),
        home.export("MULTI", "'one\n  two = 三'"),
    )
    answer = await home.ask()
    assert answer.fault == ""
    assert answer.path == "/opt/tools/bin:/usr/bin:/bin"
    assert answer.variables["HTTPS_PROXY"] == "http://user:secret@proxy:8080"
    assert answer.variables["MULTI"] == "one\n  two = 三"
    assert not [name for name in answer.variables if name.startswith("WAVE_BRIDGE")], "our questions are not part of it"


async def test_noise_before_and_after_does_not_matter(home):
    home.write(
        "echo 'Welcome! PATH=/wrong <>'", "printf '\\033[31mred\\033[0m'", home.export("PATH", "/right:/bin:/usr/bin")
    )
    assert (await home.ask()).path == "/right:/bin:/usr/bin"


async def test_a_prompt_gets_the_end_of_its_input(home):
    """An update question of a shell framework, say: nobody is there to answer."""
    home.write("echo 'Update now? [Y/n]'", "read answer", home.export("PATH", "/right:/bin:/usr/bin"))
    assert (await home.ask()).path == "/right:/bin:/usr/bin"


async def test_start_up_files_can_see_that_nobody_looks(home):
    home.write(home.export("SEEN", f"${RESOLVING}"))
    assert (await home.ask()).variables["SEEN"] == "1"


async def test_a_shell_that_hangs_is_ended_with_all_that_it_started(home):
    home.write("sleep 7531 &", "setsid sleep 7531 &", "sleep 7531")
    started = time.monotonic()
    answer = await home.ask(0.5)
    assert answer.fault == f"{home.shell} did not answer in time"
    assert time.monotonic() - started < 10
    async with asyncio.timeout(5):
        while running("sleep", "7531"):
            await asyncio.sleep(0.01)  # a kill takes a moment to arrive, and nothing tells of another's child


async def test_a_shell_that_leaves_early_is_a_fault(home):
    home.write("exec false")
    assert (await home.ask()).fault == f"{home.shell} ended with exit code 1 instead of answering"


async def test_a_child_that_holds_the_output_open_does_not_delay(home):
    home.write("sleep 8642 &", home.export("PATH", "/right:/bin:/usr/bin"))
    started = time.monotonic()
    assert (await home.ask()).path == "/right:/bin:/usr/bin"
    assert time.monotonic() - started < 15
    for process in running("sleep", "8642"):
        process.kill()


@pytest.mark.parametrize(
    ("shell", "fault"),
    [
        ("/nonexistent/sh", "can't be run"),
        ("/bin/false", "ended with exit code 1"),
        ("/bin/true", "answered ''"),
        ("", "there is no login shell"),
    ],
)
async def test_what_is_no_shell_is_a_fault_with_a_reason(shell, fault, tmp_path):
    answer = await ask_login_shell(shell, {"HOME": str(tmp_path)})
    assert fault in answer.fault
    assert answer.variables == {}


def test_the_shell_is_the_variables_else_the_user_databases():
    assert login_shell({"SHELL": "/bin/some"}) == "/bin/some"
    assert login_shell({"SHELL": "some"}).startswith("/")
    assert login_shell({}).startswith("/")


async def test_it_is_asked_once_and_after_a_failure_again(tmp_path, monkeypatch):
    asked = tmp_path / "asked"
    shell = program(tmp_path / "sh", f'echo x >> {asked}; [ -e {tmp_path}/broken ] && exit 1; exec /bin/sh -c "$4"')
    surroundings = {"SHELL": str(shell), "PATH": os.defpath, "HOME": str(tmp_path)}
    login = LoginShell()
    (tmp_path / "broken").touch()
    assert [bool((await login.environment(surroundings)).fault) for _ in range(2)] == [True, True]
    assert asked.read_text() == "x\n", "a failure is remembered for a while"
    (tmp_path / "broken").unlink()
    monkeypatch.setattr(environments, "LOGIN_SHELL_FAILURE_KEPT", 0.0)
    login = LoginShell()
    assert [(await login.environment(surroundings)).path for _ in range(3)] == [os.defpath] * 3
    assert asked.read_text() == "x\n" * 2


def test_the_childs_environment_is_ours_with_what_was_missing_and_what_was_asked_for():
    login = LoginEnvironment(
        "/bin/sh",
        {
            "PATH": "/usr/bin:/bin:/home/ada/.nvm/bin",
            "HTTPS_PROXY": "http://login",
            "NO_PROXY": "localhost",
            "NODE_EXTRA_CA_CERTS": "/ca.pem",
            "NVM_DIR": "/home/ada/.nvm",
            "PS1": "$ ",
        },
    )
    ours = {"PATH": "/usr/bin:/bin", "HTTPS_PROXY": "http://ours", "HOME": "/home/ada", "GONE": "x"}
    assert child_environment(ours, login, (("TOKEN", "t"), ("GONE", None), ("NO_PROXY", "*.local"))) == {
        "PATH": "/usr/bin:/bin:/home/ada/.nvm/bin",
        "HTTPS_PROXY": "http://ours",
        "NO_PROXY": "*.local",
        "NODE_EXTRA_CA_CERTS": "/ca.pem",
        "NVM_DIR": "/home/ada/.nvm",
        "HOME": "/home/ada",
        "TOKEN": "t",
    }


@pytest.mark.parametrize(
    ("ours", "login", "joined"),
    [
        ("/usr/bin:/bin", "/opt:/usr/bin:/bin", "/opt:/usr/bin:/bin"),
        ("/venv/bin:/usr/bin", "/opt:/usr/bin", "/venv/bin:/usr/bin:/opt"),
        ("/usr/bin", "", "/usr/bin"),
        ("", "/usr/bin", "/usr/bin"),
        ("", "", ""),
    ],
    ids=["from a desktop", "from a terminal with a venv", "no shell", "no PATH", "nothing"],
)
def test_a_path_that_was_set_up_on_purpose_stays_in_front(ours, login, joined):
    assert join_paths(ours, login) == joined
