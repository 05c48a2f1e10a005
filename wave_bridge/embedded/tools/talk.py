"""The tools that turn to the user: questions, and the way into and out of plan mode."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from wave_bridge.embedded.failure import ToolFailed
from wave_bridge.embedded.tools.use import Outcome, ToolUse

if TYPE_CHECKING:
    from wave_bridge.embedded.approvals import Decision

_REVISE: Final = "Please update your proposal based on the following user feedback: "


async def ask_question(use: ToolUse) -> Outcome:
    """Ask; the answers come as JSON text in the decision's message."""
    decision = await use.session.question(use)
    if decision.get("behavior") != "allow":
        raise ToolFailed(str(decision.get("message") or "User declined"))
    try:
        answers = json.loads(str(decision.get("message") or "{}"))
    except ValueError:
        raise ToolFailed("The answer is not JSON") from None
    return Outcome(json.dumps({"answers": answers}, ensure_ascii=False, separators=(",", ":")))


async def enter_plan(use: ToolUse) -> Outcome:
    """Enter plan mode if the user agrees: then only the plan file may be written."""
    decision = await use.session.question(use)
    _must_allow(use, decision)
    if use.session.mode != "plan":
        return Outcome("Plan mode was not entered.")
    use.after.append(f"<system-reminder>Plan mode is on. The plan file: {use.session.plan_file}</system-reminder>")
    return Outcome(
        "Plan mode entered successfully. Please write your plan to the plan file and use ExitPlanMode when ready "
        "for approval.",
        short="Plan mode entered",
    )


async def exit_plan(use: ToolUse) -> Outcome:
    """Leave plan mode if the user approves the plan; feedback goes back to the model."""
    if use.session.mode != "plan":
        raise ToolFailed("Not in plan mode")
    decision = await use.session.question(use, planContent=use.session.plan())
    if decision.get("behavior") != "allow":
        return Outcome(_REVISE + str(decision.get("message") or ""), success=False)
    use.after.append("<system-reminder>Plan mode is off. Carry out the plan that was approved.</system-reminder>")
    return Outcome("Plan approved. Exiting plan mode.", short="Plan approved")


def _must_allow(use: ToolUse, decision: Decision) -> None:
    if decision.get("behavior") != "allow":
        raise ToolFailed(denial(use.call.name, decision))


def denial(tool: str, decision: Decision) -> str:
    """Give what the model is told when a call was refused."""
    return f"{tool} operation denied by user, reason: {decision.get('message') or 'no reason given'}"
