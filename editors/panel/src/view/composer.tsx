import { useSignal } from "@preact/signals";
import { SendHorizontal, Square } from "lucide-preact";
import type { EditorView } from "prosemirror-view";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { createEditor, insertChip, isEmpty, replaceAll, type Trigger } from "../input/editor";
import { runLocal } from "../input/local";
import { commands, mentions, type Offer } from "../input/offers";
import { docFrom, docOf, partsOf, plainText } from "../input/schema";
import {
  attempt, dialog, editing, ensure, input, keep, kept, peer, replaceQueued, send, session, setMode, stop,
} from "../panel";
import { modeName, text } from "../texts";

const MODES = ["default", "acceptEdits", "plan", "bypassPermissions"] as const;
const PAUSE = 80; // milliseconds after the last key before the files are searched

/** The input with its menu, the mode and the button that sends or stops. */
export function Composer(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const trigger = useRef<Trigger | undefined>(undefined);
  const offers = useSignal<Offer[]>([]);
  const chosen = useSignal(0);
  const empty = useSignal(true);

  const look = (found: Trigger | undefined): void => {
    const before = trigger.current;
    trigger.current = found;
    if (!found) { offers.value = []; return; }
    if (before?.query === found.query && before.sign === found.sign) return;
    setTimeout(() => {
      if (trigger.current !== found) return;
      void (found.sign === "@" ? mentions(found.query) : commands(found.query)).then((list) => {
        if (trigger.current?.query !== found.query) return; // a later key's answer counts
        offers.value = list;
        chosen.value = 0;
      });
    }, PAUSE);
  };
  const pick = (offer: Offer | undefined): void => {
    const at = trigger.current;
    if (!offer || !at || !view.current) return;
    offers.value = [];
    if ("kind" in offer.pick) insertChip(view.current, offer.pick, at);
    else if (offer.pick.local && offer.pick.command !== "btw") { replaceAll(view.current, docOf("")); runLocal(`/${offer.pick.command}`); }
    else replaceAll(view.current, docOf(`/${offer.pick.command} `));
    trigger.current = undefined;
  };
  const submit = async (): Promise<void> => {
    const editor = view.current;
    if (!editor || isEmpty(editor.state.doc)) return;
    const doc = editor.state.doc;
    const words = plainText(doc);
    if (editing.peek()) {
      replaceAll(editor, docOf(""));
      await replaceQueued(words.replace(/^!\s*/, editing.peek()?.type === "bang" ? "" : "$&"));
      return;
    }
    const parts = partsOf(doc);
    if (!parts.length) return;
    replaceAll(editor, docOf(""));
    if (runLocal(words)) return;
    if (!(await send(parts)) && isEmpty(editor.state.doc)) replaceAll(editor, doc); // nothing that was typed is lost
  };
  const menuKey = (event: KeyboardEvent): boolean => {
    const count = offers.value.length;
    if (event.key === "ArrowDown") chosen.value = (chosen.value + 1) % count;
    else if (event.key === "ArrowUp") chosen.value = (chosen.value + count - 1) % count;
    else if (event.key === "Enter" || event.key === "Tab") pick(offers.value[chosen.value]);
    else if (event.key === "Escape") offers.value = [];
    else return false;
    return true;
  };
  const key = (event: KeyboardEvent): boolean => {
    if (offers.value.length && menuKey(event)) return true;
    const control = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) void submit();
    else if (event.key === "Escape" && session.busy.peek()) void stop();
    else if (event.key === "Escape" && editing.peek()) editing.value = undefined;
    else if (event.key === "Tab" && event.shiftKey) cycleMode();
    else if (control && event.key === "b") void background();
    else if (control && event.key === "r") dialog.value = "prompts";
    else return false;
    return true;
  };
  useEffect(() => {
    if (!place.current) return undefined;
    const editor = createEditor(place.current, docFrom(kept().draft), {
      label: text("placeholder"),
      changed: (doc, found) => { empty.value = isEmpty(doc); keep({ draft: doc.toJSON() as unknown }); look(found); },
      key: (event) => keyOf.current(event),
      images: (files) => { for (const file of files) void addImage(editor, file); },
    });
    view.current = editor;
    empty.value = isEmpty(editor.state.doc);
    input.focus = () => { editor.focus(); };
    input.setText = (words) => { replaceAll(editor, docOf(words)); };
    input.insertFile = (path) => { insertChip(editor, { kind: "file", label: path.split("/").at(-1) ?? path, value: `[@file:${path}]` }); };
    input.insertSelection = (path, start, end) => {
      const name = path.split("/").at(-1) ?? path;
      insertChip(editor, { kind: "selection", label: `${name}:${start}-${end}`, value: `[Selection: ${path}|${name}#${start}-${end}]` });
    };
    editor.focus();
    return () => { editor.destroy(); };
  }, []);
  const keyOf = useRef(key);
  keyOf.current = key;
  const queued = editing.value;
  useLayoutEffect(() => {
    if (!view.current) return;
    if (queued) { input.setText(queued.content); view.current.focus(); }
  }, [queued]);
  const selected = offers.value[chosen.value];
  return (
    <div class="composer">
      {offers.value.length > 0 && <Menu offers={offers.value} chosen={chosen.value} pick={pick} />}
      {queued && (
        <span class="chip">
          {text("editingQueued")}
          <button type="button" aria-label={text("cancel")} onClick={() => { editing.value = undefined; input.setText(""); input.focus(); }}>×</button>
        </span>
      )}
      <div class={`input ${empty.value ? "empty" : ""}`} data-placeholder={text("placeholder")} ref={place} data-active={selected?.id} />
      <div class="composer-foot">
        <select
          class="mode" aria-label={text("mode")} value={session.mode.value} onChange={(event) => void setMode(event.currentTarget.value)}
        >
          {[...new Set([...MODES, session.mode.value])].map((mode) => <option key={mode} value={mode}>{modeName(mode)}</option>)}
        </select>
        <Elapsed />
        <span class="grow" />
        {session.busy.value && (
          <button type="button" class="round stop" aria-label={text("stop")} title={text("stop")} onClick={() => void stop()}><Square size={14} /></button>
        )}
        <button type="button" class="round send" aria-label={text("send")} title={text("send")} disabled={empty.value} onClick={() => void submit()}>
          <SendHorizontal size={16} />
        </button>
      </div>
    </div>
  );
}

