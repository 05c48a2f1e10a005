"""What the CLI says and hears: one table of its events, one of its requests, and the Structs that the bridge decodes.

Everything that the bridge only passes on stays raw. Shapes are the CLI's own (wire facts: requests, notifications);
members that the bridge does not need are not named and are ignored when decoding.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from wave_bridge.core.limits import INITIALIZE_TIMEOUT

SessionNeed = Literal["required", "optional", "none"]


class Wire(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """A value on the wire: camelCase members, those at their default left out."""


# Events that touch cached state. A params Struct names only what the cache keeps.


class LoadingChange(Wire, frozen=True):
    """A turn is running or not; repeats itself, and blips to false between queued turns."""

    loading: bool = False
    latest_total_tokens: int = 0


class CommandRunningChange(Wire, frozen=True):
    """A `!` command is running or not."""

    running: bool = False


class QueueChange(Wire, frozen=True):
    """The whole queue, in order."""

    messages: list[dict[str, Any]] = []


class TasksChange(Wire, frozen=True):
    """The whole list of tasks, or of background tasks."""

    tasks: list[dict[str, Any]] = []


class SessionIdChange(Wire, frozen=True):
    """The session goes on under a new id; the envelope has the old one."""

    session_id: str


class PermissionModeChange(Wire, frozen=True):
    """The permission mode; the CLI may leave it out when it was set to nothing."""

    mode: str = "default"


class WorkdirChange(Wire, frozen=True):
    """The session's current working directory."""

    workdir: str


class PermissionRequest(Wire, frozen=True):
    """A tool waits for approval. `context` is the CLI's own object."""

    request_id: str
    context: dict[str, Any] = {}


class CompactionStateChange(Wire, frozen=True):
    """A compaction began or ended."""

    is_compacting: bool = False


class McpServersChange(Wire, frozen=True):
    """The whole list of MCP servers; their `config` holds secrets and is never logged."""

    servers: list[dict[str, Any]] = []


class EventSpec(msgspec.Struct, frozen=True):
    """One notification of the CLI. `params` is set when the bridge caches what it says."""

    params: type[Wire] | None = None
    scope: Literal["session", "global"] = "session"


PASSED_ON = EventSpec()

EVENTS: dict[str, EventSpec] = {
    "userMessageAdded": PASSED_ON,
    "assistantMessageAdded": PASSED_ON,
    "assistantContentUpdated": PASSED_ON,
    "assistantReasoningUpdated": PASSED_ON,
    "toolBlockUpdated": PASSED_ON,
    "errorBlockAdded": PASSED_ON,
    "bangMessageAdded": PASSED_ON,
    "bangMessageUpdated": PASSED_ON,
    "bangMessageCompleted": PASSED_ON,
    "notificationMessageAdded": PASSED_ON,
    "compactionContentUpdate": PASSED_ON,
    "compactBlockAdded": PASSED_ON,
    "btwContent": PASSED_ON,
    "messagesChange": PASSED_ON,
    "loadingChange": EventSpec(LoadingChange),
    "commandRunningChange": EventSpec(CommandRunningChange),
    "queuedMessagesChange": EventSpec(QueueChange),
    "tasksChange": EventSpec(TasksChange),
    "backgroundTasksChange": EventSpec(TasksChange),
    "sessionIdChange": EventSpec(SessionIdChange),
    "permissionModeChange": EventSpec(PermissionModeChange),
    "workdirChange": EventSpec(WorkdirChange),
    "permissionRequest": EventSpec(PermissionRequest),
    "compactionStateChange": EventSpec(CompactionStateChange),
    "mcpServersChange": EventSpec(McpServersChange),
    "authUrl": EventSpec(scope="global"),
}

# Deltas of one block: they merge when a client lags (T10.4). Event name → the member that names the block.
DELTAS: dict[str, str] = {
    "assistantContentUpdated": "messageId",
    "assistantReasoningUpdated": "messageId",
    "toolBlockUpdated": "id",
}


class Initialized(Wire, frozen=True):
    """The answer to `initialize`."""

    session_id: str
    working_directory: str = ""
    permission_mode: str = "default"
    latest_total_tokens: int = 0


