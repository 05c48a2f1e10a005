"""The error tree: each class has a kind (the stable key that clients test), a code, whose fault it is, and advice.

Codes lie outside the ranges that JSON-RPC and LSP reserve; `error.data.kind` is what a client may compare
(docs/PROTOCOL.md). Nobody compares message texts.
"""

from __future__ import annotations

from typing import ClassVar, Literal

Fault = Literal["user", "client", "agent", "bridge", "system"]


class BridgeError(Exception):
    """Anything that a client is told about. `data` holds what the client needs to act, as plain JSON values."""

    kind: ClassVar[str] = "internal"
    code: ClassVar[int] = -32603
    fault: ClassVar[Fault] = "bridge"
    advice: ClassVar[str] = "Run `wave-bridge status` and report the log that it names."

    def __init__(self, message: str, **data: object) -> None:
        super().__init__(message)
        self.message = message
        self.data = data

    def to_wire(self) -> dict[str, object]:
        """Give the JSON-RPC error object: `{code, message, data: {kind, advice, fault, …}}`."""
        return {
            "code": self.code,
            "message": self.message,
            "data": {"kind": self.kind, "fault": self.fault, "advice": self.advice, **self.data},
        }


class MethodNotFound(BridgeError):
    """The method is not in the protocol table."""

    kind, code, fault = "methodNotFound", -32601, "client"
    advice = "See docs/PROTOCOL.md for the methods of this version."


class InvalidParams(BridgeError):
    """The parameters do not fit the method's Struct; the message names the member."""

    kind, code, fault = "invalidParams", -32602, "client"
    advice = "Correct the named member; docs/PROTOCOL.md has the shape."


class InvalidRequest(BridgeError):
    """The message is JSON but no request, response or notification."""

    kind, code, fault = "invalidRequest", -32600, "client"
    advice = "Send one JSON-RPC 2.0 object a frame."


class ParseError(BridgeError):
    """The frame's body is not JSON."""

    kind, code, fault = "parseError", -32700, "client"
    advice = "Send UTF-8 JSON; Content-Length counts bytes."


class NotInitialized(BridgeError):
    """A request came before `initialize` was answered."""

    kind, code, fault = "notInitialized", -32002, "client"
    advice = "Send `initialize` first."


class RequestCancelled(BridgeError):
    """The client cancelled the request with `$/cancelRequest`."""

    kind, code, fault = "cancelled", -32800, "client"
    advice = "Nothing to do."


class AgentUnavailable(BridgeError):
    """No CLI process is there to answer: not found, not startable, the breaker is open, or it is shutting down."""

    kind, code, fault = "agentUnavailable", -31001, "agent"
    advice = "Wait for wave/agent/status to say ready, or send wave/agent/restart."


class AgentCrashed(BridgeError):
    """The CLI ended while the request was under way (T7.1); `data` has exitCode, signal, stderr, generation."""

    kind, code, fault = "agentCrashed", -31002, "agent"
    advice = "The sessions are restored by the next generation; send the request again when the agent is ready."


class AgentTimeout(BridgeError):
    """The CLI did not answer within the method's time limit."""

    kind, code, fault = "agentTimeout", -31003, "agent"
    advice = "Send it again; if it happens again, send wave/agent/restart."


class AgentError(BridgeError):
    """The CLI answered with an error; `data.agentCode` is its code, which may be a string."""

    kind, code, fault = "agentError", -31004, "agent"
    advice = "The text is the CLI's own; correct what it names."


class Overloaded(BridgeError):
    """A bound was reached; `data.limit` names it."""

    kind, code, fault = "overloaded", -31005, "client"
    advice = "Wait for outstanding requests to end, then send again."


class SessionNotFound(BridgeError):
    """The session is neither live nor on disk."""

    kind, code, fault = "sessionNotFound", -31006, "client"
    advice = "Ask wave/session/list for the sessions that exist."


class SessionUnreadable(BridgeError):
    """The session's file exists but can't be read whole; `data` says which lines."""

    kind, code, fault = "sessionUnreadable", -31007, "system"
    advice = "Write a repaired copy; the original stays as it is."


class WorkdirMissing(BridgeError):
    """The working directory does not exist."""

    kind, code, fault = "workdirMissing", -31008, "user"
    advice = "Choose a folder that exists."


class Conflict(BridgeError):
    """Another writer or another operation holds the session."""

    kind, code, fault = "conflict", -31009, "client"
    advice = "Wait until the other operation has ended."


class Expired(BridgeError):
    """What the request refers to has ended already."""

    kind, code, fault = "expired", -31010, "client"
    advice = "Fetch the current state."


class TooLarge(BridgeError):
    """A message is over the stated maximum; `data.limit` is in bytes."""

    kind, code, fault = "tooLarge", -31011, "client"
    advice = "Send less in one message; limits are in the initialize answer."


class Unsupported(BridgeError):
    """This peer did not announce the capability."""

    kind, code, fault = "unsupported", -31012, "client"
    advice = "Announce it in capabilities.experimental.wave, or do without."


class EditorTimeout(BridgeError):
    """The editor did not answer a question of the bridge within the time limit (MB3)."""

    kind, code, fault = "editorTimeout", -31013, "client"
    advice = "Send it again; the editor may have been busy."


class EditorFailed(BridgeError):
    """The editor answered a question of the bridge with an error."""

    kind, code, fault = "editorFailed", -31014, "client"
    advice = "The text is the editor's own."


class SessionUnwritable(BridgeError):
    """The session could not be saved: no permission, disk full, name too long. Nothing was half-written (SB1)."""

    kind, code, fault = "sessionUnwritable", -31015, "system"
    advice = "Make the session folder writable or free some space, then try again."
