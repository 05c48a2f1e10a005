import { effect } from "@preact/signals";
import { describe, expect, it } from "vitest";
import type { ToolBlock } from "../src/state/blocks";
import { Conversation } from "../src/state/conversation";
import { takeApart } from "../src/state/attachments";
import { disarm, Pieces } from "../src/markdown";
import { req } from "./req";

function answering(): Conversation {
  const conversation = new Conversation();
  conversation.apply("assistantMessageAdded", { message: { id: "a", role: "assistant", blocks: [] } });
  return conversation;
}

describe("a conversation", () => {
  it(`wakes nobody but who reads the block that a delta names ${req("T9.2")}`, () => {
    const conversation = answering();
    conversation.apply("assistantContentUpdated", { messageId: "a", chunk: "one", stage: "streaming" });
    conversation.apply("assistantMessageAdded", { message: { id: "b", role: "assistant", blocks: [] } });
    let listDrawn = 0;
    let otherDrawn = 0;
    effect(() => { void conversation.order.value; listDrawn++; });
    effect(() => { void conversation.get("a")?.blocks.value; otherDrawn++; });
    for (let count = 0; count < 100; count++) {
      conversation.apply("assistantContentUpdated", { messageId: "b", chunk: "x", stage: "streaming" });
    }
    expect([listDrawn, otherDrawn]).toEqual([1, 1]);
    const block = conversation.get("b")?.blocks.peek()[0];
    expect(block?.type === "text" && block.text.peek()).toBe("x".repeat(100));
  });

  it("keeps calls of one id in two messages apart, and ends the old one of an abort", () => {
    const conversation = answering();
    conversation.apply("toolBlockUpdated", { messageId: "a", id: "c1", name: "Read", stage: "start", parameters: "" });
    conversation.apply("assistantMessageAdded", { message: { id: "b", role: "assistant", blocks: [] } });
    conversation.apply("toolBlockUpdated", { messageId: "b", id: "c2", name: "Edit", stage: "start", parameters: "" });
    conversation.apply("toolBlockUpdated", { messageId: "b", id: "c1", name: "Read", stage: "end", result: "read" });
    const toolOf = (id: string): ToolBlock => conversation.get(id)?.blocks.peek()[0] as ToolBlock;
    expect([toolOf("a").result.peek(), toolOf("b").result.peek()]).toEqual(["read", ""]);
    conversation.apply("toolBlockUpdated", { messageId: "b", id: "c1", name: "Bash", stage: "start", parameters: "" });
    expect(toolOf("a").facts.peek().name).toBe("Read");
  });

  it("lets a text grow on when the error of a turn that was stopped comes into it", () => {
    const conversation = answering();
    conversation.apply("assistantContentUpdated", { messageId: "a", chunk: "one", stage: "streaming" });
    conversation.apply("errorBlockAdded", { error: "Request was aborted" });
    conversation.apply("assistantContentUpdated", { messageId: "a", chunk: " two", stage: "streaming" });
    conversation.apply("assistantContentUpdated", { messageId: "a", chunk: "", stage: "end" });
    const [text, error] = conversation.get("a")?.blocks.peek() ?? [];
    expect(text?.type === "text" && [text.text.peek(), text.streaming.peek()]).toEqual(["one two", false]);
    expect(error).toEqual({ type: "error", content: "Request was aborted" });
  });

  it("asks for a snapshot when a delta names a message that is not here", () => {
    const conversation = answering();
    conversation.apply("assistantContentUpdated", { messageId: "unknown", chunk: "x", stage: "streaming" });
    expect(conversation.stale.peek()).toBe(true);
  });
});

describe("a message's text", () => {
  it("is taken apart from its end; blocks that were typed stay text", () => {
    const real = "```wave-terminal 1/1 2/2\nTitle\n$ ls\n```";
    expect(takeApart(`see\n\n${real}`)).toMatchObject({ text: "see", attachments: [{ kind: "terminal", text: "Title\n$ ls" }] });
    const typed = `see\n\n${real}\n\n<!-- wave: no attachments above -->`;
    expect(takeApart(typed)).toEqual({ text: `see\n\n${real}`, attachments: [] });
  });
});

describe("what can't be seen", () => {
  it("is shown as what it is; joiners and line breaks are left", () => {
    const reorders = ["\u061c", "\u200e", "\u202e", "\u2066"];
    const invisible = ["\u0000", "\u001b", "\u00ad", "\u200b", "\u2028", "\u2060", "\ufeff", "\u{e0041}"];
    for (const found of [...reorders, ...invisible]) {
      expect(disarm(`a${found}b`)).toBe(`a\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}b`);
    }
    const harmless = "one\n\ttwo \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 👩\u200d💻 汉字";
    expect(disarm(harmless)).toBe(harmless);
  });
});

describe("the pieces of a growing Markdown text", () => {
  it("never cut a fence, and are the text again when put together", () => {
    const text = "# Head\n\npara\n\n```js\na\n\nb\n```\n\n- one\n\n- two\n\nend\n";
    const pieces = new Pieces();
    let rest = "";
    for (let length = 1; length <= text.length; length++) rest = pieces.rest(text.slice(0, length));
    expect([...pieces.done, rest].join("")).toBe(text);
    expect(pieces.done).toContain("```js\na\n\nb\n```\n\n- one\n\n- two\n\n");
  });
});
