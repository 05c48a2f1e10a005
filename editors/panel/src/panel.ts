import { effect, signal } from "@preact/signals";
import type { SessionRow, TurnStart } from "../../vscode-shim/src/generated/api";
import { connect, hostFacts } from "./channel";
import { Peer, Refused } from "./rpc";
import { list, object, string, type Wire } from "./state/blocks";
import { Session, type Queued } from "./state/session";
import { locale, text } from "./texts";

export type DialogName =
  | "history" | "rewind" | "models" | "status" | "tasks" | "mcp" | "agents" | "skills" | "plugins" | "workflows"
  | "prompts" | "btw";
export type Part = TurnStart["parts"][number];

/** What the panel does: the one session that it shows, and the bridge. Components read its signals and call it. */
export const host = hostFacts();
export const session = new Session();
export const connected = signal(true);
export const dialog = signal<DialogName | undefined>(undefined);
export const renaming = signal(false);
export const notice = signal("");
export const editing = signal<Queued | undefined>(undefined);

interface Input {
  focus: () => void;
  setText: (words: string) => void;
  insertFile: (path: string) => void;
  insertSelection: (path: string, start: number, end: number) => void;
}
const nothing = (): void => undefined;

/** What the input offers to others; its editor fills it in when it is there. */
export const input: Input = { focus: nothing, setText: nothing, insertFile: nothing, insertSelection: nothing };

const channel = connect(host, (message) => { peer.receive(message); }, (open) => { channelOpened(open); });
export const peer = new Peer((message) => { channel.post(message); });

let resyncing = false;
let everOpened = false;

function channelOpened(open: boolean): void {
  connected.value = open;
  peer.opened(open);
  if (!open) return;
  if (everOpened) void resync();
  else void open_();
  everOpened = true;
}

async function open_(): Promise<void> {
  const wanted = host.sessionId ?? kept().sessionId;
  if (wanted) await load(wanted, host.workdir);
}

peer.on("wave/session/event", (params) => { if (session.event(params)) void resync(); });
peer.on("wave/session/state", (params) => {
  if (session.state(params)) void resync();
  if (params.turnEnded?.reason === "failed" && params.turnEnded.detail) say(text("turnFailed", params.turnEnded.detail));
});
peer.on("wave/permission/requested", (asked) => { session.approval(asked); });
peer.on("wave/permission/resolved", ({ requestId }) => { session.approvalEnded(requestId); });
peer.on("wave/agent/status", (status) => { session.agent.value = status; });
peer.on("wave/daemon/reattached", () => void resync());
peer.on("wave/agent/event", ({ event }) => {
  if (event["method"] === "authUrl") openUrl(string(object(event["params"])["url"]));
});
peer.on("host/focus", () => { input.focus(); });
peer.on("host/locale", (told) => { locale.value = told.locale.startsWith("zh") ? "zh-CN" : "en"; });
peer.on("host/visible", ({ visible }) => { shown.value = visible; });
peer.on("host/insert", ({ path, range, selection, text: inserted }) => {
  if (selection) input.insertSelection(selection.path, selection.line, selection.endLine);
  else if (path && range) input.insertSelection(path, range.start, range.end);
  else if (path) input.insertFile(path);
  else if (inserted) input.setText(inserted);
  input.focus();
});
peer.on("host/run", ({ command }) => {
  if (command === "new") void clear();
  else if (command === "history") dialog.value = "history";
  else if (command === "stop") void stop();
  else if (command === "rename") renaming.value = true;
});

/** Whether the host shows the panel: what ends unseen counts for the badge. */
export const shown = signal(true);
const unseen = signal(0);
let wasBusy = false;
effect(() => {
  if (shown.value) unseen.value = 0;
  else if (wasBusy && !session.busy.value) unseen.value = unseen.peek() + 1;
  wasBusy = session.busy.value;
});
effect(() => { peer.tellHost("host/badge", { waiting: session.approvals.value.length + unseen.value }); });
effect(() => { peer.tellHost("host/title", { title: title() }); });
effect(() => { locale.value = host.locale; document.documentElement.lang = locale.value; });

/** The title of the session: given by the user, else its first message cut to 30 characters (S5.1). */
export function title(): string {
  return session.heading.value ?? text("untitled");
}

// --- what survives a reload: the session and the draft -------------------------------------------------------------

interface Kept {
  sessionId?: string;
  draft?: unknown;
}
const KEY = `wave:${host.panelId}:${host.workdir}`;
let keptNow: Kept = readKept();

function readKept(): Kept {
  if (host.kind !== "browser") return object(host.reload);
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Kept;
  } catch {
    return {}; // storage is off, or what is in it is not ours
  }
}
export const kept = (): Kept => keptNow;

export function keep(changes: Kept): void {
  keptNow = { ...keptNow, ...changes };
  if (host.kind !== "browser") { peer.tellHost("host/state", { state: keptNow }); return; }
  try {
    localStorage.setItem(KEY, JSON.stringify(keptNow));
    draftIsKept = true;
  } catch { // storage is full, by a picture say, or off: the draft lives as long as the page
    if (draftIsKept) say(text("draftNotKept"));
    draftIsKept = false;
  }
}
let draftIsKept = true;
effect(() => { if (session.id.value) keep({ sessionId: session.id.value }); });

// --- sessions ------------------------------------------------------------------------------------------------------

/** Show a notice, at the next failure of any of these too. */
export function say(words: string): void {
  notice.value = words;
}

function failure(error: unknown): void {
  if (error instanceof Refused && error.kind === "disconnected") return;
  say(error instanceof Error ? error.message : String(error));
}

/** Do something and say it when it fails. */
export async function attempt<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    failure(error);
    return undefined;
  }
}

