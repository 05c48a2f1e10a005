"""What the user sees when editors break, stall, come in crowds or share a session."""

from __future__ import annotations

import asyncio
import signal
import time

import psutil
from breaking import QUICK, SLOW, done, fault, opened


async def test_two_editors_on_one_session_see_the_same_and_the_one_that_dies_takes_nothing_along(machine):
    editor, panel, session_id = await opened(machine)
    other = await machine.editor("other")
    await other.ask("wave/session/load", sessionId=session_id)
    await panel.send(session_id, "t", SLOW)
    await other.event("assistantContentUpdated")
    other._server.send_signal(signal.SIGKILL)
    await other._server.wait()
    assert await panel.turn_ended("t") == "completed"
    third = await machine.editor("third")
    snapshot = await third.ask("wave/session/load", sessionId=session_id)
    assert snapshot["messages"][-1]["blocks"][0]["content"] == panel.deltas()
    done(editor)


async def test_a_window_that_is_reloaded_finds_its_turn_running_and_its_approval_pending(machine):
    editor, panel, session_id = await opened(machine)
    await panel.send(session_id, "t", '[[{"tool": {"name": "Bash", "args": {"command": "touch z"}}}]]')
    request = await panel.inbox.until("wave/permission/requested")
    editor._server.send_signal(signal.SIGKILL)
    await editor._server.wait()
    again = await machine.editor("again")
    snapshot = await again.ask("wave/session/load", sessionId=session_id)
    assert snapshot["state"]["busy"] is True
    assert [approval["requestId"] for approval in snapshot["approvals"]] == [request["requestId"]]
    await again.ask("wave/permission/respond", requestId=request["requestId"], decision={"behavior": "allow"})
    assert await again.turn_ended("t") == "completed"
    assert (machine.folder("work") / "z").exists()
    done(again)


async def test_two_hundred_panels_at_once_are_served_by_one_cli(machine):
    editor = await machine.editor("editor")
    panels = [await editor.open_panel(f"p{number}", "tab") for number in range(200)]
    work = machine.folder("work")
    ids = await asyncio.gather(*(panel.new(work) for panel in panels))
    assert len(set(ids)) == 200
    await asyncio.gather(
        *(
            panel.send(session_id, "t", fault(text=f"to panel {number}", chunks=3))
            for number, (panel, session_id) in enumerate(zip(panels, ids, strict=True))
        )
    )
    for number, (panel, session_id) in enumerate(zip(panels, ids, strict=True)):
        assert await panel.turn_ended("t") == "completed"
        assert panel.deltas() == f"to panel {number}"
        assert {event["sessionId"] for event in panel.events()} == {session_id}
    assert len(machine.running("wave_bridge.embedded")) == 1
    done(editor)


async def test_an_editor_that_stops_reading_costs_no_memory_and_delays_nobody(machine):
    """A real minute of it is what tests/soak/soak.py does; here the stall lasts as long as the flood."""
    stalled = await machine.editor("stalled")
    session_id = await stalled.new(machine.folder("work"))
    daemon = psutil.Process((await stalled.ask("wave/daemon/status"))["pid"])
    other = await machine.editor("other")
    other_id = await other.new(machine.folder("work"))
    await other.ask("wave/session/load", sessionId=session_id)
    flood = fault(text="x" * (1 << 20), chunks=4000)
    await other.send(session_id, "warm", flood)
    assert await other.turn_ended("warm") == "completed"
    stalled._server.send_signal(signal.SIGSTOP)
    memory = []
    try:
        for turn in range(12):  # each about 2 MB of events
            await other.send(session_id, f"flood {turn}", flood)
            assert await other.turn_ended(f"flood {turn}") == "completed"
            started = time.monotonic()
            await other.send(other_id, f"calm {turn}", QUICK)
            assert await other.turn_ended(f"calm {turn}") == "completed"
            assert time.monotonic() - started < 5.0
            memory.append(daemon.memory_info().rss)
        assert memory[-1] - memory[3] < 4 << 20, "flat once the bound is reached"
    finally:
        stalled._server.send_signal(signal.SIGCONT)
    assert (await stalled.state(resync=True))["reason"] == "lagging"
    snapshot = await stalled.ask("wave/session/snapshot", sessionId=session_id)
    await other.send(session_id, "last", QUICK)
    assert await stalled.turn_ended("last") == "completed"
    seqs = [p["seq"] for m, p in stalled.inbox.notes if m == "wave/session/event" and p["seq"] > snapshot["seq"]]
    assert seqs == list(range(snapshot["seq"] + 1, snapshot["seq"] + 1 + len(seqs)))
    later = [p["event"] for m, p in stalled.inbox.notes if m == "wave/session/event" and p["seq"] > snapshot["seq"]]
    texts = [event["params"]["chunk"] for event in later if event["method"] == "assistantContentUpdated"]
    assert "".join(texts) == "still here"
    done(stalled)
    done(other)
