import { signal } from "@preact/signals";
import { Copy, RotateCcw } from "lucide-preact";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useMemo } from "preact/hooks";
import { disarm } from "../markdown";
import { copy, host, openFile, rewind, session } from "../panel";
import { pieces, takeApart, type Attachment } from "../state/attachments";
import type { BangBlock, Block, TextBlock } from "../state/blocks";
import type { Message } from "../state/conversation";
import { text } from "../texts";
import { Markdown } from "./markdown";
import { Dialog, IconButton } from "./parts";
import { exitText, Tool } from "./tool";

/** The attachment whose dialog is open; there is one at a time (M3.4). */
export const attachment = signal<Attachment | undefined>(undefined);

export const MessageView = memo(function MessageView({ message }: { message: Message }): JSX.Element | null {
  const blocks = message.blocks.value;
  if (message.hidden || !blocks.length) return null;
  return (
    <article class={`message ${message.role}`} aria-label={message.role === "user" ? text("you") : "Wave"}>
      {blocks.map((block, at) => <BlockView key={at} block={block} user={message.role === "user"} />)}
      <div class="message-actions">
        <IconButton label={text("copy")} onClick={() => void copy(markdownOf(message))}><Copy size={14} /></IconButton>
        {message.role === "user" && blocks.some((block) => block.type === "text") && (
          <IconButton label={text("rewind")} disabled={session.held.value} onClick={() => { sureToRewind.value = message.id; }}>
            <RotateCcw size={14} />
          </IconButton>
        )}
      </div>
    </article>
  );
});

export const sureToRewind = signal("");

export function RewindQuestion(): JSX.Element | null {
  const id = sureToRewind.value;
  if (!id) return null;
  const done = (): void => { sureToRewind.value = ""; };
  return (
    <Dialog title={text("rewind")} onClose={done}>
      <p>{text("rewindSure")}</p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => { done(); void rewind(id); }}>{text("rewind")}</button>
        <button type="button" onClick={done}>{text("cancel")}</button>
      </div>
    </Dialog>
  );
}

function BlockView({ block, user }: { block: Block; user: boolean }): JSX.Element | null {
  switch (block.type) {
    case "text":
      return user ? <UserText words={block.text.read()} /> : <Markdown source={block.text} />;
    case "reasoning":
      return <Reasoning block={block} />;
    case "tool":
      return <Tool block={block} unfolded={user} />;
    case "bang":
      return <Bang block={block} />;
    case "image":
      return <>{block.urls.map((url) => <Image key={url} url={url} />)}</>;
    case "error":
      return <div class="error" role="alert">{disarm(block.content)}</div>;
    case "compact":
      return <details class="compact"><summary>{text("compacted")}</summary><pre>{disarm(block.content)}</pre></details>;
    case "task_notification":
      return <div class={`task-notice ${block.status}`}>{disarm(block.summary)}</div>;
  }
}

/** What the user wrote, files as chips in it, what was attached as chips behind it (M3.1). */
function UserText({ words }: { words: string }): JSX.Element {
  const { text: own, attachments } = useMemo(() => takeApart(words), [words]);
  return (
    <div class="user-text">
      {pieces(own).map((piece, at) =>
        "text" in piece ? <span key={at}>{disarm(piece.text)}</span> : (
          <button key={at} type="button" class="chip" title={disarm(piece.path)} disabled={!host.editor} onClick={() => { openFile(piece.path); }}>
            {disarm(piece.label)}
          </button>
        ),
      )}
      {attachments.map((each) => (
        <button key={each.kind} type="button" class="chip" aria-haspopup="dialog" onClick={() => { attachment.value = each; }}>
          {nameOf(each)}
          {each.truncated && <small class="badge">{text("truncated")}</small>}
        </button>
      ))}
    </div>
  );
}

const nameOf = ({ kind }: Attachment): string => (kind === "terminal" ? "Terminal" : "Problems");

export function AttachmentDialog(): JSX.Element | null {
  const open = attachment.value;
  if (!open) return null;
  return (
    <Dialog title={nameOf(open)} name="attachment" onClose={() => { attachment.value = undefined; }}>
      <pre class="output" tabIndex={0}>{open.text}</pre>
    </Dialog>
  );
}

function Reasoning({ block }: { block: TextBlock }): JSX.Element {
  const thinking = block.streaming.value;
  const ended = block.endTime.value;
  const seconds = block.startTime && ended ? Math.max(1, Math.round((ended - block.startTime) / 1000)) : 0;
  return (
    <details class="reasoning" open={thinking}>
      <summary>{thinking || !seconds ? text("thinking") : text("thought", seconds)}</summary>
      <Markdown source={block.text} />
    </details>
  );
}

function Bang({ block }: { block: BangBlock }): JSX.Element {
  const { running, exitCode } = block.state.value;
  const output = block.output.read();
  return (
    <div class="bang">
      <pre class="command" tabIndex={0}>! {disarm(block.command)}</pre>
      {output && <pre class="output" tabIndex={0}>{disarm(output)}</pre>}
      <small class={exitCode ? "failed" : ""}>{running ? text("running") : exitText(exitCode)}</small>
    </div>
  );
}

function Image({ url }: { url: string }): JSX.Element {
  return /^data:image\/(png|jpeg|gif|webp);/.test(url)
    ? <img class="thumbnail" src={url} alt={text("image")} />
    : <span class="chip">{text("image")}: {disarm(url.split("/").at(-1) ?? "").slice(0, 80)}</span>;
}

/** A message as Markdown, for the clipboard and for export. */
export function markdownOf(message: Message): string {
  return message.blocks.peek().map(markdownOfBlock).filter(Boolean).join("\n\n");
}

function markdownOfBlock(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text.peek();
    case "tool":
      return `> ${block.facts.peek().name} ${block.facts.peek().summary}`;
    case "bang":
      return `\`\`\`console\n! ${block.command}\n${block.output.peek()}\n\`\`\``;
    case "error":
    case "compact":
      return block.content;
    default:
      return "";
  }
}
