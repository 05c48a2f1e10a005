"""What a client asks besides: files, branches, worktrees, commands, history, models, MCP servers, signing in."""

from __future__ import annotations

import asyncio
import base64
import json
import stat
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest
from cli_client import CliError, is_event, scripted, tool
from git_repository import commit, git


def tree(folder, *paths):
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("")


async def found(cli, workdir, query, **more):
    return (await cli.call("searchFiles", {"query": query, "workdir": str(workdir), **more}))["files"]


@pytest.mark.req("TB8")
async def test_files_are_found_without_a_session(cli, start):
    tree(start.workdir, "src/main.py", "src/.hidden", "docs/a.md")
    assert await found(cli, start.workdir, "main") == [{"path": "src/main.py", "type": "file"}]
    assert {"path": "src/", "type": "directory"} in await found(cli, start.workdir, "src")
    assert {"path": "src/.hidden", "type": "file"} in await found(cli, start.workdir, "hidden")
    assert await found(cli, "/no/such/folder", "x") == []
    assert (await found(cli, start.workdir, ""))[0]["type"] == "directory"
    assert len(await found(cli, start.workdir, "", maxResults=1)) == 1


async def test_ignored_files_are_not_found(cli, start):
    """.gitignore at each level, the innermost decides; .git never."""
    await git(start.workdir, "init")
    tree(start.workdir, "a/keep.log", "a/x.log", "b/x.log", "out/x.py", "node_modules/m/x.js")
    (start.workdir / ".gitignore").write_text("*.log\n/out/\nnode_modules\n")
    (start.workdir / "a" / ".gitignore").write_text("!keep.log\n")
    paths = [entry["path"] for entry in await found(cli, start.workdir, "x")]
    assert not [path for path in paths if path.startswith((".git/", "out", "node_modules")) or path.endswith("x.log")]
    assert [entry["path"] for entry in await found(cli, start.workdir, "keep")] == ["a/keep.log"]


@pytest.mark.parametrize(("name", "kept"), [("../x.txt", "x.txt"), ("a\\b.txt", "b.txt"), ("/etc/passwd", "passwd")])
async def test_an_artifact_gets_its_base_name_only(cli, start, name, kept):
    content = base64.b64encode(b"hi").decode()
    written = await cli.call("writeArtifactFile", {"name": name, "contentBase64": content})
    assert written["path"] == str(start.tmp / "wave-artifacts" / kept)
    assert (start.tmp / "wave-artifacts" / kept).read_bytes() == b"hi"
    again = await cli.call("writeArtifactFile", {"name": name, "contentBase64": content})
    assert again["path"] == written["path"].removesuffix(".txt") + "_1" + (".txt" if kept.endswith(".txt") else "")


@pytest.mark.parametrize("name", ["..", ".", "", None, "a/"])
async def test_an_artifact_without_a_name_is_refused(cli, name):
    with pytest.raises(CliError) as refused:
        await cli.call("writeArtifactFile", {"name": name, "contentBase64": ""})
    assert refused.value.code == -32602


async def test_branches_and_worktrees(cli, start):
    with pytest.raises(CliError, match="Not a git repository"):
        await cli.call("listGitBranches", {"workdir": str(start.workdir)})
    with pytest.raises(CliError, match="workdir is required"):
        await cli.call("createWorktree", {})
    await git(start.workdir, "init", "-b", "main")
    await commit(start.workdir)
    assert await cli.call("listGitBranches", {"workdir": str(start.workdir)}) == {
        "branches": ["main"],
        "current": "main",
    }
    made = await cli.call("createWorktree", {"workdir": str(start.workdir), "name": "wt"})
    assert (made["path"], made["branch"], made["baseBranch"], made["isNew"]) == (
        str(start.workdir / ".wave" / "worktrees" / "wt"),
        "worktree-wt",
        "main",
        True,
    )
    again = await cli.call("createWorktree", {"workdir": str(start.workdir), "name": "wt"})
    assert again["isNew"] is False
    named = await cli.call("createWorktree", {"workdir": str(start.workdir)})
    assert len(named["name"].split("-")) == 3
    assert (start.workdir / ".wave" / "worktrees" / named["name"] / "README.md").exists()
    removal = {key: made[key] for key in ("path", "branch", "repoRoot")}
    assert await cli.call("removeWorktree", removal) == {"ok": True}
    assert await cli.call("removeWorktree", removal) == {"ok": True}
    assert not (start.workdir / ".wave" / "worktrees" / "wt").exists()
    branches = await cli.call("listGitBranches", {"workdir": str(start.workdir)})
    assert "worktree-wt" not in branches["branches"]