export async function resync(): Promise<void> {
  if (resyncing || !session.id.peek()) return;
  resyncing = true;
  try {
    session.opened(await peer.ask("wave/session/load", { sessionId: session.id.peek() }));
  } catch (error) {
    failure(error);
  } finally {
    resyncing = false;
  }
}

let making: Promise<string> | undefined;

/** The session's id; a session is made when it is first needed, not when the panel opens. */
export function ensure(): Promise<string> {
  if (session.id.peek()) return Promise.resolve(session.id.peek());
  making ??= peer
    .ask("wave/session/new", { workdir: host.workdir, ...(session.mode.peek() === "default" ? {} : { permissionMode: session.mode.peek() }) })
    .then((opened) => { session.opened(opened); return opened.sessionId; })
    .finally(() => { making = undefined; });
  return making;
}

async function load(sessionId: string, workdir: string): Promise<boolean> {
  const before = session.id.peek();
  try {
    const snapshot = await peer.ask("wave/session/load", { sessionId, ...(workdir ? { workdir } : {}) });
    session.opened(snapshot);
    if (before && before !== snapshot.sessionId) void attempt(peer.ask("wave/session/unsubscribe", { sessionId: before }));
    return true;
  } catch (error) {
    const kind = error instanceof Refused ? error.kind : "";
    if (kind === "workdirMissing") say(text("folderMissing"));
    else if (kind === "sessionNotFound" || kind === "sessionUnreadable") say(text("sessionBroken"));
    else failure(error);
    return false;
  }
}

/** Exchange the conversation for a stored one; ignored, with a notice, while something runs (S10.8). */
export async function restore(row: SessionRow): Promise<void> {
  if (session.held.peek()) { say(text("held")); return; }
  if (row.id === session.id.peek() || (await load(row.id, row.workdir))) dialog.value = undefined;
}

/** Begin anew; every way to clear comes here, so all are guarded alike (S5.7). */
export async function clear(): Promise<void> {
  if (session.held.peek()) { say(text("held")); return; }
  const sessionId = session.id.peek();
  if (!sessionId) return;
  const opened = await attempt(peer.ask("wave/session/clear", { sessionId }));
  if (opened) session.opened(opened);
  input.focus();
}

export async function rename(words: string): Promise<void> {
  renaming.value = false;
  const wanted = words.trim();
  if (!wanted || wanted === title()) return;
  const sessionId = await attempt(ensure());
  if (sessionId) await attempt(peer.ask("wave/session/rename", { sessionId, title: wanted }));
}

// --- turns ---------------------------------------------------------------------------------------------------------

export async function send(parts: Part[]): Promise<boolean> {
  const sessionId = await attempt(ensure());
  if (!sessionId) return false;
  const accepted = await attempt(
    peer.ask("wave/turn/start", { sessionId, clientTurnId: crypto.randomUUID(), parts }),
  );
  return accepted !== undefined;
}

export async function stop(): Promise<void> {
  if (session.id.peek()) await attempt(peer.ask("wave/turn/cancel", { sessionId: session.id.peek() }));
}

export async function setMode(mode: string): Promise<void> {
  if (!session.id.peek()) { session.mode.value = mode; return; }
  await attempt(peer.ask("wave/session/setMode", { sessionId: session.id.peek(), mode: mode as "default" }));
}

export const sendQueued = (id: string): Promise<unknown> =>
  attempt(peer.ask("wave/queue/sendNow", { sessionId: session.id.peek(), id }));

export const removeQueued = (id: string): Promise<unknown> =>
  attempt(peer.ask("wave/queue/remove", { sessionId: session.id.peek(), id }));

/** Replace the text of the queued message that is being edited; it may have gone out meanwhile (T11.7). */
export async function replaceQueued(words: string): Promise<void> {
  const queued = editing.peek();
  if (!queued) return;
  editing.value = undefined;
  const done = await attempt(peer.ask("wave/queue/update", { sessionId: session.id.peek(), id: queued.id, text: words }));
  if (object(done)["ok"] === false) say(text("queuedGone"));
}

export async function rewind(messageId: string): Promise<void> {
  dialog.value = undefined;
  const sessionId = session.id.peek();
  const done = await attempt(peer.ask("wave/checkpoint/rewind", { sessionId, messageId }));
  if (!done) return;
  await resync();
  if (done.inputContent) input.setText(done.inputContent);
  input.focus();
}

// --- what the host's editor does, or the page itself -----------------------------------------------------------------

export function openFile(path: string, line?: number): void {
  void attempt(peer.ask("wave/editor/openFile", { path, ...(line === undefined ? {} : { line }) }));
}

export function openUrl(url: string): void {
  if (!/^(https?|mailto):/i.test(url)) return;
  if (host.kind === "browser") window.open(url, "_blank", "noopener,noreferrer");
  else void attempt(peer.ask("wave/editor/openUrl", { url }));
}

export async function copy(words: string): Promise<void> {
  try {
    if (host.kind === "jetbrains") await peer.ask("wave/editor/copy", { text: words });
    else await navigator.clipboard.writeText(words);
    say(text("copied"));
  } catch (error) {
    failure(error);
  }
}

/** Ask for one of the CLI's own lists; `member` is where it stands in the answer. */
export async function ask(
  method: "wave/checkpoint/list" | "wave/mcp/list" | "wave/config/agents" | "wave/config/skills" | "wave/tasks/runs"
    | "wave/commands/list",
  member: string,
): Promise<Wire[]> {
  const sessionId = await attempt(ensure());
  return sessionId ? list(object(await attempt(peer.ask(method, { sessionId })))[member]) : [];
}
