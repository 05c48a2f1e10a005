import { useSignal } from "@preact/signals";
import { History, MoreHorizontal, Plus, Search } from "lucide-preact";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { attempt, clear, dialog, host, peer, rename, renaming, session, title } from "../panel";
import { text } from "../texts";
import { exportConversation } from "./export";
import { finding } from "./find";
import { IconButton } from "./parts";

export function Header(): JSX.Element {
  const tokens = session.tokens.value;
  return (
    <header class="header">
      {renaming.value ? <TitleInput /> : (
        <h1 class="title">
          <button type="button" title={text("rename")} onClick={() => { renaming.value = true; }}>{title()}</button>
        </h1>
      )}
      {tokens > 0 && <span class="tokens">{text("tokens", compactNumber(tokens))}</span>}
      <IconButton label={text("find")} onClick={() => { finding.value = true; }}><Search size={16} /></IconButton>
      <IconButton label={text("newChat")} disabled={session.held.value} onClick={() => void clear()}><Plus size={16} /></IconButton>
      <IconButton label={text("history")} onClick={() => { dialog.value = "history"; }}><History size={16} /></IconButton>
      <More />
    </header>
  );
}

const compactNumber = (value: number): string => (value < 1000 ? String(value) : `${(value / 1000).toFixed(1)}k`);

/** The title as an input: Enter or leaving it saves, Esc takes back; within an IME composition both are the IME's. */
function TitleInput(): JSX.Element {
  const place = useRef<HTMLInputElement>(null);
  const over = useRef(false);
  useLayoutEffect(() => { place.current?.focus(); place.current?.select(); }, []);
  const end = (save: boolean): void => {
    if (over.current) return;
    over.current = true;
    if (save) void rename(place.current?.value ?? "");
    else renaming.value = false;
  };
  const key = (event: KeyboardEvent): void => {
    event.stopPropagation(); // the host's shortcuts are not meant
    if (event.isComposing) return;
    if (event.key === "Enter") end(true);
    else if (event.key === "Escape") end(false);
  };
  return (
    <input
      ref={place} class="title-input" aria-label={text("rename")} defaultValue={title()} maxLength={200}
      onKeyDown={key} onBlur={() => { end(true); }}
    />
  );
}

function More(): JSX.Element {
  const open = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const away = (event: Event): void => { if (!place.current?.contains(event.target as Node)) open.value = false; };
    document.addEventListener("pointerdown", away);
    return () => { document.removeEventListener("pointerdown", away); };
  }, []);
  const items: [string, () => void][] = [
    [text("settings"), () => { if (host.kind === "browser") dialog.value = "status"; else peer.tellHost("host/command", { id: "settings" }); }],
    [text("models"), () => { dialog.value = "models"; }],
    [text("mcp"), () => { dialog.value = "mcp"; }],
    [text("plugins"), () => { dialog.value = "plugins"; }],
    [text("status"), () => { dialog.value = "status"; }],
    [text("export"), exportConversation],
    [text("signIn"), () => void attempt(peer.ask("wave/auth/login", {}))],
    [text("signOut"), () => void attempt(peer.ask("wave/auth/logout", {}))],
  ];
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open.value) return;
    open.value = false;
    place.current?.querySelector("button")?.focus();
    event.stopPropagation();
  };
  return (
    <div class="more" ref={place} onKeyDown={leave}>
      <IconButton label={text("more")} pressed={open.value} onClick={() => { open.value = !open.value; }}><MoreHorizontal size={16} /></IconButton>
      {open.value && (
        <div class="menu" role="menu">
          {items.map(([label, act]) => (
            <button key={label} type="button" role="menuitem" onClick={() => { open.value = false; act(); }}>{label}</button>
          ))}
        </div>
      )}
    </div>
  );
}
