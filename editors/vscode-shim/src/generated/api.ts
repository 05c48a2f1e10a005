/* Written by scripts/generate from wave_bridge/core/client_api.py: change that, not this. */

export interface WaveProtocol {
  BridgeRequests: BridgeRequests;
  BridgeNotifications: BridgeNotifications;
  ClientRequests: ClientRequests;
  ClientNotifications: ClientNotifications;
}
/**
 * What an editor or a panel may ask the bridge.
 */
export interface BridgeRequests {
  /**
   * Start a session and attach to it.
   */
  "wave/session/new": {
    params: SessionNew;
    result: SessionOpened;
  };
  /**
   * Attach to a live or stored session and get its snapshot.
   */
  "wave/session/load": {
    params: SessionOpen;
    result: Snapshot;
  };
  /**
   * Attach to a live or stored session.
   */
  "wave/session/resume": {
    params: SessionOpen;
    result: SessionOpened;
  };
  /**
   * Detach; ends the session when no other client watches it.
   */
  "wave/session/close": {
    params: OfSession;
    result: Done;
  };
  /**
   * List stored sessions, newest first.
   */
  "wave/session/list": {
    params: SessionList;
    result: SessionPage;
  };
  /**
   * Give a session a title.
   */
  "wave/session/rename": {
    params: Rename;
    result: Done;
  };
  /**
   * Get everything a panel shows.
   */
  "wave/session/snapshot": {
    params: OfSession;
    result: Snapshot;
  };
  /**
   * Attach, with a snapshot unless the copy is current.
   */
  "wave/session/subscribe": {
    params: Subscribe;
    result: Subscribed;
  };
  /**
   * Detach; the session lives on for a grace time.
   */
  "wave/session/unsubscribe": {
    params: OfSession;
    result: Done;
  };
  /**
   * Begin anew in the same panel, under a new id.
   */
  "wave/session/clear": {
    params: OfSession;
    result: SessionOpened;
  };
  /**
   * Compact the conversation.
   */
  "wave/session/compact": {
    params: Compact;
    result: unknown;
  };
  /**
   * Set the permission mode.
   */
  "wave/session/setMode": {
    params: SetMode;
    result: unknown;
  };
  /**
   * Send a message or a shell command.
   */
  "wave/turn/start": {
    params: TurnStart;
    result: TurnAccepted;
  };
  /**
   * Stop the turn; pending approvals are denied, the queue is cleared.
   */
  "wave/turn/cancel": {
    params: OfSession;
    result: Done;
  };
  /**
   * The queued messages.
   */
  "wave/queue/list": {
    params: OfSession;
    result: Queue;
  };
  /**
   * Change a queued message; `ok` false: it is gone.
   */
  "wave/queue/update": {
    params: QueueUpdate;
    result: unknown;
  };
  /**
   * Remove a queued message.
   */
  "wave/queue/remove": {
    params: QueueItem;
    result: Done;
  };
  /**
   * Stop the turn and send this one; the rest stays queued.
   */
  "wave/queue/sendNow": {
    params: QueueItem;
    result: Done;
  };
  /**
   * Pending approvals.
   */
  "wave/permission/list": {
    params: PermissionList;
    result: Approvals;
  };
  /**
   * Answer an approval.
   */
  "wave/permission/respond": {
    params: Respond;
    result: Responded;
  };
  /**
   * From a panel, for its editor. Show a file.
   */
  "wave/editor/openFile": {
    params: OpenFile;
    result: Done;
  };
  /**
   * From a panel, for its editor. Show a file without taking the focus.
   */
  "wave/editor/reveal": {
    params: OpenFile;
    result: Done;
  };
  /**
   * From a panel, for its editor. Open an address in the browser.
   */
  "wave/editor/openUrl": {
    params: OpenUrl;
    result: Done;
  };
  /**
   * From a panel, for its editor. Show a notice, with buttons.
   */
  "wave/editor/notify": {
    params: Notify;
    result: Notified;
  };
  /**
   * From a panel, for its editor. Copy text.
   */
  "wave/editor/copy": {
    params: Copy;
    result: Done;
  };
  /**
   * A panel opened in this editor.
   */
  "wave/panel/open": {
    params: PanelOpen;
    result: PanelOpened;
  };
  /**
   * Get the address of a panel for the browser.
   */
  "wave/panel/url": {
    params: PanelUrl;
    result: PanelAddress;
  };
  /**
   * Start the CLI anew, also when the breaker is open.
   */
  "wave/agent/restart": {
    params: Nothing;
    result: AgentStatus;
  };
  /**
   * Facts of the daemon, its agents, clients and sessions.
   */
  "wave/daemon/status": {
    params: Nothing;
    result: DaemonStatus;
  };
  /**
   * Examine the machine: what there is, and what is wrong with it.
   */
  "wave/daemon/doctor": {
    params: Nothing;
    result: Diagnosis;
  };
  /**
   * Facts of a live session, from the CLI.
   */
  "wave/session/info": {
    params: OfSession;
    result: unknown;
  };
  /**
   * All messages, before compactions too.
   */
  "wave/session/thread": {
    params: OfSession;
    result: unknown;
  };
  /**
   * A side question.
   */
  "wave/session/btw": {
    params: AskBtw;
    result: unknown;
  };
  /**
   * Fuzzy search for files.
   */
  "wave/files/search": {
    params: FileSearch;
    result: unknown;
  };
  /**
   * Keep an uploaded file.
   */
  "wave/files/writeArtifact": {
    params: WriteArtifact;
    result: unknown;
  };
  /**
   * Slash commands and skills.
   */
  "wave/commands/list": {
    params: OfSession;
    result: unknown;
  };
  /**
   * Configured models and the current one.
   */
  "wave/models/list": {
    params: OfSession;
    result: unknown;
  };
  /**
   * Choose the model.
   */
  "wave/models/set": {
    params: SetModel;
    result: unknown;
  };
  /**
   * Settings of the project.
   */
  "wave/config/project": {
    params: OfFolder;
    result: unknown;
  };
  /**
   * Subagents.
   */
  "wave/config/agents": {
    params: OfSession;
    result: unknown;
  };
  /**
   * Skills.
   */
  "wave/config/skills": {
    params: OfSession;
    result: unknown;
  };
  /**
   * MCP servers.
   */
  "wave/mcp/list": {
    params: OfSession;
    result: unknown;
  };
  /**
   * Connect an MCP server.
   */
  "wave/mcp/connect": {
    params: OfMcpServer;
    result: unknown;
  };
  /**
   * Disconnect an MCP server.
   */
  "wave/mcp/disconnect": {
    params: OfMcpServer;
    result: unknown;
  };
  /**
   * Output of a background task.
   */
  "wave/tasks/output": {
    params: OfTask;
    result: unknown;
  };
  /**
   * Stop a background task.
   */
  "wave/tasks/stop": {
    params: OfTask;
    result: unknown;
  };
  /**
   * Move the running tool to the background.
   */
  "wave/tasks/background": {
    params: OfSession;
    result: unknown;
  };
  /**
   * Workflow runs.
   */
  "wave/tasks/runs": {
    params: OfSession;
    result: unknown;
  };
  /**
   * Stop a workflow run.
   */
  "wave/tasks/stopRun": {
    params: OfRun;
    result: unknown;
  };
  /**
   * Messages that one can rewind to.
   */
  "wave/checkpoint/list": {
    params: OfSession;
    result: unknown;
  };
  /**
   * Rewind to a message; `inputContent` is its text.
   */
  "wave/checkpoint/rewind": {
    params: OfMessage;
    result: Rewound;
  };
  /**
   * Prompts sent before, newest first.
   */
  "wave/history/list": {
    params: OfFolder;
    result: unknown;
  };
  /**
   * Search the prompts sent before.
   */
  "wave/history/search": {
    params: HistorySearch;
    result: unknown;
  };
  /**
   * Branches of a repository.
   */
  "wave/git/branches": {
    params: OfRepository;
    result: unknown;
  };
  /**
   * Make a worktree.
   */
  "wave/git/createWorktree": {
    params: WorktreeCreate;
    result: unknown;
  };
  /**
   * Remove a worktree.
   */
  "wave/git/removeWorktree": {
    params: WorktreeRemove;
    result: unknown;
  };
  /**
   * Plugins.
   */
  "wave/plugins/list": {
    params: OfFolder;
    result: unknown;
  };
  /**
   * Install a plugin.
   */
  "wave/plugins/install": {
    params: OfPlugin;
    result: unknown;
  };
  /**
   * Uninstall a plugin.
   */
  "wave/plugins/uninstall": {
    params: OfPlugin;
    result: unknown;
  };
  /**
   * Update a plugin.
   */
  "wave/plugins/update": {
    params: OfPlugin;
    result: unknown;
  };
  /**
   * Enable a plugin.
   */
  "wave/plugins/enable": {
    params: OfPlugin;
    result: unknown;
  };
  /**
   * Disable a plugin.
   */
  "wave/plugins/disable": {
    params: OfPlugin;
    result: unknown;
  };
  /**
   * Switch a built-in plugin.
   */
  "wave/plugins/setBuiltin": {
    params: SetBuiltinPlugin;
    result: unknown;
  };
  /**
   * Marketplaces.
   */
  "wave/plugins/marketplaces": {
    params: OfFolder;
    result: unknown;
  };
  /**
   * Add a marketplace.
   */
  "wave/plugins/addMarketplace": {
    params: AddMarketplace;
    result: unknown;
  };
  /**
   * Remove a marketplace.
   */
  "wave/plugins/removeMarketplace": {
    params: OfMarketplace;
    result: unknown;
  };
  /**
   * Refresh marketplaces.
   */
  "wave/plugins/updateMarketplace": {
    params: UpdateMarketplace;
    result: unknown;
  };
  /**
   * Whether the user is signed in.
   */
  "wave/auth/status": {
    params: Nothing;
    result: unknown;
  };
  /**
   * Sign in.
   */
  "wave/auth/login": {
    params: Login;
    result: unknown;
  };
  /**
   * Sign out.
   */
  "wave/auth/logout": {
    params: Nothing;
    result: unknown;
  };
}
/**
 * Start a session. Members but `workdir` are the CLI's own `initialize` parameters, passed on as they are.
 */
