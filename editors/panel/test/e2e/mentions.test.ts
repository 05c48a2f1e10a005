import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { req } from "../req";
import { Stage } from "./stage";

const TERMINAL = "```wave-terminal 1/2 truncated 2/9\n终端输出 [last 2 of 9 lines]\n$ make\nfailed <b>here</b>\n```";
const PROBLEMS = "```wave-problems 2/2 unavailable\n当前文件问题：没有活动编辑器\n```";

describe("files in the @ menu, attachments in the user's message", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = new Stage();
    page = await stage.panel();
  });
  afterAll(() => stage.close());

  it(`offers no entries of an editor where there is none ${req("M4.5")}`, async () => {
    await stage.input(page).focus();
    await page.keyboard.type("@");
    await page.getByRole("option", { name: "sums.py" }).waitFor();
    expect(await page.getByRole("option", { name: "Terminal" }).count()).toBe(0);
    expect(await page.getByRole("option", { name: "Problems" }).count()).toBe(0);
  });

  it("puts a file in as one chip, which backspace deletes whole", async () => {
    await page.keyboard.type("sum");
    await expect.poll(() => page.locator(".offers [role=option]").count()).toBe(1);
    await page.keyboard.press("Enter");
    await page.locator(".composer .chip-file", { hasText: "sums.py" }).waitFor();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    expect(await page.locator(".composer .chip-file").count()).toBe(0);
    expect((await stage.input(page).innerText()).trim()).toBe("");
  });

  it(`shows attachments as chips inside the bubble behind the text, whatever came of them ${req("M3.1", "M3.5", "M3.6", "M3.7")}`, async () => {
    stage.store(`look at it\n\n${TERMINAL}\n\n${PROBLEMS}`);
    await page.getByRole("button", { name: "历史对话" }).click();
    await page.getByRole("dialog", { name: "历史对话" }).getByRole("option").first().click();
    const bubble = page.locator(".user");
    await bubble.getByText("look at it").waitFor();
    expect(await bubble.locator(".chip").allInnerTexts()).toEqual([expect.stringMatching(/^Terminal\s*已截断$/), "Problems"]);
    expect(await bubble.innerText()).toMatch(/^look at it/);
    expect(await bubble.innerText()).not.toContain("make");
  });

  it(`opens one dialog with exactly what the agent got, by mouse ${req("M3.2", "M3.3", "M3.4")}`, async () => {
    await page.locator(".user .chip", { hasText: "Terminal" }).click();
    const dialog = page.getByRole("dialog", { name: "Terminal" });
    expect(await dialog.locator("pre").innerText()).toBe("终端输出 [last 2 of 9 lines]\n$ make\nfailed <b>here</b>");
    expect(await page.getByRole("dialog").count()).toBe(1);
    await page.mouse.click(5, 5);
    await dialog.waitFor({ state: "detached" });
    await page.locator(".user", { hasText: "look at it" }).waitFor();
  });

  it(`opens by keyboard, and gives the focus back ${req("M3.9")}`, async () => {
    const chip = page.locator(".user .chip", { hasText: "Problems" });
    for (const key of ["Enter", "Space"]) {
      await chip.focus();
      await page.keyboard.press(key);
      await page.getByRole("dialog", { name: "Problems" }).getByText("没有活动编辑器").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await chip.evaluate((each) => each === document.activeElement)).toBe(true);
    }
  });
});
