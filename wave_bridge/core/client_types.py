"""The shapes of what editors and panels say and hear. Which method carries which: core/client_api.py.

UNSET tells "left out" from null. Members that are `object` or dictionaries are the CLI's own values, passed through.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from wave_bridge.core.agent_api import Decision, Wire

PROTOCOL_VERSION = 1


class Nothing(Wire, frozen=True):
    """No members."""


class OfSession(Wire, frozen=True):
    """Names a session by its current id."""

    session_id: str


class OfFolder(Wire, frozen=True):
    """Names a folder, a session whose folder counts, or neither."""

    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


# Sessions


class Epoch(Wire, frozen=True):
    """A place in a session's event stream: the CLI's generation, and the last event seen."""

    epoch: str
    seq: int


class SessionNew(Wire, frozen=True):
    """Start a session. Members but `workdir` are the CLI's own `initialize` parameters, passed on as they are."""

    workdir: str
    permission_mode: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    fast_model: str | UnsetType = UNSET
    language: str | UnsetType = UNSET
    tools: list[str] | UnsetType = UNSET
    allowed_tools: list[str] | UnsetType = UNSET
    disallowed_tools: list[str] | UnsetType = UNSET
    plugin_dirs: list[str] | UnsetType = UNSET
    mcp_servers: dict[str, Any] | UnsetType = UNSET
    worktree_name: str | UnsetType = UNSET
    is_new_worktree: bool | UnsetType = UNSET


class SessionOpen(Wire, frozen=True):
    """Open a session that is live or stored. `workdir` says where to look first; without it: where it was made."""

    session_id: str
    workdir: str | UnsetType = UNSET


class Draft(Wire, frozen=True):
    """A message or a command (`bang`) that was queued when the CLI ended. It is sent when the user says so, not before.

    `wave/queue/sendNow` and `wave/queue/remove` take its id.
    """

    id: str
    text: str
    bang: bool = False
    images: list[dict[str, Any]] = []


class SessionState(Wire, frozen=True, omit_defaults=False):
    """The bridge's cached facts of a session; never its messages. Lists are the CLI's own, whole, but the drafts."""

    workdir: str
    permission_mode: str = "default"
    loading: bool = False
    command_running: bool = False
    compacting: bool = False
    busy: bool = False
    latest_total_tokens: int = 0
    title: str | None = None
    queue: list[dict[str, Any]] = []
    tasks: list[dict[str, Any]] = []
    background_tasks: list[dict[str, Any]] = []
    drafts: list[Draft] = []


class Approval(Wire, frozen=True, omit_defaults=False):
    """A pending permission request. `context` is the CLI's own object (toolName, toolInput, …)."""

    request_id: str
    session_id: str
    context: dict[str, Any]


class SessionOpened(Wire, frozen=True, omit_defaults=False):
    """A session is attached: events follow from `seq` on."""

    session_id: str
    epoch: str
    seq: int
    state: SessionState
    approvals: list[Approval] = []


class Snapshot(Wire, frozen=True, omit_defaults=False):
    """Everything a panel shows, as of `seq`: replace what you have, then apply events with a greater seq only."""

    session_id: str
    epoch: str
    seq: int
    messages: msgspec.Raw
    state: SessionState
    approvals: list[Approval] = []


class Subscribe(Wire, frozen=True):
    """Attach to a session; `after` is where the client's copy stands."""

    session_id: str
    after: Epoch | UnsetType = UNSET


class Subscribed(Wire, frozen=True):
    """`snapshot` is left out when the client's copy is current."""

    session_id: str
    epoch: str
    seq: int
    snapshot: Snapshot | UnsetType = UNSET


class SessionList(Wire, frozen=True):
    """Which sessions to list. `cwd` without a scope: that folder; `limit` 0 means the default."""

    cwd: str | UnsetType = UNSET
    scope: Literal["folder", "repo", "all"] = "folder"
    query: str | UnsetType = UNSET
    cursor: str | UnsetType = UNSET
    limit: int = 0


