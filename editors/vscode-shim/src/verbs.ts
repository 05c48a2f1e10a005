/** What the daemon asks of this editor: facts, a file to show, a notice, a text to copy. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { type ActiveEditor, openEditors, problems, selection } from "./facts";
import type * as api from "./generated/api";
import type { Terminals } from "./terminals";

type Verbs = {
  [Name in keyof api.ClientRequests]: (
    params: api.ClientRequests[Name]["params"],
  ) => Thenable<api.ClientRequests[Name]["result"]> | api.ClientRequests[Name]["result"];
};

const DONE: api.Done = { ok: true };

/** Registers an answer to each request of the protocol's table; the compiler names one that is forgotten. */
export function answer(client: LanguageClient, editor: ActiveEditor, terminals: Terminals): void {
  const verbs: Verbs = {
    "wave/context/read": async ({ kinds }) => {
      const wanted = new Set<string>(kinds);
      return {
        ...(wanted.has("terminal") ? { terminal: { ...(await terminals.read()) } } : {}),
        ...(wanted.has("problems") ? { problems: problems(editor.current) } : {}),
        ...(wanted.has("selection") ? { selection: selection(editor.current) } : {}),
        ...(wanted.has("openEditors") ? { openEditors: openEditors() } : {}),
      };
    },
    "wave/editor/openFile": (place) => open(place, false),
    "wave/editor/reveal": (place) => open(place, true),
    "wave/editor/openUrl": async ({ url }) => ({ ok: await vscode.env.openExternal(vscode.Uri.parse(url, true)) }),
    "wave/editor/copy": async ({ text }) => {
      await vscode.env.clipboard.writeText(text);
      return DONE;
    },
    "wave/editor/notify": tell,
  };
  for (const [name, verb] of Object.entries(verbs)) client.onRequest(name, verb as (params: unknown) => unknown);
}

/** Shows a file; `line` and `column` count from 1. What is no text is left to the editor's own viewer. */
async function open({ path, line, column }: api.OpenFile, preserveFocus: boolean): Promise<api.Done> {
  const at = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), Math.max(0, (column ?? 1) - 1));
  const options = { preserveFocus, preview: true, ...(at === undefined ? {} : { selection: new vscode.Range(at, at) }) };
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path), options);
  return DONE;
}

/** Shows a notice until the user has seen it. Log and settings are ours to show, the rest is the daemon's. */
async function tell({ level, message, actions = [] }: api.Notify): Promise<api.Notified> {
  const show = {
    error: vscode.window.showErrorMessage,
    warning: vscode.window.showWarningMessage,
    info: vscode.window.showInformationMessage,
  }[level];
  const log = { id: "showLog", title: vscode.l10n.t("Show log") } as const;
  const buttons = actions.length > 0 || level === "info" ? actions : [log];
  const title = await show(message, ...buttons.map((button) => button.title));
  const chosen = buttons.find((button) => button.title === title);
  if (chosen?.id === "showLog") await vscode.commands.executeCommand("wave.showLogs");
  if (chosen?.id === "openSettings") await vscode.commands.executeCommand("wave.openSettings");
  return { ok: true, ...(chosen === undefined ? {} : { action: chosen.id }) };
}
