/** Builds the extension into dist/: our bundle, and the panel's page where scripts/build-panel has built it. */

import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const production = process.argv.includes("--production");
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

await rm(here("dist/panel"), { recursive: true, force: true });
await build({
  entryPoints: [here("src/extension.ts")],
  outfile: here("dist/extension.js"),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  minify: production,
  sourcemap: !production,
  logLevel: "warning",
});
const page = here("../../wave_bridge/web/assets");
if (existsSync(`${page}/panel.js`)) await cp(page, here("dist/panel"), { recursive: true });
else if (production) throw new Error("the panel's page is not built: run scripts/build-panel first");
