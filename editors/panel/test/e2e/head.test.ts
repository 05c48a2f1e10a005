import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { req } from "../req";
import { says, Stage } from "./stage";

describe("the head and the picker of sessions", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = new Stage();
    page = await stage.panel();
  });
  afterAll(() => stage.close());
  const title = (): Promise<string> => page.locator(".title").innerText();
  const name = { name: "重命名" };

  it(`is untitled, then named by the first message cut to 30 characters ${req("S5.1")}`, async () => {
    expect(await title()).toBe("新对话");
    await stage.send(page, "a first message that is longer than thirty characters");
    await page.locator(".title", { hasText: "a first message that is longer..." }).waitFor();
    await page.locator(".tokens").waitFor();
  });

  it(`shows the tokens in use ${req("S5.5")}`, async () => {
    expect(await page.locator(".tokens").innerText()).toMatch(/\d+ 个令牌/);
  });

  it(`becomes an input with all selected, in its place ${req("S13.8")}`, async () => {
    const before = await page.locator(".header").boundingBox();
    await page.locator(".title button").click();
    const input = page.getByRole("textbox", name);
    expect(await input.evaluate((each: HTMLInputElement) => [document.activeElement === each, each.selectionStart, each.value.length - (each.selectionEnd ?? 0)])).toEqual([true, 0, 0]);
    expect(await page.locator(".header").boundingBox()).toEqual(before);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it(`takes back by Esc, does nothing when blank, saves by Enter and by leaving ${req("S13.9")}`, async () => {
    await page.getByRole("textbox", name).fill("not this");
    await page.keyboard.press("Escape");
    expect(await title()).toBe("a first message that is longer...");
    await page.locator(".title button").click();
    await page.getByRole("textbox", name).fill("   ");
    await page.keyboard.press("Enter");
    expect(await title()).toBe("a first message that is longer...");
    await page.locator(".title button").click();
    await page.getByRole("textbox", name).fill("by Enter");
    await page.keyboard.press("Enter");
    await page.locator(".title", { hasText: "by Enter" }).waitFor();
    await page.locator(".title button").click();
    await page.getByRole("textbox", name).fill("by leaving");
    await stage.input(page).click();
    await page.locator(".title", { hasText: "by leaving" }).waitFor();
  });

  it(`leaves Enter and Esc to an IME that composes ${req("S13.10")}`, async () => {
    await page.locator(".title button").click();
    const input = page.getByRole("textbox", name);
    const ime = await page.context().newCDPSession(page);
    await ime.send("Input.imeSetComposition", { text: "中文", selectionStart: 2, selectionEnd: 2 });
    for (const key of ["Enter", "Escape"]) {
      await input.evaluate((each, pressed) => each.dispatchEvent(new KeyboardEvent("keydown", { key: pressed, isComposing: true, bubbles: true })), key);
      expect(await input.count()).toBe(1);
    }
    await ime.send("Input.insertText", { text: "中文标题" });
    await expect.poll(() => input.inputValue()).toBe("中文标题"); // the composition has ended
    await page.keyboard.press("Enter");
    await page.locator(".title", { hasText: "中文标题" }).waitFor();
  });

  it("says once that a draft is too large to be kept", async () => {
    const full = await stage.panel();
    await full.evaluate(() => {
      for (let size = 1 << 22; size > 8; size >>= 1) {
        try {
          localStorage.setItem(`filler ${size}`, "x".repeat(size));
        } catch { /* the next one is smaller */ }
      }
    });
    await stage.input(full).fill("more than there is room for");
    await full.getByRole("alert").filter({ hasText: "草稿太大" }).waitFor();
    await full.context().close();
  });

  it(`keeps title, messages and draft over a reload ${req("S13.11", "M4.4")}`, async () => {
    await stage.input(page).focus();
    await stage.input(page).fill("a draft"); // whatever the IME of the test before may have left
    await stage.input(page).filter({ hasText: /^a draft$/ }).waitFor();
    await page.reload();
    await page.locator(".title", { hasText: "中文标题" }).waitFor();
    await page.locator(".user", { hasText: "a first message" }).waitFor();
    expect(await stage.input(page).innerText()).toBe("a draft");
  });

  it(`begins anew ${req("S5.2")}`, async () => {
    await page.getByRole("button", { name: "新建对话" }).click();
    await page.locator(".title", { hasText: "新对话" }).waitFor();
    expect(await page.locator(".message").count()).toBe(0);
  });

  it(`opens the same picker by button and by /resume, closes it by Esc and by a click outside ${req("S5.8", "S5.10", "S10.1", "S10.9", "S10.10")}`, async () => {
    const picker = page.getByRole("dialog", { name: "历史对话" });
    await page.getByRole("button", { name: "历史对话" }).click();
    await picker.getByRole("option", { name: "中文标题" }).waitFor();
    const listed = await picker.getByRole("option").allInnerTexts();
    await page.keyboard.press("Escape");
    await picker.waitFor({ state: "detached" });
    expect(await stage.input(page).innerText()).toBe("a draft");
    await stage.input(page).focus();
    await page.keyboard.press("Control+A");
    await stage.send(page, "/resume");
    await picker.getByRole("option", { name: "中文标题" }).waitFor();
    expect(await picker.getByRole("option").allInnerTexts()).toEqual(listed);
    await page.mouse.click(260, 600);
    await picker.waitFor({ state: "detached" });
  });

  it(`exchanges the messages for the chosen session's, by keyboard ${req("S5.3", "S10.5")}`, async () => {
    await page.getByRole("button", { name: "历史对话" }).click();
    await page.getByRole("combobox", { name: "搜索对话" }).pressSequentially("中文");
    await page.getByRole("option", { name: "中文标题" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".user", { hasText: "a first message" }).waitFor();
    expect(await title()).toBe("中文标题");
  });

  it(`holds new and the choice while a turn runs, with a notice ${req("S5.7", "S5.9", "S10.8")}`, async () => {
    await stage.send(page, `slow ${says({ text: "word ".repeat(100), chunks: 100, delay: 0.2 })}`);
    await page.locator(".assistant", { hasText: "word word" }).last().waitFor();
    expect(await page.getByRole("button", { name: "新建对话" }).isDisabled()).toBe(true);
    await stage.send(page, "/clear");
    await page.getByText("请等待当前任务结束").waitFor();
    await page.getByRole("alert").getByRole("button", { name: "关闭" }).click();
    await page.getByRole("button", { name: "历史对话" }).click();
    await page.getByRole("dialog", { name: "历史对话" }).getByRole("option").first().click();
    await page.getByText("请等待当前任务结束").waitFor();
    expect(await title()).toBe("中文标题");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "停止" }).click();
  });

  it(`offers what else there is under More ${req("S5.4")}`, async () => {
    await page.getByRole("button", { name: "更多" }).click();
    const items = await page.getByRole("menuitem").allInnerTexts();
    expect(items).toEqual(expect.arrayContaining(["设置", "登录", "退出登录"]));
    await page.keyboard.press("Escape");
  });
});
