"""Which Node runs the CLI: every one that can be found is asked for its version, and the newest that is enough wins."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

import anyio
import msgspec

from wave_bridge.agent.asking import Said, ask
from wave_bridge.agent.candidates import Candidate
from wave_bridge.agent.fault import SupplyFault
from wave_bridge.agent.node_places import NodePlace, node_places
from wave_bridge.core.limits import NODE_AT_ONCE, NODE_FAILURE_KEPT, NODE_FOUND_KEPT, NODE_TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

OLDEST: Final = 22  # the major version that the CLI needs
_VERSION: Final = re.compile(rb"^v(\d{1,6})\.(\d{1,6})\.(\d{1,6})\S*\s*$", re.MULTILINE)

Version = tuple[int, int, int]


class NodeSearch(msgspec.Struct, frozen=True):
    """What came of a search: the program, or None, and every candidate with what became of it."""

    node: str | None
    tried: list[Candidate]
    newest: str | None = None  # the highest version found, "v20.1.0", when none is enough

    def found(self) -> str:
        """Give the program. Raises SupplyFault with the text of T2.8 or T2.9."""
        if self.node is not None:
            return self.node
        if self.newest is not None:
            raise SupplyFault("node.old", version=self.newest, oldest=OLDEST)
        raise SupplyFault("node.missing")


class NodeFinder:
    """Searches, and remembers what was found, for a while; that nothing was found, for a shorter one."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[float, NodeSearch]] = {}

    async def find(
        self,
        environment: Mapping[str, str],
        home: Path,
        *,
        login_path: str = "",
        runtime_folder: str | None = None,
        fresh: bool = False,
    ) -> NodeSearch:
        """Give the search's outcome; `fresh`: a failure that is remembered does not count, for something may be new."""
        places = await anyio.to_thread.run_sync(node_places, environment, home, login_path, runtime_folder)
        key = tuple(place.path for place in places)
        until, known = self._known.get(key, (0.0, None))
        if known is not None and time.monotonic() < until and not (fresh and known.node is None):
            return known
        search = await search_node(places)
        kept = NODE_FAILURE_KEPT if search.node is None else NODE_FOUND_KEPT
        self._known[key] = (time.monotonic() + kept, search)
        return search


async def search_node(places: list[NodePlace]) -> NodeSearch:
    """Ask each for its version, a few at a time; the newest from OLDEST on wins, at equal versions the first."""
    answers: dict[NodePlace, Said] = {}
    slots = anyio.CapacityLimiter(NODE_AT_ONCE)

    async def ask_one(place: NodePlace) -> None:
        async with slots:
            answers[place] = await ask((str(place.path), "-v"), NODE_TIMEOUT)

    async with anyio.create_task_group() as asking:
        for place in places:
            asking.start_soon(ask_one, place)
    versions = {place: version_of(answers[place]) for place in places}
    good = {place: version for place, version in versions.items() if version and version[0] >= OLDEST}
    best = max(good, key=lambda place: good[place], default=None)
    newest = max(filter(None, versions.values()), default=None)
    tried = [_judged(place, answers[place], versions[place], best, good) for place in places]
    return NodeSearch(str(best.path) if best else None, tried, _spelt(newest) if newest and not best else None)


def version_of(said: Said) -> Version | None:
    """Give the version that Node named: a line of its own; a wrapper may say more around it."""
    found = _VERSION.search(said.output) if said.code == 0 else None
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _judged(
    place: NodePlace, said: Said, version: Version | None, best: NodePlace | None, good: dict[NodePlace, Version]
) -> Candidate:
    if version is None:
        return Candidate(place.source, str(place.path), said.why())
    spelt = _spelt(version)
    if place is best:
        return Candidate(place.source, str(place.path), "the newest", chosen=True, version=spelt)
    if place not in good:
        return Candidate(place.source, str(place.path), f"older than {OLDEST}", version=spelt)
    won = "as new as another one that comes first" if best and good[place] == good[best] else "older than the newest"
    return Candidate(place.source, str(place.path), won, version=spelt)


def _spelt(version: Version) -> str:
    return "v{}.{}.{}".format(*version)
