import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { req } from "../req";
import type { Editor } from "./editor";
import { Stage } from "./stage";

describe("a panel whose editor has a terminal and problems", () => {
  let stage: Stage;
  let editor: Editor;
  let page: Page;
  beforeAll(async () => {
    stage = new Stage();
    const unavailable = { available: false, reason: "noTerminal" };
    editor = stage.editor({ "wave/context/read": () => ({ terminal: unavailable, problems: unavailable }) });
    await editor.initialize();
    const { url } = (await editor.ask("wave/panel/url", { workdir: stage.work })) as { url: string };
    page = await stage.open(url);
  });
  afterAll(async () => {
    editor.close();
    await stage.close();
  });
  const names = (): Promise<string[]> => page.locator(".offers [role=option] span").allInnerTexts();

  it(`offers the two fixed entries before the files ${req("M4.1")}`, async () => {
    await stage.input(page).focus();
    await page.keyboard.type("@");
    await page.getByRole("option", { name: "sums.py" }).waitFor();
    expect((await names()).slice(0, 2)).toEqual(["Terminal", "Problems"]);
  });

  it(`keeps the one that the filter fits, by name and by description; files are searched as ever ${req("M4.2")}`, async () => {
    await page.keyboard.type("ter");
    await expect.poll(names).toEqual(["Terminal"]);
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.insertText("当前文件");
    await expect.poll(names).toEqual(["Problems"]);
    for (let count = 0; count < 4; count++) await page.keyboard.press("Backspace");
    await page.keyboard.type("sums");
    await expect.poll(names).toEqual(["sums.py"]);
    for (let count = 0; count < 5; count++) await page.keyboard.press("Backspace");
  });

  const choose = async (word: string): Promise<void> => {
    await page.keyboard.type(`@${word}`);
    await page.getByRole("option", { name: word, exact: false }).first().waitFor();
    await expect.poll(async () => (await names())[0]?.toLowerCase().startsWith(word)).toBe(true);
    await page.keyboard.press("Enter");
  };

  it(`puts it in as one chip that backspace deletes whole ${req("M4.3")}`, async () => {
    await choose("ter");
    const chip = page.locator(".composer .chip-terminal");
    expect(await chip.innerText()).toBe("Terminal");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    expect(await chip.count()).toBe(0);
  });

  it(`leaves no trace of a chip that was removed ${req("M3.8")}`, async () => {
    await choose("prob");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("without it");
    await page.keyboard.press("Enter");
    await page.locator(".user", { hasText: "without it" }).waitFor();
    expect(await page.locator(".user .chip").count()).toBe(0);
    expect(editor.asked).not.toContain("wave/context/read");
  });

  it(`keeps the chip over a reload of the draft and fills it in when it is sent ${req("M4.4")}`, async () => {
    await choose("ter");
    await page.reload();
    await page.locator(".composer .chip-terminal").waitFor();
    await stage.input(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("with it");
    await page.keyboard.press("Enter");
    await page.locator(".user", { hasText: "with it" }).last().getByRole("button", { name: "Terminal" }).waitFor();
    expect(editor.asked.filter((method) => method === "wave/context/read")).toHaveLength(1);
  });
});
