/**
 * One chat panel: a page in a webview and its door in the bridge.
 *
 * What the page says is JSON-RPC for the bridge and is carried unread; only methods `host/*` are between the page and us.
 * Whatever comes before the other side is there is kept, in order.
 */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";

import type { Bridge } from "./bridge";

const HELD = 1000; // messages of a page kept while there is no connection; more means that it does not wait for answers
const LOST = { code: -31001, kind: "agentUnavailable" }; // docs/PROTOCOL.md, errors

/** The commands that a page may run, by the name that every host knows them by. */
const COMMANDS: Record<string, string> = {
  settings: "openSettings",
  showLogs: "showLogs",
  openTab: "openTab",
  openWindow: "openWindow",
  restartAgent: "restartAgent",
  restartServer: "restartServer",
};

export type Kind = "sidebar" | "tab" | "window";
export type Message = Record<string, unknown>;

/** Where a page is shown. */
export interface Place {
  kind: Kind;
  webview: vscode.Webview;
  show: () => void;
  /** Shows the session's title and how many things wait for the user. */
  label: (title: string, waiting: number) => void;
}

/** The folder of a new session: the first of the workspace; none in an empty window. */
export function workdir(): string | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
}

export class Panel {
  readonly id = randomUUID();
  private isOpen = false;
  private wasOpen = false;
  private isReady = false;
  private title = "Wave";
  private waiting = 0;
  private toBridge: Message[] = [];
  private toPage: Message[] = [];

  constructor(
    readonly place: Place,
    private readonly bridge: Bridge,
  ) {}

  /** There is a connection: opens the door. A page that had one before learns that what that one held is gone. */
  async attach(): Promise<void> {
    if (!(await this.open())) return;
    if (this.wasOpen) this.reattached();
    this.wasOpen = true;
    this.flush();
  }

  /** Another daemon has taken a dead one's place: the page fetches what it shows anew. */
  reattached(): void {
    this.post({ jsonrpc: "2.0", method: "wave/daemon/reattached", params: {} });
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

  /** Gives the page a message once it listens. */
  post(message: Message): void {
    if (this.isReady) void this.place.webview.postMessage(message);
    else this.toPage.push(message);
  }

  /** Answers what the page has asked meanwhile: there is no connection, and why. */
  refuse(reason: string): void {
    for (const { id } of this.toBridge.splice(0)) {
      if (id === undefined) continue;
      const error = { code: LOST.code, message: reason, data: { kind: LOST.kind } };
      this.post({ jsonrpc: "2.0", id, error });
    }
  }

  private async open(): Promise<boolean> {
    const folder = workdir();
    const params = { panelId: this.id, kind: this.place.kind, ...(folder === undefined ? {} : { workdir: folder }) };
    try {
      await this.bridge.request("wave/panel/open", params);
      this.isOpen = true;
    } catch (fault) {
      this.refuse(fault instanceof Error ? fault.message : String(fault));
    }
    return this.isOpen;
  }

  private host(method: string, params: Message): void {
    switch (method) {
      case "host/ready":
        void this.ready();
        break;
      case "host/title":
        this.title = String(params.title);
        this.place.label(this.title, this.waiting);
        break;
      case "host/badge":
        this.waiting = Number(params.waiting);
        this.place.label(this.title, this.waiting);
        break;
      case "host/openBrowser":
        void vscode.commands.executeCommand("wave.openBrowser", params.sessionId);
        break;
      case "host/command": {
        const command = COMMANDS[String(params.id)];
        if (command !== undefined) void vscode.commands.executeCommand(`wave.${command}`);
        break;
      }
    }
  }

  /** The page listens. When it says so again it was loaded anew, as by a move to a new window: answers to the old one are void. */
  private async ready(): Promise<void> {
    if (this.isReady) {
      this.toBridge = [];
      if (this.isOpen) {
        this.isOpen = false;
        if (await this.open()) this.flush();
      }
      return;
    }
    this.isReady = true;
    for (const waiting of this.toPage.splice(0)) void this.place.webview.postMessage(waiting);
  }

  private flush(): void {
    for (const message of this.toBridge.splice(0)) this.send(message);
  }

  private send(message: Message): void {
    this.bridge.notify("wave/panel/message", { panelId: this.id, message });
  }

  private hold(message: Message): void {
    this.toBridge.push(message);
    if (this.toBridge.length > HELD) this.refuse(vscode.l10n.t("Wave is not connected."));
    else if (!this.bridge.isStarting) this.bridge.connect();
  }
}
