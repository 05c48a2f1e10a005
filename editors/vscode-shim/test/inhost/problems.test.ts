/** @problems: the diagnostics of VS Code's own language servers, as the Problems view has them. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";

import { req } from "../req";
import { mention, until, workspace } from "./wave";

async function show(name: string, text: string): Promise<vscode.Uri> {
  const file = join(workspace(), name);
  await writeFile(file, text);
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  return document.uri;
}

describe("@problems", () => {
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it(`${req("M2.1", "MB8")} the active file's errors of a real language server, by line`, async () => {
    const uri = await show("broken.json", '{\n  "a": 1,\n  "a": 2,\n  "b" 3\n}\n');
    await until(() => (vscode.languages.getDiagnostics(uri).length >= 2 ? true : undefined), "the JSON server's diagnostics");
    const text = await mention("problems");
    const listed = text.split("\n").filter((line) => /^\d+:\d+ /.test(line));
    const places = listed.map((line) => Number(line.split(":")[0]));
    assert.ok(listed.some((line) => line.startsWith("4:") && line.includes(" error ")), text);
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
    assert.match(text, /broken\.json/);
    assert.doesNotMatch(text, new RegExp(workspace()));
  });

  it(`${req("M2.2")} a file without problems says so`, async () => {
    await show("whole.json", "{}\n");
    assert.match(await mention("problems"), /no problems|没有问题/);
  });

  it(`${req("M2.3")} no editor: one line with the reason`, async () => {
    assert.match(await mention("problems"), /^[^\n]*(no editor is active|没有活动的编辑器)[^\n]*$/);
  });
});
