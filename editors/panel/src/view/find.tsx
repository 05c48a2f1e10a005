import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { session } from "../panel";
import { text } from "../texts";
import { markdownOf } from "./message";

export const finding = signal(false);

/** Find in the conversation: the messages that hold the words, one after another, marked by a frame. */
export function Find(): JSX.Element | null {
  return finding.value ? <FindBar /> : null;
}

function FindBar(): JSX.Element {
  const place = useRef<HTMLInputElement>(null);
  const at = useSignal(-1);
  const count = useSignal<number | undefined>(undefined);
  useEffect(() => { place.current?.focus(); return () => { mark(undefined); }; }, []);
  const step = (by: number): void => {
    const words = place.current?.value.trim().toLowerCase() ?? "";
    const found = words ? session.conversation.order.peek().filter((each) => !each.hidden && markdownOf(each).toLowerCase().includes(words)) : [];
    count.value = words ? found.length : undefined;
    at.value = found.length ? (at.value + by + found.length) % found.length : -1;
    const target = found[at.value];
    const back = target ? session.conversation.order.peek().length - session.conversation.order.peek().indexOf(target) : 0;
    const articles = document.querySelectorAll(".messages article");
    mark(target ? articles[articles.length - back] : undefined);
  };
  const key = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") finding.value = false;
  };
  return (
    <div class="find" role="search">
      <input ref={place} placeholder={text("find")} aria-label={text("find")} onKeyDown={key} onInput={() => { at.value = -1; }} />
      <span role="status">{count.value === undefined ? "" : `${at.value + 1}/${count.value}`}</span>
      <button type="button" class="icon-button" aria-label={text("close")} onClick={() => { finding.value = false; }}>×</button>
    </div>
  );
}

function mark(target: Element | undefined): void {
  document.querySelector(".found")?.classList.remove("found");
  target?.classList.add("found");
  target?.scrollIntoView({ block: "center" });
}
