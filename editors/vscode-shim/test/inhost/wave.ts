/** What the tests in the extension host share: our extension, a session, and the text that a message really took along. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";

import type { Wave } from "../../src/extension";

const PATIENCE = 30_000; // milliseconds

export async function wave(): Promise<Wave> {
  const extension = vscode.extensions.getExtension<Wave>("wave-bridge.wave-bridge");
  if (extension === undefined) throw new Error("the extension is not there");
  return extension.activate();
}

export function workspace(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error("no workspace");
  return folder.uri.fsPath;
}

export async function until<T>(found: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const value = await found();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`${what}: never`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Block {
  type: string;
  content?: string;
}

/** Sends a message with one mention in a new session and gives the block that the agent got for it, without its fence. */
export async function mention(kind: "terminal" | "problems"): Promise<string> {
  const { request } = await wave();
  const { sessionId } = await request("wave/session/new", { workdir: workspace() });
  const parts = [{ type: "text" as const, text: "look" }, { type: "mention" as const, kind }];
  await request("wave/turn/start", { sessionId, clientTurnId: randomUUID(), parts });
  const text = await until(async () => {
    const { messages } = await request("wave/session/snapshot", { sessionId });
    const first = (messages as { role: string; blocks: Block[] }[]).find(({ role }) => role === "user");
    return first?.blocks.map(({ content }) => content ?? "").join("\n");
  }, "the message");
  await request("wave/session/close", { sessionId });
  const fenced = /^look\n\n(`{3,})wave-\w+ .*\n([^]*)\n\1$/.exec(text);
  if (fenced?.[2] === undefined) throw new Error(`not a message with one block:\n${text}`);
  return fenced[2];
}
