import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { SessionRow } from "../../../vscode-shim/src/generated/api";
import { attempt, dialog, host, peer, restore, session } from "../panel";
import { disarm } from "../markdown";
import { text } from "../texts";

const PAUSE = 150; // milliseconds after the last key before the search goes out

/** The one picker of stored sessions, for the button and for /resume: the workspace's, newest first, no limit (S10). */
export function HistoryPicker(): JSX.Element {
  const rows = useSignal<SessionRow[]>([]);
  const next = useSignal<string | undefined>(undefined);
  const loading = useSignal(true);
  const chosen = useSignal(0);
  const query = useRef("");
  const asked = useRef(0);
  const place = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const fetch = async (cursor?: string): Promise<void> => {
    const turn = ++asked.current;
    loading.value = true;
    const page = await attempt(peer.ask("wave/session/list", {
      cwd: host.workdir || session.workdir.peek(), ...(query.current ? { query: query.current } : {}), ...(cursor ? { cursor } : {}),
    }));
    if (turn !== asked.current) return;
    loading.value = false;
    if (!page) return;
    rows.value = cursor ? [...rows.value, ...page.sessions] : page.sessions;
    next.value = page.nextCursor;
  };
  useLayoutEffect(() => {
    const before = document.activeElement;
    search.current?.focus();
    void fetch();
    const away = (event: Event): void => { if (!place.current?.contains(event.target as Node)) dialog.value = undefined; };
    document.addEventListener("pointerdown", away);
    return () => {
      document.removeEventListener("pointerdown", away);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const typed = (words: string): void => {
    query.current = words;
    chosen.value = 0;
    const turn = ++asked.current;
    setTimeout(() => { if (turn === asked.current) void fetch(); }, PAUSE);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) chosen.value = Math.max(0, Math.min(rows.value.length - 1, chosen.value + by));
    else if (event.key === "Enter") { const row = rows.value[chosen.value]; if (row) void restore(row); }
    else if (event.key === "Escape") dialog.value = undefined;
    else return;
    event.preventDefault();
    event.stopPropagation();
    requestAnimationFrame(() => place.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }));
  };
  return (
    <div class="picker" ref={place} role="dialog" aria-label={text("history")} onKeyDown={key}>
      <input
        ref={search} role="combobox" aria-expanded="true" aria-controls="sessions" aria-label={text("search")}
        aria-activedescendant={`session-${chosen.value}`} placeholder={text("search")} onInput={(event) => { typed(event.currentTarget.value); }}
      />
      <div class="rows" id="sessions" role="listbox" aria-label={text("history")} tabIndex={-1}>
        {rows.value.map((row, at) => (
          <div
            key={row.id} id={`session-${at}`} role="option" aria-selected={at === chosen.value}
            aria-current={row.id === session.id.value ? "true" : undefined} onClick={() => void restore(row)}
          >
            <span class="row-title">{disarm(nameOf(row))}</span>
            <small>{when(row.lastActiveAt)}{row.branch ? ` · ${row.branch}` : ""}</small>
          </div>
        ))}
      </div>
      {loading.value && <p role="status">{text("loading")}</p>}
      {!loading.value && !rows.value.length && <p role="status">{text("noSessions")}</p>}
      {next.value && <button type="button" class="link" onClick={() => void fetch(next.value)}>{text("loadMore")}</button>}
    </div>
  );
}

export const nameOf = (row: SessionRow): string => row.customTitle ?? row.firstMessage ?? row.id;

const when = (iso: string): string => {
  const date = new Date(iso);
  return Number.isNaN(date.valueOf()) ? "" : date.toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
};

