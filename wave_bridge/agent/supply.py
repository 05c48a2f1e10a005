"""From what an editor wants to a command that can be started: environment, Node, copy, version probe (T1.3).

Everything that takes time happens in `Supply.prepare`, which is a part of each start of the CLI, so that it has
phases, a time and a failure path like the rest of the start. What worked is not done again until it fails.
"""

from __future__ import annotations

import logging
import platform
import re
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio.to_thread

from wave_bridge.agent.asking import ask
from wave_bridge.agent.candidates import shown
from wave_bridge.agent.environment import LoginEnvironment, LoginShell, child_environment
from wave_bridge.agent.fault import SupplyFault
from wave_bridge.agent.install import install
from wave_bridge.agent.locate import EMBEDDED, Located, Look, damaged, look
from wave_bridge.agent.node import NodeFinder, NodeSearch, search_node
from wave_bridge.agent.node_places import NodePlace
from wave_bridge.agent.orphans import MARK, own_mark
from wave_bridge.agent.process import AgentCommand
from wave_bridge.core.limits import PROBE_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from wave_bridge.agent.wanted import CliWanted

log = logging.getLogger(__name__)

_VERSION: Final = re.compile(rb"\d+\.\d+\.\d+[\w.+-]*")


class Supplier:
    """Supplies editors with CLIs. `surroundings` is the environment that a CLI inherits (TB10)."""

    def __init__(self, surroundings: Mapping[str, str]) -> None:
        self.surroundings = surroundings
        self.nodes = NodeFinder()
        self.shell = LoginShell()
        self._known: dict[CliWanted, Supply] = {}

    def supply(self, wanted: CliWanted) -> Supply:
        """Give the supply for these wishes; the one that there is, while the CLI that they lead to is the same.

        Raises SupplyFault when they lead to none; the text says what to do.
        """
        outcome = look(wanted)
        if isinstance(outcome.found, SupplyFault):
            raise outcome.found
        known = self._known.get(wanted)
        if known is None or known.located != outcome.found:
            known = self._known[wanted] = Supply(self, wanted, outcome, outcome.found)
        return known