class SessionRow(Wire, frozen=True, kw_only=True):
    """A stored session, in the members of the CLI's own list; times are ISO 8601, `project` is its folder's name."""

    id: str
    session_type: Literal["main"]
    workdir: str
    created_at: str
    last_active_at: str
    latest_total_tokens: int
    project: str
    first_message: str | UnsetType = UNSET
    branch: str | UnsetType = UNSET
    custom_title: str | UnsetType = UNSET
    damaged: bool = False


class SessionSkipped(Wire, frozen=True, omit_defaults=False):
    """A session (or, with an empty `id`, a project folder) that could not be listed, and why."""

    id: str
    project: str
    reason: str


class SessionPage(Wire, frozen=True):
    """A page of sessions, newest first; `nextCursor` is left out on the last one."""

    sessions: list[SessionRow]
    skipped: list[SessionSkipped] = []
    next_cursor: str | UnsetType = UNSET


class Rename(Wire, frozen=True):
    """A new title; blank changes nothing (S12.7), over 200 characters is refused (SB16)."""

    session_id: str
    title: str
    workdir: str | UnsetType = UNSET


class SetMode(Wire, frozen=True):
    """A new permission mode."""

    session_id: str
    mode: Literal["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk"]


class Compact(Wire, frozen=True):
    """Compact the conversation."""

    session_id: str
    custom_instructions: str | UnsetType = UNSET


class EventParams(Wire, frozen=True):
    """One notification of the CLI, unchanged. `fromSeq` is there when deltas were merged: they began with it."""

    seq: int
    event: dict[str, Any]
    from_seq: int | UnsetType = UNSET


class TurnEnded(Wire, frozen=True):
    """A turn is over. `detail` is for a person."""

    client_turn_id: str
    reason: Literal["completed", "cancelled", "agentCrashed", "failed"]
    detail: str | UnsetType = UNSET


class StateParams(Wire, frozen=True):
    """The bridge's own facts of a session; only what changed. `resync`: fetch a snapshot, events were lost."""

    session_id: str
    epoch: str | UnsetType = UNSET
    resync: bool = False
    reason: Literal["lagging", "restored", "messagesReplaced", "lost"] | UnsetType = UNSET
    title: str | UnsetType | None = UNSET
    busy: bool | UnsetType = UNSET
    turn_started: str | UnsetType = UNSET
    turn_ended: TurnEnded | UnsetType = UNSET
    drafts: list[Draft] | UnsetType = UNSET


# Turns and the queue


class TextPart(Wire, frozen=True, tag="text"):
    """Text that the user typed."""

    text: str


class ImagePart(Wire, frozen=True, tag="image"):
    """An image: a path, or a `data:` URL."""

    path: str
    mime_type: str


class BangPart(Wire, frozen=True, tag="bang"):
    """A shell command, without its `!`. It must be the only part."""

    command: str


class MentionPart(Wire, frozen=True, tag="mention"):
    """Something of the editor, read at the moment of sending (M1.2)."""

    kind: Literal["terminal", "problems"]


Part = TextPart | ImagePart | BangPart | MentionPart


class TurnStart(Wire, frozen=True):
    """Send a message. The same `clientTurnId` twice is one turn."""

    session_id: str
    client_turn_id: str
    parts: list[Part]


class TurnAccepted(Wire, frozen=True):
    """The message is with the CLI; the end comes as `wave/session/state`. `queueId` names it in the queue."""

    outcome: Literal["started", "queued"]
    queue_id: str | UnsetType = UNSET


class QueueItem(Wire, frozen=True):
    """Names a queued message."""

    session_id: str
    id: str


class QueueUpdate(Wire, frozen=True):
    """A queued message's new text. `images` left out keeps the old ones, empty removes them."""

    session_id: str
    id: str
    text: str
    images: list[dict[str, str]] | UnsetType = UNSET


class Queue(Wire, frozen=True, omit_defaults=False):
    """The queue, in order; the CLI's own objects."""

    messages: list[dict[str, Any]]


class Done(Wire, frozen=True, omit_defaults=False):
    """Whether it was done; false when what it names is gone."""

    ok: bool


# Permissions