class Decision(Wire, frozen=True):
    """An answer to a permission request."""

    behavior: Literal["allow", "deny"]
    message: str | UnsetType = UNSET
    new_permission_mode: str | UnsetType = UNSET
    new_permission_rule: str | UnsetType = UNSET


class RequestSpec(msgspec.Struct, frozen=True):
    """One request of the CLI. `timeout` is in seconds; None means that a person or a model decides when it ends."""

    session: SessionNeed = "required"
    timeout: float | None = 15.0


_TURN = RequestSpec(timeout=None)
_LOOKUP = RequestSpec()
_GLOBAL = RequestSpec("none")
_FOLDER = RequestSpec("optional")
_SLOW_FOLDER = RequestSpec("optional", 300.0)

REQUESTS: dict[str, RequestSpec] = {
    "initialize": RequestSpec("none", INITIALIZE_TIMEOUT),
    "destroy": RequestSpec(timeout=10.0),
    "restoreSession": RequestSpec(timeout=INITIALIZE_TIMEOUT),
    "listSessions": RequestSpec("optional", 60.0),
    "getSessionInfo": _LOOKUP,
    "listDaemonSessions": _GLOBAL,
    "updateConfig": RequestSpec(timeout=INITIALIZE_TIMEOUT),
    "getConfiguredModels": _LOOKUP,
    "setModel": _LOOKUP,
    "sendMessage": _TURN,
    "bang": _TURN,
    "abortMessage": RequestSpec(timeout=60.0),  # may wait for a retry pause of the model call
    "clearMessages": RequestSpec(timeout=60.0),  # SessionEnd hooks run first
    "rewindToMessage": RequestSpec(timeout=60.0),
    "listRewindCheckpoints": RequestSpec(timeout=60.0),
    "deleteQueuedMessage": _LOOKUP,
    "deleteQueuedMessageById": _LOOKUP,
    "updateQueuedMessage": _LOOKUP,
    "getMessages": RequestSpec(timeout=60.0),
    "getFullMessageThread": RequestSpec(timeout=60.0),
    "compact": _TURN,
    "askBtw": _TURN,
    "setPermissionMode": _LOOKUP,
    "getPermissionMode": _LOOKUP,
    "listPendingPermissions": _GLOBAL,
    "getBackgroundTaskOutput": _LOOKUP,
    "stopBackgroundTask": _LOOKUP,
    "backgroundCurrentTask": _LOOKUP,
    "getWorkflowRuns": _LOOKUP,
    "stopWorkflowRun": _LOOKUP,
    "getSlashCommands": _LOOKUP,
    "getSubagentConfigurations": _LOOKUP,
    "getSkillMetadata": _LOOKUP,
    "getMcpServers": _LOOKUP,
    "connectMcpServer": RequestSpec(timeout=60.0),
    "disconnectMcpServer": RequestSpec(timeout=60.0),
    "searchFiles": _FOLDER,
    "getPromptHistory": _FOLDER,
    "searchPromptHistory": _FOLDER,
    "writeArtifactFile": RequestSpec("none", 60.0),
    "listGitBranches": _GLOBAL,
    "createWorktree": RequestSpec("none", 300.0),
    "removeWorktree": RequestSpec("none", 60.0),
    "getAuthStatus": RequestSpec("none", 30.0),
    "login": RequestSpec("none", 330.0),  # the CLI gives up after five minutes
    "logout": _GLOBAL,
    "listPlugins": RequestSpec("optional", 60.0),
    "installPlugin": _SLOW_FOLDER,
    "uninstallPlugin": _SLOW_FOLDER,
    "updatePlugin": _SLOW_FOLDER,
    "enablePlugin": _FOLDER,
    "disablePlugin": _FOLDER,
    "getProjectSettings": _FOLDER,
    "setBuiltinPluginEnabled": _FOLDER,
    "listMarketplaces": _FOLDER,
    "addMarketplace": _SLOW_FOLDER,
    "removeMarketplace": _SLOW_FOLDER,
    "updateMarketplace": _SLOW_FOLDER,
}
