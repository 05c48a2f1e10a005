/**
 * Builds the extension into dist/: our bundle, the panel's page where scripts/build-panel has built it, and what the
 * package brings along.
 *
 *   --production     minified, without source maps; the panel must be there
 *   --cli=FOLDER     a build of the Wave CLI (bin/wave-code.js, package.json, dist/bundle/) to bring along
 *   --bridge=FOLDER  a copy of the bridge to bring along (README.md, Packaging)
 *   --page=FOLDER    the panel's page, when it is not the repository's own
 *   --into=FOLDER    where the whole extension is put together, when that is not here
 */

import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const { values: wanted } = parseArgs({
  options: {
    production: { type: "boolean", default: false },
    cli: { type: "string" },
    bridge: { type: "string" },
    page: { type: "string", default: join(here, "../../wave_bridge/web/assets") },
    into: { type: "string", default: here },
  },
});
const dist = join(wanted.into, "dist");

await rm(dist, { recursive: true, force: true });
await build({
  entryPoints: [join(here, "src/extension.ts")],
  outfile: join(dist, "extension.js"),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  define: { BRINGS_CLI: String(wanted.cli !== undefined) },
  minify: wanted.production,
  sourcemap: !wanted.production,
  logLevel: "warning",
});
await bring(wanted.page, "panel.js", "panel", wanted.production ? "the panel's page is not built: run scripts/build-panel first" : "");
if (wanted.cli !== undefined) await bring(wanted.cli, "bin/wave-code.js", "wave-cli", "that is no build of the Wave CLI");
if (wanted.bridge !== undefined) await bring(wanted.bridge, "wave_bridge/__main__.py", "bridge", "that is no copy of the bridge");
if (wanted.into !== here) {
  for (const name of ["media", "l10n", "package.json", "package.nls.json", "package.nls.zh-cn.json", "README.md", "CHANGELOG.md", "LICENSE", ".vscodeignore"]) {
    await cp(join(here, name), join(wanted.into, name), { recursive: true });
  }
}

/** Copies a folder that must have `entry` into dist/; without it, fails with `fault`, or leaves it out when there is none. */
async function bring(folder, entry, name, fault) {
  if (existsSync(join(folder, entry))) await cp(folder, join(dist, name), { recursive: true, dereference: true });
  else if (fault !== "") throw new Error(`${folder} has no ${entry}: ${fault}`);
}
