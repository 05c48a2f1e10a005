/**
 * The chat panels: webviews in the side bar, in editor tabs and in windows of their own, all the same page.
 *
 * What a page says is JSON-RPC for the bridge and is carried unread; only methods `host/*` are between the page and us
 * (docs/PANEL.md). Whatever comes before the other side is there is kept, in order. A page keeps its own state
 * (`setState`); nothing of it is kept here.
 */

import { randomUUID } from "node:crypto";
import { homedir } from "node:os";
import * as vscode from "vscode";

import type { Bridge } from "./bridge";
import type * as api from "./generated/api";

export const VIEW = "wave.chat";
export const PANEL = "wave.panel";

const HELD = 1000; // messages of a page kept while there is no connection; more means that it does not wait for answers
const COMMANDS = new Set(["openTab", "openWindow", "openSettings", "showLogs", "restartServer"]); // that a page may run
const LOST = { code: -31001, kind: "agentUnavailable" }; // docs/PROTOCOL.md, errors

type Kind = "sidebar" | "tab" | "window";
type Message = Record<string, unknown>;

interface Place {
  kind: Kind;
  webview: vscode.Webview;
  show: () => void;
  setTitle: (title: string) => void;
  setBadge: (count: number) => void;
}

/** One page and its door in the bridge. */
class Panel {
  readonly id = randomUUID();
  private isOpen = false;
  private wasOpen = false;
  private isReady = false;
  private toBridge: Message[] = [];
  private toPage: Message[] = [];

  constructor(
    readonly place: Place,
    private readonly bridge: Bridge,
  ) {}

  /** Opens the door; what the page has said meanwhile goes through. A page that had one before is told that it is another. */
  async open(): Promise<void> {
    const folder = workdir();
    try {
      await this.bridge.request("wave/panel/open", {
        panelId: this.id,
        kind: this.place.kind,
        ...(folder === undefined ? {} : { workdir: folder }),
      });
    } catch (fault) {
      this.refuse(fault instanceof Error ? fault.message : String(fault));
      return;
    }
    this.isOpen = true;
    if (this.wasOpen) this.post({ jsonrpc: "2.0", method: "wave/daemon/reattached", params: {} });
    this.wasOpen = true;
    for (const message of this.toBridge.splice(0)) this.send(message);
  }

  lose(): void {
    this.isOpen = false;
  }

  close(): void {
    this.bridge.notify("wave/panel/close", { panelId: this.id });
  }

  fromPage(message: Message): void {
    const method = typeof message.method === "string" ? message.method : "";
    if (method.startsWith("host/")) this.host(method, (message.params ?? {}) as Message);
    else if (this.isOpen) this.send(message);
    else this.hold(message);
  }

  /** Tells the page something that is between the two of us. */
  tell(method: `host/${string}`, params: Message = {}): void {
    this.post({ jsonrpc: "2.0", method, params });
  }

  post(message: Message): void {
    if (this.isReady) void this.place.webview.postMessage(message);
    else this.toPage.push(message);
  }

  private host(method: string, params: Message): void {
    switch (method) {
      case "host/ready":
        this.isReady = true;
        for (const waiting of this.toPage.splice(0)) void this.place.webview.postMessage(waiting);
        break;
      case "host/title":
        this.place.setTitle(String(params.title));
        break;
      case "host/badge":
        this.place.setBadge(Number(params.waiting));
        break;
      case "host/openBrowser":
        void this.openBrowser();
        break;
      case "host/command":
        if (COMMANDS.has(String(params.id))) void vscode.commands.executeCommand(`wave.${String(params.id)}`);
        break;
    }
  }

  private async openBrowser(): Promise<void> {
    const folder = workdir();
    const { url } = await this.bridge.request("wave/panel/url", folder === undefined ? {} : { workdir: folder });
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  }

  private send(message: Message): void {
    this.bridge.notify("wave/panel/message", { panelId: this.id, message });
  }

  private hold(message: Message): void {
    this.toBridge.push(message);
    if (this.toBridge.length > HELD) this.refuse(vscode.l10n.t("Wave is not connected."));
    else if (!this.bridge.isStarting) void this.open();
  }

  /** Answers what the page has asked: there is no connection, and why. */
  private refuse(reason: string): void {
    for (const { id } of this.toBridge.splice(0)) {
      if (id === undefined) continue;
      const error = { code: LOST.code, message: reason, data: { kind: LOST.kind } };
      this.post({ jsonrpc: "2.0", id, error });
    }
  }
}