export interface SessionNew {
  workdir: string;
  permissionMode?: string;
  model?: string;
  fastModel?: string;
  language?: string;
  tools?: string[];
  allowedTools?: string[];
  disallowedTools?: string[];
  pluginDirs?: string[];
  mcpServers?: {
    [k: string]: unknown;
  };
  worktreeName?: string;
  isNewWorktree?: boolean;
}
/**
 * A session is attached: events follow from `seq` on.
 */
export interface SessionOpened {
  sessionId: string;
  epoch: string;
  seq: number;
  state: SessionState;
  approvals: Approval[];
}
/**
 * The bridge's cached facts of a session; never its messages. Lists are the CLI's own, whole, but the drafts.
 */
export interface SessionState {
  workdir: string;
  permissionMode: string;
  loading: boolean;
  commandRunning: boolean;
  compacting: boolean;
  busy: boolean;
  latestTotalTokens: number;
  title: string | null;
  queue: {
    [k: string]: unknown;
  }[];
  tasks: {
    [k: string]: unknown;
  }[];
  backgroundTasks: {
    [k: string]: unknown;
  }[];
  drafts: Draft[];
}
/**
 * A message or a command (`bang`) that was queued when the CLI ended. It is sent when the user says so, not before.
 *
 * `wave/queue/sendNow` and `wave/queue/remove` take its id.
 */
