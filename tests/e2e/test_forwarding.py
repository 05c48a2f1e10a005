"""Requests that only pass on: each row of the table answers, with a session and without (T6.2, T6.4, TB8, TB9)."""

from __future__ import annotations

import asyncio
import base64
import subprocess
from pathlib import Path

import httpx
import pytest
from wave_client import Refused

from wave_bridge.core.agent_api import REQUESTS
from wave_bridge.core.client_api import METHODS

# What each row is asked with; the session and the folder are filled in. Rows of their own tests are left out.
ASKED = {
    "wave/session/info": {},
    "wave/session/thread": {},
    "wave/session/btw": {"question": "why?"},
    "wave/session/compact": {},
    "wave/session/setMode": {"mode": "plan"},
    "wave/queue/update": {"id": "mq-9", "text": "x"},
    "wave/files/search": {"query": "note"},
    "wave/files/writeArtifact": {"name": "a.txt", "contentBase64": base64.b64encode(b"hello").decode()},
    "wave/commands/list": {},
    "wave/models/list": {},
    "wave/models/set": {"model": "m"},
    "wave/config/project": {},
    "wave/config/agents": {},
    "wave/config/skills": {},
    "wave/mcp/list": {},
    "wave/mcp/connect": {"serverName": "none"},
    "wave/mcp/disconnect": {"serverName": "none"},
    "wave/tasks/output": {"taskId": "none"},
    "wave/tasks/stop": {"taskId": "none"},
    "wave/tasks/background": {},
    "wave/tasks/runs": {},
    "wave/tasks/stopRun": {"runId": "none"},
    "wave/checkpoint/list": {},
    "wave/history/list": {},
    "wave/history/search": {"query": "x"},
    "wave/git/branches": {},
    "wave/git/createWorktree": {"name": "side"},
    "wave/plugins/list": {},
    "wave/plugins/marketplaces": {},
    "wave/plugins/enable": {"pluginId": "a@b"},
    "wave/plugins/disable": {"pluginId": "a@b"},
    "wave/plugins/setBuiltin": {"pluginId": "a@b", "enabled": True},
    "wave/auth/status": {},
    "wave/auth/logout": {},
}
# These need a marketplace or a network, which the embedded CLI has not: it says so, and that is passed on.
REFUSED = {
    "wave/plugins/install": {"pluginId": "a@b"},
    "wave/plugins/uninstall": {"pluginId": "a@b"},
    "wave/plugins/update": {"pluginId": "a@b"},
    "wave/plugins/addMarketplace": {"input": "owner/repo"},
    "wave/plugins/removeMarketplace": {"name": "none"},
    "wave/plugins/updateMarketplace": {},
}
ELSEWHERE = {"wave/auth/login", "wave/git/removeWorktree"}
ROWS = {row.name: row for row in METHODS if row.forward}


def test_every_row_is_asked():
    assert set(ASKED) | set(REFUSED) | ELSEWHERE == set(ROWS)


@pytest.fixture
def repository(work):
    (work / "note.md").write_text("x")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *command], cwd=work, check=True)
    return work


def parameters(name, members, session_id, work):
    fields = set(ROWS[name].params.__struct_encode_fields__)
    given = dict(members)
    if "sessionId" in fields and REQUESTS[ROWS[name].forward].session == "required":
        given["sessionId"] = session_id
    if "workdir" in fields:
        given["workdir"] = str(work)
    return given


@pytest.mark.req("T6.2", "TB8")
async def test_each_row_answers(editor, repository):
    """What a panel looks up comes from the CLI as it said it; without a session id it needs none."""
    session_id = await editor.new(repository)
    answers = {}
    for name, members in ASKED.items():
        answers[name] = await editor.ask(name, **parameters(name, members, session_id, repository))
    assert answers["wave/session/info"]["sessionId"] == session_id
    assert [file["path"] for file in answers["wave/files/search"]["files"]] == ["note.md"]
    assert answers["wave/git/branches"]["current"] == "main"
    assert answers["wave/queue/update"] == {"ok": False}
    assert answers["wave/mcp/connect"] == {"success": False}
    assert isinstance(answers["wave/session/btw"], str)
    assert Path(answers["wave/files/writeArtifact"]["path"]).read_bytes() == b"hello"
    tree = answers["wave/git/createWorktree"]
    removed = await editor.ask(
        "wave/git/removeWorktree", path=tree["path"], branch=tree["branch"], repoRoot=tree["repoRoot"]
    )
    assert removed == {"ok": True}
    editor.inbox.read_all()


async def test_what_the_cli_refuses_is_passed_on_as_its_own_words(editor, work):
    session_id = await editor.new(work)
    for name, members in REFUSED.items():
        with pytest.raises(Refused) as refused:
            await editor.ask(name, **parameters(name, members, session_id, work))
        assert refused.value.kind == "agentError", name
        assert refused.value.message, name
        assert refused.value.data["agentCode"] == -32603, name
    editor.inbox.read_all()


async def test_a_wrong_member_is_refused_with_its_name_before_the_cli_hears_of_it(editor, work):
    with pytest.raises(Refused, match="query") as refused:
        await editor.ask("wave/files/search", query=5)
    assert refused.value.kind == "invalidParams"
    with pytest.raises(Refused, match="sessionId") as refused:
        await editor.ask("wave/models/list")
    assert refused.value.kind == "invalidParams"
    with pytest.raises(Refused) as refused:
        await editor.ask("wave/no/such")
    assert refused.value.code == -32601


@pytest.mark.req("T6.4", "TB9")
async def test_signing_in_opens_the_browser_of_who_asked_and_everybody_hears_of_it(machine):
    one, other = await machine.editor("one"), await machine.editor("other")
    panel = await one.open_panel("p")
    opened = asyncio.get_running_loop().create_future()
    one.answers["wave/editor/openUrl"] = lambda params: opened.set_result(params["url"]) or {"ok": True}
    signing_in = asyncio.create_task(panel.ask("wave/auth/login", serverUrl="http://127.0.0.1:9"))
    url = await asyncio.wait_for(opened, 10)
    assert "callback_url=" in url
    for peer in (one, panel, other):
        event = (await peer.inbox.until("wave/agent/event"))["event"]
        assert event == {"method": "authUrl", "params": {"url": url}}
    assert other.questions == []
    callback = httpx.URL(url).params["callback_url"]
    async with httpx.AsyncClient() as browser:
        await browser.get(f"{callback}?error=changed+my+mind")
    with pytest.raises(Refused, match="changed my mind") as refused:
        await signing_in
    assert refused.value.kind == "agentError"
