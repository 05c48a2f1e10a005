"""The browser door as a real Chromium sees it: what the panel can do, and what a page of another origin cannot."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
from urllib.parse import unquote

import pytest

from wave_bridge.core.answer import Answer
from wave_bridge.core.client_types import PanelUrl
from wave_bridge.web import page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WAIT = 30.0  # seconds; a cold browser on a busy machine
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
)

# What a panel does first, and what it must not be able to do even if somebody's text became code in it.
PANEL = """
const seen = { place: location.pathname, cookie: document.cookie, title: document.title, violations: [] };
document.addEventListener("securitypolicyviolation", (event) => seen.violations.push(event.effectiveDirective));
const inline = document.createElement("script");
inline.textContent = "window.ran = true";
document.body.append(inline);
const markup = '<img src="http://127.0.0.1:9/x" onerror="window.ran = true"><b style="color: red">b</b>';
document.getElementById("root").innerHTML = markup;
try { eval("window.ran = true"); } catch {}
const host = JSON.parse(document.querySelector('meta[name="wave-host"]').content);
const address = new URL(host.channel, location.href);
address.protocol = "ws:";
const socket = new WebSocket(address);
const ask = (id, method, params) => socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
socket.onopen = () => ask(1, "wave/daemon/status", {});
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.id === 2) location = message.result; // to where the test leads on
  if (message.id !== 1) return;
  setTimeout(() => {
    seen.ran = window.ran === true;
    seen.status = message.result.clients.map((client) => client.name);
    ask(2, "wave/files/search", { query: JSON.stringify(seen) });
  }, 200);
};
"""

# A page of another origin, in the same browser, that knows the panel's address: it asks in each way that a page has.
ATTACK = """<!doctype html><body><script>
const door = "DOOR", got = {};
const outcome = (name, made) => made.then(() => (got[name] = true), () => (got[name] = false));
const element = (tag, path) => new Promise((resolve, reject) => {
  const made = Object.assign(document.createElement(tag), { onload: resolve, onerror: reject, src: door + path });
  document.body.append(made);
});
Promise.all([
  outcome("fetch", fetch(door, { credentials: "include" })),
  outcome("script", element("script", "panel.js")),
  outcome("image", element("img", "picture.svg")),
  outcome("socket", new Promise((resolve, reject) => {
    const socket = new WebSocket(door.replace("http", "ws") + "channel");
    socket.onopen = resolve;
    socket.onerror = reject;
  })),
]).then(() => fetch("/report?" + encodeURIComponent(JSON.stringify(got))));
</script>"""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")


class Told:
    """What the panel tells, as a future, and where it is led on."""

    def __init__(self):
        self.seen = asyncio.get_running_loop().create_future()
        self.next = ""


@pytest.fixture
async def told(bridge, monkeypatch, tmp_path):
    """The folder of the panel's files holds the panel above."""
    (tmp_path / "panel.js").write_text(PANEL)
    (tmp_path / "panel.css").write_text("")
    (tmp_path / "picture.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
    files = page.files
    monkeypatch.setattr(page, "files", lambda: files(tmp_path))
    told = Told()

    def forward(client, row, params):
        told.seen.set_result(json.loads(params.query))
        answer = Answer()
        if told.next:
            answer.set(told.next)
        return answer

    monkeypatch.setattr(bridge, "forward", forward)
    return told


@contextlib.asynccontextmanager
async def chromium(profile, url):
    """A browser on an address, with a profile of its own; its whole family ends with it."""
    process = await asyncio.create_subprocess_exec(
        CHROMIUM,
        *FLAGS,
        f"--user-data-dir={profile}",
        url,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def test_the_panel_works_and_nothing_but_its_own_code_runs_in_it(door, asking, told, tmp_path):
    url = await door.url(asking, PanelUrl(workdir="/work"))
    async with chromium(tmp_path / "profile", url), asyncio.timeout(WAIT):
        seen = await told.seen
    assert seen["status"] == ["unknown", "browser"]
    assert url.rpartition("/")[2] not in seen["place"]
    assert seen["place"].startswith("/panel/")
    assert seen["cookie"] == "", "scripts do not see it"
    assert not seen["ran"]
    assert {"script-src-elem", "script-src-attr", "script-src", "style-src-attr", "img-src"} <= set(seen["violations"])


async def test_a_page_of_another_origin_gets_nothing_though_the_browser_has_the_cookie(door, asking, told, tmp_path):
    """Ports are one site: the browser sends the cookie along. Origin and Sec-Fetch-Site keep the page out."""
    reported = asyncio.get_running_loop().create_future()
    url = await door.url(asking, PanelUrl(workdir="/work"))
    origin = url.partition("/open/")[0]

    async def serve(reader, writer):
        request = (await reader.readuntil(b"\r\n\r\n")).decode().split(" ")[1]
        if request.startswith("/report?"):
            reported.set_result(json.loads(unquote(request.partition("?")[2])))
        elif request == "/":
            body = ATTACK.replace("DOOR", origin + told.seen.result()["place"])
            writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n{body}".encode())
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as attacker:
        told.next = f"http://127.0.0.1:{attacker.sockets[0].getsockname()[1]}/"
        async with chromium(tmp_path / "profile", url), asyncio.timeout(WAIT):
            got = await reported
    assert got == {"fetch": False, "script": False, "image": False, "socket": False}
