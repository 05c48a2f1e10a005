import { batch, signal, type Signal } from "@preact/signals";
import {
  bangBlock,
  blockFrom,
  list,
  number,
  object,
  string,
  textBlock,
  toolBlock,
  updateTool,
  type Block,
  type TextBlock,
  type ToolBlock,
  type Wire,
} from "./blocks";
import { takeApart } from "./attachments";

export interface Message {
  id: string;
  role: "user" | "assistant";
  timestamp: string;
  hidden: boolean;
  blocks: Signal<Block[]>;
  tokens: Signal<number | undefined>;
}

/**
 * The messages of one session. Each is held once and found by its id; a delta changes the one block that it names.
 *
 * `order` changes only when messages come or go. What names a message that is not here sets `stale`: the owner then
 * asks for a snapshot (T9.2, T9.3, T9.5).
 */
export class Conversation {
  readonly order = signal<readonly Message[]>([]);
  readonly stale = signal(false);
  private byId = new Map<string, Message>();
  private tools = new Map<string, ToolBlock>();

  /** Replace everything by what the CLI says the messages are. */
  reset(messages: unknown): void {
    batch(() => {
      this.byId.clear();
      this.tools.clear();
      const made = list(messages).map((wire) => this.make(wire));
      for (const message of made) this.byId.set(message.id, message);
      this.order.value = made;
      this.stale.value = false;
    });
  }

  /** Apply a notification of the CLI; those that are not about messages are left alone. */
  apply(method: string, params: Wire): void {
    switch (method) {
      case "userMessageAdded":
      case "assistantMessageAdded":
      case "notificationMessageAdded":
        return this.add(object(params["message"]));
      case "assistantContentUpdated":
        return this.grow("text", params);
      case "assistantReasoningUpdated":
        return this.grow("reasoning", params);
      case "toolBlockUpdated":
        return this.tool(params);
      case "errorBlockAdded":
        return this.error(string(params["error"]));
      case "bangMessageAdded":
        return this.add({
          id: params["messageId"],
          role: "user",
          blocks: [{ type: "bang", command: params["command"], stage: "running" }],
        });
      case "bangMessageUpdated":
      case "bangMessageCompleted":
        return this.bang(params, method === "bangMessageCompleted");
      case "compactBlockAdded":
        this.stale.value = true;
        return;
      case "messagesChange":
        return this.reset(params["messages"]);
    }
  }

  get(id: string): Message | undefined {
    return this.byId.get(id);
  }

  /** What the user said first, without what was attached; empty when nobody has said anything. */
  firstWords(): string {
    for (const message of this.order.peek()) {
      if (message.role !== "user" || message.hidden) continue;
      for (const block of message.blocks.peek()) {
        if (block.type === "text") return takeApart(block.text.peek()).text;
        if (block.type === "bang") return `!${block.command}`;
      }
    }
    return "";
  }

  private add(wire: Wire): void {
    const known = this.byId.get(string(wire["id"]));
    if (known) return;
    const message = this.make(wire);
    this.byId.set(message.id, message);
    this.order.value = [...this.order.peek(), message];
  }

  private make(wire: Wire): Message {
    const blocks = list(wire["blocks"])
      .map(blockFrom)
      .filter((block) => block !== undefined);
    for (const block of blocks) if (block.type === "tool") this.keepTool(string(wire["id"]), block);
    return {
      id: string(wire["id"]),
      role: wire["role"] === "assistant" ? "assistant" : "user",
      timestamp: string(wire["timestamp"]),
      hidden: wire["isMeta"] === true && !blocks.some((block) => block.type === "task_notification"),
      blocks: signal(blocks),
      tokens: signal(number(object(wire["usage"])["total_tokens"])),
    };
  }

  private named(params: Wire): Message | undefined {
    const message = this.byId.get(string(params["messageId"]));
    if (!message) this.stale.value = true;
    return message;
  }

  private grow(type: "text" | "reasoning", params: Wire): void {
    const message = this.named(params);
    if (!message) return;
    const ended = params["stage"] === "end";
    const blocks = message.blocks.peek();
    // Not the last block: the error of a turn that was stopped may stand behind the one that still grows.
    const open = blocks.findLast((block) => block.type === type && block.streaming.peek()) as TextBlock | undefined;
    const chunk = string(params["chunk"]);
    if (!open && ended && !chunk) return;
    const block: TextBlock =
      open ?? textBlock(type, { stage: "streaming", ...(type === "reasoning" ? { startTime: Date.now() } : {}) });
    batch(() => {
      block.text.append(chunk);
      if (ended) this.end(block);
      if (!open) {
        for (const each of blocks) if ("streaming" in each && each.streaming.peek()) this.end(each);
        message.blocks.value = [...blocks, block];
      }
    });
  }

  private end(block: TextBlock): void {
    block.streaming.value = false;
    if (block.type === "reasoning") block.endTime.value ??= Date.now();
  }

  private tool(params: Wire): void {
    const id = string(params["id"]);
    const known =
      this.tools.get(`${string(params["messageId"])}/${id}`) ?? (params["stage"] === "end" ? this.tools.get(id) : undefined);
    if (known) return batch(() => { updateTool(known, params); });
    const message = this.named(params);
    if (!message) return;
    const block = toolBlock(params);
    this.keepTool(message.id, block);
    message.blocks.value = [...message.blocks.peek(), block];
  }

  /**
   * A call is found by its message and its id, which another message may use again. Only the end of one that was asked
   * about before an abort names the newest message instead (wire.md 8.5), so the last of its id is known too.
   */
  private keepTool(messageId: string, block: ToolBlock): void {
    this.tools.set(`${messageId}/${block.id}`, block);
    this.tools.set(block.id, block);
  }

  private error(content: string): void {
    const last = this.order.peek().at(-1);
    if (last?.role !== "assistant") {
      this.stale.value = true; // the message that holds it was never announced (wire.md 7)
      return;
    }
    last.blocks.value = [...last.blocks.peek(), { type: "error", content }];
  }

  private bang(params: Wire, completed: boolean): void {
    const message = this.named(params);
    if (!message) return;
    let block = message.blocks.peek().find((each) => each.type === "bang");
    if (!block) {
      block = bangBlock(params);
      message.blocks.value = [...message.blocks.peek(), block];
    }
    const { output, state } = block;
    batch(() => {
      if (typeof params["output"] === "string") output.replace(params["output"]);
      state.value = { running: !completed, exitCode: completed ? (number(params["exitCode"]) ?? null) : null };
    });
  }
}
