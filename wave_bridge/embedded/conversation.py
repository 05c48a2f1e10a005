"""The agent loop: call the model, run the tools that it asks for, call it again, until it has nothing more to do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

from wave_bridge.embedded.blocks import ABORTED
from wave_bridge.embedded.failure import ModelFailed, ToolFailed
from wave_bridge.embedded.models.events import Model, Usage, patiently, usage_record
from wave_bridge.embedded.reply import Call, Reply
from wave_bridge.embedded.tools.bash import ABORTED as COMMAND_ABORTED
from wave_bridge.embedded.tools.use import Outcome, TellWaiting, ToolUse, failed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wave_bridge.embedded.aborting import Abort
    from wave_bridge.embedded.session import Session
    from wave_bridge.embedded.thread import Thread

_CONTINUATIONS: Final = 3  # of a reply that was cut, in one turn
_CONTINUE: Final = (
    "The reply hit the output limit. Go on exactly where it stopped: no apology, no summary of what was said. "
    "Split what remains into smaller pieces."
)
_REMIND_AFTER: Final = 10  # replies without a word on the task list
_REMINDER: Final = (
    "<!-- task-reminder -->\nThe task list was not used for a while. If it would help, keep it up to date with "
    "TaskCreate and TaskUpdate; otherwise ignore this. Do not mention this reminder."
)
_REPEATED: Final = (
    "\n\nNote: this call has the same arguments as the one in the previous step. "
    "If that is a loop, take another approach."
)


class Run(NamedTuple):
    """One conversation with the model: a turn of the session, or a subagent's work."""

    session: Session
    thread: Thread
    abort: Abort
    model: Model
    save: Callable[[], None]
    costs: Callable[[Usage], None]  # hears what each call cost
    waiting: TellWaiting


async def converse(run: Run) -> None:
    """Go on until the model stops, fails, or the abort fires. What it said and did is in the thread."""
    continuations = 0
    while not run.abort.fired:
        _remind(run)
        reply = await _call_model(run)
        if reply is None:
            break
        if reply.calls:
            goes_on = await _use_tools(run, reply.calls)
            run.save()
            if not goes_on:
                break
        elif reply.finish == "length" and continuations < _CONTINUATIONS:
            continuations += 1
            run.thread.say_meta(_CONTINUE)
            run.save()
        else:
            break
    run.save()


def _remind(run: Run) -> None:
    """Remind the model of the task list, in a message that is not for display; subagents are left in peace."""
    if run.thread is not run.session.thread:
        return
    if run.session.replies_without_todos >= _REMIND_AFTER:
        run.session.replies_without_todos = 0
        run.thread.say_meta(_REMINDER)
    run.session.replies_without_todos += 1


async def _call_model(run: Run) -> Reply | None:
    """Stream one reply into the thread; None if it was aborted or failed: then an error block says so."""
    reply = Reply(run.thread)
    streaming = asyncio.ensure_future(_stream(run, reply))
    with run.abort.listening(streaming.cancel):
        await asyncio.wait([streaming])
    if streaming.cancelled():
        reply.abort()
        run.thread.fail(ABORTED)
        return None
    if failure := streaming.exception():
        reply.close()
        if not isinstance(failure, ModelFailed):
            raise failure
        run.thread.fail(str(failure))
        return None
    reply.close()
    _note_usage(run, reply)
    return reply


async def _stream(run: Run, reply: Reply) -> None:
    async for event in patiently(run.model, run.thread.messages):
        reply.feed(event)


def _note_usage(run: Run, reply: Reply) -> None:
    if reply.usage is None:
        return
    run.costs(reply.usage)
    if reply.message is not None:
        record = usage_record(reply.usage, run.session.models.model, "agent")
        reply.message["usage"] = {**record, "cache_read_input_tokens": 0}


async def _use_tools(run: Run, calls: Sequence[Call]) -> bool:
    """Run the calls of one reply: all shown, then run in order, neighbours that only read side by side.

    False if the turn ends here: aborted, or moved to the background by the user.
    """
    uses = [ToolUse(run.session, run.thread, run.abort, call, run.waiting) for call in calls]
    for use in uses:
        use.show()
    for group in _groups(uses):
        await asyncio.gather(*(_use_tool(use) for use in group))
        if run.abort.fired:
            return False
    _warn_of_repetition(run, uses)
    for text in (text for use in uses for text in use.after):
        run.thread.say_meta(text)
    return not any(use.handed_over for use in uses)


def _groups(uses: Sequence[ToolUse]) -> list[list[ToolUse]]:
    groups: list[list[ToolUse]] = []
    for use in uses:
        if groups and _is_reading(use) and _is_reading(groups[-1][-1]):
            groups[-1].append(use)
        else:
            groups.append([use])
    return groups


def _is_reading(use: ToolUse) -> bool:
    return use.tool is not None and use.tool.reading


async def _use_tool(use: ToolUse) -> None:
    """Ask, run, and end the block, whatever happens."""
    if use.tool is None:
        use.end(failed(f"Tool '{use.call.name}' not found"))
        return
    try:
        await use.session.permit(use)
        if use.abort.fired:
            use.end(_aborted(use))
            return
        use.end(await use.tool.run(use))
    except ToolFailed as failure:
        use.end(failed(str(failure)))


def _aborted(use: ToolUse) -> Outcome:
    return COMMAND_ABORTED if use.call.name == "Bash" else Outcome(ABORTED, success=False, error=ABORTED)


def _warn_of_repetition(run: Run, uses: Sequence[ToolUse]) -> None:
    """Append a note to a call that repeats one of the previous step: a second `end`, as the real CLI sends it."""
    previous = run.session.last_calls
    run.session.last_calls = {(use.call.name, use.call.parameters) for use in uses}
    for use in uses:
        if (use.call.name, use.call.parameters) in previous:
            use.append_to_result(_REPEATED)
