import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Approval, Decision } from "../../../vscode-shim/src/generated/api";
import { GrowingText } from "../state/text";
import { attempt, peer, session, stop } from "../panel";
import { list, object, string, type Wire } from "../state/blocks";
import { disarm } from "../markdown";
import { text } from "../texts";
import { Markdown } from "./markdown";
import { Questions } from "./questions";
import { Input } from "./tool";

/** The oldest question of the session, in place of the input; the others wait behind it. */
export function Permission(): JSX.Element | null {
  const asked = session.approvals.value[0];
  return asked ? <Question key={asked.requestId} asked={asked} /> : null;
}

export const respond = (asked: Approval, decision: Decision): Promise<unknown> =>
  attempt(peer.ask("wave/permission/respond", { requestId: asked.requestId, decision }));

async function reject(asked: Approval): Promise<void> {
  await respond(asked, { behavior: "deny", message: text("denyMessage") });
  await stop();
}

function Question({ asked }: { asked: Approval }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const context = asked.context;
  const tool = string(context["toolName"]);
  useEffect(() => { (place.current?.querySelector<HTMLElement>("[data-first]") ?? place.current)?.focus(); }, []);
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    void reject(asked);
  };
  const waiting = session.approvals.value.length - 1;
  return (
    <section class="permission" role="dialog" aria-label={titleOf(tool)} ref={place} tabIndex={-1} onKeyDown={key}>
      <h2>{titleOf(tool)} <small>{disarm(tool)}{waiting > 0 ? ` · +${waiting}` : ""}</small></h2>
      {string(context["warning"]) && <p class="warning">{disarm(string(context["warning"]))}</p>}
      {tool === "AskUserQuestion"
        ? <Questions questions={list(object(context["toolInput"])["questions"])} answer={(message) => void respond(asked, { behavior: "allow", message })} />
        : <Asked asked={asked} tool={tool} context={context} />}
    </section>
  );
}

function Asked({ asked, tool, context }: { asked: Approval; tool: string; context: Wire }): JSX.Element {
  const words = useSignal("");
  const plan = string(context["planContent"]);
  const deny = (): void => {
    if (words.value.trim()) void respond(asked, { behavior: "deny", message: words.value.trim() });
    else void reject(asked);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.isComposing && words.value.trim()) { event.preventDefault(); deny(); }
  };
  return (
    <>
      <div class="asked">
        {plan ? <Markdown source={new GrowingText(plan)} /> : <Input name={tool} given={object(context["toolInput"])} />}
      </div>
      <div class="buttons">
        {choices(tool, context).map(([label, decision], at) => (
          <button key={label} type="button" class={at ? "" : "primary"} data-first={at ? undefined : true} onClick={() => void respond(asked, decision)}>
            {label}
          </button>
        ))}
        <button type="button" onClick={deny}>{text("deny")}</button>
      </div>
      <input
        class="feedback" aria-label={text("feedback")} placeholder={text("feedback")} value={words.value}
        onInput={(event) => { words.value = event.currentTarget.value; }} onKeyDown={key}
      />
    </>
  );
}

/** The ways to say yes: once, and remembered unless the CLI forbids that (wire.md 10). */
function choices(tool: string, context: Wire): [string, Decision][] {
  const allow: Decision = { behavior: "allow" };
  if (tool === "ExitPlanMode") {
    return [
      [text("planDefault"), { ...allow, newPermissionMode: "default" }],
      [text("planEdits"), { ...allow, newPermissionMode: "acceptEdits" }],
    ];
  }
  if (tool === "EnterPlanMode") return [[text("allow"), { ...allow, newPermissionMode: "plan" }]];
  if (context["hidePersistentOption"] === true) return [[text("allow"), allow]];
  return [[text("allow"), allow], remembered(tool, context)];
}

function remembered(tool: string, context: Wire): [string, Decision] {
  const prefix = string(context["suggestedPrefix"]);
  if (tool === "Bash") {
    const command = prefix || string(object(context["toolInput"])["command"]);
    return [text("allowAlways", disarm(command).slice(0, 60)), { behavior: "allow", newPermissionRule: `Bash(${command})` }];
  }
  if (tool.startsWith("mcp__")) return [text("allowAlways", tool), { behavior: "allow", newPermissionRule: tool }];
  return [text("allowEdits"), { behavior: "allow", newPermissionMode: "acceptEdits" }];
}

function titleOf(tool: string): string {
  if (tool === "Edit" || tool === "Write") return text("askEdit");
  if (tool === "Bash") return text("askBash");
  if (tool === "ExitPlanMode" || tool === "EnterPlanMode") return text("askPlan");
  return text(tool === "AskUserQuestion" ? "askQuestion" : "askOther");
}
