import { effect, signal, useComputed } from "@preact/signals";
import { ArrowDown } from "lucide-preact";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { session } from "../panel";
import { text } from "../texts";
import { MessageView } from "./message";

const PAGE = 100; // messages that are drawn at once; older ones on request, or when one scrolls to them
const NEAR = 40; // pixels from the end that count as the end

const drawn = signal(PAGE);
const atEnd = signal(true);
effect(() => { void session.id.value; drawn.value = PAGE; atEnd.value = true; });

/** The conversation. It stays at its end while one reads there, and where one reads otherwise. */
export function Messages(): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const shown = useComputed(() => session.conversation.order.value.slice(-drawn.value));
  const hiddenOnes = session.conversation.order.value.length - shown.value.length;
  useLayoutEffect(() => {
    const list = place.current;
    if (!list) return;
    const content = list.firstElementChild;
    const follow = new ResizeObserver(() => { if (atEnd.peek()) list.scrollTop = list.scrollHeight; });
    follow.observe(list);
    if (content) follow.observe(content);
    return () => { follow.disconnect(); };
  }, []);
  const scrolled = (): void => {
    const list = place.current;
    if (!list) return;
    atEnd.value = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
    if (list.scrollTop < NEAR && hiddenOnes > 0 && !atEnd.peek()) more();
  };
  const more = (): void => {
    const list = place.current;
    const before = list ? list.scrollHeight - list.scrollTop : 0;
    drawn.value += PAGE;
    requestAnimationFrame(() => { if (list) list.scrollTop = list.scrollHeight - before; });
  };
  return (
    <div class="messages" ref={place} onScroll={scrolled} tabIndex={0} role="log" aria-label={text("conversation")} aria-live="off">
      <div class="messages-content">
        {hiddenOnes > 0 && <button type="button" class="link older" onClick={more}>{text("older")} ({hiddenOnes})</button>}
        {shown.value.map((message) => <MessageView key={message.id} message={message} />)}
      </div>
    </div>
  );
}

export function JumpToLatest(): JSX.Element | null {
  if (atEnd.value) return null;
  const jump = (): void => {
    atEnd.value = true;
    const list = document.querySelector(".messages");
    if (list) list.scrollTop = list.scrollHeight;
  };
  return <button type="button" class="jump" onClick={jump}><ArrowDown size={14} /> {text("latest")}</button>;
}

/** Tells a screen reader each answer once, when it is complete. */
export function Announcer(): JSX.Element {
  const said = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let busy = false;
    return effect(() => {
      const now = session.busy.value;
      if (busy && !now && said.current) {
        const last = session.conversation.order.peek().at(-1);
        const words = last?.blocks.peek().map((block) => (block.type === "text" ? block.text.peek() : "")).join(" ") ?? "";
        said.current.textContent = words.slice(0, 2000);
      }
      busy = now;
    });
  }, []);
  return <div ref={said} class="unseen" role="status" aria-live="polite" />;
}
