"""What the bridge says of itself: no payloads, no secrets."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from wave_bridge.core.client_types import AgentFacts, ClientFacts, DaemonStatus, SessionFacts

if TYPE_CHECKING:
    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.bridge.live import LiveSession
    from wave_bridge.bridge.slot import Slot


def status(bridge: Bridge) -> DaemonStatus:
    """Give what `wave-bridge status` shows."""
    return DaemonStatus(
        pid=os.getpid(),
        build=bridge.build,
        epoch=bridge.epoch,
        started_at=bridge.started,
        approvals=len(bridge.desk),
        tasks=len(asyncio.all_tasks()),
        agents=[_agent(slot) for slot in bridge.slots.values()],
        clients=[_client(editor) for editor in bridge.editors],
    )


def _agent(slot: Slot) -> AgentFacts:
    return AgentFacts(
        source=slot.supplies[0].located.source,
        command=list(slot.supervisor.command.argv) if slot.supervisor.command else [],
        status=slot.supervisor.status,
        events_of_nobody=slot.sessions.dropped,
        garbage=slot.supervisor.garbage.count,
        unanswered=slot.supervisor.unanswered,
        sessions=[_session(live) for live in slot.live()],
    )


def _session(live: LiveSession) -> SessionFacts:
    return SessionFacts(live.id, live.session.workdir, live.session.busy, len(live.watchers))


def _client(editor: Client) -> ClientFacts:
    return ClientFacts(editor.info.name, editor.info.version, sorted(editor.panels), editor.outbox.held_bytes)
