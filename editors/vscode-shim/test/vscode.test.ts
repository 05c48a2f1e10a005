/** The suites that run inside VS Code, in the newest release and in the oldest that is supported. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { NEWEST, obtain, OLDEST } from "./tools";
import { Editor } from "./window";

const MODULE = join(__dirname, "inhost", "index.js");
const LIMIT = 600_000; // milliseconds

for (const release of [NEWEST, OLDEST]) {
  void test(`the extension host of VS Code ${release.vscode}`, { timeout: LIMIT }, async (context) => {
    const kit = await obtain(release);
    if (typeof kit === "string") {
      context.skip(kit);
      return;
    }
    const report = join(process.env.WAVE_REPORTS ?? __dirname, `TEST-inhost-${release.vscode}.xml`);
    const editor = await Editor.start(kit, {
      env: { WAVE_REPORT: report, WAVE_SUITE: `VS Code ${release.vscode}`, ...(process.env.WAVE_ONLY === undefined ? {} : { WAVE_ONLY: process.env.WAVE_ONLY }) },
    });
    const said: string[] = [];
    try {
      const code = await new Promise<number>((resolve, reject) => {
        editor.open({ module: MODULE, ended: resolve, said: (text) => said.push(text) }).catch(reject);
      });
      assert.equal(code, 0, said.slice(-50).join("\n"));
      assert.ok(existsSync(report), "the suite left a report");
    } finally {
      await editor.close();
    }
  });
}
