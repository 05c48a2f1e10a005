"""The one table of `wave/*` methods: what editors and panels say and hear.

Handlers, docs/PROTOCOL.md, the TypeScript and JVM types and the golden files are derived from `METHODS`. A row with
`forward` only passes its parameters to a request of the CLI; `sessionId` moves to the envelope there.
A panel speaks the same methods as an editor; what differs is what carries its frames.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from wave_bridge.core.agent_api import Wire
from wave_bridge.core.client_types import (
    AddMarketplace,
    AgentStatus,
    Approval,
    ApprovalEnded,
    Approvals,
    AskBtw,
    Compact,
    ContextFacts,
    ContextRead,
    Copy,
    DaemonStatus,
    Diagnosis,
    Done,
    EventParams,
    FileSearch,
    GlobalEvent,
    HistorySearch,
    Login,
    Nothing,
    Notified,
    Notify,
    OfFolder,
    OfMarketplace,
    OfMcpServer,
    OfMessage,
    OfPlugin,
    OfRepository,
    OfRun,
    OfSession,
    OfTask,
    OpenFile,
    OpenUrl,
    PanelAddress,
    PanelClose,
    PanelMessage,
    PanelOpen,
    PanelOpened,
    PanelUrl,
    PermissionList,
    Queue,
    QueueItem,
    QueueUpdate,
    Rename,
    Respond,
    Responded,
    Rewound,
    SessionList,
    SessionNew,
    SessionOpen,
    SessionOpened,
    SessionPage,
    SetBuiltinPlugin,
    SetMode,
    SetModel,
    Snapshot,
    StateParams,
    Subscribe,
    Subscribed,
    TurnAccepted,
    TurnStart,
    UpdateMarketplace,
    WorktreeCreate,
    WorktreeRemove,
    WriteArtifact,
)

Direction = Literal["toBridge", "toClient"]
Kind = Literal["request", "notification"]


class Method(msgspec.Struct, frozen=True):
    """One row of the protocol. `result` is None for a notification, `object` where the CLI's own value passes."""

    name: str
    params: type[Wire]
    result: Any
    doc: str
    kind: Kind = "request"
    direction: Direction = "toBridge"
    forward: str | None = None


def _forward(name: str, params: type[Wire], request: str, doc: str) -> Method:
    return Method(name, params, object, doc, forward=request)


def _notice(name: str, params: type[Wire], doc: str, direction: Direction = "toClient") -> Method:
    return Method(name, params, None, doc, kind="notification", direction=direction)


def _ask(name: str, params: type[Wire], result: Any, doc: str) -> Method:
    return Method(name, params, result, doc, direction="toClient")


def _editor_verb(name: str, params: type[Wire], doc: str, result: type[Wire] = Done) -> tuple[Method, Method]:
    """Give both rows: the bridge asks an editor; a panel asks the bridge, which asks the panel's editor."""
    return _ask(name, params, result, doc), Method(name, params, result, f"From a panel, for its editor. {doc}")


