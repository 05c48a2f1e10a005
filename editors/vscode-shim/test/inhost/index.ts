/** Runs inside VS Code's extension host: all *.test.js beside it, with mocha; the report goes where WAVE_REPORT says. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import Mocha from "mocha";

export async function run(): Promise<void> {
  const output = process.env.WAVE_REPORT;
  if (output === undefined) throw new Error("WAVE_REPORT does not name a file");
  const only = process.env.WAVE_ONLY;
  const mocha = new Mocha({
    ui: "bdd",
    timeout: 120_000,
    reporter: "xunit",
    reporterOptions: { output, suiteName: process.env.WAVE_SUITE ?? "in-host" },
    ...(only === undefined ? {} : { grep: only }),
  });
  for (const file of readdirSync(__dirname)) if (file.endsWith(".test.js")) mocha.addFile(join(__dirname, file));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} tests failed`);
}
