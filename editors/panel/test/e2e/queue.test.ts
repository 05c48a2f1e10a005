import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { req } from "../req";
import { says, Stage } from "./stage";

const SLOW = says({ text: "word ".repeat(400), chunks: 400, delay: 0.2 });

describe("the message queue", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = new Stage();
    page = await stage.panel();
    await stage.send(page, `slow ${SLOW}`);
    await page.locator(".assistant").waitFor();
  });
  afterAll(() => stage.close());
  const rows = (): ReturnType<Page["locator"]> => page.locator(".queue li");

  it(`lists what is sent meanwhile, a shell command with its mark, in one line each ${req("T11.1", "T11.3")}`, async () => {
    await stage.send(page, "first in line");
    await stage.send(page, "!echo queued");
    await stage.send(page, `third ${"very long ".repeat(40)}`);
    await page.getByRole("button", { name: "消息队列 (3)" }).waitFor();
    expect(await rows().nth(1).innerText()).toContain("! echo queued");
    const long = rows().nth(2).locator(".queued");
    expect((await long.boundingBox())?.height).toBeLessThan(30);
    await long.hover();
    expect(await long.getAttribute("title")).toContain("very long very long");
    const short = rows().nth(0).locator(".queued");
    await short.hover();
    expect(await short.getAttribute("title")).toBe("");
  });

  it(`folds to the first entry ${req("T11.2")}`, async () => {
    const head = page.getByRole("button", { name: "消息队列 (3)" });
    await head.click();
    await expect.poll(() => rows().count()).toBe(1);
    await head.click();
    await expect.poll(() => rows().count()).toBe(3);
  });

  it(`edits an entry through the input ${req("T11.7")}`, async () => {
    await rows().nth(0).getByRole("button", { name: "编辑" }).click();
    await page.locator(".composer .chip", { hasText: "编辑队列消息" }).waitFor();
    await stage.input(page).filter({ hasText: /^first in line$/ }).waitFor();
    await page.keyboard.type(" changed");
    await page.keyboard.press("Enter");
    await rows().nth(0).getByText("first in line changed").waitFor();
    await rows().nth(0).getByRole("button", { name: "编辑" }).click();
    await page.locator(".composer .chip").getByRole("button").click();
    await page.locator(".composer .chip").waitFor({ state: "detached" });
    expect((await stage.input(page).innerText()).trim()).toBe("");
  });

  it(`leaves the queue alone at arrow-up ${req("T11.8")}`, async () => {
    await stage.input(page).focus();
    await page.keyboard.press("ArrowUp");
    expect((await stage.input(page).innerText()).trim()).toBe("");
    expect(await rows().count()).toBe(3);
  });

  it(`is hidden by an open dialog ${req("T11.9")}`, async () => {
    await page.getByRole("button", { name: "历史对话" }).click();
    await page.getByRole("combobox", { name: "搜索对话" }).waitFor();
    expect(await page.locator(".queue").count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.locator(".queue").waitFor();
  });

  it(`deletes an entry at once ${req("T11.6")}`, async () => {
    await rows().nth(2).getByRole("button", { name: "删除" }).click();
    await page.getByRole("button", { name: "消息队列 (2)" }).waitFor();
  });

  it(`sends an entry now, and keeps the others ${req("T11.4")}`, async () => {
    await rows().nth(0).getByRole("button", { name: "发送" }).click();
    await page.locator(".user", { hasText: "first in line changed" }).waitFor();
    await page.locator(".user .output", { hasText: "queued" }).waitFor();
    await page.locator(".queue").waitFor({ state: "detached" });
  });
});

describe("what was queued when the CLI died", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = new Stage();
    page = await stage.panel();
  });
  afterAll(() => stage.close());
  const drafts = (): ReturnType<Page["locator"]> => page.getByLabel(/^未发送的消息/).locator("li");

  it("waits as drafts, to be sent, edited or thrown away one by one", async () => {
    await stage.send(page, `slow ${says({ text: "word ".repeat(40), chunks: 40, delay: 0.2, fault: "kill" })}`);
    await page.locator(".assistant").waitFor();
    for (const words of ["one", "!echo two", "three"]) await stage.send(page, words);
    await page.getByText("未发送的消息 (3)").waitFor();
    expect(await page.locator(".user").count()).toBe(1);
    await drafts().nth(1).getByRole("button", { name: "删除" }).click();
    await page.getByText("未发送的消息 (2)").waitFor();
    await drafts().nth(1).getByRole("button", { name: "编辑" }).click();
    await stage.input(page).filter({ hasText: /^three$/ }).waitFor();
    await drafts().nth(0).getByRole("button", { name: "发送" }).click();
    await page.locator(".user", { hasText: /^one$/ }).waitFor();
    await drafts().first().waitFor({ state: "detached" });
  });
});
