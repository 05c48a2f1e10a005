/** Builds the tests into out/: those of node:test, and those that run inside VS Code, each a file of its own. */

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const tests = (folder) => readdirSync(folder).filter((name) => /\.test\.ts$|^index\.ts$/.test(name)).map((name) => folder + name);

await build({
  entryPoints: [...tests(here), ...tests(`${here}inhost/`)],
  outdir: `${here}../out`,
  outbase: here,
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode", "mocha", "playwright-core"],
  sourcemap: "inline",
  logLevel: "warning",
});
