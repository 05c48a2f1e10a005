"""Turns: begun by a message or a notice, ended by the model or an abort, followed by what waits in the queue.

The order of the announcements is the real CLI's and clients depend on it, oddities included: when the next turn
begins at the end of one, loading goes true, false, true. What must come in one go stands in one plain function.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from wave_bridge.embedded import bang, commands, compaction, history, hooks, images, subtask
from wave_bridge.embedded.aborting import Abort
from wave_bridge.embedded.blocks import Block, new_message, text_block
from wave_bridge.embedded.conversation import Run, converse
from wave_bridge.embedded.failure import ModelFailed
from wave_bridge.embedded.message_queue import Item
from wave_bridge.embedded.models import choice as models

if TYPE_CHECKING:
    from wave_bridge.embedded.blocks import Message
    from wave_bridge.embedded.models.events import Usage
    from wave_bridge.embedded.session import Session


class Turn:
    """One turn under way. `settled` is done when its last event is out, or when it waits for the user."""

    def __init__(self, prompt: str, message: Message, *, quiet: bool = False, late: bool = False) -> None:
        self.prompt = prompt
        self.message = message
        self.late = late  # a hook or an expansion comes in between: it says again that it loads a moment later
        self.tokens: int | None = None  # of its last model call
        self.quiet = quiet  # loading was announced once and is not announced again
        self.abort = Abort()
        self.settled = asyncio.Event()

    def wait_for_user(self, *, waiting: bool) -> None:
        """Note that the turn waits for the user, or does so no longer."""
        if self.abort.fired:
            return
        if waiting:
            self.settled.set()
        else:
            self.settled.clear()


async def send(session: Session, text: str, pictures: list[dict[str, Any]], *, force: bool) -> None:
    """Send a message: run its turn to the end, or queue it while busy. `force` aborts what runs first."""
    history.add(session.host.wave / "history.jsonl", text, session.id, session.current_workdir)
    if force:
        await interrupt(session)
    item = Item("message", text, pictures)
    if session.busy:
        session.queue.put(item)
        return
    turn = _begin(session, item)
    if turn is not None:
        _say_again(session, turn)
        await _run(session, turn)


def start(session: Session, item: Item) -> None:
    """Begin an item in an idle session; nobody waits for it."""
    if item.kind == "bang":
        session.spawn(bang.run(session, bang.begin(session, item.content), lambda: follow(session)))
        return
    turn = _begin(session, item)
    if turn is None:
        follow(session)
        return
    _say_again(session, turn)
    session.spawn(_run(session, turn))


def follow(session: Session) -> None:
    """Begin what waits: a command has ended."""
    if session.queue.first is not None:
        start(session, session.queue.take())


def abort(session: Session) -> None:
    """Abort the turn and the command; the queue is emptied. Open permission requests stay open."""
    if session.busy:
        session.queue.clear()
    turn, command = session.turn, session.bang
    session.turn = None
    session.set_loading(loading=False)
    session.set_loading(loading=False)
    if turn is not None:
        turn.abort.fire()
    if command is not None:
        command.abort.fire()


async def interrupt(session: Session) -> None:
    """Abort, and wait until the last words of what ran are out; a turn that waits for the user is not waited for."""
    turn, command = session.turn, session.bang
    abort(session)
    if turn is not None:
        await turn.settled.wait()
    if command is not None:
        await command.settled.wait()


def _begin(session: Session, item: Item) -> Turn | None:
    """Add the message and say that a turn runs; None if this needs no turn."""
    if item.notice is not None:
        return _begin_notice(session, item)
    if item.content.strip() == "/":
        return None
    if subtask.is_subtask(item.content):
        subtask.begin(session, item.content)
        return None
    expanded = commands.expand(session, item.content)
    if expanded is not None:
        session.set_loading(loading=True)
        message = session.thread.say([text_block(expanded.shown, customCommandContent=expanded.prompt)])
        session.turn = Turn(expanded.prompt, message, late=True)
        return session.turn
    message = session.thread.say([text_block(item.content), *_picture_blocks(session, item)])
    session.set_loading(loading=True)
    session.turn = Turn(item.content, message, late=bool(hooks.configured(session, "UserPromptSubmit")))
    return session.turn


def _begin_notice(session: Session, item: Item) -> Turn:
    ended = item.notice
    assert ended is not None  # noqa: S101  # the caller looked
    message = new_message("user", [ended.block()], meta=True)
    session.thread.messages.append(message)
    session.emit(
        "notificationMessageAdded",
        {
            "taskId": ended.task_id,
            "taskType": ended.kind,
            "status": ended.status,
            "summary": ended.summary,
            "message": message,
        },
    )
    session.set_loading(loading=True)
    session.turn = Turn(ended.summary, message, quiet=True)
    return session.turn


def _say_again(session: Session, turn: Turn) -> None:
    if not turn.quiet and not turn.late:
        session.set_loading(loading=True)


def _picture_blocks(session: Session, item: Item) -> list[Block]:
    if not item.images:
        return []
    return [{"type": "image", "imageUrls": [images.place(session.host.tmp, image) for image in item.images]}]


async def _run(session: Session, turn: Turn) -> None:
    try:
        if not turn.late or await _admit(session, turn):
            await _converse(session, turn)
    except ModelFailed as failure:
        session.thread.fail(str(failure))
        session.save()
    finally:
        turn.settled.set()
    if turn.abort.fired:
        await asyncio.sleep(0)  # whoever interrupted speaks first: the next turn's beginning comes before our response
    else:
        _end(session, turn)


async def _fill_in_output(session: Session, turn: Turn) -> None:
    """Run the commands in a custom command's prompt; the client is not told again."""
    block = turn.message["blocks"][0]
    if "customCommandContent" in block:
        turn.prompt = block["customCommandContent"] = await commands.with_output(session, turn.prompt)


async def _converse(session: Session, turn: Turn) -> None:
    def note(usage: Usage) -> None:
        turn.tokens = usage.prompt + usage.completion

    session.save()  # a crash loses the reply at most
    await compaction.when_full(session)
    model = models.for_turn(session, turn.prompt)
    await converse(Run(session, session.thread, turn.abort, model, session.save, note, turn.wait_for_user))


async def _admit(session: Session, turn: Turn) -> bool:
    """Ask the hooks; a prompt that one blocks disappears, as with the real CLI, and an error block says why."""
    reason = await hooks.refusal(session, turn.prompt)
    if reason is None:
        await _fill_in_output(session, turn)
        session.set_loading(loading=True)
        return True
    session.thread.messages.remove(turn.message)
    session.thread.fail(reason)
    return False


def _end(session: Session, turn: Turn) -> None:
    """End a turn: say so, or begin what waits."""
    session.tokens = session.tokens if turn.tokens is None else turn.tokens
    session.turn = None
    item = session.queue.first
    if item is None or item.kind == "bang":
        session.set_loading(loading=False)
        follow(session)
        return
    session.queue.take()
    following = _begin(session, item)
    session.set_loading(loading=False)
    if following is None:
        follow(session)
        return
    _say_again(session, following)
    session.spawn(_run(session, following))