async def test_nothing_outside_the_repository_is_removed(cli, start, tmp_path):
    (start.workdir / "link").symlink_to(tmp_path)
    for path in (tmp_path / "home", start.workdir / "..", start.workdir, start.workdir / "link"):
        with pytest.raises(CliError, match="Refusing to remove"):
            await cli.call("removeWorktree", {"path": str(path), "branch": "x", "repoRoot": str(start.workdir)})
    assert (tmp_path / "home").exists()


async def test_prompts_are_remembered_newest_first_each_once(cli, start):
    session = await cli.session(str(start.workdir))
    for text in ("one", "two", "one", "  "):
        await cli.call("sendMessage", {"text": f'{text}[[{{"text": "ok"}}]]' if text.strip() else text}, session)
    history = (await cli.call("getPromptHistory", {"workdir": str(start.workdir)}))["history"]
    assert [entry["prompt"].split("[[")[0] for entry in history] == ["one", "two"]
    assert history[0]["sessionId"] == session
    found = (await cli.call("searchPromptHistory", {"query": "TWO"}))["history"]
    assert [entry["prompt"].split("[[")[0] for entry in found] == ["two"]
    assert (await cli.call("getPromptHistory", {"workdir": "/elsewhere"}))["history"] == []


async def test_models(cli, session):
    before = await cli.call("getConfiguredModels", None, session)
    assert before["currentModel"] in before["models"]
    await cli.call("setModel", {"model": "other"}, session)
    assert (await cli.call("getConfiguredModels", None, session))["currentModel"] == "other"


async def test_custom_commands_and_subagents(cli, start):
    commands = start.workdir / ".wave" / "commands"
    tree(commands, "sub/deep.md")
    (commands / "greet.md").write_text(
        '---\ndescription: Greets\n---\nHello $1 of $ARGUMENTS !`echo shell` [[{"text": "ok"}]]'
    )
    session = await cli.session(str(start.workdir))
    listed = (await cli.call("getSlashCommands", None, session))["commands"]
    assert listed[0] == {"id": "greet", "name": "greet", "description": "Greets"}
    assert "subtask" in [entry["id"] for entry in listed]
    assert "deep" not in [entry["id"] for entry in listed]
    await cli.call("sendMessage", {"text": "/greet Bob Smith"}, session)
    (block,) = cli.events(session, "userMessageAdded")[0]["params"]["message"]["blocks"]
    assert block["content"] == "/greet"
    assert block["customCommandContent"].startswith("Hello Bob of Bob Smith !`echo shell`")
    kept = (await cli.call("getMessages", None, session))["messages"][0]["blocks"][0]
    assert kept["customCommandContent"].startswith("Hello Bob of Bob Smith shell")
    agents = (await cli.call("getSubagentConfigurations", None, session))["configurations"]
    assert {"Bash", "Explore", "general-purpose", "Plan"} <= {agent["name"] for agent in agents}


async def test_a_slash_alone_is_nothing(cli, session):
    assert await cli.call("sendMessage", {"text": "/"}, session) is None
    assert not cli.events(session, "userMessageAdded")


