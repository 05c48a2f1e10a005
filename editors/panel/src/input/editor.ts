import { baseKeymap, splitBlock } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { Slice, type Node } from "prosemirror-model";
import { EditorState, TextSelection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { docOf, schema, type Chip } from "./schema";

export interface Trigger {
  sign: "@" | "/";
  query: string;
  from: number;
  to: number;
}

export interface Wishes {
  label: string;
  changed(doc: Node, trigger: Trigger | undefined): void;
  /** A key before the editor sees it; true when it was used. Never called within an IME composition. */
  key(event: KeyboardEvent): boolean;
  images(files: File[]): void;
}

/** Make the input in `place`: plain paragraphs with chips, undo, paste as plain text. */
export function createEditor(place: HTMLElement, doc: Node, wishes: Wishes): EditorView {
  const view: EditorView = new EditorView(place, {
    state: stateOf(doc),
    attributes: { role: "textbox", "aria-multiline": "true", "aria-label": wishes.label, class: "input-text" },
    clipboardTextParser: (words) => new Slice(docOf(words.replace(/\r\n?/g, "\n")).content, 1, 1),
    transformPastedHTML: () => "",
    handleDOMEvents: {
      keydown: (_, event) => !event.isComposing && wishes.key(event) && (event.preventDefault(), true),
    },
    handlePaste: (_, event): boolean => take(imagesOf(event.clipboardData), wishes) || pastePlain(view, event),
    handleDrop: (_, event) => take(imagesOf(event.dataTransfer), wishes),
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction));
      wishes.changed(view.state.doc, triggerOf(view.state));
    },
  });
  return view;
}

const stateOf = (doc: Node): EditorState =>
  EditorState.create({
    doc,
    plugins: [
      history(),
      keymap({ "Mod-z": undo, "Mod-y": redo, "Shift-Mod-z": redo, "Shift-Enter": splitBlock }),
      keymap(baseKeymap),
    ],
  });

export function replaceAll(view: EditorView, doc: Node): void {
  const transaction = view.state.tr.replaceWith(0, view.state.doc.content.size, doc.content);
  view.dispatch(transaction.setSelection(TextSelection.atEnd(transaction.doc)));
}

/** Put a chip where the trigger stands, or at the cursor, and a blank behind it. */
export function insertChip(view: EditorView, chip: Chip, at?: Trigger): void {
  const { from, to } = at ?? view.state.selection;
  const node = schema.node("chip", { ...chip });
  view.dispatch(view.state.tr.replaceWith(from, to, [node, schema.text(" ")]).scrollIntoView());
  view.focus();
}

export const isEmpty = (doc: Node): boolean => doc.childCount === 1 && doc.firstChild?.childCount === 0;

/** The `@` or `/` word that ends at the cursor: `@` after a blank, `/` only as the first thing of all. */
function triggerOf(state: EditorState): Trigger | undefined {
  const { $from, empty } = state.selection;
  if (!empty) return undefined;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, "\ufffc");
  const mention = /(?:^|[\s\ufffc])@([^\s@\ufffc]*)$/.exec(before);
  const command = $from.before() === 0 ? /^\/(\S*)$/.exec(before) : null;
  const query = mention?.[1] ?? command?.[1];
  if (query === undefined) return undefined;
  return { sign: mention ? "@" : "/", query, from: $from.pos - query.length - 1, to: $from.pos };
}

const imagesOf = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));

function take(files: File[], wishes: Wishes): boolean {
  if (files.length) wishes.images(files);
  return files.length > 0;
}

/** Paste what the clipboard has as text, and nothing of its looks. */
function pastePlain(view: EditorView, event: ClipboardEvent): boolean {
  const words = event.clipboardData?.getData("text/plain");
  if (words) view.pasteText(words);
  return true;
}
