"""User-facing texts in zh-CN and English. Where the specification has a text, the zh-CN one is exactly that.

One table: a key, then the text by locale. Placeholders are `str.format` fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Locale = Literal["zh-CN", "en"]
LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that names a language counts

TEXTS: dict[str, dict[Locale, str]] = {
    "agent.lost": {
        "zh-CN": "与 Wave 的连接已断开，请重启 Wave。（{reason}）",
        "en": "The connection to Wave is lost; restart Wave. ({reason})",
    },
    # No CLI, or none that runs (T1.4, T2.4, T2.8, T2.9, T4). `reason` is the system's or the CLI's own word.
    "node.missing": {
        "zh-CN": "未检测到 Node.js。请先安装 Node.js (https://nodejs.org)，然后重启编辑器。",
        "en": "Node.js was not found. Install Node.js (https://nodejs.org), then restart the editor.",
    },
    "node.old": {
        "zh-CN": "Node.js 版本过低（当前 {version}，需要 >= {oldest}）。请升级 Node.js (https://nodejs.org)，然后重启编辑器。",
        "en": "Node.js is too old ({version} is there, >= {oldest} is needed). "
        "Upgrade Node.js (https://nodejs.org), then restart the editor.",
    },
    "node.unusable": {
        "zh-CN": "设置中的 Node.js 无法使用：{path}（{reason}）。请更正 Wave 设置，然后重试。",
        "en": "The Node.js that the settings name can't be used: {path} ({reason}). "
        "Correct the Wave settings and retry.",
    },
    "cli.missing": {
        "zh-CN": "{source} 指定的 Wave CLI 不存在：{path}。请更正路径，然后重试。",
        "en": "There is no Wave CLI at {path}, which {source} names. Correct the path and retry.",
    },
    "cli.unreadable": {
        "zh-CN": "{source} 指定的 Wave CLI 无法读取：{path}（{reason}）。请更正路径或权限，然后重试。",
        "en": "The Wave CLI at {path}, which {source} names, can't be read ({reason}). "
        "Correct the path or its permissions and retry.",
    },
    "cli.notExecutable": {
        "zh-CN": "{source} 指定的 Wave CLI 不可执行：{path}。请赋予执行权限，然后重试。",
        "en": "{path}, which {source} names, is not executable. Make it so and retry.",
    },
    "cli.damaged.extension": {
        "zh-CN": "内置的 Wave CLI 缺失或已损坏：{path}（{reason}）。请重新安装 Wave 扩展。",
        "en": "The bundled Wave CLI is missing or damaged: {path} ({reason}). Reinstall the Wave extension.",
    },
    "cli.damaged.plugin": {
        "zh-CN": "内置的 Wave CLI 缺失或已损坏：{path}（{reason}）。请重新安装 Wave 插件。",
        "en": "The bundled Wave CLI is missing or damaged: {path} ({reason}). Reinstall the Wave plugin.",
    },
    "cli.endedAtOnce": {
        "zh-CN": "Wave CLI 启动后立即退出（{how}）。请检查 CLI 的安装。",
        "en": "The Wave CLI ended right after its start ({how}). Check its installation.",
    },
    "cli.endedAtOnce.said": {
        "zh-CN": "Wave CLI 启动后立即退出（{how}）。请检查 CLI 的安装。\n{stderr}",
        "en": "The Wave CLI ended right after its start ({how}). Check its installation.\n{stderr}",
    },
    "end.exitCode": {"zh-CN": "退出码 {code}", "en": "exit code {code}"},
    "end.signal": {"zh-CN": "被 {signal} 终止", "en": "killed by {signal}"},
    "cli.fallback": {
        "zh-CN": "未找到 Wave CLI，已改用 wave-bridge 自带的 CLI。如需使用您自己的 CLI，请在设置中指定其路径。",
        "en": "No Wave CLI was found, so the one that ships with wave-bridge is used. "
        "Name yours in the settings to use it.",
    },
    "action.showLog": {"zh-CN": "查看日志", "en": "Show log"},
    "action.restart": {"zh-CN": "重启 Wave", "en": "Restart Wave"},
    "action.openSettings": {"zh-CN": "打开设置", "en": "Open settings"},
    # The phases of a start, as progress
    "phase.title": {"zh-CN": "正在启动 Wave", "en": "Starting Wave"},
    "phase.locate": {"zh-CN": "查找 CLI", "en": "Looking for the CLI"},
    "phase.environment": {"zh-CN": "读取登录 Shell 的环境", "en": "Asking the login shell for its environment"},
    "phase.runtime": {"zh-CN": "查找 Node.js", "en": "Looking for Node.js"},
    "phase.copy": {"zh-CN": "同步内置 CLI", "en": "Copying the bundled CLI"},
    "phase.probe": {"zh-CN": "检查 CLI 版本", "en": "Asking the CLI for its version"},
    "phase.spawn": {"zh-CN": "启动 CLI", "en": "Starting the CLI"},
    "phase.handshake": {"zh-CN": "等待 CLI 响应", "en": "Waiting for the CLI to answer"},
    "phase.restore": {"zh-CN": "恢复会话", "en": "Restoring sessions"},
    "session.untitled": {"zh-CN": "新对话", "en": "New chat"},
    # The page of a panel in a browser
    "web.title": {"zh-CN": "Wave", "en": "Wave"},
    "web.notBuilt": {
        "zh-CN": "这份安装不含面板。请安装 Node.js，在源码目录运行 scripts/build-panel，然后刷新本页。",
        "en": "This installation comes without the panel. Install Node.js, run scripts/build-panel in the source "
        "folder, then load this page again.",
    },
    "web.refused": {
        "zh-CN": "此链接已失效：每个链接只能打开一次。请运行 wave-bridge panel 获取新链接。",
        "en": "This address is worth nothing any more: each opens once. Run `wave-bridge panel` for a new one.",
    },
    # The session as a document, for editors without a panel of ours
    "chat.you": {"zh-CN": "我", "en": "You"},
    "chat.wave": {"zh-CN": "Wave", "en": "Wave"},
    "chat.error": {"zh-CN": "错误：", "en": "Error:"},
    "chat.image": {"zh-CN": "[图片]", "en": "[image]"},
    "chat.compacted": {"zh-CN": "以上对话已压缩，摘要如下", "en": "The conversation before was compacted to this"},
    "chat.running": {"zh-CN": "运行中", "en": "running"},
    "chat.done": {"zh-CN": "完成", "en": "done"},
    "chat.failed": {"zh-CN": "失败", "en": "failed"},
    "chat.busy": {"zh-CN": "Wave 正在工作…", "en": "Wave is working…"},
    "chat.queued": {"zh-CN": "排队中：{content}", "en": "Queued: {content}"},
    "chat.asks": {"zh-CN": "Wave 请求使用 {tool}：{what}", "en": "Wave wants to use {tool}: {what}"},
    "chat.working": {"zh-CN": "Wave 正在工作", "en": "Wave is working"},
    "chat.send": {"zh-CN": "发送", "en": "Send"},
    "chat.stop": {"zh-CN": "停止", "en": "Stop"},
    "chat.allow": {"zh-CN": "允许", "en": "Allow"},
    "chat.deny": {"zh-CN": "拒绝", "en": "Deny"},
    "chat.queue": {"zh-CN": "队列（{count}）", "en": "Queue ({count})"},
    "chat.choose": {"zh-CN": "恢复哪个会话？", "en": "Which session do you want to resume?"},
    "chat.explain": {"zh-CN": "解释这段代码。", "en": "Explain this code."},
    "chat.fix": {"zh-CN": "修复这些问题。", "en": "Fix these problems."},
    "chat.action.ask": {"zh-CN": "Wave：就所选内容提问", "en": "Wave: ask about the selection"},
    "chat.action.explain": {"zh-CN": "Wave：解释所选内容", "en": "Wave: explain the selection"},
    "chat.action.fix": {"zh-CN": "Wave：修复问题", "en": "Wave: fix the problem"},
    "chat.where": {"zh-CN": "Wave 会话：{path}", "en": "The Wave session is in {path}"},
    "chat.refused": {"zh-CN": "Wave：{reason}", "en": "Wave: {reason}"},
    # The session picker in a terminal (S6-S9, S13)
    "picker.scope.folder": {"zh-CN": "当前目录的会话", "en": "Sessions of this folder"},
    "picker.scope.worktrees": {"zh-CN": "全部 worktree 的会话", "en": "Sessions of all worktrees"},
    "picker.scope.all": {"zh-CN": "全部项目的会话", "en": "Sessions of all projects"},
    "picker.empty": {"zh-CN": "没有会话", "en": "No sessions"},
    "picker.damaged": {"zh-CN": "已损坏", "en": "damaged"},
    "picker.age.now": {"zh-CN": "刚刚", "en": "just now"},
    "picker.age.minutes": {"zh-CN": "{count} 分钟前", "en": "{count} min ago"},
    "picker.age.hours": {"zh-CN": "{count} 小时前", "en": "{count} h ago"},
    "picker.age.days": {"zh-CN": "{count} 天前", "en": "{count} d ago"},
    "picker.key.move": {"zh-CN": "↑↓ 选择", "en": "↑↓ select"},
    "picker.key.resume": {"zh-CN": "Enter 恢复", "en": "Enter resume"},
    "picker.key.rename": {"zh-CN": "Ctrl+R 重命名", "en": "Ctrl+R rename"},
    "picker.key.worktrees": {"zh-CN": "Ctrl+W 全部 worktree", "en": "Ctrl+W all worktrees"},
    "picker.key.all": {"zh-CN": "Ctrl+A 全部项目", "en": "Ctrl+A all projects"},
    "picker.key.close": {"zh-CN": "Esc 关闭", "en": "Esc close"},
    "picker.key.save": {"zh-CN": "Enter 保存", "en": "Enter save"},
    "picker.key.rollBack": {"zh-CN": "Esc 放弃", "en": "Esc discard"},
    "picker.notRenamed": {"zh-CN": "重命名失败：{reason}", "en": "Not renamed: {reason}"},
    "picker.missing": {"zh-CN": "会话不存在", "en": "The session does not exist any more"},
    "picker.unreadable": {"zh-CN": "会话已损坏：{reason}", "en": "The session is damaged: {reason}"},
    "picker.otherProject": {
        "zh-CN": "该会话属于其他项目，请在终端执行：",
        "en": "This session belongs to another project. Resume it with:",
    },
    "picker.folderGone": {
        "zh-CN": "该会话的目录已不存在，恢复目录后请在终端执行：",
        "en": "This session's folder is gone. Once it is there again, resume it with:",
    },
    "picker.copied.clipboard": {"zh-CN": "已复制到剪贴板", "en": "Copied to the clipboard"},
    "picker.copied.terminal": {
        "zh-CN": "已交给终端复制；若未生效，请手动复制",
        "en": "Handed to the terminal to copy; if it did not, copy it by hand",
    },
    # The chat in a terminal (S9, S13)
    "talk.session": {
        "zh-CN": "会话 {session}，目录 {workdir}，{tokens} tokens。/help 查看命令",
        "en": "Session {session} in {workdir}, {tokens} tokens. /help lists the commands",
    },
    "talk.help": {
        "zh-CN": "/resume 切换会话  /rename <标题>  /clear  /compact [要求]  /rewind [编号]  /exit\n"
        "!命令 运行命令  Esc 中断  Ctrl+D 退出",
        "en": "/resume another session  /rename <title>  /clear  /compact [instructions]  /rewind [number]  /exit\n"
        "!command runs it  Esc interrupts  Ctrl+D leaves",
    },
    "talk.busy": {"zh-CN": "正在生成回复，命令已忽略", "en": "An answer is being written: the command is ignored"},
    "talk.leave": {"zh-CN": "Ctrl+D 或 /exit 退出", "en": "Ctrl+D or /exit leaves"},
    "talk.renamed": {"zh-CN": "会话已重命名为：{title}", "en": "The session is now named: {title}"},
    "talk.cleared": {"zh-CN": "已开始新对话", "en": "A new conversation has begun"},
    "talk.compacted": {"zh-CN": "（此前的对话已压缩）", "en": "(the conversation before this was compacted)"},
    "talk.rewound": {"zh-CN": "已回退；原消息在输入框中", "en": "Rewound; the message is in the input"},
    "talk.moreLines": {"zh-CN": "…还有 {count} 行", "en": "… {count} more lines"},
    "talk.allow": {"zh-CN": "? {tool}：{what}", "en": "? {tool}: {what}"},
    "talk.answer": {
        "zh-CN": "允许？y 是，n 否，a 接受后续修改，或写明原因拒绝 > ",
        "en": "Allow? y yes, n no, a accept edits from now on, or say why not > ",
    },
    "talk.missing": {"zh-CN": "会话不存在：{session}", "en": "There is no session {session}"},
    # The mentions @terminal and @problems (M1, M2). A key with `.one` is its singular.
    "mention.unavailable": {"zh-CN": "{title}：不可用 [{reason}]", "en": "{title}: unavailable [{reason}]"},
    "mention.cut": {"zh-CN": "…[+{count} 个字符]", "en": "…[+{count} chars]"},
    "mention.moreLines": {"zh-CN": "[还有 {count} 行]", "en": "[{count} more lines]"},
    "mention.moreLines.one": {"zh-CN": "[还有 1 行]", "en": "[1 more line]"},
    "mention.reason.noTerminal": {"zh-CN": "没有打开的终端", "en": "no terminal is open"},
    "mention.reason.noOutput": {"zh-CN": "终端没有任何输出", "en": "no terminal output"},
    "mention.reason.notShell": {
        "zh-CN": "活动终端不是 Shell 终端",
        "en": "the active terminal is not a shell terminal",
    },
    "mention.reason.noEditor": {"zh-CN": "没有活动的编辑器", "en": "no editor is active"},
    "mention.reason.unreadable": {"zh-CN": "编辑器读不到诊断", "en": "the editor can not read the diagnostics"},
    "mention.reason.timeout": {"zh-CN": "读取超时", "en": "reading took too long"},
    "mention.reason.unsupported": {"zh-CN": "此编辑器不提供该内容", "en": "this editor does not offer it"},
    "mention.reason.closed": {"zh-CN": "编辑器已断开", "en": "the editor has disconnected"},
    "mention.reason.unknown": {"zh-CN": "编辑器未说明原因", "en": "the editor gave no reason"},
    "terminal.between": {"zh-CN": "；", "en": "; "},
    "terminal.title": {"zh-CN": "终端输出", "en": "Terminal output"},
    "terminal.unbounded": {
        "zh-CN": "无 Shell 集成，以下为终端上的文本",
        "en": "no shell integration, this is the text on the terminal",
    },
    "terminal.truncated": {
        "zh-CN": "已截断：只保留最后 {shown_lines} 行（共 {total_lines} 行），{shown_bytes}/{total_bytes} 字节",
        "en": "last {shown_lines} of {total_lines} lines, {shown_bytes} of {total_bytes} bytes",
    },
    "terminal.omitted": {
        "zh-CN": "已截断：编辑器未保留开头的 {count} 字节",
        "en": "the editor did not keep the first {count} bytes",
    },
    "terminal.longLines": {"zh-CN": "已截断：{count} 个长行", "en": "{count} long lines cut"},
    "terminal.longLines.one": {"zh-CN": "已截断：1 个长行", "en": "1 long line cut"},
    "terminal.running": {"zh-CN": "仍在运行", "en": "still running"},
    "terminal.fullScreen": {"zh-CN": "全屏程序正在运行", "en": "full-screen program running"},
    "terminal.repeated": {"zh-CN": "[上一行重复了 {count} 次]", "en": "[previous line repeated {count} times]"},
    "terminal.noOutput": {"zh-CN": "[无输出]", "en": "[no output]"},
    "terminal.exitCode": {"zh-CN": "[退出码 {code}]", "en": "[exit code {code}]"},
    "problems.title": {"zh-CN": "当前文件的问题", "en": "Problems in the current file"},
    "problems.first": {
        "zh-CN": "{title} — {path}：共 {total}，列出 {listed} 个（{counts}）",
        "en": "{title} — {path}: {total}, {listed} listed ({counts})",
    },
    "problems.first.cut": {
        "zh-CN": "{title} — {path}：共 {total}，已截断，只列出 {listed} 个（{counts}）",
        "en": "{title} — {path}: {total}, {listed} listed ({counts})",
    },
    "problems.none": {"zh-CN": "{title} — {path}：没有问题", "en": "{title} — {path}: no problems"},
    "problems.stale": {"zh-CN": "（针对文件的旧版本）", "en": " (for an older version of the file)"},
    "problems.between": {"zh-CN": "，", "en": ", "},
    "problems.total": {"zh-CN": "{count} 个问题", "en": "{count} problems"},
    "problems.total.one": {"zh-CN": "1 个问题", "en": "1 problem"},
    "problems.error": {"zh-CN": "{count} 个错误", "en": "{count} errors"},
    "problems.error.one": {"zh-CN": "1 个错误", "en": "1 error"},
    "problems.warning": {"zh-CN": "{count} 个警告", "en": "{count} warnings"},
    "problems.warning.one": {"zh-CN": "1 个警告", "en": "1 warning"},
    "problems.info": {"zh-CN": "{count} 条信息", "en": "{count} info"},
    "problems.info.one": {"zh-CN": "1 条信息", "en": "1 info"},
    "problems.hint": {"zh-CN": "{count} 条提示", "en": "{count} hints"},
    "problems.hint.one": {"zh-CN": "1 条提示", "en": "1 hint"},
    "problems.noMessage": {"zh-CN": "（无消息）", "en": "(no message)"},
    "problems.related": {"zh-CN": "另见 {place} {message}", "en": "see {place} {message}"},
}


def text(key: str, locale: Locale, **values: object) -> str:
    """Give the text `key` in `locale`, its fields filled in. An unknown key is a programming error (KeyError)."""
    return TEXTS[key][locale].format(**values)


def locale_of(environment: Mapping[str, str], named: str | None = None) -> Locale:
    """Give the locale of a command line: the one that was named, else the environment's."""
    return choose_locale(named, *(environment.get(name) for name in LOCALE_VARIABLES))


def choose_locale(*candidates: str | None) -> Locale:
    """Give the first candidate that names a language, as one of ours; without any: zh-CN (docs/PROTOCOL.md, Locale).

    Candidates look like `en-US`, `zh_CN.UTF-8`, `C`, or None; every language but Chinese is served in English.
    """
    for candidate in candidates:
        if candidate and candidate.split(".")[0] not in {"C", "POSIX"}:
            return "zh-CN" if candidate.lower().startswith("zh") else "en"
    return "zh-CN"