METHODS: tuple[Method, ...] = (
    Method("wave/session/new", SessionNew, SessionOpened, "Start a session and attach to it."),
    Method("wave/session/load", SessionOpen, Snapshot, "Attach to a live or stored session and get its snapshot."),
    Method("wave/session/resume", SessionOpen, SessionOpened, "Attach to a live or stored session."),
    Method("wave/session/close", OfSession, Done, "Detach; ends the session when no other client watches it."),
    Method("wave/session/list", SessionList, SessionPage, "List stored sessions, newest first."),
    Method("wave/session/rename", Rename, Done, "Give a session a title."),
    Method("wave/session/snapshot", OfSession, Snapshot, "Get everything a panel shows."),
    Method("wave/session/subscribe", Subscribe, Subscribed, "Attach, with a snapshot unless the copy is current."),
    Method("wave/session/unsubscribe", OfSession, Done, "Detach; the session lives on for a grace time."),
    Method("wave/session/clear", OfSession, SessionOpened, "Begin anew in the same panel, under a new id."),
    _forward("wave/session/compact", Compact, "compact", "Compact the conversation."),
    _forward("wave/session/setMode", SetMode, "setPermissionMode", "Set the permission mode."),
    _notice("wave/session/event", EventParams, "A notification of the CLI, in order, with its sequence number."),
    _notice("wave/session/state", StateParams, "The bridge's own facts of a session."),
    Method("wave/turn/start", TurnStart, TurnAccepted, "Send a message or a shell command."),
    Method("wave/turn/cancel", OfSession, Done, "Stop the turn; pending approvals are denied, the queue is cleared."),
    Method("wave/queue/list", OfSession, Queue, "The queued messages."),
    _forward(
        "wave/queue/update", QueueUpdate, "updateQueuedMessage", "Change a queued message; `ok` false: it is gone."
    ),
    Method("wave/queue/remove", QueueItem, Done, "Remove a queued message."),
    Method("wave/queue/sendNow", QueueItem, Done, "Stop the turn and send this one; the rest stays queued."),
    Method("wave/permission/list", PermissionList, Approvals, "Pending approvals."),
    Method("wave/permission/respond", Respond, Responded, "Answer an approval."),
    _notice("wave/permission/requested", Approval, "A tool waits for approval."),
    _notice("wave/permission/resolved", ApprovalEnded, "An approval is no longer pending."),
    _ask("wave/context/read", ContextRead, ContextFacts, "Read facts of the editor, at the moment of sending."),
    *_editor_verb("wave/editor/openFile", OpenFile, "Show a file."),
    *_editor_verb("wave/editor/reveal", OpenFile, "Show a file without taking the focus."),
    *_editor_verb("wave/editor/openUrl", OpenUrl, "Open an address in the browser."),
    *_editor_verb("wave/editor/notify", Notify, "Show a notice, with buttons.", Notified),
    *_editor_verb("wave/editor/copy", Copy, "Copy text."),
    Method("wave/panel/open", PanelOpen, PanelOpened, "A panel opened in this editor."),
    Method("wave/panel/url", PanelUrl, PanelAddress, "Get the address of a panel for the browser."),
    _notice("wave/panel/close", PanelClose, "A panel closed.", "toBridge"),
    _notice("wave/panel/message", PanelMessage, "A panel's message, towards the bridge.", "toBridge"),
    _notice("wave/panel/message", PanelMessage, "A message for a panel."),
    _notice("wave/agent/status", AgentStatus, "How the CLI process is."),
    _notice("wave/agent/event", GlobalEvent, "A notification of the CLI that belongs to no session."),
    Method("wave/agent/restart", Nothing, AgentStatus, "Start the CLI anew, also when the breaker is open."),
    _notice(
        "wave/daemon/reattached",
        Nothing,
        "Another daemon has taken a dead one's place; what that one held is gone, panels are open again.",
    ),
    Method("wave/daemon/status", Nothing, DaemonStatus, "Facts of the daemon, its agents, clients and sessions."),
    Method("wave/daemon/doctor", Nothing, Diagnosis, "Examine the machine: what there is, and what is wrong with it."),
    _forward("wave/session/info", OfSession, "getSessionInfo", "Facts of a live session, from the CLI."),
    _forward("wave/session/thread", OfSession, "getFullMessageThread", "All messages, before compactions too."),
    _forward("wave/session/btw", AskBtw, "askBtw", "A side question."),
    _forward("wave/files/search", FileSearch, "searchFiles", "Fuzzy search for files."),
    _forward("wave/files/writeArtifact", WriteArtifact, "writeArtifactFile", "Keep an uploaded file."),
    _forward("wave/commands/list", OfSession, "getSlashCommands", "Slash commands and skills."),
    _forward("wave/models/list", OfSession, "getConfiguredModels", "Configured models and the current one."),
    _forward("wave/models/set", SetModel, "setModel", "Choose the model."),
    _forward("wave/config/project", OfFolder, "getProjectSettings", "Settings of the project."),
    _forward("wave/config/agents", OfSession, "getSubagentConfigurations", "Subagents."),
    _forward("wave/config/skills", OfSession, "getSkillMetadata", "Skills."),
    _forward("wave/mcp/list", OfSession, "getMcpServers", "MCP servers."),
    _forward("wave/mcp/connect", OfMcpServer, "connectMcpServer", "Connect an MCP server."),
    _forward("wave/mcp/disconnect", OfMcpServer, "disconnectMcpServer", "Disconnect an MCP server."),
    _forward("wave/tasks/output", OfTask, "getBackgroundTaskOutput", "Output of a background task."),
    _forward("wave/tasks/stop", OfTask, "stopBackgroundTask", "Stop a background task."),
    _forward("wave/tasks/background", OfSession, "backgroundCurrentTask", "Move the running tool to the background."),
    _forward("wave/tasks/runs", OfSession, "getWorkflowRuns", "Workflow runs."),
    _forward("wave/tasks/stopRun", OfRun, "stopWorkflowRun", "Stop a workflow run."),
    _forward("wave/checkpoint/list", OfSession, "listRewindCheckpoints", "Messages that one can rewind to."),
    Method("wave/checkpoint/rewind", OfMessage, Rewound, "Rewind to a message; `inputContent` is its text."),
    _forward("wave/history/list", OfFolder, "getPromptHistory", "Prompts sent before, newest first."),
    _forward("wave/history/search", HistorySearch, "searchPromptHistory", "Search the prompts sent before."),
    _forward("wave/git/branches", OfRepository, "listGitBranches", "Branches of a repository."),
    _forward("wave/git/createWorktree", WorktreeCreate, "createWorktree", "Make a worktree."),
    _forward("wave/git/removeWorktree", WorktreeRemove, "removeWorktree", "Remove a worktree."),
    _forward("wave/plugins/list", OfFolder, "listPlugins", "Plugins."),
    _forward("wave/plugins/install", OfPlugin, "installPlugin", "Install a plugin."),
    _forward("wave/plugins/uninstall", OfPlugin, "uninstallPlugin", "Uninstall a plugin."),
    _forward("wave/plugins/update", OfPlugin, "updatePlugin", "Update a plugin."),
    _forward("wave/plugins/enable", OfPlugin, "enablePlugin", "Enable a plugin."),
    _forward("wave/plugins/disable", OfPlugin, "disablePlugin", "Disable a plugin."),
    _forward("wave/plugins/setBuiltin", SetBuiltinPlugin, "setBuiltinPluginEnabled", "Switch a built-in plugin."),
    _forward("wave/plugins/marketplaces", OfFolder, "listMarketplaces", "Marketplaces."),
    _forward("wave/plugins/addMarketplace", AddMarketplace, "addMarketplace", "Add a marketplace."),
    _forward("wave/plugins/removeMarketplace", OfMarketplace, "removeMarketplace", "Remove a marketplace."),
    _forward("wave/plugins/updateMarketplace", UpdateMarketplace, "updateMarketplace", "Refresh marketplaces."),
    _forward("wave/auth/status", Nothing, "getAuthStatus", "Whether the user is signed in."),
    _forward("wave/auth/login", Login, "login", "Sign in."),
    _forward("wave/auth/logout", Nothing, "logout", "Sign out."),
)
