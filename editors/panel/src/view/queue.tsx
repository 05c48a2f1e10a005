import { useSignal } from "@preact/signals";
import { ChevronDown, ChevronRight, Pencil, SendHorizontal, Trash2 } from "lucide-preact";
import type { JSX } from "preact";
import { dialog, editing, input, removeQueued, sendQueued, session } from "../panel";
import type { Queued } from "../state/session";
import { disarm } from "../markdown";
import { text } from "../texts";
import { IconButton } from "./parts";

/** The queued messages, above the input; hidden by an open dialog or question (T11.9). */
export function Queue(): JSX.Element | null {
  const folded = useSignal(false);
  const queue = session.queue.value;
  if (!queue.length || dialog.value || session.approvals.value.length) return null;
  const shown = folded.value ? queue.slice(0, 1) : queue;
  return (
    <section class="queue" aria-label={text("queue", queue.length)}>
      <button type="button" class="queue-head" aria-expanded={!folded.value} onClick={() => { folded.value = !folded.value; }}>
        {folded.value ? <ChevronRight size={14} /> : <ChevronDown size={14} />} {text("queue", queue.length)}
      </button>
      <ul>{shown.map((queued) => <Row key={queued.id} queued={queued} />)}</ul>
    </section>
  );
}

/** What was queued when the CLI ended: nothing of it goes out by itself. */
export function Drafts(): JSX.Element | null {
  const drafts = session.drafts.value;
  if (!drafts.length || dialog.value || session.approvals.value.length) return null;
  return (
    <section class="queue" aria-label={text("drafts", drafts.length)}>
      <p class="queue-head">{text("drafts", drafts.length)}</p>
      <ul>
        {drafts.map(({ id, text: words, bang, images }) => (
          <li key={id}>
            <span class="queued" title={disarm(words)}>{`${bang ? "! " : ""}${disarm(words)}`}</span>
            <IconButton label={text("send")} onClick={() => void sendQueued(id)}><SendHorizontal size={14} /></IconButton>
            {!images?.length && (
              <IconButton label={text("edit")} onClick={() => { input.setText(`${bang ? "!" : ""}${words}`); void removeQueued(id); }}>
                <Pencil size={14} />
              </IconButton>
            )}
            <IconButton label={text("remove")} onClick={() => void removeQueued(id)}><Trash2 size={14} /></IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ queued }: { queued: Queued }): JSX.Element {
  const words = `${queued.type === "bang" ? "! " : ""}${disarm(queued.content)}`;
  const tip = (event: MouseEvent): void => {
    const place = event.currentTarget as HTMLElement;
    place.title = place.scrollWidth > place.clientWidth ? words : "";
  };
  return (
    <li>
      <span class="queued" onMouseEnter={tip}>{words}</span>
      <IconButton label={text("send")} onClick={() => void sendQueued(queued.id)}><SendHorizontal size={14} /></IconButton>
      {queued.type !== "notification" && (
        <IconButton label={text("edit")} onClick={() => { editing.value = queued; }}><Pencil size={14} /></IconButton>
      )}
      <IconButton label={text("remove")} onClick={() => void removeQueued(queued.id)}><Trash2 size={14} /></IconButton>
    </li>
  );
}
