// Written by scripts/generate from wave_bridge/core/client_api.py: change that, not this.
package dev.wave.bridge.generated;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;

/** What editors and panels say to the bridge and hear from it. A component that is null is left out of the JSON. */
public final class BridgeApi {
    private BridgeApi() {}

    /** A request and what answers it; JsonElement where the CLI's own value passes. */
    public record Request<P, R>(String method, Class<P> params, Class<R> result) {}

    /** A notification. */
    public record Notification<P>(String method, Class<P> params) {}

    /** One part of a user's message. */
    public sealed interface Part permits BangPart, ImagePart, MentionPart, TextPart {}

    /** What an editor or a panel may ask the bridge. */
    public static final class BridgeRequests {
        private BridgeRequests() {}

        /** Start a session and attach to it. */
        public static final Request<SessionNew, SessionOpened> SESSION_NEW =
                new Request<>("wave/session/new", SessionNew.class, SessionOpened.class);

        /** Attach to a live or stored session and get its snapshot. */
        public static final Request<SessionOpen, Snapshot> SESSION_LOAD =
                new Request<>("wave/session/load", SessionOpen.class, Snapshot.class);

        /** Attach to a live or stored session. */
        public static final Request<SessionOpen, SessionOpened> SESSION_RESUME =
                new Request<>("wave/session/resume", SessionOpen.class, SessionOpened.class);

        /** Detach; ends the session when no other client watches it. */
        public static final Request<OfSession, Done> SESSION_CLOSE =
                new Request<>("wave/session/close", OfSession.class, Done.class);

        /** List stored sessions, newest first. */
        public static final Request<SessionList, SessionPage> SESSION_LIST =
                new Request<>("wave/session/list", SessionList.class, SessionPage.class);

        /** Give a session a title. */
        public static final Request<Rename, Done> SESSION_RENAME =
                new Request<>("wave/session/rename", Rename.class, Done.class);

        /** Get everything a panel shows. */
        public static final Request<OfSession, Snapshot> SESSION_SNAPSHOT =
                new Request<>("wave/session/snapshot", OfSession.class, Snapshot.class);

        /** Attach, with a snapshot unless the copy is current. */
        public static final Request<Subscribe, Subscribed> SESSION_SUBSCRIBE =
                new Request<>("wave/session/subscribe", Subscribe.class, Subscribed.class);

        /** Detach; the session lives on for a grace time. */
        public static final Request<OfSession, Done> SESSION_UNSUBSCRIBE =
                new Request<>("wave/session/unsubscribe", OfSession.class, Done.class);

        /** Begin anew in the same panel, under a new id. */
        public static final Request<OfSession, SessionOpened> SESSION_CLEAR =
                new Request<>("wave/session/clear", OfSession.class, SessionOpened.class);

        /** Compact the conversation. */
        public static final Request<Compact, JsonElement> SESSION_COMPACT =
                new Request<>("wave/session/compact", Compact.class, JsonElement.class);

        /** Set the permission mode. */
        public static final Request<SetMode, JsonElement> SESSION_SET_MODE =
                new Request<>("wave/session/setMode", SetMode.class, JsonElement.class);

        /** Send a message or a shell command. */
        public static final Request<TurnStart, TurnAccepted> TURN_START =
                new Request<>("wave/turn/start", TurnStart.class, TurnAccepted.class);

        /** Stop the turn; pending approvals are denied, the queue is cleared. */
        public static final Request<OfSession, Done> TURN_CANCEL =
                new Request<>("wave/turn/cancel", OfSession.class, Done.class);

        /** The queued messages. */
        public static final Request<OfSession, Queue> QUEUE_LIST =
                new Request<>("wave/queue/list", OfSession.class, Queue.class);

        /** Change a queued message; ok false: it is gone. */
        public static final Request<QueueUpdate, JsonElement> QUEUE_UPDATE =
                new Request<>("wave/queue/update", QueueUpdate.class, JsonElement.class);