function Menu({ offers, chosen, pick }: { offers: Offer[]; chosen: number; pick: (offer: Offer) => void }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => { place.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }); }, [chosen]);
  return (
    <div class="offers" role="listbox" aria-label="@ /" ref={place}>
      {offers.map((offer, at) => (
        <div
          key={offer.id} role="option" aria-selected={at === chosen}
          onPointerDown={(event) => { event.preventDefault(); pick(offer); }}
        >
          <span>{offer.name}</span> <small>{offer.hint}</small>
        </div>
      ))}
    </div>
  );
}

/** How long the turn has been running. */
function Elapsed(): JSX.Element | null {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => { now.value = Date.now(); }, 1000);
    return () => { clearInterval(timer); };
  }, []);
  const since = session.turnStartedAt.value;
  if (!session.busy.value || !since) return null;
  return <span class="elapsed"><span class="spinner" /> {text("seconds", Math.max(0, Math.round((now.value - since) / 1000)))}</span>;
}

function cycleMode(): void {
  const at = MODES.indexOf(session.mode.peek() as "default");
  void setMode(MODES[(at + 1) % MODES.length] ?? "default");
}

async function background(): Promise<void> {
  const sessionId = await attempt(ensure());
  if (sessionId) await attempt(peer.ask("wave/tasks/background", { sessionId }));
}

const LARGEST_IMAGE = 10 * 1024 * 1024; // bytes

async function addImage(editor: EditorView, file: File): Promise<void> {
  if (file.size > LARGEST_IMAGE) return;
  const reader = new FileReader();
  const read = new Promise<string>((done) => { reader.onload = () => { done(reader.result as string); }; });
  reader.readAsDataURL(file);
  insertChip(editor, { kind: "image", label: file.name || text("image"), value: await read });
}
