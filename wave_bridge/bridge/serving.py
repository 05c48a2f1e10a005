"""Which CLI serves which editor, and what a CLI tells the editors that it serves.

An editor's wishes are looked up when it comes and again when its settings change, not at each request (T1.3). Two
editors share a CLI process when their CLIs have the same bytes and their settings ask for the same environment.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from wave_bridge.agent.candidates import shown
from wave_bridge.agent.fault import SupplyFault, ToldFault
from wave_bridge.agent.locate import look
from wave_bridge.bridge import notices
from wave_bridge.bridge.wishes import wishes
from wave_bridge.core import limits
from wave_bridge.core.answer import Answer
from wave_bridge.core.client_types import AgentStatus, GlobalEvent, OpenUrl
from wave_bridge.core.envelope import decode_any
from wave_bridge.errors import BridgeError
from wave_bridge.messages import choose_locale

if TYPE_CHECKING:
    from wave_bridge.agent.ending import Ended
    from wave_bridge.agent.supply import Supply
    from wave_bridge.agent.wanted import CliWanted
    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.bridge.slot import Slot
    from wave_bridge.core.rpc import Event


@dataclass(frozen=True)
class Served:
    """An editor's place: what it wants, where that comes from, and the process."""

    wanted: CliWanted
    supply: Supply
    slot: Slot


def slot_for(bridge: Bridge, client: Client) -> Slot:
    """Give the CLI that serves the client; it is started when there is none yet. Raises AgentUnavailable."""
    editor = client.connection
    wanted = wishes(client.place, bridge.supplier.surroundings, bridge.home)
    served = bridge.served.get(editor)
    if served is None or served.wanted != wanted:
        supply = bridge.supplier.supply(wanted)
        if served is not None:
            retire_later(bridge, served.slot)
        served = Served(wanted, supply, _slot_of(bridge, supply))
        if editor in bridge.editors:
            bridge.served[editor] = served
    return served.slot


def _slot_of(bridge: Bridge, supply: Supply) -> Slot:
    slot = bridge.slots.get(supply.key)
    if slot is None:
        return bridge.start_slot(supply)
    if supply not in slot.supplies:
        slot.supplies.append(supply)
        bridge.spawn(supply.refresh_copy, Answer())
    return slot


def greet(bridge: Bridge, client: Client) -> None:
    """Start the client's CLI, once it was told who we are, and say how the CLI is. One that is down is tried again."""
    try:
        slot = slot_for(bridge, client)
    except BridgeError as fault:
        tell_fault(bridge, client, fault)
        return
    if slot.supervisor.status.state == "down":
        slot.supervisor.restart()
    client.notify("wave/agent/status", _status_for(slot, client))
    if bridge.served[client].supply.located.fallback:
        notices.show(bridge, client, "info", "cli.fallback", ("openSettings",))


def tell_fault(bridge: Bridge, client: Client, fault: BridgeError) -> None:
    """Say to an editor that its wishes lead to no CLI."""
    reason = fault.told(choose_locale(client.info.locale)) if isinstance(fault, ToldFault) else fault.message
    client.notify("wave/agent/status", AgentStatus("down", 0, reason=reason))
    if isinstance(fault, SupplyFault):
        tried = look(wishes(client.place, bridge.supplier.surroundings, bridge.home)).tried
        notices.no_cli(bridge, client, fault, shown(tried))


def restart(bridge: Bridge, client: Client) -> AgentStatus:
    """Start the client's CLI anew. Raises AgentUnavailable."""
    for editor in editors_of(bridge, slot := slot_for(bridge, client)):
        bridge.noticed.pop(editor, None)
    return slot.supervisor.restart()


def restart_asked(bridge: Bridge, editor: Client) -> None:
    """Start the CLI anew for an editor whose notice has that button; what is wrong with it is shown again."""
    if editor.alive:
        try:
            restart(bridge, editor)
        except BridgeError as fault:
            bridge.noticed.pop(editor, None)
            tell_fault(bridge, editor, fault)


