"""A panel in a browser is a client like any other: on a socket of its own, with its editor's help where it has one."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx
import psutil
import pytest
from machine import BRIDGE
from wave_client import Panel, Refused
from websockets.asyncio.client import connect

SHORT = '[[{"text": "short", "chunks": 3}]]'
FLOOD = json.dumps([[{"text": "x" * (1 << 20), "chunks": 4000}]])
DIAGNOSTIC = {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "message": "odd"}
TAKEN_AT_ONCE = 8 << 20  # bytes: what the sockets of both sides and the outbox hold of a stalled browser's events


class BrowserPanel(Panel):
    """A page at the door: follows the address, and speaks on its WebSocket."""

    def __init__(self, socket) -> None:
        super().__init__(None, "browser")
        self.socket = socket
        self._sent: set[asyncio.Task[None]] = set()

    def write(self, message):
        task = asyncio.ensure_future(self.socket.send(json.dumps(message)))
        self._sent.add(task)
        task.add_done_callback(self._sent.discard)

    async def listen(self):
        async for text in self.socket:
            self.receive(json.loads(text))


async def enter(url):
    """Follow an address; gives the page's address and the cookie."""
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(url)
    assert answer.status_code == 303
    return httpx.URL(url).join(answer.headers["Location"]), answer.headers["Set-Cookie"].partition(";")[0]


@asynccontextmanager
async def browser(url, **options):
    page, cookie = await enter(url)
    headers = {"Origin": f"http://{urlsplit(url).netloc}", "Cookie": cookie}
    address = str(page.join("channel").copy_with(scheme="ws"))
    async with connect(address, additional_headers=headers, max_size=None, **options) as socket:
        panel = BrowserPanel(socket)
        listening = asyncio.create_task(panel.listen())
        yield panel
        await socket.close()
        await listening


