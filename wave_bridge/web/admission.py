"""Who may come in at the browser door: an address that opens once, and the cookie that it is exchanged for.

Sans-IO. The address goes through command lines and browser histories, so it is worth nothing once it was opened, or
after a while. The cookie never leaves the browser. Cookies do not know ports: any program that listens on the loopback
could be sent ours, so the cookie is bound to a path that cannot be guessed either.
"""

from __future__ import annotations

import secrets
from hmac import compare_digest
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import UNSET, UnsetType

from wave_bridge.bridge.clients import Client, ClientInfo
from wave_bridge.core.limits import WEB_PANELS, WEB_TOKEN_LIFE

if TYPE_CHECKING:
    from collections.abc import Callable


SECRET_BYTES: Final = 32


class Opening(msgspec.Struct, frozen=True):
    """What an address opens. `editor` opened the panel, where one did; `info` are its surroundings at that time."""

    info: ClientInfo
    workdir: str
    session_id: str | UnsetType = UNSET
    editor: Client | None = None


class Admitted:
    """A browser that came with a good address. `name` is in its paths, `secret` in its cookie."""

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.name = secrets.token_urlsafe(SECRET_BYTES)
        self.secret = secrets.token_urlsafe(SECRET_BYTES)
        self.connections = 0


class Admission:
    """Addresses that were given out, and browsers that came in. `now` is a clock in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._tokens: dict[str, tuple[float, Opening]] = {}  # with the time at which each is worth nothing
        self._admitted: dict[str, Admitted] = {}

    @property
    def expected(self) -> bool:
        """Whether somebody may still come with an address."""
        self._forget_old()
        return bool(self._tokens)

    @property
    def connected(self) -> bool:
        """Whether a browser is connected."""
        return any(admitted.connections for admitted in self._admitted.values())

    def token(self, opening: Opening) -> str:
        """Give what opens it, once."""
        self._forget_old()
        token = secrets.token_urlsafe(SECRET_BYTES)
        self._tokens[token] = (self._now() + WEB_TOKEN_LIFE, opening)
        return token

    def exchange(self, token: str) -> Admitted | None:
        """Let in whoever holds the token, and make it worthless; None when it is already."""
        self._forget_old()
        _, opening = self._tokens.pop(token, (0.0, None))
        if opening is None:
            return None
        self._make_room()
        admitted = Admitted(opening)
        self._admitted[admitted.name] = admitted
        return admitted

    def find(self, name: str, cookies: str) -> Admitted | None:
        """Give the browser of this name, if the request's `Cookie` header proves that it is the one."""
        admitted = self._admitted.get(name)
        if admitted is None:
            return None
        proofs = (pair.strip().removeprefix(f"{COOKIE}=") for pair in cookies.split(";"))
        return admitted if any(compare_digest(proof.encode(), admitted.secret.encode()) for proof in proofs) else None

    def _forget_old(self) -> None:
        now = self._now()
        self._tokens = {token: entry for token, entry in self._tokens.items() if entry[0] > now}

    def _make_room(self) -> None:
        idle = [name for name, admitted in self._admitted.items() if not admitted.connections]
        for name in idle[: max(0, len(self._admitted) - WEB_PANELS + 1)]:
            del self._admitted[name]


COOKIE: Final = "wave-panel"