        /** Remove a queued message. */
        public static final Request<QueueItem, Done> QUEUE_REMOVE =
                new Request<>("wave/queue/remove", QueueItem.class, Done.class);

        /** Stop the turn and send this one; the rest stays queued. */
        public static final Request<QueueItem, Done> QUEUE_SEND_NOW =
                new Request<>("wave/queue/sendNow", QueueItem.class, Done.class);

        /** Pending approvals. */
        public static final Request<PermissionList, Approvals> PERMISSION_LIST =
                new Request<>("wave/permission/list", PermissionList.class, Approvals.class);

        /** Answer an approval. */
        public static final Request<Respond, Responded> PERMISSION_RESPOND =
                new Request<>("wave/permission/respond", Respond.class, Responded.class);

        /** From a panel, for its editor. Show a file. */
        public static final Request<OpenFile, Done> EDITOR_OPEN_FILE =
                new Request<>("wave/editor/openFile", OpenFile.class, Done.class);

        /** From a panel, for its editor. Show a file without taking the focus. */
        public static final Request<OpenFile, Done> EDITOR_REVEAL =
                new Request<>("wave/editor/reveal", OpenFile.class, Done.class);

        /** From a panel, for its editor. Open an address in the browser. */
        public static final Request<OpenUrl, Done> EDITOR_OPEN_URL =
                new Request<>("wave/editor/openUrl", OpenUrl.class, Done.class);

        /** From a panel, for its editor. Show a notice, with buttons. */
        public static final Request<Notify, Notified> EDITOR_NOTIFY =
                new Request<>("wave/editor/notify", Notify.class, Notified.class);

        /** From a panel, for its editor. Copy text. */
        public static final Request<Copy, Done> EDITOR_COPY =
                new Request<>("wave/editor/copy", Copy.class, Done.class);

        /** A panel opened in this editor. */
        public static final Request<PanelOpen, PanelOpened> PANEL_OPEN =
                new Request<>("wave/panel/open", PanelOpen.class, PanelOpened.class);

        /** Get the address of a panel for the browser. */
        public static final Request<PanelUrl, PanelAddress> PANEL_URL =
                new Request<>("wave/panel/url", PanelUrl.class, PanelAddress.class);

        /** Start the CLI anew, also when the breaker is open. */
        public static final Request<Nothing, AgentStatus> AGENT_RESTART =
                new Request<>("wave/agent/restart", Nothing.class, AgentStatus.class);

        /** Facts of the daemon, its agents, clients and sessions. */
        public static final Request<Nothing, DaemonStatus> DAEMON_STATUS =
                new Request<>("wave/daemon/status", Nothing.class, DaemonStatus.class);

        /** Examine the machine: what there is, and what is wrong with it. */
        public static final Request<Nothing, Diagnosis> DAEMON_DOCTOR =
                new Request<>("wave/daemon/doctor", Nothing.class, Diagnosis.class);

        /** Facts of a live session, from the CLI. */
        public static final Request<OfSession, JsonElement> SESSION_INFO =
                new Request<>("wave/session/info", OfSession.class, JsonElement.class);

        /** All messages, before compactions too. */
        public static final Request<OfSession, JsonElement> SESSION_THREAD =
                new Request<>("wave/session/thread", OfSession.class, JsonElement.class);

        /** A side question. */
        public static final Request<AskBtw, JsonElement> SESSION_BTW =
                new Request<>("wave/session/btw", AskBtw.class, JsonElement.class);

        /** Fuzzy search for files. */
        public static final Request<FileSearch, JsonElement> FILES_SEARCH =
                new Request<>("wave/files/search", FileSearch.class, JsonElement.class);

        /** Keep an uploaded file. */
        public static final Request<WriteArtifact, JsonElement> FILES_WRITE_ARTIFACT =
                new Request<>("wave/files/writeArtifact", WriteArtifact.class, JsonElement.class);

        /** Slash commands and skills. */
        public static final Request<OfSession, JsonElement> COMMANDS_LIST =
                new Request<>("wave/commands/list", OfSession.class, JsonElement.class);

