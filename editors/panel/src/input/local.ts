import { attempt, clear, dialog, ensure, host, peer, renaming, say, session } from "../panel";
import { text } from "../texts";
import { LOCAL, type LocalCommand } from "./offers";

/** Do a command that the panel knows; false when `words` is none, and is the CLI's to understand. */
export function runLocal(words: string): boolean {
  const [, name = "", rest = ""] = /^\/(\w+)(?:\s+([\s\S]*))?$/.exec(words.trim()) ?? [];
  if (!LOCAL.some((each) => each === name)) return false;
  void ACTIONS[name as LocalCommand](rest.trim());
  return true;
}

type Action = (rest: string) => unknown;
const opens = (name: NonNullable<typeof dialog.value>): Action => () => { dialog.value = name; };

const ACTIONS: Record<LocalCommand, Action> = {
  clear,
  resume: opens("history"),
  rename: () => { renaming.value = true; },
  compact,
  rewind: opens("rewind"),
  model: opens("models"),
  status: opens("status"),
  tasks: opens("tasks"),
  mcp: opens("mcp"),
  agents: opens("agents"),
  skills: opens("skills"),
  plugin: opens("plugins"),
  workflows: opens("workflows"),
  btw,
  config: () => { if (host.kind === "browser") dialog.value = "status"; else peer.tellHost("host/command", { id: "settings" }); },
};

async function compact(customInstructions: string): Promise<void> {
  if (session.held.peek()) { say(text("held")); return; }
  const sessionId = session.id.peek();
  if (sessionId) {
    await attempt(peer.ask("wave/session/compact", { sessionId, ...(customInstructions ? { customInstructions } : {}) }));
  }
}

async function btw(question: string): Promise<void> {
  if (!question) return;
  session.btw.value = { question, thinking: "", content: "" };
  dialog.value = "btw";
  const sessionId = await attempt(ensure());
  const answer = sessionId ? await attempt(peer.ask("wave/session/btw", { sessionId, question })) : undefined;
  if (typeof answer === "string") session.btw.value = { question, thinking: "", content: answer };
}
