"""What clients may ask: one plain function a method, by its name in the protocol table. Panels open in dispatch.

A handler returns a value, or an Answer whose outcome is told in the order of the CLI's pipe. It raises BridgeError.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import msgspec

from wave_bridge.bridge import asking, facts, opening, sending, serving
from wave_bridge.bridge.wishes import wishes
from wave_bridge.core import client_types as api
from wave_bridge.core.answer import Answer
from wave_bridge.core.limits import EDITOR_TIMEOUT, NOTICE_TIMEOUT
from wave_bridge.errors import BridgeError, Conflict, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from wave_bridge.bridge.bridge import Bridge
    from wave_bridge.bridge.clients import Client
    from wave_bridge.core.agent_api import Wire


def close_session(bridge: Bridge, client: Client, params: api.OfSession) -> Answer[Any] | api.Done:
    """Detach the client; the session ends when nobody else watches it."""
    client.turn_back(params.session_id)
    live = bridge.live(params.session_id)
    live.unwatch(client)
    answer: Answer[Any] = Answer()
    if live.watchers:
        return api.Done(ok=False)
    bridge.destroy(live).on_done(lambda _: answer.set(api.Done(ok=True)))
    return answer


def unsubscribe(bridge: Bridge, client: Client, params: api.OfSession) -> api.Done:
    """Detach the client, from a session that it is still being attached to as well."""
    turned = client.turn_back(params.session_id)
    if turned and bridge.find(params.session_id) is None:
        return api.Done(ok=True)
    return api.Done(ok=bridge.unwatch(bridge.live(params.session_id), client) or turned)


def rewind(bridge: Bridge, _: Client, params: api.OfMessage) -> Answer[Any]:
    """Rewind; what the panels show is stale afterwards (T8.1). Not in mid-turn: its last words would come after."""
    live = bridge.live(params.session_id)
    if live.working:
        raise Conflict("A turn is running; stop it before going back.")
    answer = asking.ask(live, "rewindToMessage", {"messageId": params.message_id})
    answer.on_done(lambda outcome: None if isinstance(outcome, BridgeError) else bridge.replaced(live))
    return answer


def list_approvals(bridge: Bridge, client: Client, params: api.PermissionList) -> api.Approvals:
    """Give pending approvals of one session, or of all that the client watches."""
    wanted = [params.session_id] if isinstance(params.session_id, str) else list(client.streams)
    lives = [bridge.live(session_id) for session_id in wanted]
    return api.Approvals(requests=[approval for live in lives for approval in bridge.desk.pending(live)])


def respond(bridge: Bridge, _: Client, params: api.Respond) -> api.Responded:
    """Answer an approval; the first answer wins."""
    return bridge.desk.respond(params.request_id, params.decision)


def list_sessions(bridge: Bridge, client: Client, params: api.SessionList) -> Answer[Any]:
    """List stored sessions."""
    answer: Answer[Any] = Answer()
    folder = bridge.folder_of(client, params.cwd)

    async def work() -> None:
        answer.set(await bridge.library.page(params, folder))

    bridge.spawn(work, answer)
    return answer


def rename(bridge: Bridge, client: Client, params: api.Rename) -> Answer[Any]:
    """Give a session a title and tell whoever shows it; a failed write is the answer (S12.8)."""
    answer: Answer[Any] = Answer()
    live = bridge.find(params.session_id)
    folder = bridge.folder_of(client, params.workdir)

    async def work() -> None:
        if live is None:
            title = await bridge.library.rename(params.session_id, params.title, folder)
        else:
            title = await bridge.library.rename_live(live, params.title)
        answer.set(api.Done(ok=title is not None))
        if live is not None and title is not None:
            live.session.title = title
            live.tell(title=title)

    bridge.spawn(work, answer)
    return answer


def restart(bridge: Bridge, client: Client, _: api.Nothing) -> api.AgentStatus:
    """Start the CLI anew; its sessions are restored."""
    return serving.restart(bridge, client)


def status(bridge: Bridge, _: Client, __: api.Nothing) -> api.DaemonStatus:
    """Give facts of the daemon."""
    return facts.status(bridge)


def doctor(bridge: Bridge, client: Client, _: api.Nothing) -> Answer[Any]:
    """Examine the machine, as it is for the client's editor; changes nothing."""
    answer: Answer[Any] = Answer()
    examine = bridge.examine
    if examine is None:
        raise Unsupported("This process examines nothing.")
    wanted = wishes((client.editor or client).info, bridge.supplier.surroundings, bridge.home)

    async def work() -> None:
        answer.set(await anyio.to_thread.run_sync(examine, wanted))

    bridge.spawn(work, answer)
    return answer


def editor_verb(method: str, _: Bridge, client: Client, params: Wire) -> Answer[Any]:
    """Let a panel's editor do what only an editor can."""
    answer: Answer[Any] = Answer()
    timeout = NOTICE_TIMEOUT if isinstance(params, api.Notify) else EDITOR_TIMEOUT  # the first waits for the user
    asked = client.ask_editor(method, params, timeout)
    asked.on_done(lambda outcome: answer.set(msgspec.Raw(outcome) if isinstance(outcome, bytes) else outcome))
    return answer


def panel_url(bridge: Bridge, client: Client, params: api.PanelUrl) -> Answer[Any]:
    """Give the address of a panel for the browser; the door is opened when the first one is asked for."""
    answer: Answer[Any] = Answer()
    door = bridge.door
    if door is None:
        raise Unsupported("This process serves no browsers.")

    async def work() -> None:
        answer.set(api.PanelAddress(url=await door(client, params)))

    bridge.spawn(work, answer)
    return answer


EDITOR_VERBS = ("openFile", "reveal", "openUrl", "notify", "copy")

HANDLERS: dict[str, Callable[[Bridge, Client, Any], object]] = {
    "wave/session/new": opening.new,
    "wave/session/load": opening.load,
    "wave/session/resume": opening.resume,
    "wave/session/snapshot": opening.snapshot,
    "wave/session/subscribe": opening.subscribe,
    "wave/session/unsubscribe": unsubscribe,
    "wave/session/close": close_session,
    "wave/session/clear": opening.clear,
    "wave/session/list": list_sessions,
    "wave/session/rename": rename,
    "wave/turn/start": sending.start,
    "wave/turn/cancel": sending.cancel,
    "wave/queue/list": sending.list_queue,
    "wave/queue/remove": sending.remove,
    "wave/queue/sendNow": sending.send_now,
    "wave/permission/list": list_approvals,
    "wave/permission/respond": respond,
    "wave/checkpoint/rewind": rewind,
    "wave/panel/url": panel_url,
    "wave/agent/restart": restart,
    "wave/daemon/status": status,
    "wave/daemon/doctor": doctor,
    **{f"wave/editor/{verb}": partial(editor_verb, f"wave/editor/{verb}") for verb in EDITOR_VERBS},
}