        /** Configured models and the current one. */
        public static final Request<OfSession, JsonElement> MODELS_LIST =
                new Request<>("wave/models/list", OfSession.class, JsonElement.class);

        /** Choose the model. */
        public static final Request<SetModel, JsonElement> MODELS_SET =
                new Request<>("wave/models/set", SetModel.class, JsonElement.class);

        /** Settings of the project. */
        public static final Request<OfFolder, JsonElement> CONFIG_PROJECT =
                new Request<>("wave/config/project", OfFolder.class, JsonElement.class);

        /** Subagents. */
        public static final Request<OfSession, JsonElement> CONFIG_AGENTS =
                new Request<>("wave/config/agents", OfSession.class, JsonElement.class);

        /** Skills. */
        public static final Request<OfSession, JsonElement> CONFIG_SKILLS =
                new Request<>("wave/config/skills", OfSession.class, JsonElement.class);

        /** MCP servers. */
        public static final Request<OfSession, JsonElement> MCP_LIST =
                new Request<>("wave/mcp/list", OfSession.class, JsonElement.class);

        /** Connect an MCP server. */
        public static final Request<OfMcpServer, JsonElement> MCP_CONNECT =
                new Request<>("wave/mcp/connect", OfMcpServer.class, JsonElement.class);

        /** Disconnect an MCP server. */
        public static final Request<OfMcpServer, JsonElement> MCP_DISCONNECT =
                new Request<>("wave/mcp/disconnect", OfMcpServer.class, JsonElement.class);

        /** Output of a background task. */
        public static final Request<OfTask, JsonElement> TASKS_OUTPUT =
                new Request<>("wave/tasks/output", OfTask.class, JsonElement.class);

        /** Stop a background task. */
        public static final Request<OfTask, JsonElement> TASKS_STOP =
                new Request<>("wave/tasks/stop", OfTask.class, JsonElement.class);

        /** Move the running tool to the background. */
        public static final Request<OfSession, JsonElement> TASKS_BACKGROUND =
                new Request<>("wave/tasks/background", OfSession.class, JsonElement.class);

        /** Workflow runs. */
        public static final Request<OfSession, JsonElement> TASKS_RUNS =
                new Request<>("wave/tasks/runs", OfSession.class, JsonElement.class);

        /** Stop a workflow run. */
        public static final Request<OfRun, JsonElement> TASKS_STOP_RUN =
                new Request<>("wave/tasks/stopRun", OfRun.class, JsonElement.class);

        /** Messages that one can rewind to. */
        public static final Request<OfSession, JsonElement> CHECKPOINT_LIST =
                new Request<>("wave/checkpoint/list", OfSession.class, JsonElement.class);

        /** Rewind to a message; inputContent is its text. */
        public static final Request<OfMessage, Rewound> CHECKPOINT_REWIND =
                new Request<>("wave/checkpoint/rewind", OfMessage.class, Rewound.class);

        /** Prompts sent before, newest first. */
        public static final Request<OfFolder, JsonElement> HISTORY_LIST =
                new Request<>("wave/history/list", OfFolder.class, JsonElement.class);

        /** Search the prompts sent before. */
        public static final Request<HistorySearch, JsonElement> HISTORY_SEARCH =
                new Request<>("wave/history/search", HistorySearch.class, JsonElement.class);

        /** Branches of a repository. */
        public static final Request<OfRepository, JsonElement> GIT_BRANCHES =
                new Request<>("wave/git/branches", OfRepository.class, JsonElement.class);

        /** Make a worktree. */
        public static final Request<WorktreeCreate, JsonElement> GIT_CREATE_WORKTREE =
                new Request<>("wave/git/createWorktree", WorktreeCreate.class, JsonElement.class);

        /** Remove a worktree. */
        public static final Request<WorktreeRemove, JsonElement> GIT_REMOVE_WORKTREE =
                new Request<>("wave/git/removeWorktree", WorktreeRemove.class, JsonElement.class);

