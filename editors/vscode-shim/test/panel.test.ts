/** The real page in a real VS Code: what a user does in the side bar, by mouse and keys. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Frame } from "playwright-core";

import { pack, ROOT } from "./packing";
import { req } from "./req";
import { NEWEST, obtain } from "./tools";
import { Editor, panels } from "./window";

const LIMIT = 180_000; // milliseconds
const BUILT = join(ROOT, "wave_bridge", "web", "assets");

void test(`the panel in VS Code ${NEWEST.vscode}`, { timeout: LIMIT }, async (context) => {
  if (!existsSync(join(BUILT, "panel.js"))) {
    context.skip("the panel is not built: scripts/build-panel");
    return;
  }
  const kit = await obtain(NEWEST);
  if (typeof kit === "string") {
    context.skip(kit);
    return;
  }
  const editor = await Editor.start(kit);
  context.after(() => editor.close());
  await editor.install(await pack({ page: BUILT }));
  const page = await editor.open();
  const violations: string[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy") && message.text().includes("panel")) violations.push(message.text());
  });

  const sidebar = async (): Promise<Frame> => {
    const [frame] = await panels(page, 1);
    assert.ok(frame);
    return frame;
  };
  const send = async (frame: Frame, words: string): Promise<void> => {
    await frame.getByRole("textbox", { name: /输入消息|Message/ }).click();
    await page.keyboard.insertText(words);
    await page.keyboard.press("Enter");
  };

  await context.test("a message is typed, its answer streams, an edit is allowed by a click", async () => {
    await page.locator('.activitybar .action-item a[aria-label^="Wave"]').click();
    const frame = await sidebar();
    const ask = '[[{"tool": {"name": "Bash", "args": {"command": "touch allowed"}}}]][[{"text": "It **is** done."}]]';
    await send(frame, `please ${ask}`);
    const allow = frame.getByRole("button", { name: /^(Allow|允许)$/ });
    await allow.waitFor();
    assert.ok(!existsSync(join(editor.workspace, "allowed")));
    await allow.click();
    await frame.locator(".assistant strong", { hasText: "is" }).waitFor();
    assert.ok(existsSync(join(editor.workspace, "allowed")));
    if (process.env.WAVE_SCREENSHOT !== undefined) await page.screenshot({ path: process.env.WAVE_SCREENSHOT });
  });

  await context.test(`${req("S13.8", "S13.9")} the title is renamed in place`, async () => {
    const frame = await sidebar();
    await frame.locator(".title button").click();
    await frame.locator(".title-input").fill("Harbour lights");
    await frame.locator(".title-input").press("Enter");
    await frame.locator(".title", { hasText: "Harbour lights" }).waitFor();
  });

  await context.test("nothing of the page offends its policy", () => {
    assert.deepEqual(violations, []);
  });
});