_MCP = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    results = {
        "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}},
        "tools/list": {"tools": [{"name": "add", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": [{"type": "text", "text": "3"}]},
    }
    if "id" in message:
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": results.get(message["method"], {})}
        print(json.dumps(answer), flush=True)
"""


async def test_mcp_servers(cli, start):
    """Connections are made in the background; a tool of one is asked about and used."""
    servers = {"calc": {"command": sys.executable, "args": ["-c", _MCP]}, "broken": {"command": "/no/such/bin"}}
    session = await cli.session(str(start.workdir), mcpServers=servers)
    await cli.wait(
        lambda line: is_event(line, "mcpServersChange") and _status(line["params"]) == ["connected", "error"]
    )
    listed = await cli.call("getMcpServers", None, session)
    assert listed["servers"][0]["tools"][0]["name"] == "add"
    request = cli.send("sendMessage", {"text": scripted(tool("mcp__calc__add", a=1), {"text": "ok"})}, session)
    question = (await cli.wait("permissionRequest"))["params"]
    assert question["context"]["suggestedPrefix"] == "mcp__calc__add"
    cli.notify("permissionResponse", {"requestId": question["requestId"], "decision": {"behavior": "allow"}})
    await cli.answer(request)
    assert cli.events(session, "toolBlockUpdated")[-1]["params"]["result"] == "3"
    assert await cli.call("disconnectMcpServer", {"serverName": "calc"}, session) == {"success": True}
    assert await cli.call("connectMcpServer", {"serverName": "calc"}, session) == {"success": True}
    for name in ("broken", "nope", None):
        assert await cli.call("connectMcpServer", {"serverName": name}, session) == {"success": False}


def _status(params):
    return [server["status"] for server in params["servers"]]


class _TokenServer(HTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), _TokenHandler)
        self.bodies = []
        self.thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def stop(self):
        self.shutdown()
        self.thread.join()
        self.server_close()


class _TokenHandler(BaseHTTPRequestHandler):
    def log_message(self, *args): ...

    def do_POST(self):
        self.server.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        answer = json.dumps(
            {"token": "t", "expiresIn": 60, "user": {"id": "u1", "email": "u@example.invalid"}}
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


@pytest.mark.req("TB9")
async def test_signing_in_goes_through_the_browser(start):
    """`authUrl` is global; the browser comes back with a code; the token is kept for the user alone."""
    server = _TokenServer()
    try:
        cli = await start(WAVE_SERVER_URL=f"http://127.0.0.1:{server.server_port}")
        assert (await cli.call("getAuthStatus"))["isAuthenticated"] is False
        request = cli.send("login", {})
        event = await cli.wait("authUrl")
        assert "sessionId" not in event
        await come_back(event["params"]["url"], "code=abc")
        assert await cli.answer(request) == {"user": {"id": "u1", "email": "u@example.invalid"}}
        assert server.bodies[0]["code"] == "abc"
        assert (await cli.call("getAuthStatus"))["isAuthenticated"] is True
        assert stat.S_IMODE((start.home / ".wave" / "auth.json").stat().st_mode) == 0o600
        await cli.call("logout")
        status = await cli.call("getAuthStatus")
        assert (status["isAuthenticated"], status["user"]["id"]) == (False, "u1")
        since = len(cli.log)
        request = cli.send("login", {})
        await come_back((await cli.wait("authUrl", since=since))["params"]["url"], "error=access_denied")
        with pytest.raises(CliError, match="SSO login failed: access_denied"):
            await cli.answer(request)
    finally:
        server.stop()


async def come_back(url, answer):
    callback = parse_qs(urlsplit(url).query)["callback_url"][0]
    await asyncio.to_thread(lambda: urllib.request.urlopen(f"{callback}/?{answer}").close())


async def test_plugins_are_listed_and_switched(cli, start):
    workdir = {"workdir": str(start.workdir)}
    assert await cli.call("listPlugins", workdir) == {"plugins": []}
    assert isinstance(await cli.call("listMarketplaces", workdir), list)
    if start.kind == "embedded":
        assert await cli.call("enablePlugin", {"pluginId": "p@m", **workdir}) == "project"
        assert (await cli.call("getProjectSettings", workdir))["enabledPlugins"] == {"p@m": True}
        with pytest.raises(CliError, match="can't install"):
            await cli.call("installPlugin", {"pluginId": "p@m"})
    assert (await cli.call("getWorkflowRuns", None, await cli.session(str(start.workdir)))) == {"runs": []}