        /** Plugins. */
        public static final Request<OfFolder, JsonElement> PLUGINS_LIST =
                new Request<>("wave/plugins/list", OfFolder.class, JsonElement.class);

        /** Install a plugin. */
        public static final Request<OfPlugin, JsonElement> PLUGINS_INSTALL =
                new Request<>("wave/plugins/install", OfPlugin.class, JsonElement.class);

        /** Uninstall a plugin. */
        public static final Request<OfPlugin, JsonElement> PLUGINS_UNINSTALL =
                new Request<>("wave/plugins/uninstall", OfPlugin.class, JsonElement.class);

        /** Update a plugin. */
        public static final Request<OfPlugin, JsonElement> PLUGINS_UPDATE =
                new Request<>("wave/plugins/update", OfPlugin.class, JsonElement.class);

        /** Enable a plugin. */
        public static final Request<OfPlugin, JsonElement> PLUGINS_ENABLE =
                new Request<>("wave/plugins/enable", OfPlugin.class, JsonElement.class);

        /** Disable a plugin. */
        public static final Request<OfPlugin, JsonElement> PLUGINS_DISABLE =
                new Request<>("wave/plugins/disable", OfPlugin.class, JsonElement.class);

        /** Switch a built-in plugin. */
        public static final Request<SetBuiltinPlugin, JsonElement> PLUGINS_SET_BUILTIN =
                new Request<>("wave/plugins/setBuiltin", SetBuiltinPlugin.class, JsonElement.class);

        /** Marketplaces. */
        public static final Request<OfFolder, JsonElement> PLUGINS_MARKETPLACES =
                new Request<>("wave/plugins/marketplaces", OfFolder.class, JsonElement.class);

        /** Add a marketplace. */
        public static final Request<AddMarketplace, JsonElement> PLUGINS_ADD_MARKETPLACE =
                new Request<>("wave/plugins/addMarketplace", AddMarketplace.class, JsonElement.class);

        /** Remove a marketplace. */
        public static final Request<OfMarketplace, JsonElement> PLUGINS_REMOVE_MARKETPLACE =
                new Request<>("wave/plugins/removeMarketplace", OfMarketplace.class, JsonElement.class);

        /** Refresh marketplaces. */
        public static final Request<UpdateMarketplace, JsonElement> PLUGINS_UPDATE_MARKETPLACE =
                new Request<>("wave/plugins/updateMarketplace", UpdateMarketplace.class, JsonElement.class);

        /** Whether the user is signed in. */
        public static final Request<Nothing, JsonElement> AUTH_STATUS =
                new Request<>("wave/auth/status", Nothing.class, JsonElement.class);

        /** Sign in. */
        public static final Request<Login, JsonElement> AUTH_LOGIN =
                new Request<>("wave/auth/login", Login.class, JsonElement.class);

        /** Sign out. */
        public static final Request<Nothing, JsonElement> AUTH_LOGOUT =
                new Request<>("wave/auth/logout", Nothing.class, JsonElement.class);
    }

    /** What an editor or a panel may tell the bridge. */
    public static final class BridgeNotifications {
        private BridgeNotifications() {}

        /** A panel closed. */
        public static final Notification<PanelClose> PANEL_CLOSE =
                new Notification<>("wave/panel/close", PanelClose.class);

        /** A panel's message, towards the bridge. */
        public static final Notification<PanelMessage> PANEL_MESSAGE =
                new Notification<>("wave/panel/message", PanelMessage.class);
    }

    /** What the bridge may ask an editor. */
    public static final class ClientRequests {
        private ClientRequests() {}

        /** Read facts of the editor, at the moment of sending. */
        public static final Request<ContextRead, ContextFacts> CONTEXT_READ =
                new Request<>("wave/context/read", ContextRead.class, ContextFacts.class);

        /** Show a file. */
        public static final Request<OpenFile, Done> EDITOR_OPEN_FILE =
                new Request<>("wave/editor/openFile", OpenFile.class, Done.class);

