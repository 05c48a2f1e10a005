import { Schema, type Node } from "prosemirror-model";
import type { Part } from "../panel";

/** What a chip stands for: what it puts into the message. */
export interface Chip {
  kind: "file" | "selection" | "terminal" | "problems" | "image" | "queued";
  label: string;
  /** The text in the message (file, selection), or an image's `data:` address. */
  value: string;
}

const string = { validate: "string" };

/** The input's text: paragraphs of words and chips. A chip is one character to the editor: it is deleted whole (M4.3). */
export const schema = new Schema({
  nodes: {
    doc: { content: "paragraph+" },
    paragraph: { content: "inline*", toDOM: () => ["p", 0], parseDOM: [{ tag: "p" }, { tag: "div" }] },
    text: { group: "inline" },
    chip: {
      group: "inline",
      inline: true,
      atom: true,
      attrs: { kind: string, label: string, value: string },
      toDOM: (node) => ["span", { class: `chip chip-${String(node.attrs["kind"])}` }, String(node.attrs["label"])],
    },
  },
});

export const chipOf = (node: Node): Chip | undefined => (node.type.name === "chip" ? (node.attrs as Chip) : undefined);

/** The message that the input stands for. `!` at the beginning makes a shell command of it. */
export function partsOf(doc: Node): Part[] {
  const words: string[] = [];
  const others: Part[] = [];
  doc.forEach((paragraph, _, index) => {
    if (index) words.push("\n");
    paragraph.forEach((node) => {
      const chip = chipOf(node);
      if (!chip) words.push(node.text ?? "");
      else if (chip.kind === "terminal" || chip.kind === "problems") others.push({ type: "mention", kind: chip.kind });
      else if (chip.kind === "image") {
        others.push({ type: "image", path: chip.value, mimeType: /^data:([^;]+)/.exec(chip.value)?.[1] ?? "image/png" });
      } else words.push(chip.value);
    });
  });
  const text = words.join("").trim();
  if (text.startsWith("!") && text.length > 1) return [{ type: "bang", command: text.slice(1).trim() }];
  return text ? [{ type: "text", text }, ...others] : others;
}

export const plainText = (doc: Node): string =>
  partsOf(doc).map((part) => (part.type === "text" ? part.text : part.type === "bang" ? `!${part.command}` : "")).join("");

export function docOf(text: string): Node {
  const lines = text.split("\n").map((line) => schema.node("paragraph", null, line ? [schema.text(line)] : []));
  return schema.node("doc", null, lines);
}

/** A kept draft, or an empty input when it is none of ours. */
export function docFrom(kept: unknown): Node {
  try {
    const doc = schema.nodeFromJSON(kept);
    doc.check();
    return doc;
  } catch {
    return docOf("");
  }
}