export interface Draft {
  id: string;
  text: string;
  bang?: boolean;
  images?: {
    [k: string]: unknown;
  }[];
}
/**
 * A pending permission request. `context` is the CLI's own object (toolName, toolInput, …).
 */
export interface Approval {
  requestId: string;
  sessionId: string;
  context: {
    [k: string]: unknown;
  };
}
/**
 * Open a session that is live or stored. `workdir` says where to look first; without it: where it was made.
 */
export interface SessionOpen {
  sessionId: string;
  workdir?: string;
}
/**
 * Everything a panel shows, as of `seq`: replace what you have, then apply events with a greater seq only.
 */
export interface Snapshot {
  sessionId: string;
  epoch: string;
  seq: number;
  messages: unknown;
  state: SessionState;
  approvals: Approval[];
}
/**
 * Names a session by its current id.
 */
export interface OfSession {
  sessionId: string;
}
/**
 * Whether it was done; false when what it names is gone.
 */
export interface Done {
  ok: boolean;
}
/**
 * Which sessions to list. `cwd` without a scope: that folder; `limit` 0 means the default.
 */
export interface SessionList {
  cwd?: string;
  scope?: "all" | "folder" | "repo";
  query?: string;
  cursor?: string;
  limit?: number;
}
/**
 * A page of sessions, newest first; `nextCursor` is left out on the last one.
 */