        /** Show a file without taking the focus. */
        public static final Request<OpenFile, Done> EDITOR_REVEAL =
                new Request<>("wave/editor/reveal", OpenFile.class, Done.class);

        /** Open an address in the browser. */
        public static final Request<OpenUrl, Done> EDITOR_OPEN_URL =
                new Request<>("wave/editor/openUrl", OpenUrl.class, Done.class);

        /** Show a notice, with buttons. */
        public static final Request<Notify, Notified> EDITOR_NOTIFY =
                new Request<>("wave/editor/notify", Notify.class, Notified.class);

        /** Copy text. */
        public static final Request<Copy, Done> EDITOR_COPY =
                new Request<>("wave/editor/copy", Copy.class, Done.class);
    }

    /** What the bridge may tell an editor or a panel. */
    public static final class ClientNotifications {
        private ClientNotifications() {}

        /** A notification of the CLI, in order, with its sequence number. */
        public static final Notification<EventParams> SESSION_EVENT =
                new Notification<>("wave/session/event", EventParams.class);

        /** The bridge's own facts of a session. */
        public static final Notification<StateParams> SESSION_STATE =
                new Notification<>("wave/session/state", StateParams.class);

        /** A tool waits for approval. */
        public static final Notification<Approval> PERMISSION_REQUESTED =
                new Notification<>("wave/permission/requested", Approval.class);

        /** An approval is no longer pending. */
        public static final Notification<ApprovalEnded> PERMISSION_RESOLVED =
                new Notification<>("wave/permission/resolved", ApprovalEnded.class);

        /** A message for a panel. */
        public static final Notification<PanelMessage> PANEL_MESSAGE =
                new Notification<>("wave/panel/message", PanelMessage.class);

        /** How the CLI process is. */
        public static final Notification<AgentStatus> AGENT_STATUS =
                new Notification<>("wave/agent/status", AgentStatus.class);

        /** A notification of the CLI that belongs to no session. */
        public static final Notification<GlobalEvent> AGENT_EVENT =
                new Notification<>("wave/agent/event", GlobalEvent.class);

        /** Another daemon has taken a dead one's place; what that one held is gone, panels are open again. */
        public static final Notification<Nothing> DAEMON_REATTACHED =
                new Notification<>("wave/daemon/reattached", Nothing.class);
    }

    /** ServerCapabilities.experimental.wave. A method that is not named is not supported. */
    public record Abilities(List<String> methods, String epoch, String build, long version, Limits limits) {}

    /** Add a marketplace by path, owner/repo or address. scope: local, project, user. */
    public record AddMarketplace(String input, String scope, String workdir, String sessionId) {}

    /**
     * A CLI process: how it was started and how it is.  garbage counts its lines that were no messages,
     * unanswered the requests that it has not answered yet. source says who named it; command is empty
     * before the first start. source: WAVE_CLI_PATH, bundled, embedded, installed, setting.
     */
    public record AgentFacts(
            String source,
            List<String> command,
            AgentStatus status,
            long eventsOfNobody,
            long garbage,
            long unanswered,
            List<SessionFacts> sessions) {}

    /**
     * How the CLI process is. generation counts its starts; retryAt is seconds since the epoch. state:
     * degraded, down, ready, restarting, starting, stopped.
     */
    public record AgentStatus(String state, long generation, String phase, String reason, Double retryAt) {}

    /** A pending permission request. context is the CLI's own object (toolName, toolInput, …). */
    public record Approval(String requestId, String sessionId, JsonObject context) {}

    /** An approval is no longer pending. outcome: allowed, denied, withdrawn. */
    public record ApprovalEnded(String requestId, String sessionId, String outcome) {}

    /** Pending approvals, oldest first. */
    public record Approvals(List<Approval> requests) {}

    /** A side question; the answer is not stored. */
    public record AskBtw(String sessionId, String question) {}

    /** A shell command, without its !. It must be the only part. */
    public record BangPart(String type, String command) implements Part {
        public BangPart(String command) {
            this("bang", command);
        }
    }