async def command(machine, *arguments):
    """Run `wave-bridge panel` to its end and give what it printed."""
    process = await asyncio.create_subprocess_exec(
        *BRIDGE, "panel", *arguments, env=machine.env, cwd=machine.root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_a_browser_s_panel_speaks_the_same_methods(editor, work):
    url = (await editor.ask("wave/panel/url", workdir=str(work)))["url"]
    async with browser(url) as panel:
        session_id = await panel.new(work)
        await panel.send(session_id, "t", SHORT)
        assert await panel.turn_ended("t") == "completed"
        assert panel.deltas() == "short"
        with pytest.raises(Refused) as refused:
            await panel.ask("wave/panel/open", panelId="x", kind="tab")
        assert refused.value.kind == "methodNotFound"
    assert editor.inbox.unread() == []


async def test_the_editor_that_asked_for_it_does_what_only_an_editor_can(machine, work):
    editor = await machine.editor("editor", wave={"problems": True}, folder=work)
    editor.answers["wave/editor/openFile"] = {"ok": True}
    problems = {"source": "list", "path": "/w/a.py", "diagnostics": [DIAGNOSTIC]}
    editor.answers["wave/context/read"] = {"problems": problems}
    async with browser((await editor.ask("wave/panel/url"))["url"]) as panel:
        assert await panel.ask("wave/editor/openFile", path="/w/a.py", line=3) == {"ok": True}
        session_id = await panel.new(work)
        await panel.send(session_id, "t", SHORT, {"type": "mention", "kind": "problems"})
        assert await panel.turn_ended("t") == "completed"
        assert editor.questions == [
            ("wave/editor/openFile", {"path": "/w/a.py", "line": 3}),
            ("wave/context/read", {"kinds": ["problems"]}),
        ]
        await editor.quit()
        with pytest.raises(Refused) as refused:
            await panel.ask("wave/editor/openFile", path="/w/a.py")
        assert (refused.value.kind, refused.value.message) == ("unsupported", "The editor has gone.")
        await panel.send(session_id, "u", SHORT, {"type": "mention", "kind": "problems"})
        assert await panel.turn_ended("u") == "completed"


async def test_without_an_editor_what_only_one_can_do_is_unavailable_and_says_so(machine, work):
    code, url, _ = await command(machine, str(work), "--no-open")
    assert code == 0
    async with browser(url.strip()) as panel:
        for verb, params in (("openFile", {"path": "/a"}), ("copy", {"text": "a"}), ("openUrl", {"url": "https://a"})):
            with pytest.raises(Refused) as refused:
                await panel.ask(f"wave/editor/{verb}", **params)
            assert refused.value.kind == "unsupported"
            assert "in a browser" in refused.value.message
        session_id = (await panel.ask("wave/session/new", workdir=str(work)))["sessionId"]
        await panel.send(session_id, "t", SHORT, {"type": "mention", "kind": "terminal"})
        assert await panel.turn_ended("t") == "completed"
        messages = (await panel.ask("wave/session/snapshot", sessionId=session_id))["messages"]
        assert "unavailable" in json.dumps(messages[0]) or "不可用" in json.dumps(messages[0], ensure_ascii=False)


async def test_a_panel_of_a_folder_that_is_none_is_refused(machine):
    code, out, err = await command(machine, "nowhere", "--no-open")
    assert (code, out) == (1, "")
    assert "nowhere is not a folder" in err


async def test_the_command_opens_the_browser(machine, work):
    """`$BROWSER` names a program, as it does for the standard library."""
    seen = machine.root / "seen"
    program = machine.root / "browser"
    program.write_text(f"#!{sys.executable}\nimport sys\nopen({str(seen)!r}, 'w').write(sys.argv[1])\n")
    program.chmod(0o755)
    machine.env["BROWSER"] = f"{program} %s"
    code, out, _ = await command(machine, str(work))
    assert code == 0
    assert seen.read_text() == out.strip()


async def test_a_daemon_without_editors_stays_as_long_as_a_browser_is_there(machine, work):
    machine.env["WAVE_BRIDGE_GRACE"] = "1"
    _, url, _ = await command(machine, str(work), "--no-open")
    async with browser(url.strip()) as panel:
        [daemon] = machine.running("daemon")
        await asyncio.sleep(2.5)  # past the grace time, twice
        assert (await panel.ask("wave/daemon/status"))["pid"] == daemon.pid
    await asyncio.to_thread(daemon.wait, 20)


async def test_a_browser_that_does_not_read_costs_no_memory_and_is_told_to_resync(editor, work):
    """The page's process is stopped: its socket fills, then the outbox, which merges and drops."""
    session_id = await editor.new(work)
    url = (await editor.ask("wave/panel/url"))["url"]
    daemon = psutil.Process((await editor.ask("wave/daemon/status"))["pid"])
    async with browser(url, max_queue=1) as panel:
        await panel.ask("wave/session/load", sessionId=session_id)
        panel.socket.transport.pause_reading()
        memory = []
        for turn in range(8):  # each about 2 MB of events
            await editor.send(session_id, f"flood {turn}", FLOOD)
            assert await editor.turn_ended(f"flood {turn}") == "completed"
            memory.append(daemon.memory_info().rss)
        held = [client["heldBytes"] for client in (await editor.ask("wave/daemon/status"))["clients"]]
        assert max(held) < TAKEN_AT_ONCE
        assert memory[-1] - memory[4] < 4 << 20, "flat once the bound is reached"
        panel.socket.transport.resume_reading()
        assert (await panel.state(resync=True))["reason"] == "lagging"
        snapshot = await panel.ask("wave/session/snapshot", sessionId=session_id)
        await editor.send(session_id, "last", SHORT)
        assert await panel.turn_ended("last") == "completed"
        seqs = [p["seq"] for m, p in panel.inbox.notes if m == "wave/session/event" and p["seq"] > snapshot["seq"]]
        assert seqs == list(range(snapshot["seq"] + 1, snapshot["seq"] + 1 + len(seqs)))
    editor.inbox.read_all()
