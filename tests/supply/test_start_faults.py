"""What the user is shown when the CLI can't start: a notice with buttons, the rest in the output channel."""

from __future__ import annotations

import pytest
from lsprotocol import types
from shop import Shop, down, ready, until
from supply_fakes import NODE, fake_node

BUNDLE = "dist/bundle/wave.mjs"
BUTTONS = [
    {"id": "showLog", "title": "查看日志"},
    {"id": "restart", "title": "重启 Wave"},
    {"id": "openSettings", "title": "打开设置"},
]


@pytest.fixture
def shop(machine):
    return Shop(machine)


def no_node(machine):
    """No Node anywhere: an empty PATH, and a login shell that tells none."""
    (machine.root / "empty").mkdir()
    machine.env["PATH"] = str(machine.root / "empty")


@pytest.mark.req("T4.1", "T4.8", "T1.4")
@pytest.mark.parametrize("flags", [[], ["--standalone"]], ids=["daemon", "standalone"])
async def test_vscodes_cli_is_missing(shop, machine, flags):
    cli = shop.cli("extension")
    (cli / BUNDLE).unlink()
    options = {"cli": {"bundled": str(cli), "runtime": NODE}, "locale": "zh-CN"}
    editor = await shop.editor("code", "vscode", *flags, **options)
    notice = await shop.notice(editor)
    assert notice["level"] == "error"
    assert "请重新安装 Wave 扩展" in notice["message"]
    assert "node" not in notice["message"].replace(str(machine.root), "").lower()
    assert notice["actions"] == BUTTONS
    assert (await down(editor))["reason"] == notice["message"]
    log = await shop.output(editor, "SupplyFault")
    assert str(cli / BUNDLE) in log
    assert "- bundled: " in log, "every candidate, and why it lost"
    assert not (machine.home / ".wave" / "cli").exists()


@pytest.mark.req("T4.1", "T4.8")
async def test_vscodes_cli_can_not_be_run(shop):
    """It is copied a second time before the user is troubled (TB2)."""
    cli = shop.cli("extension")
    (cli / "bin" / "wave-code.js").write_text("process.exit(9)")
    editor = await shop.vscode(cli=cli, locale="zh-CN")
    notice = await shop.notice(editor)
    assert "请重新安装 Wave 扩展" in notice["message"]
    assert "exit code 9" in notice["message"]
    log = await shop.output(editor, "Traceback")
    assert "CLI (bundled" in log
    assert (await down(editor))["generation"] == 1, "no back-off: only a person can help"


@pytest.mark.req("T4.5", "T2.4", "T4.8")
async def test_jetbrains_cli_is_missing(shop):
    cli = shop.cli("plugin")
    (cli / "package.json").unlink()
    editor = await shop.jetbrains(cli=cli, locale="zh-CN")
    assert "请重新安装 Wave 插件" in (await shop.notice(editor))["message"]
    await shop.output(editor, "package.json")


@pytest.mark.req("T4.3", "T2.8", "T4.8")
async def test_jetbrains_has_no_node(shop, machine):
    no_node(machine)
    editor = await shop.jetbrains(locale="zh-CN")
    text = "未检测到 Node.js。请先安装 Node.js (https://nodejs.org)，然后重启编辑器。"
    assert (await shop.notice(editor))["message"] == text
    assert (await down(editor))["reason"] == text
    with pytest.raises(Exception, match=r"Node\.js"):
        await editor.new(machine.folder("work"))
    await shop.output(editor, "Traceback")


@pytest.mark.req("T4.4", "T2.9", "T4.8")
async def test_jetbrains_node_is_too_old(shop, machine):
    no_node(machine)
    old = fake_node(machine.root / "old", "old")
    machine.env["PATH"] = str(old.parent)
    editor = await shop.jetbrains(locale="zh-CN")
    text = "Node.js 版本过低（当前 v20.19.5，需要 >= 22）。请升级 Node.js (https://nodejs.org)，然后重启编辑器。"
    assert (await shop.notice(editor))["message"] == text
    assert f"- PATH: {old} v20.19.5: older than 22" in await shop.output(editor, "Traceback")


async def test_each_editor_is_told_in_its_own_language_and_once(shop, machine):
    no_node(machine)
    chinese = await shop.jetbrains("一", locale="zh-CN")
    await shop.notice(chinese)
    english = await shop.jetbrains("two", locale="en-US")
    assert (await shop.notice(english))["message"].startswith("Node.js was not found")
    assert (await down(english))["reason"].startswith("Node.js was not found")
    await english.ask("wave/daemon/status")
    assert len(shop.notices["一"]) == 1, "the other editor's start tried again; the same notice is not shown twice"