    /**
     * initializationOptions.cli: where the user says that the CLI is, where the editor brings one, what
     * runs it.  runtime is a program that runs JavaScript, or a folder of the editor's to look for Node in
     * (docs/SUPPLY.md).
     */
    public record Cli(String path, String bundled, String runtime) {}

    /** An attached editor; heldBytes wait because it does not read. */
    public record ClientFacts(String name, String version, List<String> panels, long heldBytes) {}

    /** initializationOptions.client. */
    public record ClientName(String name, String version, String id) {}

    /** Compact the conversation. */
    public record Compact(String sessionId, String customInstructions) {}

    /** Facts by kind, in the forms of the providers; a kind left out counts as unavailable. */
    public record ContextFacts(
            JsonObject terminal,
            JsonObject problems,
            JsonObject selection,
            JsonObject openEditors) {}

    /** Which facts of the editor the bridge wants; each is answered raw, or as unavailable with a reason. */
    public record ContextRead(List<String> kinds) {}

    /** Put text on the clipboard. */
    public record Copy(String text) {}

    /**
     * What runs. startedAt is seconds since the epoch, approvals are pending, tasks are the event loop's
     * own.
     */
    public record DaemonStatus(
            long pid,
            String build,
            String epoch,
            double startedAt,
            long approvals,
            long tasks,
            List<AgentFacts> agents,
            List<ClientFacts> clients) {}

    /** An answer to a permission request. behavior: allow, deny. */
    public record Decision(String behavior, String message, String newPermissionMode, String newPermissionRule) {}

    /**
     * What there is on the machine (report, facts without secrets), what is wrong with it, and both as a
     * text.
     */
    public record Diagnosis(JsonObject report, List<String> problems, String text) {}

    /** Whether it was done; false when what it names is gone. */
    public record Done(boolean ok) {}

    /**
     * A message or a command (bang) that was queued when the CLI ended. It is sent when the user says so,
     * not before.  wave/queue/sendNow and wave/queue/remove take its id.
     */
    public record Draft(String id, String text, Boolean bang, List<JsonObject> images) {}

    /** A place in a session's event stream: the CLI's generation, and the last event seen. */
    public record Epoch(String epoch, long seq) {}

    /**
     * One notification of the CLI, unchanged. fromSeq is there when deltas were merged: they began with
     * it.
     */
    public record EventParams(long seq, JsonObject event, Long fromSeq) {}

    /** Fuzzy search for files; paths come back relative to the folder. */
    public record FileSearch(String query, Long maxResults, String workdir, String sessionId) {}

    /** A notification of the CLI that belongs to no session, unchanged. */
    public record GlobalEvent(JsonObject event) {}

    /** Search the prompts sent before. */
    public record HistorySearch(String query, String workdir, String sessionId) {}

    /** An image: a path, or a data: URL. */
    public record ImagePart(String type, String path, String mimeType) implements Part {
        public ImagePart(String path, String mimeType) {
            this("image", path, mimeType);
        }
    }

    /** initializationOptions; all of it may be left out. */
    public record InitializationOptions(ClientName client, Cli cli, JsonObject settings) {}

    /** The bounds that a client can meet: bytes of one message, and requests that wait for an answer. */
    public record Limits(long frameBytes, long outstandingRequests) {}

    /** Sign in; the address to open comes as wave/agent/event. */
    public record Login(String serverUrl) {}

    /** Something of the editor, read at the moment of sending (M1.2). kind: problems, terminal. */
    public record MentionPart(String type, String kind) implements Part {
        public MentionPart(String kind) {
            this("mention", kind);
        }
    }

    /** No members. */
    public record Nothing() {}

    /**
     * A button of a notice. The editor does showLog and openSettings itself, restart is the bridge's work.
     * id: openSettings, restart, showLog.
     */
    public record NoticeAction(String id, String title) {}

    /**
     * Whether it was shown, and which button was chosen; left out: none. action: openSettings, restart,
     * showLog.
     */
    public record Notified(boolean ok, String action) {}