export class Panels implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly panels = new Map<string, Panel>();
  private readonly listening: vscode.Disposable;
  private latest: Panel | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly bridge: Bridge,
  ) {
    this.listening = bridge.onDidChange((isUp) => {
      for (const panel of this.panels.values()) {
        if (isUp) void panel.open();
        else panel.lose();
      }
    });
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Carries a message of the bridge to its page. */
  carry({ panelId, message }: api.PanelMessage): void {
    this.panels.get(panelId)?.post(message);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const panel = this.furnish({
      kind: "sidebar",
      webview: view.webview,
      show: () => {
        view.show();
      },
      setTitle: (title) => {
        view.description = title;
      },
      setBadge: (count) => {
        view.badge = count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t("{0} approvals wait", count) };
      },
    });
    view.onDidDispose(() => {
      this.forget(panel);
    });
    view.onDidChangeVisibility(() => {
      if (view.visible) this.latest = panel;
    });
  }

  /** Brings a tab back after a reload of the window; its page knows its session. */
  async deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    this.adopt(tab, "tab");
    return Promise.resolve();
  }

  openTab(): void {
    this.adopt(this.create(vscode.ViewColumn.Active), "tab");
  }

  async openWindow(): Promise<void> {
    this.adopt(this.create(vscode.ViewColumn.Active), "window");
    await vscode.commands.executeCommand("workbench.action.moveEditorToNewWindow");
  }

  /** Gives the page that was used last the focus, or opens the side bar's. */
  async focusInput(): Promise<void> {
    (await this.front()).tell("host/focus");
  }

  /** Puts a selection into the input of the page that was used last. */
  async insert(selection: Message): Promise<void> {
    (await this.front()).tell("host/insert", { selection });
  }

  private async front(): Promise<Panel> {
    if (this.latest === undefined) await vscode.commands.executeCommand(`${VIEW}.focus`);
    const panel = this.latest;
    if (panel === undefined) throw new Error("the side bar did not open");
    panel.place.show();
    return panel;
  }

  private create(column: vscode.ViewColumn): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(PANEL, "Wave", column, { retainContextWhenHidden: true });
  }

  private adopt(tab: vscode.WebviewPanel, kind: Kind): void {
    tab.iconPath = vscode.Uri.joinPath(this.extension, "media", "wave.svg");
    const panel = this.furnish({
      kind,
      webview: tab.webview,
      show: () => {
        tab.reveal();
      },
      setTitle: (title) => {
        tab.title = title;
      },
      setBadge: (count) => {
        tab.title = count === 0 ? tab.title.replace(/^● /, "") : `● ${tab.title.replace(/^● /, "")}`;
      },
    });
    tab.onDidDispose(() => {
      this.forget(panel);
    });
    tab.onDidChangeViewState(() => {
      if (tab.active) this.latest = panel;
    });
  }

  private furnish(place: Place): Panel {
    const panel = new Panel(place, this.bridge);
    const assets = vscode.Uri.joinPath(this.extension, "dist", "panel");
    place.webview.options = { enableScripts: true, localResourceRoots: [assets] };
    place.webview.onDidReceiveMessage((message: Message) => {
      panel.fromPage(message);
    });
    this.panels.set(panel.id, panel);
    this.latest = panel;
    place.webview.html = page(place, panel.id, assets);
    void panel.open();
    return panel;
  }

  private forget(panel: Panel): void {
    panel.close();
    this.panels.delete(panel.id);
    if (this.latest === panel) this.latest = [...this.panels.values()].at(-1);
  }
}

/** The folder of a new session: the first of the workspace; none in an empty window. */
function workdir(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

/** Gives the panel's page as a webview may have it: nothing but the extension's own files. */
function page({ webview, kind }: Place, panelId: string, assets: vscode.Uri): string {
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(assets, name)).toString();
  const own = webview.cspSource;
  const policy = `default-src 'none'; script-src ${own}; style-src ${own}; font-src ${own}; img-src ${own} data: blob:`;
  const host = { kind: "vscode", panelId, placement: kind, workdir: workdir() ?? homedir(), locale: vscode.env.language, editor: true };
  return `<!DOCTYPE html>
<html lang="${attribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="wave-host" content="${attribute(JSON.stringify(host))}">
<link rel="stylesheet" href="${file("panel.css")}">
</head>
<body><div id="root"></div><script type="module" src="${file("panel.js")}"></script></body>
</html>`;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
