"""The browser door: who gets in, and that everybody else gets nothing."""

from __future__ import annotations

import html
import json
import re
import socket

import pytest
from visitor import Browser
from websockets.exceptions import InvalidStatus

from wave_bridge.core.client_types import PanelUrl
from wave_bridge.core.limits import WEB_PANELS, WEB_TOKEN_LIFE
from wave_bridge.errors import BridgeError
from wave_bridge.web import page
from wave_bridge.web.admission import COOKIE, Admission
from wave_bridge.web.door import Door, listener


@pytest.fixture(autouse=True)
def built(monkeypatch, tmp_path):
    """A panel of two files, and a file beside its folder that is nobody's business."""
    (tmp_path / "assets/chunks").mkdir(parents=True)
    (tmp_path / "assets/panel.js").write_text("// the panel")
    (tmp_path / "assets/chunks/more.css").write_text("/* more */")
    (tmp_path / "secret.txt").write_text("secret")
    files = page.files
    monkeypatch.setattr(page, "files", lambda: files(tmp_path / "assets"))
    return tmp_path / "assets"


async def test_an_address_opens_once_and_is_cleaned_away(browser):
    headers = await browser.open()
    flags = headers["Set-Cookie"].split("; ")[1:]
    assert {"HttpOnly", "SameSite=Strict", f"Path={browser.page}"} == set(flags)
    token = browser.path.rpartition("/")[2]
    assert token not in browser.page
    status, _, body = await browser.get(browser.path)
    assert status == 403
    assert "wave-bridge panel" in body
    status, _, body = await browser.get(browser.page)
    assert status == 200
    assert "panel.js" in body
    assert token not in body


async def test_the_page_tells_the_panel_where_it_is(inside):
    _, headers, body = await inside.get(inside.page)
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    told = json.loads(html.unescape(re.search(r'name="wave-host" content="([^"]*)"', body)[1]))
    assert told == {
        "kind": "browser",
        "placement": "window",
        "panelId": told["panelId"],
        "workdir": "/work",
        "locale": "en",
        "channel": "channel",
        "editor": False,
    }


async def test_what_the_page_tells_cannot_break_out_of_it(door, asking):
    browser = Browser(await door.url(asking, PanelUrl(workdir='/"><script>alert(1)</script>')))
    await browser.open()
    _, _, body = await browser.get(browser.page)
    assert "<script>alert" not in body


@pytest.mark.parametrize("host", ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "127.1", None])
async def test_a_name_that_was_led_to_the_loopback_gets_nothing(inside, host):
    """DNS rebinding: the page's site resolves to 127.0.0.1, and its browser sends what it has for that name."""
    for path in (inside.page, f"{inside.page}panel.js", f"{inside.page}channel", "/open/x"):
        status, headers, body = await inside.get(path, Host=host)
        assert status in {400, 421}
        assert "panel.js" not in body
        assert "Set-Cookie" not in headers


async def test_two_hosts_are_none(inside):
    status, _, _ = await inside.get(inside.page, host=f"{inside.authority}")
    assert status == 400


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
async def test_a_page_of_another_origin_gets_nothing(inside, origin):
    status, _, body = await inside.get(f"{inside.page}panel.js", Origin=origin)
    assert (status, body) == (403, "")
    with pytest.raises(InvalidStatus, match="403"):
        await inside.channel(Origin=origin)


async def test_the_channel_wants_an_origin(inside):
    with pytest.raises(InvalidStatus, match="403"):
        await inside.channel(Origin=None)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_what_another_page_makes_the_browser_ask_for_is_not_given(inside, site):
    status, _, body = await inside.get(f"{inside.page}panel.js", Sec_Fetch_Site=site)
    assert (status, body) == (403, "")
    assert (await inside.get(f"{inside.page}panel.js", Sec_Fetch_Site="same-origin"))[0] == 200


async def test_without_its_cookie_there_is_nothing(inside, door, asking):
    other = Browser(await door.url(asking, PanelUrl()))
    await other.open()
    for cookie in (None, f"{COOKIE}=", f"{COOKIE}=guess", other.cookie):
        for path in (inside.page, f"{inside.page}panel.js"):
            status, _, body = await inside.get(path, Cookie=cookie)
            assert status == 403
            assert "panel.js" not in body
        with pytest.raises(InvalidStatus, match="403"):
            await inside.channel(Cookie=cookie)
    assert (await inside.get(inside.page, Cookie=f"other=1; {inside.cookie}"))[0] == 200


async def test_every_answer_is_fenced_in(inside):
    for path in (inside.page, f"{inside.page}panel.js", f"{inside.page}nothing", "/", "/open/x"):
        _, headers, _ = await inside.get(path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "no-referrer")
        assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "name",
    [
        "../secret.txt",
        "..%2fsecret.txt",
        "%2e%2e/secret.txt",
        "chunks/../../secret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "..\\secret.txt",
        "chunks",
        ".",
    ],
)
async def test_nothing_but_the_panel_s_files_is_served(inside, name):
    status, _, body = await inside.get(f"{inside.page}{name}")
    assert (status, body) == (404, "")


async def test_the_panel_s_files_are_served_as_what_they_are(inside):
    status, headers, body = await inside.get(f"{inside.page}panel.js?v=1")
    assert (status, headers["Content-Type"], body) == (200, "text/javascript; charset=utf-8", "// the panel")
    _, headers, body = await inside.get(f"{inside.page}chunks/more.css")
    assert (headers["Content-Type"], body) == ("text/css; charset=utf-8", "/* more */")


async def test_a_panel_that_was_not_built_says_how_to(door, asking, built):
    (built / "panel.js").rename(built / "gone")
    browser = Browser(await door.url(asking, PanelUrl()))
    await browser.open()
    status, _, body = await browser.get(browser.page)
    assert status == 503
    assert "scripts/build-panel" in body
    (built / "gone").rename(built / "panel.js")
    assert (await browser.get(browser.page))[0] == 200


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.168.1.1:0", "localhost:0", "127.0.0.1", "", ":0"])
def test_the_door_opens_to_this_machine_only(address):
    with pytest.raises(BridgeError, match="WAVE_BRIDGE_WEB"):
        listener(address)


async def test_a_door_that_cannot_be_opened_says_why_and_is_tried_again(bridge, asking):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        door = Door(bridge, f"127.0.0.1:{port}")
        with pytest.raises(BridgeError, match="can't listen"):
            await door.url(asking, PanelUrl())
    assert f":{port}/" in await door.url(asking, PanelUrl())


def test_an_address_that_nobody_opened_is_soon_worth_nothing():
    now = 100.0
    admission = Admission(lambda: now)
    token, later = admission.token("opening"), admission.token("opening")
    assert admission.expected
    now += WEB_TOKEN_LIFE - 1
    assert admission.exchange(token) is not None
    now += 1
    assert not admission.expected
    assert admission.exchange(later) is None


def test_the_number_of_admitted_browsers_has_a_bound_and_a_connected_one_stays():
    admission = Admission(lambda: 0.0)
    admitted = [admission.exchange(admission.token("opening")) for _ in range(WEB_PANELS)]
    admitted[0].connections = 1
    admission.exchange(admission.token("opening"))
    found = [admission.find(browser.name, f"{COOKIE}={browser.secret}") is browser for browser in admitted]
    assert found == [True, False, *[True] * (WEB_PANELS - 2)]