    /**
     * Show a notice to the user; it stands until it was seen, and the answer may take as long. level:
     * error, info, warning.
     */
    public record Notify(String level, String message, List<NoticeAction> actions) {}

    /** Names a folder, a session whose folder counts, or neither. */
    public record OfFolder(String workdir, String sessionId) {}

    /** Names a marketplace. scope: local, project, user. */
    public record OfMarketplace(String name, String scope, String workdir, String sessionId) {}

    /** Names an MCP server. */
    public record OfMcpServer(String sessionId, String serverName) {}

    /** Names a message. */
    public record OfMessage(String sessionId, String messageId) {}

    /** Names a plugin, name@marketplace. scope: local, project, user. */
    public record OfPlugin(String pluginId, String scope, String workdir, String sessionId) {}

    /** Names a repository by a folder in it. */
    public record OfRepository(String workdir) {}

    /** Names a workflow run. */
    public record OfRun(String sessionId, String runId) {}

    /** Names a session by its current id. */
    public record OfSession(String sessionId) {}

    /** Names a background task. */
    public record OfTask(String sessionId, String taskId) {}

    /** Show a file; lines and columns count from 1. */
    public record OpenFile(String path, Long line, Long column) {}

    /** Open an address in the system's browser. */
    public record OpenUrl(String url) {}

    /** The address of a panel. It can be opened once, and soon; what it opens may be loaded anew. */
    public record PanelAddress(String url) {}

    /** The panel is gone. */
    public record PanelClose(String panelId) {}

    /** One JSON-RPC message of a panel, either way, unread by the shim. */
    public record PanelMessage(String panelId, JsonObject message) {}

    /**
     * A panel exists from now on; its frames come through this connection. kind: browser, sidebar, tab,
     * toolWindow, window.
     */
    public record PanelOpen(String panelId, String kind, String workdir) {}

    /** The bridge knows the panel. */
    public record PanelOpened(long protocolVersion) {}

    /** A panel for the browser: where it works, and the session that it shows. Both may be left out. */
    public record PanelUrl(String workdir, String sessionId) {}

    /** Whose approvals; left out: those of all sessions that this client watches. */
    public record PermissionList(String sessionId) {}

    /** The queue, in order; the CLI's own objects. */
    public record Queue(List<JsonObject> messages) {}

    /** Names a queued message. */
    public record QueueItem(String sessionId, String id) {}

    /** A queued message's new text. images left out keeps the old ones, empty removes them. */
    public record QueueUpdate(String sessionId, String id, String text, List<Map<String, String>> images) {}

    /** A new title; blank changes nothing (S12.7), over 200 characters is refused (SB16). */
    public record Rename(String sessionId, String title, String workdir) {}

    /** Answer an approval; the first answer wins. */
    public record Respond(String requestId, Decision decision) {}

    /** What became of the answer. outcome: alreadyResolved, expired, resolved, unknown. */
    public record Responded(String outcome) {}

    /** The text of the message that was rewound to, for the input. */
    public record Rewound(String inputContent) {}

    /** A live session, for status. */
    public record SessionFacts(String sessionId, String workdir, boolean busy, long watchers) {}

    /**
     * Which sessions to list. cwd without a scope: that folder; limit 0 means the default. scope: all,
     * folder, repo.
     */
    public record SessionList(String cwd, String scope, String query, String cursor, Long limit) {}

    /** Start a session. Members but workdir are the CLI's own initialize parameters, passed on as they are. */
    public record SessionNew(
            String workdir,
            String permissionMode,
            String model,
            String fastModel,
            String language,
            List<String> tools,
            List<String> allowedTools,
            List<String> disallowedTools,
            List<String> pluginDirs,
            JsonObject mcpServers,
            String worktreeName,
            Boolean isNewWorktree) {}

    /**
     * Open a session that is live or stored. workdir says where to look first; without it: where it was
     * made.
     */
    public record SessionOpen(String sessionId, String workdir) {}