@pytest.mark.req("T4.7", "T4.8")
async def test_the_cli_ends_at_once(shop, machine):
    cli = shop.cli("extension")
    (cli / BUNDLE).write_text("console.error('wave: the licence\\nis missing'); process.exit(3)")
    editor = await shop.vscode(cli=cli, locale="zh-CN")
    notice = await shop.notice(editor)
    assert notice["message"] == (
        "Wave CLI 启动后立即退出（退出码 3）。请检查 CLI 的安装。\nwave: the licence\nis missing"
    )
    assert notice["actions"] == BUTTONS
    log = await shop.output(editor, "command: ")
    assert "is missing" in log
    assert f"command: {NODE} {machine.home}" in log
    await down(editor)
    assert len(shop.notices["vscode"]) == 1, "five starts, one notice"


@pytest.mark.req("T4.7")
async def test_a_cli_that_ends_at_once_without_a_word(shop):
    cli = shop.cli("extension")
    (cli / BUNDLE).write_text("process.exit(1)")
    editor = await shop.vscode(cli=cli)
    assert (await shop.notice(editor))["message"] == (
        "The Wave CLI ended right after its start (exit code 1). Check its installation."
    )


async def test_restart_in_the_notice_tries_again(shop):
    """The user reinstalls the extension, then presses the button of the notice that is still there."""
    cli = shop.cli("extension")
    whole = (cli / BUNDLE).read_bytes()
    (cli / BUNDLE).unlink()
    mended = []

    def press(params):
        (cli / BUNDLE).write_bytes(whole)
        mended.append(params)
        return {"ok": True, "action": "restart"}

    editor = await shop.machine.editor("code", hello=False)
    editor.answers["wave/editor/notify"] = press
    await editor.hello(client={"name": "code", "id": "vscode"}, cli={"bundled": str(cli), "runtime": NODE})
    await ready(editor)
    assert len(mended) == 1
    await editor.new(shop.machine.folder("work"))


async def test_a_window_that_opens_later_tries_again(shop, machine):
    """Node was installed and the editor restarted, as the text says; the daemon has stayed."""
    no_node(machine)
    first = await shop.jetbrains("first")
    await down(first)
    (machine.root / "tools").mkdir()
    (machine.root / "tools" / "node").symlink_to(NODE)
    machine.env["PATH"] = str(machine.root / "tools")
    second = await shop.jetbrains("second")
    await ready(second)
    await ready(first)
    assert shop.notices["second"] == []


async def test_what_one_editor_lacks_another_brings(shop, machine):
    """Equal bytes, one process: JetBrains finds no Node, VS Code has one in itself."""
    no_node(machine)
    idea = await shop.jetbrains("idea")
    await down(idea)
    await ready(await shop.vscode("code"))
    await ready(idea)
    await idea.new(machine.folder("work"))


async def test_an_editor_that_finds_no_cli_gets_ours_and_is_told(shop, machine):
    machine.env["PATH"] = "/usr/bin:/bin"
    editor = await shop.editor("neovim", "")
    await ready(editor)
    notice = await shop.notice(editor)
    assert notice["level"] == "info"
    assert notice["message"].startswith("No Wave CLI was found")
    assert [button["id"] for button in notice["actions"]] == ["openSettings"]
    (child,) = await shop.children(editor)
    assert child["source"] == "embedded"


async def test_any_lsp_editor_is_asked_with_lsps_own_request(shop, machine):
    """It announces nothing of ours: a message with the one button that we can act on."""
    no_node(machine)
    editor = await machine.editor("helix", hello=False)
    asked = []

    @editor.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    def ask(params: types.ShowMessageRequestParams):
        asked.append(params)
        (machine.root / "empty" / "node").symlink_to(NODE)
        return params.actions[0]

    editor.capabilities = types.ClientCapabilities()
    await editor.initialize_async(
        types.InitializeParams(
            capabilities=editor.capabilities,
            locale="en",
            client_info=types.ClientInfo("Helix"),
            initialization_options={"cli": {"bundled": str(shop.cli("helix"))}},
        )
    )
    editor.initialized(types.InitializedParams())
    await until(lambda: asked, "the request")
    assert asked[0].type == types.MessageType.Error
    assert [action.title for action in asked[0].actions] == ["Restart Wave"]
    assert (await editor.ask("wave/auth/status"))["execPath"], "a CLI serves: Node was there at the second try"
