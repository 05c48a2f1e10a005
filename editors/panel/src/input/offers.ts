import uFuzzy from "@leeoniya/ufuzzy";
import { ask, attempt, host, peer, session } from "../panel";
import { list, object, string } from "../state/blocks";
import { text, type TextKey } from "../texts";
import type { Chip } from "./schema";

/** One entry of the menu below the cursor. */
export interface Offer {
  id: string;
  name: string;
  hint: string;
  pick: Chip | { command: string; local: boolean };
}

/** The commands that the panel does itself; one registry for the menu and for what is typed. */
export const LOCAL = [
  "clear", "resume", "rename", "compact", "rewind", "model", "status", "tasks", "mcp", "agents", "skills", "plugin",
  "workflows", "btw", "config",
] as const;
export type LocalCommand = (typeof LOCAL)[number];

const FILES = 20;
const fuzzy = new uFuzzy();

/** What `@` offers: the two things of the editor first, if there is one (M4.1, M4.5), then files. */
export async function mentions(query: string): Promise<Offer[]> {
  const fixed = host.editor ? editorOffers().filter((offer) => fits(offer, query)) : [];
  const sessionId = session.id.peek();
  const found = await attempt(
    peer.ask("wave/files/search", { query, maxResults: FILES, ...(sessionId ? { sessionId } : { workdir: host.workdir }) }),
  );
  return [...fixed, ...list(object(found)["files"]).map((file) => fileOffer(string(file["path"])))];
}

function editorOffers(): Offer[] {
  return [
    { id: "terminal", name: "Terminal", hint: text("terminalHint"), pick: { kind: "terminal", label: "Terminal", value: "" } },
    { id: "problems", name: "Problems", hint: text("problemsHint"), pick: { kind: "problems", label: "Problems", value: "" } },
  ];
}

const fits = ({ id, name, hint }: Offer, query: string): boolean =>
  [id, name, hint].some((each) => each.toLowerCase().includes(query.toLowerCase()));

function fileOffer(path: string): Offer {
  const name = path.replace(/\/$/, "").split("/").at(-1) ?? path;
  return { id: path, name, hint: path, pick: { kind: "file", label: name, value: `[@file:${path}]` } };
}

/** What `/` offers: the panel's own commands, then the CLI's and the skills. */
export async function commands(query: string): Promise<Offer[]> {
  const own = LOCAL.map((name) => commandOffer(name, text(`cmd_${name}` as TextKey), true));
  const theirs = (await ask("wave/commands/list", "commands"))
    .map((each) => commandOffer(string(each["name"]) || string(each["id"]), string(each["description"]), false))
    .filter((offer) => !LOCAL.some((name) => name === offer.name.slice(1)));
  const all = [...own, ...theirs];
  if (!query) return all;
  const [indexes, , order] = fuzzy.search(all.map((offer) => `${offer.name} ${offer.hint}`), query);
  return (order ? order.map((at) => indexes[at]) : (indexes ?? [])).flatMap((at) => all[at ?? -1] ?? []);
}

const commandOffer = (name: string, hint: string, local: boolean): Offer => ({
  id: name,
  name: `/${name}`,
  hint,
  pick: { command: name, local },
});
