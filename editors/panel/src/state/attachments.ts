/**
 * A message's text taken apart: what the user wrote, and the blocks of what was mentioned.
 *
 * The same reading as wave_bridge/providers/blocks.py, from the end: what a user typed or pasted in front of the blocks
 * is never taken for one.
 */
export interface Attachment {
  kind: "terminal" | "problems";
  text: string;
  truncated: boolean;
}

const GAP = "\n\n";
const END = `${GAP}<!-- wave: no attachments above -->`;
const OPENING =
  /^wave-(terminal|problems) ([1-9][0-9]?)\/([1-9][0-9]?)( truncated)?( unavailable)?(?: [0-9]{1,18}\/[0-9]{1,18})?(?: [a-z=0-9]+)*$/;

export function takeApart(message: string): { text: string; attachments: Attachment[] } {
  let rest = message.trimEnd();
  if (rest.endsWith(END)) return { text: rest.slice(0, -END.length), attachments: [] };
  const attachments: Attachment[] = [];
  for (let count = 0; ; ) {
    const found = lastBlock(rest);
    const foreign = { text: message, attachments: [] };
    if (!found) return foreign;
    count ||= found.count;
    const doubled = attachments.some((each) => each.kind === found.block.kind);
    if (found.count !== count || found.place !== count - attachments.length || doubled) return foreign;
    attachments.unshift(found.block);
    rest = found.before;
    if (found.place === 1) return { text: rest, attachments };
  }
}

function lastBlock(text: string): { block: Attachment; place: number; count: number; before: string } | undefined {
  const newline = text.lastIndexOf("\n");
  const fence = text.slice(newline + 1);
  if (newline < 0 || !/^`{3,}$/.test(fence)) return undefined;
  const body = text.slice(0, newline);
  const start = body.lastIndexOf(fence);
  if (start < 0) return undefined;
  const inside = body.slice(start + fence.length);
  const end = inside.indexOf("\n");
  const opening = end < 0 ? null : OPENING.exec(inside.slice(0, end));
  const before = body.slice(0, start);
  if (!opening || (before && !before.endsWith(GAP))) return undefined;
  return {
    block: {
      kind: opening[1] as Attachment["kind"],
      text: inside.slice(end + 1),
      truncated: opening[4] !== undefined,
    },
    place: Number(opening[2]),
    count: Number(opening[3]),
    before: before.endsWith(GAP) ? before.slice(0, -GAP.length) : before,
  };
}

/** A user's text as it is shown: words, and the files and selections that it names (existing-hosts.md 4.3). */
export type Piece = { text: string } | { path: string; label: string };

const NAMED = /\[@file:([^\]\n]+)\]|\[Selection: ([^|\]\n]+)\|([^#\]\n]+)#(\d+)-(\d+)\]/g;

export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(NAMED)) {
    if (match.index > at) found.push({ text: text.slice(at, match.index) });
    const [whole, file, path, name, start, end] = match;
    if (file !== undefined) found.push({ path: file, label: file.replace(/\/$/, "").split("/").at(-1) ?? file });
    else found.push({ path: path ?? "", label: `${name ?? ""}:${start ?? ""}-${end ?? ""}` });
    at = match.index + whole.length;
  }
  if (at < text.length) found.push({ text: text.slice(at) });
  return found;
}
