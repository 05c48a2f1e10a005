"""What the user is shown when Wave can't start: a sentence with what can be done about it, and the rest in the log.

A notice stands until the user has seen it, so the same one is not shown to an editor again before something changed.
"""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING, Any, Final, Literal

from wave_bridge.core.client_types import ActionId, NoticeAction, Notify
from wave_bridge.core.envelope import decode_any
from wave_bridge.core.limits import NOTICE_TIMEOUT, STDERR_SHOWN
from wave_bridge.log import safe
from wave_bridge.messages import choose_locale, text

if TYPE_CHECKING:
    from wave_bridge.agent.ending import Ended
    from wave_bridge.agent.fault import SupplyFault
    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.errors import BridgeError

log = logging.getLogger(__name__)

ERROR: Final = 1  # LSP's MessageType
INFO: Final = 3
LOG: Final = 4

Level = Literal["error", "info"]
ALL: Final[tuple[ActionId, ...]] = ("showLog", "restart", "openSettings")


def no_cli(bridge: Bridge, editor: Client, fault: SupplyFault, report: str) -> None:
    """Show why there is no CLI (T4.1, T4.3 to T4.5); the log gets the stack and the circumstances (T4.8)."""
    if show(bridge, editor, "error", fault.key, ALL, **fault.values):
        log_to(editor, "".join(traceback.format_exception(fault)), report)
        log.error("no CLI for %s", editor.info.name, exc_info=fault)


def ended_at_once(bridge: Bridge, editor: Client, end: Ended, report: str) -> None:
    """Show that the CLI ended before it could serve, with its own words (T4.7)."""
    stderr = end.stderr.strip()[-STDERR_SHOWN:]
    key = "cli.endedAtOnce.said" if stderr else "cli.endedAtOnce"
    if show(bridge, editor, "error", key, ALL, how=_how(editor, end), stderr=safe(stderr)):
        log_to(editor, end.summary(), f"stderr:\n{stderr}" if stderr else "it wrote nothing to stderr", report)


def show(bridge: Bridge, editor: Client, level: Level, key: str, actions: tuple[ActionId, ...], **values: Any) -> bool:
    """Show a notice with buttons; False when the editor shows this one already. A browser's page has the status."""
    if editor.is_panel:
        return False
    locale = choose_locale(editor.info.locale)
    message = text(key, locale, **values)
    if bridge.noticed.get(editor) == message:
        return False
    bridge.noticed[editor] = message
    buttons = [NoticeAction(id=action, title=text(f"action.{action}", locale)) for action in actions]

    def answered(outcome: bytes | BridgeError) -> None:
        if isinstance(outcome, bytes) and _chosen(outcome, buttons) == "restart":
            bridge.restart_asked(editor)

    if editor.info.capabilities:
        asked = editor.ask("wave/editor/notify", Notify(level=level, message=message, actions=buttons), NOTICE_TIMEOUT)
    else:  # any LSP editor: what only its shim could do is not offered
        params: dict[str, Any] = {"type": ERROR if level == "error" else INFO, "message": message}
        titles = [{"title": button.title} for button in buttons if button.id == "restart"]
        if not titles:
            editor.notify("window/showMessage", params)
            return True
        asked = editor.ask("window/showMessageRequest", {**params, "actions": titles}, NOTICE_TIMEOUT)
    asked.on_done(answered)
    return True


def _how(editor: Client, end: Ended) -> str:
    """Say how the CLI ended, in the editor's language where that is more than a number."""
    locale = choose_locale(editor.info.locale)
    if end.reason == "exited" and end.exit_code is not None:
        return text("end.exitCode", locale, code=end.exit_code)
    return text("end.signal", locale, signal=end.signal) if end.signal else end.how()


def log_to(editor: Client, *parts: str) -> None:
    """Write to the editor's output channel, without secrets."""
    editor.notify("window/logMessage", {"type": ERROR, "message": safe("\n".join(part.rstrip() for part in parts))})


def _chosen(outcome: bytes, buttons: list[NoticeAction]) -> str | None:
    """Give the button's id from an editor's answer: by id from our shims, by title from others."""
    answer = decode_any(outcome)
    if not isinstance(answer, dict):
        return None
    by_title = {button.title: button.id for button in buttons}
    return answer.get("action") or by_title.get(answer.get("title", ""))
