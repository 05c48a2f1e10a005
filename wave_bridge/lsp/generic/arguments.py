"""What a command takes: one plain JSON object, members in camelCase, all that can be known left out."""

from __future__ import annotations

from typing import Any, Literal

from wave_bridge.core.agent_api import Wire

Mention = Literal["terminal", "problems"]


class Position(Wire, frozen=True):
    """LSP's position."""

    line: int = 0
    character: int = 0


class Range(Wire, frozen=True):
    """LSP's range."""

    start: Position = Position()
    end: Position = Position()


class OfSession(Wire, frozen=True):
    """The session, by id or by its document; left out: the one that was used last."""

    session_id: str | None = None
    uri: str | None = None


class Ask(Wire, frozen=True):
    """A message, and what of the editor it carries. Without a text the document is shown, to write one there."""

    text: str | None = None
    session_id: str | None = None
    workdir: str | None = None
    mentions: list[Mention] = []


class OfSelection(Wire, frozen=True):
    """A part of a document; `selection` is its text, for editors that do not synchronise theirs."""

    uri: str
    range: Range | None = None
    selection: str | None = None
    text: str | None = None
    session_id: str | None = None


class FixProblem(Wire, frozen=True):
    """A document and the diagnostics that the editor shows for it."""

    uri: str
    diagnostics: list[Any] = []
    text: str | None = None
    session_id: str | None = None


class NewSession(Wire, frozen=True):
    """A new session in a folder; left out: the workspace's first."""

    workdir: str | None = None


class Rename(Wire, frozen=True):
    """A session's new title."""

    title: str
    session_id: str | None = None


class Answered(Wire, frozen=True):
    """The answer to an approval; without an id: to the oldest one that is pending."""

    decision: Literal["allow", "deny"]
    request_id: str | None = None
    message: str | None = None
    session_id: str | None = None


class Queued(Wire, frozen=True):
    """The queue, or what is to be done with one message in it."""

    session_id: str | None = None
    id: str | None = None
    action: Literal["list", "remove", "sendNow"] = "list"


class Mode(Wire, frozen=True):
    """A permission mode."""

    mode: Literal["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk"]
    session_id: str | None = None


class Model(Wire, frozen=True):
    """A model, as the CLI names it."""

    model: str
    session_id: str | None = None


class Nothing(Wire, frozen=True):
    """No members."""