export interface SessionPage {
  sessions: SessionRow[];
  skipped?: SessionSkipped[];
  nextCursor?: string;
}
/**
 * A stored session, in the members of the CLI's own list; times are ISO 8601, `project` is its folder's name.
 */
export interface SessionRow {
  id: string;
  sessionType: "main";
  workdir: string;
  createdAt: string;
  lastActiveAt: string;
  latestTotalTokens: number;
  project: string;
  firstMessage?: string;
  branch?: string;
  customTitle?: string;
  damaged?: boolean;
}
/**
 * A session (or, with an empty `id`, a project folder) that could not be listed, and why.
 */
export interface SessionSkipped {
  id: string;
  project: string;
  reason: string;
}
/**
 * A new title; blank changes nothing (S12.7), over 200 characters is refused (SB16).
 */
export interface Rename {
  sessionId: string;
  title: string;
  workdir?: string;
}
/**
 * Attach to a session; `after` is where the client's copy stands.
 */
export interface Subscribe {
  sessionId: string;
  after?: Epoch;
}
/**
 * A place in a session's event stream: the CLI's generation, and the last event seen.
 */
export interface Epoch {
  epoch: string;
  seq: number;
}
/**
 * `snapshot` is left out when the client's copy is current.
 */
export interface Subscribed {
  sessionId: string;
  epoch: string;
  seq: number;
  snapshot?: Snapshot;
}
/**
 * Compact the conversation.
 */
export interface Compact {
  sessionId: string;
  customInstructions?: string;
}
/**
 * A new permission mode.
 */
export interface SetMode {
  sessionId: string;
  mode: "acceptEdits" | "bypassPermissions" | "default" | "dontAsk" | "plan";
}
/**
 * Send a message. The same `clientTurnId` twice is one turn.
 */
export interface TurnStart {
  sessionId: string;
  clientTurnId: string;
  parts: (TextPart | ImagePart | BangPart | MentionPart)[];
}
/**
 * Text that the user typed.
 */
export interface TextPart {
  type: "text";
  text: string;
}
/**
 * An image: a path, or a `data:` URL.
 */
export interface ImagePart {
  type: "image";
  path: string;
  mimeType: string;
}
/**
 * A shell command, without its `!`. It must be the only part.
 */
export interface BangPart {
  type: "bang";
  command: string;
}
/**
 * Something of the editor, read at the moment of sending (M1.2).
 */
export interface MentionPart {
  type: "mention";
  kind: "problems" | "terminal";
}
/**
 * The message is with the CLI; the end comes as `wave/session/state`. `queueId` names it in the queue.
 */
export interface TurnAccepted {
  outcome: "queued" | "started";
  queueId?: string;
}
/**
 * The queue, in order; the CLI's own objects.
 */
export interface Queue {
  messages: {
    [k: string]: unknown;
  }[];
}
/**
 * A queued message's new text. `images` left out keeps the old ones, empty removes them.
 */
export interface QueueUpdate {
  sessionId: string;
  id: string;
  text: string;
  images?: {
    [k: string]: string;
  }[];
}
/**
 * Names a queued message.
 */
export interface QueueItem {
  sessionId: string;
  id: string;
}
/**
 * Whose approvals; left out: those of all sessions that this client watches.
 */
export interface PermissionList {
  sessionId?: string;
}
/**
 * Pending approvals, oldest first.
 */
