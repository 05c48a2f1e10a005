import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { req } from "../req";
import { calls, says, Stage } from "./stage";

describe("background tasks", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = new Stage();
    page = await stage.panel();
  });
  afterAll(() => stage.close());

  it(`hold a new conversation as streaming does, and their end frees it ${req("S5.6")}`, async () => {
    const fresh = page.getByRole("button", { name: "新建对话" });
    const command = "until test -e freed; do sleep 0.1; done";
    await stage.send(page, `go ${says(calls("Bash", { command, run_in_background: true }), { text: "started" })}`);
    await page.getByRole("button", { name: "允许", exact: true }).click();
    await page.getByRole("button", { name: "后台任务 (1)" }).waitFor();
    await page.getByRole("button", { name: "停止" }).waitFor({ state: "detached" });
    expect(await fresh.isDisabled()).toBe(true);
    await stage.send(page, "/clear");
    await page.getByText("请等待当前任务结束").waitFor();
    writeFileSync(join(stage.work, "freed"), "");
    await expect.poll(() => fresh.isDisabled(), { timeout: 15_000 }).toBe(false);
  });
});