class Supply:
    """One CLI for one editor's wishes."""

    def __init__(self, supplier: Supplier, wanted: CliWanted, outcome: Look, located: Located) -> None:
        self.wanted = wanted
        self.located = located
        self.candidates = outcome.tried
        self.nodes: NodeSearch | None = None
        self.login: LoginEnvironment | None = None
        self.version: str | None = None  # what the CLI said of itself
        self.in_place: str | None = None  # why the bundled files are run where they lie
        self._supplier = supplier
        self._command: AgentCommand | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Tells two CLI processes apart: the bytes of the CLI, and the environment that the settings ask for."""
        return (self.located.content, self.wanted.explicit)

    async def prepare(self, phase: Callable[[str], None], *, fresh: bool = False) -> AgentCommand:
        """Give the command; `phase` is told the name of each step. `fresh`: what is remembered does not count.

        Raises SupplyFault.
        """
        if self._command is None or fresh:
            self._command = None
            env = await self._environment(phase)
            self._command = AgentCommand(await self._argv(phase, env, fresh=fresh), env)
        return self._command

    async def refresh_copy(self) -> None:
        """Bring the editor's copy in step although another editor's CLI, of the same bytes, runs for it (T3.5)."""
        if self.located.source == "bundled":
            await self._copy(force=False)

    def report(self) -> str:
        """Say in English how the CLI was found, for the log: every candidate, and the circumstances."""
        parts = [
            f"editor {self.wanted.editor or 'unknown'} on {platform.platform()}, Python {platform.python_version()}",
            f"CLI ({self.located.source}, version {self.version or 'not asked'}):\n{shown(self.candidates)}",
        ]
        if self.in_place:
            parts.append(f"the bundled CLI is run where it lies: {self.in_place}")
        if self.nodes is not None:
            parts.append(f"Node:\n{shown(self.nodes.tried) or 'no file of that name was found'}")
        if self.login is not None and self.login.fault:
            parts.append(f"login shell: {self.login.fault}")
        if self._command is not None:
            parts.append(f"command: {' '.join(self._command.argv)}")
        return "\n".join(parts)

    # The steps

    async def _environment(self, phase: Callable[[str], None]) -> dict[str, str]:
        surroundings = dict(self._supplier.surroundings)
        if self.wanted.path:
            surroundings["PATH"] = self.wanted.path
        self.login = LoginEnvironment("")
        if self.wanted.login_shell:
            phase("environment")
            self.login = await self._supplier.shell.environment(surroundings)
            if self.login.fault:
                log.warning("the login shell's environment is not known: %s", self.login.fault)
        environment = child_environment(surroundings, self.login, self.wanted.explicit)
        if self.located.is_script and self.wanted.host_runtime:
            environment["ELECTRON_RUN_AS_NODE"] = "1"  # an editor's own binary runs as Node when told to
        environment[MARK] = own_mark()  # by which its orphans are found
        return environment

    async def _argv(self, phase: Callable[[str], None], env: Mapping[str, str], *, fresh: bool) -> tuple[str, ...]:
        entry = self.located.entry
        if entry is None:
            return EMBEDDED
        if not self.located.is_script:
            return (str(entry), "--stdio")
        runtime = self.wanted.host_runtime or await self._node(phase, env, fresh=fresh)
        if self.located.source == "bundled":
            entry = await self._tried_copy(phase, runtime, env)
        return (runtime, str(entry), "--stdio")

    async def _node(self, phase: Callable[[str], None], env: Mapping[str, str], *, fresh: bool) -> str:
        phase("runtime")
        if self.wanted.node:
            return await self._named_node(self.wanted.node)
        login_path = self.login.path if self.login else ""
        self.nodes = await self._supplier.nodes.find(
            {**env, "PATH": self.wanted.path or env.get("PATH", "")},
            self.wanted.home,
            login_path=login_path,
            runtime_folder=self.wanted.runtime,
            fresh=fresh,
        )
        return self.nodes.found()

    async def _named_node(self, name: str) -> str:
        self.nodes = await search_node([NodePlace("setting", self.wanted.home / name)])
        if self.nodes.node is None and self.nodes.newest is None:
            raise SupplyFault("node.unusable", path=name, reason=self.nodes.tried[0].why)
        return self.nodes.found()

    async def _tried_copy(self, phase: Callable[[str], None], runtime: str, env: Mapping[str, str]) -> Path:
        """Copy, and ask the copy for its version; one that does not answer is damaged: copied again, once (TB2)."""
        phase("copy")
        entry = await self._copy(force=False)
        if await self._answers(phase, runtime, entry, env) is None:
            return entry
        phase("copy")
        entry = await self._copy(force=True)
        why = await self._answers(phase, runtime, entry, env)
        if why is not None:
            raise damaged(self.wanted, entry, why)
        return entry

    async def _answers(
        self, phase: Callable[[str], None], runtime: str, entry: Path, env: Mapping[str, str]
    ) -> str | None:
        """Ask the CLI for its version; None when it tells it, else why not. Raises SupplyFault without a runtime."""
        phase("probe")
        said = await ask((runtime, str(entry), "-v"), PROBE_TIMEOUT, env=env)
        if said.fault:
            raise damaged(self.wanted, runtime, said.why())
        if said.code != 0:
            log.warning("%s %s -v %s", runtime, entry, said.why())
            return said.why()
        found = _VERSION.search(said.output)
        self.version = found[0].decode() if found else None
        return None

    async def _copy(self, *, force: bool) -> Path:
        """Give the entry of the copy; of the bundled files themselves where none can be made (full disk, read-only)."""
        folder = self.located.folder
        assert folder is not None  # noqa: S101 - a bundled CLI has one
        try:
            done = await anyio.to_thread.run_sync(partial(install, folder, self.wanted.copy_folder, force=force))
        except OSError as fault:
            self.in_place = str(fault)
            log.warning("the CLI of %s can't be copied and is run where it lies: %s", self.wanted.editor, fault)
            return self.located.entry or folder
        self.in_place = None
        if done.copied:
            log.info("copied the CLI of %s to %s", self.wanted.editor, self.wanted.copy_folder)
        return done.entry
