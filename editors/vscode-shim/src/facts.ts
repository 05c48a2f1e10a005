/** Facts of the editor as it has them, in LSP's numbers; what is made of them is the daemon's business. */

import * as vscode from "vscode";

type Json = Record<string, unknown>;

/** Remembers the editor that the user was in last: a panel in an editor tab has no editor of its own. */
export class ActiveEditor implements vscode.Disposable {
  private last = vscode.window.activeTextEditor;
  private readonly listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
    if (editor !== undefined) this.last = editor;
  });

  dispose(): void {
    this.listening.dispose();
  }

  /** The active editor, else the last one while its document is still shown. */
  get current(): vscode.TextEditor | undefined {
    const active = vscode.window.activeTextEditor;
    if (active !== undefined) return active;
    return vscode.window.visibleTextEditors.find((each) => each.document === this.last?.document) ?? this.hidden();
  }

  private hidden(): vscode.TextEditor | undefined {
    const document = this.last?.document;
    if (document === undefined || document.isClosed) return undefined;
    const shown = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const uri = document.uri.toString();
    return shown.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri) ? this.last : undefined;
  }
}

/** The member `problems`: the active file's diagnostics (M2); without `uri` no editor is active. */
export function problems(editor: vscode.TextEditor | undefined): Json {
  if (editor === undefined) return {};
  const { document } = editor;
  return {
    uri: document.uri.toString(),
    roots: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()),
    version: document.version,
    diagnostics: vscode.languages.getDiagnostics(document.uri).map(diagnostic),
  };
}

/** The member `selection`. */
export function selection(editor: vscode.TextEditor | undefined): Json {
  if (editor === undefined) return { source: "unavailable", reason: "noEditor" };
  const { document, selection: chosen } = editor;
  return {
    uri: document.uri.toString(),
    path: document.uri.fsPath,
    languageId: document.languageId,
    range: range(chosen),
    text: document.getText(chosen),
  };
}

/** What is selected, in lines from 1; a last line of which nothing is selected does not count. Nothing: undefined. */
export function chosen(editor: vscode.TextEditor | undefined): Json | undefined {
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const { document, selection: lines } = editor;
  const endLine = lines.end.character === 0 ? lines.end.line : lines.end.line + 1;
  return { path: document.uri.fsPath, line: lines.start.line + 1, endLine, text: document.getText(lines) };
}

/** The member `openEditors`: tabs with a file, in their order. */
export function openEditors(): Json {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const files = tabs.flatMap(({ input, isActive, isDirty }) =>
    input instanceof vscode.TabInputText ? [{ uri: input.uri.toString(), path: input.uri.fsPath, isActive, isDirty }] : [],
  );
  return { editors: files };
}

function diagnostic(found: vscode.Diagnostic): Json {
  const code = typeof found.code === "object" ? found.code.value : found.code;
  return {
    range: range(found.range),
    severity: found.severity + 1, // VS Code counts from 0, LSP from 1
    message: found.message,
    ...(found.source === undefined ? {} : { source: found.source }),
    ...(code === undefined ? {} : { code }),
    ...(found.tags === undefined ? {} : { tags: found.tags }),
    relatedInformation: (found.relatedInformation ?? []).map(({ location, message }) => ({
      location: { uri: location.uri.toString(), range: range(location.range) },
      message,
    })),
  };
}

function range({ start, end }: vscode.Range): Json {
  return { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } };
}
