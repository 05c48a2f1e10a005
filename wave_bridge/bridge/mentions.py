"""What a message carries of the editor: read at the moment of sending (M1.2), within a time limit (MB3).

Each kind is asked for on its own, all at once. Whatever happens to the editor meanwhile, the message goes out once;
what can't be had stands in it as unavailable, with its reason. Later messages of the session wait: order is kept.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import msgspec

from wave_bridge.bridge.making import build
from wave_bridge.core import client_types as api
from wave_bridge.core.envelope import decode_any
from wave_bridge.core.limits import CONTEXT_TIMEOUT
from wave_bridge.errors import BridgeError, EditorTimeout, Unsupported
from wave_bridge.messages import choose_locale
from wave_bridge.providers import problems
from wave_bridge.providers.blocks import Block, compose
from wave_bridge.providers.notices import unavailable_block
from wave_bridge.providers.shaping import TerminalLimits

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.messages import Locale
    from wave_bridge.providers.blocks import Kind

    Outcomes = dict[Kind, bytes | BridgeError]

log = logging.getLogger(__name__)


class MentionSettings(msgspec.Struct, frozen=True, rename="camel"):
    """The part `mentions` of an editor's settings: seconds to wait, and how much is sent."""

    timeout: float = CONTEXT_TIMEOUT
    terminal: TerminalLimits = TerminalLimits()
    problems: problems.ProblemsLimits = problems.ProblemsLimits()


def send(bridge: Bridge, live: LiveSession, client: Client, params: api.TurnStart) -> None:
    """Send the turn, its mentions resolved."""
    text = "".join(part.text for part in params.parts if isinstance(part, api.TextPart))
    kinds = list(dict.fromkeys(part.kind for part in params.parts if isinstance(part, api.MentionPart)))
    if not kinds:
        _send(live, params, compose(text))
        return
    live.resolving = True

    def read(outcomes: Outcomes) -> None:
        bridge.spawn(partial(_resolve, client, live, params, text, outcomes), live.accepting[params.client_turn_id])

    _ask(client, kinds, read)


async def _resolve(client: Client, live: LiveSession, params: api.TurnStart, text: str, outcomes: Outcomes) -> None:
    """Make the blocks, in a worker thread: a long output takes a while, and nobody else may wait for it."""
    blocks = await anyio.to_thread.run_sync(_blocks, outcomes, _settings(client), choose_locale(client.info.locale))
    live.resolving = False
    _send(live, params, compose(text, blocks))
    live.release()


def _send(live: LiveSession, params: api.TurnStart, text: str) -> None:
    live.slot.start_turn(live, build(params, text))


def _ask(client: Client, kinds: list[Kind], then: Callable[[Outcomes], None]) -> None:
    """Ask for all kinds at once and call `then` when each has its outcome, in the order of the kinds."""
    found: Outcomes = {}

    def take(kind: Kind, outcome: bytes | BridgeError) -> None:
        found[kind] = outcome
        if len(found) == len(kinds):
            then({kind: found[kind] for kind in kinds})

    for kind in kinds:
        if client.editor is not None and client.editor.announces(kind):
            asked = client.ask_editor("wave/context/read", api.ContextRead(kinds=[kind]), _settings(client).timeout)
            asked.on_done(partial(take, kind))
        else:
            take(kind, Unsupported("not announced"))


def _blocks(outcomes: Outcomes, settings: MentionSettings, locale: Locale) -> list[Block]:
    return [_block(kind, outcome, settings, locale) for kind, outcome in outcomes.items()]


def _block(kind: Kind, outcome: bytes | BridgeError, settings: MentionSettings, locale: Locale) -> Block:
    """Give the block; a fault of ours in reading what the editor gave must not cost the user the message."""
    if isinstance(outcome, BridgeError):
        return unavailable_block(kind, _reason(outcome), locale)
    try:
        facts = _member(outcome, kind)
        if kind == "terminal":
            # The screen model and its tables: wanted by the first @terminal, not by the first answer to an editor
            from wave_bridge.providers import terminal  # noqa: PLC0415

            return terminal.terminal_block(terminal.read_facts(facts), locale, settings.terminal)
        return problems.problems_block(problems.read_facts(facts), locale, settings.problems)
    except Exception:
        log.exception("the editor's %s could not be read", kind)
        return unavailable_block(kind, "unknown", locale)


def _member(result: bytes, kind: Kind) -> Any:
    """Give what the editor said of the kind; left out counts as unavailable."""
    value = decode_any(result)
    facts = value.get(kind) if isinstance(value, dict) else None
    return facts if isinstance(facts, dict) else {"source": "unavailable", "reason": "unknown"}


def _reason(fault: BridgeError) -> str:
    match fault:
        case EditorTimeout():
            return "timeout"
        case Unsupported() if fault.data.get("gone"):
            return "closed"
        case Unsupported():
            return "unsupported"
        case _:
            return fault.message


def _settings(client: Client) -> MentionSettings:
    """Give the editor's settings; what does not fit counts as left out, and the log says so."""
    try:
        return msgspec.convert(client.place.settings.get("mentions", {}), MentionSettings, strict=False)
    except msgspec.ValidationError as fault:
        log.warning("settings.mentions: %s", fault)
        return MentionSettings()