class PermissionList(Wire, frozen=True):
    """Whose approvals; left out: those of all sessions that this client watches."""

    session_id: str | UnsetType = UNSET


class Approvals(Wire, frozen=True, omit_defaults=False):
    """Pending approvals, oldest first."""

    requests: list[Approval]


class Respond(Wire, frozen=True):
    """Answer an approval; the first answer wins."""

    request_id: str
    decision: Decision


class Responded(Wire, frozen=True):
    """What became of the answer."""

    outcome: Literal["resolved", "alreadyResolved", "expired", "unknown"]


class ApprovalEnded(Wire, frozen=True):
    """An approval is no longer pending."""

    request_id: str
    session_id: str
    outcome: Literal["allowed", "denied", "withdrawn"]


# The editor


class ContextRead(Wire, frozen=True):
    """Which facts of the editor the bridge wants; each is answered raw, or as unavailable with a reason."""

    kinds: list[Literal["terminal", "problems", "selection", "openEditors"]]


class ContextFacts(Wire, frozen=True):
    """Facts by kind, in the forms of the providers; a kind left out counts as unavailable."""

    terminal: dict[str, Any] | UnsetType = UNSET
    problems: dict[str, Any] | UnsetType = UNSET
    selection: dict[str, Any] | UnsetType = UNSET
    open_editors: dict[str, Any] | UnsetType = UNSET


class OpenFile(Wire, frozen=True):
    """Show a file; lines and columns count from 1."""

    path: str
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET


class OpenUrl(Wire, frozen=True):
    """Open an address in the system's browser."""

    url: str


ActionId = Literal["showLog", "restart", "openSettings"]


class NoticeAction(Wire, frozen=True):
    """A button of a notice. The editor does `showLog` and `openSettings` itself, `restart` is the bridge's work."""

    id: ActionId
    title: str


class Notify(Wire, frozen=True):
    """Show a notice to the user; it stands until it was seen, and the answer may take as long."""

    level: Literal["error", "warning", "info"]
    message: str
    actions: list[NoticeAction] = []


class Notified(Wire, frozen=True, omit_defaults=False):
    """Whether it was shown, and which button was chosen; left out: none."""

    ok: bool
    action: ActionId | UnsetType = UNSET


class Copy(Wire, frozen=True):
    """Put text on the clipboard."""

    text: str


# Panels


class PanelOpen(Wire, frozen=True):
    """A panel exists from now on; its frames come through this connection."""

    panel_id: str
    kind: Literal["sidebar", "tab", "window", "toolWindow", "browser"]
    workdir: str | UnsetType = UNSET


class PanelOpened(Wire, frozen=True, omit_defaults=False):
    """The bridge knows the panel."""

    protocol_version: int = PROTOCOL_VERSION


class Diagnosis(Wire, frozen=True):
    """What there is on the machine (`report`, facts without secrets), what is wrong with it, and both as a text."""

    report: dict[str, Any]
    problems: list[str]
    text: str


class PanelUrl(Wire, frozen=True):
    """A panel for the browser: where it works, and the session that it shows. Both may be left out."""

    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class PanelAddress(Wire, frozen=True):
    """The address of a panel. It can be opened once, and soon; what it opens may be loaded anew."""

    url: str


class PanelClose(Wire, frozen=True):
    """The panel is gone."""

    panel_id: str


class PanelMessage(Wire, frozen=True):
    """One JSON-RPC message of a panel, either way, unread by the shim."""

    panel_id: str
    message: dict[str, Any]


# The agent and the daemon


class AgentStatus(Wire, frozen=True):
    """How the CLI process is. `generation` counts its starts; `retryAt` is seconds since the epoch."""

    state: Literal["down", "starting", "ready", "degraded", "restarting", "stopped"]
    generation: int
    phase: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    retry_at: float | UnsetType = UNSET


class GlobalEvent(Wire, frozen=True):
    """A notification of the CLI that belongs to no session, unchanged."""

    event: dict[str, Any]


class SessionFacts(Wire, frozen=True, omit_defaults=False):
    """A live session, for status."""

    session_id: str
    workdir: str
    busy: bool
    watchers: int


