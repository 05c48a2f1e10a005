import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { req } from "../req";
import { calls, says, Stage } from "./stage";

describe("turns", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(() => { stage = new Stage(); });
  beforeEach(async () => { page = await stage.panel(); });
  afterEach(async () => { await page.context().close(); });
  afterAll(() => stage.close());

  it("streams an answer as Markdown", async () => {
    await stage.send(page, `hello ${says({ text: "**bold** and `code`\n\n```python\nprint(1)\n```\n", chunks: 8, delay: 0.02 })}`);
    await page.locator(".assistant strong", { hasText: "bold" }).waitFor();
    await page.locator(".assistant .hljs-built_in").waitFor();
    await page.getByRole("button", { name: "停止" }).waitFor({ state: "detached" });
    expect(stage.violations).toEqual([]);
  });

  it(`shows a shell command's output as it comes ${req("T9.4")}`, async () => {
    await stage.send(page, "!echo one; sleep 0.5; echo two");
    await page.locator(".output", { hasText: "one" }).waitFor();
    await page.locator(".output", { hasText: "two" }).waitFor();
  });

  it("stops a turn by the button", async () => {
    await stage.send(page, `slow ${says({ text: "word ".repeat(50), chunks: 50, delay: 0.2 })}`);
    await page.locator(".assistant").waitFor();
    await page.getByRole("button", { name: "停止" }).click();
    await page.getByRole("button", { name: "停止" }).waitFor({ state: "detached" });
  });

  it("asks before a command, by keyboard alone, and remembers", async () => {
    await stage.send(page, `go ${says(calls("Bash", { command: "touch made" }), { text: "made it" })}`);
    await page.getByRole("dialog", { name: "确认执行命令" }).waitFor();
    expect(existsSync(join(stage.work, "made"))).toBe(false);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".assistant p", { hasText: "made it" }).waitFor();
    expect(existsSync(join(stage.work, "made"))).toBe(true);
    expect(readFileSync(join(stage.work, ".wave/settings.local.json"), "utf8")).toContain("Bash(touch made)");
  });

  it("shows an edit as a diff, and denies it by Esc", async () => {
    const edit = calls("Edit", { file_path: "sums.py", old_string: "first - second", new_string: "first + second" });
    await stage.send(page, `mend ${says(calls("Read", { file_path: "sums.py" }), edit, { text: "done" })}`);
    const dialog = page.getByRole("dialog", { name: "确认代码修改" });
    await dialog.locator(".added", { hasText: "first + second" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(readFileSync(join(stage.work, "sums.py"), "utf8")).toContain("first - second");
  });

  it("answers the agent's question", async () => {
    const question = { question: "Which?", header: "W", options: [{ label: "A" }, { label: "B" }] };
    await stage.send(page, `ask ${says(calls("AskUserQuestion", { questions: [question] }), { text: "thanks" })}`);
    await page.getByRole("radio", { name: "B" }).check();
    await page.getByRole("button", { name: "提交" }).click();
    await page.locator(".assistant p", { hasText: "thanks" }).waitFor();
  });
});
