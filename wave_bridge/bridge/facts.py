"""What the bridge says of itself: no payloads, no secrets."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.bridge.slot import Slot


def status(bridge: Bridge) -> dict[str, Any]:
    """Give what `wave-bridge status` shows."""
    return {
        "pid": os.getpid(),
        "build": bridge.build,
        "epoch": bridge.epoch,
        "startedAt": bridge.started,
        "agents": [_slot_facts(slot) for slot in bridge.slots.values()],
        "clients": [_client_facts(editor) for editor in bridge.editors],
    }


def _slot_facts(slot: Slot) -> dict[str, Any]:
    return {
        "command": list(slot.command.argv),
        "status": msgspec.to_builtins(slot.supervisor.status),
        "eventsOfNobody": slot.sessions.dropped,
        "garbage": slot.supervisor.garbage.count,
        "sessions": [
            {
                "sessionId": live.id,
                "workdir": live.session.workdir,
                "busy": live.session.busy,
                "watchers": len(live.watchers),
            }
            for live in slot.live()
        ],
    }


def _client_facts(editor: Client) -> dict[str, Any]:
    return {
        "name": editor.info.name,
        "version": editor.info.version,
        "panels": sorted(editor.panels),
        "heldBytes": editor.outbox.held_bytes,
    }
