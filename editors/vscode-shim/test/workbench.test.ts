/** What only a user interface shows: panels in the side bar, in tabs and windows, over reloads and deaths, in real VS Codes. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Frame, Page } from "playwright-core";

import { pack } from "./packing";
import { cliOf, isPiece, Probe } from "./probe";
import { req } from "./req";
import { NEWEST, obtain, OLDEST } from "./tools";
import { command, Editor, panels } from "./window";

const LIMIT = 180_000; // milliseconds

for (const release of [NEWEST, OLDEST]) {
  void test(`the workbench of VS Code ${release.vscode}`, { timeout: 3 * LIMIT }, async (context) => {
    const kit = await obtain(release);
    if (typeof kit === "string") {
      context.skip(kit);
      return;
    }
    const editor = await Editor.start(kit);
    context.after(() => editor.close());
    await editor.install(await pack());
    const page = await editor.open();
    const probes: Record<string, Probe> = {};

    await context.test("the icon opens the side bar, commands a tab and a window: one daemon, one CLI, a session each", async () => {
      await page.locator('.activitybar .action-item a[aria-label^="Wave"]').click();
      await panels(page, 1);
      await command(page, "Wave: Open Panel in a Tab");
      await panels(page, 2);
      await command(page, "Wave: Open Panel in a New Window");
      for (const frame of await panels(page, 3)) {
        const probe = await Probe.of(frame);
        probes[probe.facts.placement] = probe;
      }
      assert.deepEqual(Object.keys(probes).sort(), ["sidebar", "tab", "window"]);
      for (const probe of Object.values(probes)) await probe.begin(editor.workspace);
      const seen = await Promise.all(Object.values(probes).map((probe) => probe.status()));
      assert.equal(new Set(seen.map(({ pid }) => pid)).size, 1, "one daemon");
      assert.deepEqual(seen.map(({ agents }) => agents.length), [1, 1, 1]);
      assert.equal(seen[0]?.agents[0]?.sessions.length, 3);
    });

    await context.test("an answer streams into its own panel and into no other", async () => {
      const { sidebar, tab } = probes as { sidebar: Probe; tab: Probe };
      await sidebar.turn('[[{"text": "for the side bar alone", "chunks": 6}]]');
      await sidebar.ended();
      assert.ok((await sidebar.pieces()) >= 2, "in pieces");
      assert.match(await sidebar.messages(), /for the side bar alone/);
      assert.doesNotMatch(JSON.stringify(await tab.told()), /for the side bar alone/);
    });

    await context.test("an approval is asked in its panel, and what was allowed is done", async () => {
      const { tab } = probes as { tab: Probe };
      await tab.turn('[[{"tool": {"name": "Bash", "args": {"command": "touch allowed"}}}]][[{"text": "done"}]]');
      const { requestId } = await tab.heard("wave/permission/requested");
      await tab.request("wave/permission/respond", { requestId: String(requestId), decision: { behavior: "allow" } });
      await tab.ended();
      assert.ok(existsSync(join(editor.workspace, "allowed")));
    });

    await context.test("a title and what waits show on the tab", async () => {
      const { tab } = probes as { tab: Probe };
      await tab.host("host/title", { title: "Harbour" });
      await tab.host("host/badge", { waiting: 2 });
      await page.locator(".tab", { hasText: "● Harbour" }).waitFor();
      await tab.host("host/badge", { waiting: 0 });
      await page.locator(".tab", { hasText: /^Harbour/ }).waitFor();
    });

    await context.test("the CLI is killed: the same session goes on with another", async () => {
      const { sidebar } = probes as { sidebar: Probe };
      process.kill(cliOf((await sidebar.status()).pid), "SIGKILL");
      await sidebar.heard("wave/agent/status", ({ state, generation }) => state === "ready" && Number(generation) > 1);
      await sidebar.turn('[[{"text": "still here"}]]');
      await sidebar.ended();
      assert.match(await sidebar.messages(), /for the side bar alone[^]*still here/);
    });

    await context.test("the daemon is killed: panels hear of the next and find their sessions", async () => {
      const { sidebar, tab } = probes as { sidebar: Probe; tab: Probe };
      const { pid } = await sidebar.status();
      process.kill(pid, "SIGKILL");
      for (const probe of [sidebar, tab]) await probe.heard("wave/daemon/reattached");
      assert.notEqual((await sidebar.status()).pid, pid);
      await sidebar.request("wave/session/load", { sessionId: sidebar.session, workdir: editor.workspace });
      assert.match(await sidebar.messages(), /still here/);
    });

    await context.test(`${req("S13.11")} the window is reloaded in mid-turn: the page has what it kept, the title is there, nothing of the answer is lost`, async () => {
      const { tab } = probes as { tab: Probe };
      await tab.request("wave/session/load", { sessionId: tab.session, workdir: editor.workspace });
      await tab.request("wave/session/rename", { sessionId: tab.session, title: "Harbour" });
      await tab.host("host/state", { state: { sessionId: tab.session, draft: "half a thought" } });
      await tab.turn('[[{"text": "begun before the reload, ended after it", "chunks": 20, "delay": 0.4}]]');
      await tab.heard("wave/session/event", isPiece);
      for (const other of page.context().pages()) if (other !== page) await other.close();
      await page.bringToFront();
      await page.locator(".tab", { hasText: "Harbour" }).click();
      await command(page, "Developer: Reload Window");
      const again = await found(page, (probe) => probe.facts.placement !== "sidebar" && probe.facts.reload !== undefined);
      assert.deepEqual(again.facts.reload, { sessionId: tab.session, draft: "half a thought" });
      again.session = tab.session;
      const opened = await again.request("wave/session/load", { sessionId: tab.session, workdir: editor.workspace });
      if (JSON.stringify(opened).includes('"loading":true')) await again.ended();
      const { sessions } = await again.request("wave/session/list", { cwd: editor.workspace, scope: "folder" });
      assert.equal(sessions.find(({ id }) => id === tab.session)?.customTitle, "Harbour");
      assert.match(await again.messages(), /begun before the reload, ended after it/);
    });
  });
}

/** Gives the panel that fits, of those that come back. */
async function found(page: Page, fits: (probe: Probe) => boolean): Promise<Probe> {
  const deadline = Date.now() + LIMIT / 3;
  while (Date.now() < deadline) {
    const frames: Frame[] = await panels(page, 1);
    for (const frame of frames) {
      const probe = await Probe.of(frame, 1000).catch(() => undefined); // a frame that goes away, or is hidden and never loads
      if (probe !== undefined && fits(probe)) return probe;
    }
    await page.waitForTimeout(200);
  }
  throw new Error("no panel fits");
}
