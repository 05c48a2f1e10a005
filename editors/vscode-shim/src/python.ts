/** The interpreter that the Python extension has chosen for this window; its API is its own, so all of it is optional. */

import * as vscode from "vscode";

interface PythonApi {
  environments?: { getActiveEnvironmentPath?: () => { path?: string } };
}

/** Gives the path of the window's Python, or "" where the extension is absent or has none. */
export async function pythonOfWindow(): Promise<string> {
  const extension = vscode.extensions.getExtension<PythonApi | undefined>("ms-python.python");
  const api = await extension?.activate();
  return api?.environments?.getActiveEnvironmentPath?.().path ?? "";
}