class AgentFacts(Wire, frozen=True, omit_defaults=False):
    """A CLI process: how it was started and how it is.

    `garbage` counts its lines that were no messages, `unanswered` the requests that it has not answered yet.
    `source` says who named it; `command` is empty before the first start.
    """

    source: Literal["setting", "WAVE_CLI_PATH", "bundled", "installed", "embedded"]
    command: list[str]
    status: AgentStatus
    events_of_nobody: int
    garbage: int
    unanswered: int
    sessions: list[SessionFacts]


class ClientFacts(Wire, frozen=True, omit_defaults=False):
    """An attached editor; `heldBytes` wait because it does not read."""

    name: str
    version: str
    panels: list[str]
    held_bytes: int


class DaemonStatus(Wire, frozen=True, omit_defaults=False):
    """What runs. `startedAt` is seconds since the epoch, `approvals` are pending, `tasks` are the event loop's own."""

    pid: int
    build: str
    epoch: str
    started_at: float
    approvals: int
    tasks: int
    agents: list[AgentFacts]
    clients: list[ClientFacts]


class Rewound(Wire, frozen=True):
    """The text of the message that was rewound to, for the input."""

    input_content: str | None = None


# Parameters of rows that only pass on


class FileSearch(Wire, frozen=True):
    """Fuzzy search for files; paths come back relative to the folder."""

    query: str
    max_results: int | UnsetType = UNSET
    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class HistorySearch(Wire, frozen=True):
    """Search the prompts sent before."""

    query: str
    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class SetModel(Wire, frozen=True):
    """Choose the model; it is kept in the user's settings, where an empty one would stay."""

    session_id: str
    model: Annotated[str, msgspec.Meta(min_length=1)]


class OfMcpServer(Wire, frozen=True):
    """Names an MCP server."""

    session_id: str
    server_name: str


class OfTask(Wire, frozen=True):
    """Names a background task."""

    session_id: str
    task_id: str


class OfRun(Wire, frozen=True):
    """Names a workflow run."""

    session_id: str
    run_id: str


class OfMessage(Wire, frozen=True):
    """Names a message."""

    session_id: str
    message_id: str


class AskBtw(Wire, frozen=True):
    """A side question; the answer is not stored."""

    session_id: str
    question: str


class OfPlugin(Wire, frozen=True):
    """Names a plugin, `name@marketplace`."""

    plugin_id: str
    scope: Literal["user", "project", "local"] | UnsetType = UNSET
    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class SetBuiltinPlugin(Wire, frozen=True):
    """Switch a built-in plugin on or off."""

    plugin_id: str
    enabled: bool
    scope: Literal["user", "project", "local"] | UnsetType = UNSET
    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class AddMarketplace(Wire, frozen=True):
    """Add a marketplace by path, owner/repo or address."""

    input: str
    scope: Literal["user", "project", "local"] | UnsetType = UNSET
    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class OfMarketplace(Wire, frozen=True):
    """Names a marketplace."""

    name: str
    scope: Literal["user", "project", "local"] | UnsetType = UNSET
    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class UpdateMarketplace(Wire, frozen=True):
    """Refresh one marketplace, or all."""

    name: str | UnsetType = UNSET
    workdir: str | UnsetType = UNSET
    session_id: str | UnsetType = UNSET


class Login(Wire, frozen=True):
    """Sign in; the address to open comes as `wave/agent/event`."""

    server_url: str | UnsetType = UNSET


class WriteArtifact(Wire, frozen=True):
    """Keep a file for the CLI to read."""

    name: str
    content_base64: str = msgspec.field(name="contentBase64")


class OfRepository(Wire, frozen=True):
    """Names a repository by a folder in it."""

    workdir: str


class WorktreeCreate(Wire, frozen=True):
    """Make a worktree."""

    workdir: str
    base_branch: str | UnsetType = UNSET
    name: str | UnsetType = UNSET


class WorktreeRemove(Wire, frozen=True):
    """Remove a worktree and its branch."""

    path: str
    branch: str
    repo_root: str
    hook_based: bool | UnsetType = UNSET