    /** A session is attached: events follow from seq on. */
    public record SessionOpened(
            String sessionId,
            String epoch,
            long seq,
            SessionState state,
            List<Approval> approvals) {}

    /** A page of sessions, newest first; nextCursor is left out on the last one. */
    public record SessionPage(List<SessionRow> sessions, List<SessionSkipped> skipped, String nextCursor) {}

    /**
     * A stored session, in the members of the CLI's own list; times are ISO 8601, project is its folder's
     * name. sessionType: main.
     */
    public record SessionRow(
            String id,
            String sessionType,
            String workdir,
            String createdAt,
            String lastActiveAt,
            long latestTotalTokens,
            String project,
            String firstMessage,
            String branch,
            String customTitle,
            Boolean damaged) {}

    /** A session (or, with an empty id, a project folder) that could not be listed, and why. */
    public record SessionSkipped(String id, String project, String reason) {}

    /**
     * The bridge's cached facts of a session; never its messages. Lists are the CLI's own, whole, but the
     * drafts.
     */
    public record SessionState(
            String workdir,
            String permissionMode,
            boolean loading,
            boolean commandRunning,
            boolean compacting,
            boolean busy,
            long latestTotalTokens,
            String title,
            List<JsonObject> queue,
            List<JsonObject> tasks,
            List<JsonObject> backgroundTasks,
            List<Draft> drafts) {}

    /** Switch a built-in plugin on or off. scope: local, project, user. */
    public record SetBuiltinPlugin(
            String pluginId,
            boolean enabled,
            String scope,
            String workdir,
            String sessionId) {}

    /** A new permission mode. mode: acceptEdits, bypassPermissions, default, dontAsk, plan. */
    public record SetMode(String sessionId, String mode) {}

    /** Choose the model; it is kept in the user's settings, where an empty one would stay. */
    public record SetModel(String sessionId, String model) {}

    /**
     * Everything a panel shows, as of seq: replace what you have, then apply events with a greater seq
     * only.
     */
    public record Snapshot(
            String sessionId,
            String epoch,
            long seq,
            JsonElement messages,
            SessionState state,
            List<Approval> approvals) {}

    /**
     * The bridge's own facts of a session; only what changed. resync: fetch a snapshot, events were lost.
     * reason: lagging, lost, messagesReplaced, restored.
     */
    public record StateParams(
            String sessionId,
            String epoch,
            Boolean resync,
            String reason,
            String title,
            Boolean busy,
            String turnStarted,
            TurnEnded turnEnded,
            List<Draft> drafts) {}

    /** Attach to a session; after is where the client's copy stands. */
    public record Subscribe(String sessionId, Epoch after) {}

    /** snapshot is left out when the client's copy is current. */
    public record Subscribed(String sessionId, String epoch, long seq, Snapshot snapshot) {}

    /** Text that the user typed. */
    public record TextPart(String type, String text) implements Part {
        public TextPart(String text) {
            this("text", text);
        }
    }

    /**
     * The message is with the CLI; the end comes as wave/session/state. queueId names it in the queue.
     * outcome: queued, started.
     */
    public record TurnAccepted(String outcome, String queueId) {}

    /** A turn is over. detail is for a person. reason: agentCrashed, cancelled, completed, failed. */
    public record TurnEnded(String clientTurnId, String reason, String detail) {}

    /** Send a message. The same clientTurnId twice is one turn. */
    public record TurnStart(String sessionId, String clientTurnId, List<Part> parts) {}

    /** Refresh one marketplace, or all. */
    public record UpdateMarketplace(String name, String workdir, String sessionId) {}

    /** Make a worktree. */
    public record WorktreeCreate(String workdir, String baseBranch, String name) {}

    /** Remove a worktree and its branch. */
    public record WorktreeRemove(String path, String branch, String repoRoot, Boolean hookBased) {}

    /** Keep a file for the CLI to read. */
    public record WriteArtifact(String name, String contentBase64) {}
}
