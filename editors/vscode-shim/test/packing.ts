/** Packing the extension as it is published, with a page for the tests and, where wanted, a CLI. */

import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const SHIM = resolve(__dirname, "..");
export const ROOT = resolve(SHIM, "..", "..");
export const PYTHON = join(ROOT, ".venv", "bin", "python");
export const PAGE = join(SHIM, "test", "page");

/** Gives the path of a .vsix in a new folder of its own. */
export async function pack(brings: { page?: string; cli?: string } = {}): Promise<string> {
  const into = await mkdtemp(join(tmpdir(), "wave-vsix-"));
  const cli = brings.cli === undefined ? [] : [`--cli=${brings.cli}`];
  await run(process.execPath, [join(SHIM, "build.mjs"), "--production", `--page=${brings.page ?? PAGE}`, `--into=${into}`, ...cli]);
  const vsce = join(SHIM, "node_modules", "@vscode", "vsce", "vsce");
  await run(process.execPath, [vsce, "package", "--no-dependencies", "--allow-missing-repository", "-o", "wave.vsix"], { cwd: into });
  return join(into, "wave.vsix");
}