def let_go(bridge: Bridge, editor: Client) -> None:
    """Forget an editor; its supply no longer serves the others when they have one of their own."""
    bridge.noticed.pop(editor, None)
    served = bridge.served.pop(editor, None)
    if served is not None:
        in_use = {other.supply for other in bridge.served.values()}
        slot = served.slot
        slot.supplies = [supply for supply in slot.supplies if supply in in_use] or slot.supplies
        retire_later(bridge, slot)


def retire_later(bridge: Bridge, slot: Slot) -> None:
    """End a CLI that serves nobody any more (an update has brought another), but not the only one: that stays warm."""
    asyncio.get_running_loop().call_later(bridge.session_grace, _retire, bridge, slot)


def _retire(bridge: Bridge, slot: Slot) -> None:
    key = next((key for key, other in bridge.slots.items() if other is slot), None)
    if key is not None and len(bridge.slots) > 1 and not (slot.live() or editors_of(bridge, slot)):
        del bridge.slots[key]
        bridge.spawn(slot.supervisor.close, Answer())


def editors_of(bridge: Bridge, slot: Slot) -> list[Client]:
    """Give the editors that a CLI serves, and the panels that have a connection of their own."""
    return [editor for editor, served in bridge.served.items() if served.slot is slot]


def _clients_of(bridge: Bridge, slot: Slot) -> list[Client]:
    return [client for editor in editors_of(bridge, slot) for client in (editor, *editor.panels.values())]


# What a CLI tells


def status_changed(bridge: Bridge, slot: Slot, status: AgentStatus) -> None:
    """Tell everybody how the CLI is; that none could be found or run is shown by the editors as well (T4)."""
    for client in _clients_of(bridge, slot):
        client.notify("wave/agent/status", _status_for(slot, client))
    fault = slot.supervisor.fault
    for editor in editors_of(bridge, slot):
        if status.state == "ready":
            bridge.noticed.pop(editor, None)
        elif status.state == "down" and fault is not None:
            notices.no_cli(bridge, editor, fault, bridge.served[editor].supply.report())
        elif status.state == "down" and editor not in bridge.noticed:  # it served, and ended too often
            notices.show(bridge, editor, "error", "agent.lost", notices.ALL, reason=status.reason)


def ended(bridge: Bridge, slot: Slot, end: Ended) -> None:
    """Show it when a CLI ended before it could serve (T4.7)."""
    if end.was_ready or end.reason in {"notSupplied", "restarted", "closed"}:
        return
    for editor in editors_of(bridge, slot):
        notices.ended_at_once(bridge, editor, end, bridge.served[editor].supply.report())


def global_event(bridge: Bridge, slot: Slot, event: Event) -> None:
    """Give an event of no session to everybody (T6.4); an address to sign in at is opened as well (TB9)."""
    for client in _clients_of(bridge, slot):
        client.notify("wave/agent/event", GlobalEvent(event=decode_any(event.line)))
    if event.method == "authUrl":
        url = decode_any(event.params).get("url")
        asking, bridge.signing_in = bridge.signing_in, None
        if asking is not None and isinstance(url, str) and url.startswith(("https://", "http://")):
            asking.ask_editor("wave/editor/openUrl", OpenUrl(url=url), limits.EDITOR_TIMEOUT)


def said(bridge: Bridge, slot: Slot, text: str) -> None:
    """Give what the CLI says on stderr to the editors' log (T7.3); its flood is cut where it is read."""
    for editor in editors_of(bridge, slot):
        if not (editor.is_panel or editor.outbox.held_bytes):
            editor.notify("window/logMessage", {"type": notices.LOG, "message": text.rstrip("\n")})


def _status_for(slot: Slot, client: Client) -> AgentStatus:
    """Give the CLI's status, a fault's sentence in the client's language."""
    status, fault = slot.supervisor.status, slot.supervisor.fault
    if fault is None or status.state != "down":
        return status
    return msgspec.structs.replace(status, reason=fault.told(choose_locale(client.info.locale)))
