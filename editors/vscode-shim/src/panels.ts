/** The chat panels of the window: in the side bar, in editor tabs and in windows of their own, all the same page. */

import * as vscode from "vscode";

import type { Bridge } from "./bridge";
import type * as api from "./generated/api";
import { furnish } from "./page";
import { type Kind, type Message, Panel, type Place, workdir } from "./panel";

export const VIEW = "wave.chat";
export const PANEL = "wave.panel";

export class Panels implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly panels = new Map<string, Panel>();
  private readonly listening: vscode.Disposable;
  private latest: Panel | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly bridge: Bridge,
  ) {
    this.listening = vscode.Disposable.from(
      bridge.onDidChange((isUp) => {
        for (const panel of this.panels.values()) {
          if (isUp) void panel.attach();
          else panel.lose();
        }
      }),
      bridge.onDidFail((reason) => {
        for (const panel of this.panels.values()) panel.refuse(reason);
      }),
    );
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Carries a message of the bridge to its page. */
  carry({ panelId, message }: api.PanelMessage): void {
    this.panels.get(panelId)?.post(message);
  }

  /** Tells every page that another daemon serves it; the doors are open again by then. */
  reattached(): void {
    for (const panel of this.panels.values()) panel.reattached();
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const panel = this.add({
      kind: "sidebar",
      webview: view.webview,
      show: () => {
        view.show();
      },
      label: (title, waiting) => {
        view.description = title;
        view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: vscode.l10n.t("{0} wait for you", waiting) };
      },
    });
    view.onDidDispose(() => {
      this.remove(panel);
    });
    view.onDidChangeVisibility(() => {
      if (view.visible) this.latest = panel;
      panel.tell("host/visible", { visible: view.visible });
    });
  }

  /** Brings a tab back after a reload of the window; its page knows its session (media/host.js). */
  async deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    this.adopt(tab, "tab");
    return Promise.resolve();
  }

  openTab(): void {
    this.adopt(this.create(), "tab");
  }

  async openWindow(): Promise<void> {
    this.adopt(this.create(), "window");
    await vscode.commands.executeCommand("workbench.action.moveEditorToNewWindow");
  }

  /** Opens a panel in the system's browser, on the session that is named or on a new one. */
  async openBrowser(sessionId?: unknown): Promise<void> {
    const folder = workdir();
    const { url } = await this.bridge.request("wave/panel/url", {
      ...(folder === undefined ? {} : { workdir: folder }),
      ...(typeof sessionId === "string" ? { sessionId } : {}),
    });
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  }

  /** Tells the page that was used last, or the side bar's, which opens for it. */
  async tell(method: `host/${string}`, params: Message = {}): Promise<void> {
    if (this.latest === undefined) await vscode.commands.executeCommand(`${VIEW}.focus`);
    const panel = this.latest;
    if (panel === undefined) throw new Error("the side bar did not open");
    panel.place.show();
    panel.tell(method, params);
  }

  private create(): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(PANEL, "Wave", vscode.ViewColumn.Active, { retainContextWhenHidden: true });
  }

  private adopt(tab: vscode.WebviewPanel, kind: Kind): void {
    tab.iconPath = vscode.Uri.joinPath(this.extension, "media", "wave.svg");
    const panel = this.add({
      kind,
      webview: tab.webview,
      show: () => {
        tab.reveal();
      },
      label: (title, waiting) => {
        tab.title = waiting === 0 ? title : `● ${title}`;
      },
    });
    tab.onDidDispose(() => {
      this.remove(panel);
    });
    tab.onDidChangeViewState(() => {
      if (tab.active) this.latest = panel;
      panel.tell("host/visible", { visible: tab.visible });
    });
  }

  private add(place: Place): Panel {
    const panel = new Panel(place, this.bridge);
    place.webview.onDidReceiveMessage((message: Message) => {
      panel.fromPage(message);
    });
    this.panels.set(panel.id, panel);
    this.latest = panel;
    furnish(place, panel.id, this.extension);
    if (this.bridge.isUp) void panel.attach();
    else this.bridge.connect();
    return panel;
  }

  private remove(panel: Panel): void {
    panel.close();
    this.panels.delete(panel.id);
    if (this.latest === panel) this.latest = [...this.panels.values()].at(-1);
  }
}