export interface Approvals {
  requests: Approval[];
}
/**
 * Answer an approval; the first answer wins.
 */
export interface Respond {
  requestId: string;
  decision: Decision;
}
/**
 * An answer to a permission request.
 */
export interface Decision {
  behavior: "allow" | "deny";
  message?: string;
  newPermissionMode?: string;
  newPermissionRule?: string;
}
/**
 * What became of the answer.
 */
export interface Responded {
  outcome: "alreadyResolved" | "expired" | "resolved" | "unknown";
}
/**
 * Show a file; lines and columns count from 1.
 */
export interface OpenFile {
  path: string;
  line?: number;
  column?: number;
}
/**
 * Open an address in the system's browser.
 */
export interface OpenUrl {
  url: string;
}
/**
 * Show a notice to the user; it stands until it was seen, and the answer may take as long.
 */
export interface Notify {
  level: "error" | "info" | "warning";
  message: string;
  actions?: NoticeAction[];
}
/**
 * A button of a notice. The editor does `showLog` and `openSettings` itself, `restart` is the bridge's work.
 */
export interface NoticeAction {
  id: "openSettings" | "restart" | "showLog";
  title: string;
}
/**
 * Whether it was shown, and which button was chosen; left out: none.
 */
export interface Notified {
  ok: boolean;
  action?: "openSettings" | "restart" | "showLog";
}
/**
 * Put text on the clipboard.
 */
export interface Copy {
  text: string;
}
/**
 * A panel exists from now on; its frames come through this connection.
 */
export interface PanelOpen {
  panelId: string;
  kind: "browser" | "sidebar" | "tab" | "toolWindow" | "window";
  workdir?: string;
}
/**
 * The bridge knows the panel.
 */
export interface PanelOpened {
  protocolVersion: number;
}
/**
 * A panel for the browser: where it works, and the session that it shows. Both may be left out.
 */
export interface PanelUrl {
  workdir?: string;
  sessionId?: string;
}
/**
 * The address of a panel. It can be opened once, and soon; what it opens may be loaded anew.
 */
export interface PanelAddress {
  url: string;
}
/**
 * No members.
 */
export interface Nothing {}
/**
 * How the CLI process is. `generation` counts its starts; `retryAt` is seconds since the epoch.
 */
export interface AgentStatus {
  state: "degraded" | "down" | "ready" | "restarting" | "starting" | "stopped";
  generation: number;
  phase?: string;
  reason?: string;
  retryAt?: number;
}
/**
 * What runs. `startedAt` is seconds since the epoch, `approvals` are pending, `tasks` are the event loop's own.
 */
export interface DaemonStatus {
  pid: number;
  build: string;
  epoch: string;
  startedAt: number;
  approvals: number;
  tasks: number;
  agents: AgentFacts[];
  clients: ClientFacts[];
}
/**
 * A CLI process: how it was started and how it is.
 *
 * `garbage` counts its lines that were no messages, `unanswered` the requests that it has not answered yet.
 * `source` says who named it; `command` is empty before the first start.
 */
export interface AgentFacts {
  source: "WAVE_CLI_PATH" | "bundled" | "embedded" | "installed" | "setting";
  command: string[];
  status: AgentStatus;
  eventsOfNobody: number;
  garbage: number;
  unanswered: number;
  sessions: SessionFacts[];
}
/**
 * A live session, for status.
 */
export interface SessionFacts {
  sessionId: string;
  workdir: string;
  busy: boolean;
  watchers: number;
}
/**
 * An attached editor; `heldBytes` wait because it does not read.
 */
export interface ClientFacts {
  name: string;
  version: string;
  panels: string[];
  heldBytes: number;
}
/**
 * What there is on the machine (`report`, facts without secrets), what is wrong with it, and both as a text.
 */
export interface Diagnosis {
  report: {
    [k: string]: unknown;
  };
  problems: string[];
  text: string;
}
/**
 * A side question; the answer is not stored.
 */
export interface AskBtw {
  sessionId: string;
  question: string;
}
/**
 * Fuzzy search for files; paths come back relative to the folder.
 */
