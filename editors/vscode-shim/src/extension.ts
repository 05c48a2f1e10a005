/** Wave in VS Code: what starts, what is registered, what ends. Everything else is the daemon's (docs/ARCHITECTURE.md). */

import * as vscode from "vscode";

import { Bridge } from "./bridge";
import { ActiveEditor, chosen } from "./facts";
import { PANEL, Panels, VIEW } from "./panels";
import { Terminals } from "./terminals";
import { answer } from "./verbs";

/** Settings by which another connection is made. */
const RESTARTS = ["wave.path", "wave.interpreter", "wave.allowUvx", "wave.cliPath", "wave.logLevel"];

let bridge: Bridge | undefined;

/** What other extensions may use: the daemon's methods (docs/PROTOCOL.md), on this window's connection. */
export interface Wave {
  request: Bridge["request"];
}

export function activate(context: vscode.ExtensionContext): Wave {
  const logs = {
    extension: vscode.window.createOutputChannel("Wave", { log: true }),
    server: vscode.window.createOutputChannel("Wave Server", { log: true }),
  };
  const editor = new ActiveEditor();
  const terminals = new Terminals(() => vscode.workspace.getConfiguration("wave").get("terminal.useClipboard", true));
  const made = new Bridge(context, logs, (client) => {
    answer(client, editor, terminals);
    client.onNotification("wave/panel/message", panels.carry.bind(panels));
    client.onNotification("wave/daemon/reattached", panels.reattached.bind(panels));
  });
  const panels = new Panels(context.extensionUri, made);
  bridge = made;

  const command = (name: string, run: () => unknown): vscode.Disposable => vscode.commands.registerCommand(`wave.${name}`, run);
  context.subscriptions.push(
    logs.extension,
    logs.server,
    editor,
    terminals,
    made,
    panels,
    vscode.window.registerWebviewViewProvider(VIEW, panels, { webviewOptions: { retainContextWhenHidden: true } }),
    vscode.window.registerWebviewPanelSerializer(PANEL, panels),
    command("openTab", panels.openTab.bind(panels)),
    command("openWindow", () => panels.openWindow()),
    command("openBrowser", panels.openBrowser.bind(panels)),
    command("focusInput", () => panels.tell("host/focus")),
    command("newChat", () => panels.tell("host/run", { command: "new" })),
    command("renameChat", () => panels.tell("host/run", { command: "rename" })),
    command("history", () => panels.tell("host/run", { command: "history" })),
    command("addSelection", async () => {
      const lines = chosen(editor.current);
      if (lines === undefined) {
        void vscode.window.showInformationMessage(vscode.l10n.t("Select the text first that Wave shall see."));
        return;
      }
      await panels.tell("host/insert", { selection: lines });
    }),
    command("restartAgent", () => made.request("wave/agent/restart", {})),
    command("restartServer", () => made.restart()),
    command("showLogs", () => {
      logs.extension.show();
    }),
    command("showServerLogs", () => {
      logs.server.show();
    }),
    command("openSettings", () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:wave-bridge.wave-bridge")),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (RESTARTS.some((name) => change.affectsConfiguration(name))) await made.restart();
      else if (change.affectsConfiguration("wave")) await made.configure();
    }),
  );
  return { request: made.request.bind(made) };
}

export async function deactivate(): Promise<void> {
  await bridge?.stop();
}
