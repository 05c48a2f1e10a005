/** A panel's page as a webview may have it: nothing but the extension's own files. */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";

import { type Place, workdir } from "./panel";

/** Gives the options and the text of a page; without a built panel it offers the one in the browser. */
export function furnish({ webview, kind }: Place, panelId: string, extension: vscode.Uri): void {
  const assets = vscode.Uri.joinPath(extension, "dist", "panel");
  const media = vscode.Uri.joinPath(extension, "media");
  webview.options = { enableScripts: true, enableCommandUris: ["wave.openBrowser"], localResourceRoots: [assets, media] };
  const file = (...path: [vscode.Uri, string]): string => webview.asWebviewUri(vscode.Uri.joinPath(...path)).toString();
  const own = webview.cspSource;
  const policy = `default-src 'none'; script-src ${own}; style-src ${own}; font-src ${own}; img-src ${own} data: blob:`;
  const locale = vscode.env.language.startsWith("zh") ? "zh-CN" : "en";
  const host = { kind: "vscode", panelId, placement: kind, workdir: workdir() ?? homedir(), locale, editor: true };
  const isBuilt = existsSync(vscode.Uri.joinPath(assets, "panel.js").fsPath);
  webview.html = `<!DOCTYPE html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="wave-host" content="${attribute(JSON.stringify(host))}">
<script src="${file(media, "host.js")}"></script>
<link rel="stylesheet" href="${file(assets, "panel.css")}">
</head>
<body>${isBuilt ? `<div id="root"></div><script type="module" src="${file(assets, "panel.js")}"></script>` : absent()}</body>
</html>`;
}

function absent(): string {
  const texts = [vscode.l10n.t("This build of the extension comes without the panel."), vscode.l10n.t("Open in the browser")];
  const [why, instead] = texts.map(attribute);
  return `<p>${why}</p><p><a href="command:wave.openBrowser">${instead}</a></p>`;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