export interface FileSearch {
  query: string;
  maxResults?: number;
  workdir?: string;
  sessionId?: string;
}
/**
 * Keep a file for the CLI to read.
 */
export interface WriteArtifact {
  name: string;
  contentBase64: string;
}
/**
 * Choose the model; it is kept in the user's settings, where an empty one would stay.
 */
export interface SetModel {
  sessionId: string;
  model: string;
}
/**
 * Names a folder, a session whose folder counts, or neither.
 */
export interface OfFolder {
  workdir?: string;
  sessionId?: string;
}
/**
 * Names an MCP server.
 */
export interface OfMcpServer {
  sessionId: string;
  serverName: string;
}
/**
 * Names a background task.
 */
export interface OfTask {
  sessionId: string;
  taskId: string;
}
/**
 * Names a workflow run.
 */
export interface OfRun {
  sessionId: string;
  runId: string;
}
/**
 * Names a message.
 */
export interface OfMessage {
  sessionId: string;
  messageId: string;
}
/**
 * The text of the message that was rewound to, for the input.
 */
export interface Rewound {
  inputContent?: string | null;
}
/**
 * Search the prompts sent before.
 */
export interface HistorySearch {
  query: string;
  workdir?: string;
  sessionId?: string;
}
/**
 * Names a repository by a folder in it.
 */
export interface OfRepository {
  workdir: string;
}
/**
 * Make a worktree.
 */
export interface WorktreeCreate {
  workdir: string;
  baseBranch?: string;
  name?: string;
}
/**
 * Remove a worktree and its branch.
 */
export interface WorktreeRemove {
  path: string;
  branch: string;
  repoRoot: string;
  hookBased?: boolean;
}
/**
 * Names a plugin, `name@marketplace`.
 */
export interface OfPlugin {
  pluginId: string;
  scope?: "local" | "project" | "user";
  workdir?: string;
  sessionId?: string;
}
/**
 * Switch a built-in plugin on or off.
 */
export interface SetBuiltinPlugin {
  pluginId: string;
  enabled: boolean;
  scope?: "local" | "project" | "user";
  workdir?: string;
  sessionId?: string;
}
/**
 * Add a marketplace by path, owner/repo or address.
 */
export interface AddMarketplace {
  input: string;
  scope?: "local" | "project" | "user";
  workdir?: string;
  sessionId?: string;
}
/**
 * Names a marketplace.
 */
export interface OfMarketplace {
  name: string;
  scope?: "local" | "project" | "user";
  workdir?: string;
  sessionId?: string;
}
/**
 * Refresh one marketplace, or all.
 */
export interface UpdateMarketplace {
  name?: string;
  workdir?: string;
  sessionId?: string;
}
/**
 * Sign in; the address to open comes as `wave/agent/event`.
 */
export interface Login {
  serverUrl?: string;
}
/**
 * What an editor or a panel may tell the bridge.
 */
export interface BridgeNotifications {
  /**
   * A panel closed.
   */
  "wave/panel/close": {
    params: PanelClose;
  };
  /**
   * A panel's message, towards the bridge.
   */
  "wave/panel/message": {
    params: PanelMessage;
  };
}
/**
 * The panel is gone.
 */
export interface PanelClose {
  panelId: string;
}
/**
 * One JSON-RPC message of a panel, either way, unread by the shim.
 */
export interface PanelMessage {
  panelId: string;
  message: {
    [k: string]: unknown;
  };
}
/**
 * What the bridge may ask an editor.
 */
export interface ClientRequests {
  /**
   * Read facts of the editor, at the moment of sending.
   */
  "wave/context/read": {
    params: ContextRead;
    result: ContextFacts;
  };
  /**
   * Show a file.
   */
  "wave/editor/openFile": {
    params: OpenFile;
    result: Done;
  };
  /**
   * Show a file without taking the focus.
   */
  "wave/editor/reveal": {
    params: OpenFile;
    result: Done;
  };
  /**
   * Open an address in the browser.
   */
  "wave/editor/openUrl": {
    params: OpenUrl;
    result: Done;
  };
  /**
   * Show a notice, with buttons.
   */
  "wave/editor/notify": {
    params: Notify;
    result: Notified;
  };
  /**
   * Copy text.
   */
  "wave/editor/copy": {
    params: Copy;
    result: Done;
  };
}
/**
 * Which facts of the editor the bridge wants; each is answered raw, or as unavailable with a reason.
 */
export interface ContextRead {
  kinds: ("openEditors" | "problems" | "selection" | "terminal")[];
}
/**
 * Facts by kind, in the forms of the providers; a kind left out counts as unavailable.
 */
export interface ContextFacts {
  terminal?: {
    [k: string]: unknown;
  };
  problems?: {
    [k: string]: unknown;
  };
  selection?: {
    [k: string]: unknown;
  };
  openEditors?: {
    [k: string]: unknown;
  };
}
/**
 * What the bridge may tell an editor or a panel.
 */
export interface ClientNotifications {
  /**
   * A notification of the CLI, in order, with its sequence number.
   */
  "wave/session/event": {
    params: EventParams;
  };
  /**
   * The bridge's own facts of a session.
   */
  "wave/session/state": {
    params: StateParams;
  };
  /**
   * A tool waits for approval.
   */
  "wave/permission/requested": {
    params: Approval;
  };
  /**
   * An approval is no longer pending.
   */
  "wave/permission/resolved": {
    params: ApprovalEnded;
  };
  /**
   * A message for a panel.
   */
  "wave/panel/message": {
    params: PanelMessage;
  };
  /**
   * How the CLI process is.
   */
  "wave/agent/status": {
    params: AgentStatus;
  };
  /**
   * A notification of the CLI that belongs to no session.
   */
  "wave/agent/event": {
    params: GlobalEvent;
  };
  /**
   * Another daemon has taken a dead one's place; what that one held is gone, panels are open again.
   */
  "wave/daemon/reattached": {
    params: Nothing;
  };
}
/**
 * One notification of the CLI, unchanged. `fromSeq` is there when deltas were merged: they began with it.
 */
export interface EventParams {
  seq: number;
  event: {
    [k: string]: unknown;
  };
  fromSeq?: number;
}
/**
 * The bridge's own facts of a session; only what changed. `resync`: fetch a snapshot, events were lost.
 */
export interface StateParams {
  sessionId: string;
  epoch?: string;
  resync?: boolean;
  reason?: "lagging" | "lost" | "messagesReplaced" | "restored";
  title?: string | null;
  busy?: boolean;
  turnStarted?: string;
  turnEnded?: TurnEnded;
  drafts?: Draft[];
}
/**
 * A turn is over. `detail` is for a person.
 */
export interface TurnEnded {
  clientTurnId: string;
  reason: "agentCrashed" | "cancelled" | "completed" | "failed";
  detail?: string;
}
/**
 * An approval is no longer pending.
 */
export interface ApprovalEnded {
  requestId: string;
  sessionId: string;
  outcome: "allowed" | "denied" | "withdrawn";
}
/**
 * A notification of the CLI that belongs to no session, unchanged.
 */
export interface GlobalEvent {
  event: {
    [k: string]: unknown;
  };
}
/**
 * `ServerCapabilities.experimental.wave`. A method that is not named is not supported.
 */
export interface Abilities {
  methods: string[];
  epoch: string;
  build: string;
  version: number;
  limits: Limits;
}
/**
 * The bounds that a client can meet: bytes of one message, and requests that wait for an answer.
 */
export interface Limits {
  frameBytes: number;
  outstandingRequests: number;
}
/**
 * `initializationOptions.cli`: where the user says that the CLI is, where the editor brings one, what runs it.
 *
 * `runtime` is a program that runs JavaScript, or a folder of the editor's to look for Node in (docs/SUPPLY.md).
 */
export interface Cli {
  path?: string | null;
  bundled?: string | null;
  runtime?: string | null;
}
/**
 * `initializationOptions.client`.
 */
export interface ClientName {
  name?: string;
  version?: string;
  id?: string;
}
/**
 * `initializationOptions`; all of it may be left out.
 */
export interface InitializationOptions {
  client?: ClientName;
  cli?: Cli;
  settings?: {
    [k: string]: unknown;
  };
}
