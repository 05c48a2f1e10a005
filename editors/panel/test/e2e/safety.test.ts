import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { calls, says, Stage } from "./stage";

const HOSTILE = [
  "<script>window.ran = 1</script>",
  '<img src="x" onerror="window.ran = 1">',
  "[run](javascript:window.ran=1)",
  "[data](data:text/html,<script>window.ran=1</script>)",
  "![pixel](https://example.invalid/pixel.png)",
  '<svg onload="window.ran=1"></svg>',
  "safe\u202egnp.exe",
  "\u001b]8;;javascript:window.ran=1\u0007link\u001b]8;;\u0007",
].join("\n\n");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const IMAGES = fileURLToPath(new URL("../../../../docs/images/", import.meta.url));

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary: string }[];
}

async function serious(page: Page): Promise<string[]> {
  await page.context().newCDPSession(page).then((session) => session.send("Runtime.evaluate", { expression: AXE }));
  const found = await page.evaluate<Finding[]>("axe.run().then((results) => results.violations)");
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`).join("; ")}`);
}

describe("what others wrote, and who can use it", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = new Stage();
    page = await stage.panel();
  });
  afterAll(() => stage.close());

  it("runs nothing and loads nothing of messages, tool results and titles", async () => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await stage.send(page, `${HOSTILE} ${says(calls("Bash", { command: `echo '${HOSTILE.replace(/'/g, "")}'` }), { text: HOSTILE })}`);
    await page.locator(".permission").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".assistant .markdown", { hasText: "safe\\u202egnp.exe" }).waitFor();
    expect(await page.locator(".messages").textContent()).not.toMatch(/[\u001b\u202e]/);
    for (const link of await page.locator(".markdown a").all()) expect(await link.getAttribute("href")).not.toMatch(/^(javascript|data):/i);
    expect(await page.locator(".messages img, .messages svg[onload], .messages script").count()).toBe(0);
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(requests.filter((url) => url.includes("example.invalid"))).toEqual([]);
    expect(stage.violations).toEqual([]);
  });

  it("has nothing that axe finds serious: conversation and picker in light, the permission dialog in dark", async () => {
    expect(await serious(page)).toEqual([]);
    await page.getByRole("button", { name: "历史对话" }).click();
    await page.getByRole("dialog", { name: "历史对话" }).getByRole("option").first().waitFor();
    expect(await serious(page)).toEqual([]);
    await page.keyboard.press("Escape");
    const dark = await stage.panel({ colorScheme: "dark" });
    await stage.send(dark, `go ${says(calls("Bash", { command: "touch made" }), { text: "made it" })}`);
    await dark.locator(".permission").waitFor();
    expect(await serious(dark)).toEqual([]);
  });

  it.runIf(process.env["WAVE_SCREENSHOTS"])("is drawn for the documentation", async () => {
    mkdirSync(IMAGES, { recursive: true });
    const edit = calls("Edit", { file_path: "sums.py", old_string: "first - second", new_string: "first + second" });
    const answer = "The sum was a difference. I mend it:\n\n- `add` **adds** now\n- its test passes\n\n```python\nassert add(2, 3) == 5\n```\n";
    const hidden = says({ reasoning: "What does it do?", ...calls("Read", { file_path: "sums.py" }) }, { text: answer, ...edit }, { text: "Done." });
    for (const [name, options] of [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }], ["contrast", { colorScheme: "dark", contrast: "more" }]] as const) {
      const shot = await stage.panel(options);
      await stage.send(shot, `mend the sum ${hidden}`);
      await shot.locator(".permission").waitFor();
      await shot.screenshot({ path: `${IMAGES}panel-${name}.png` });
      await shot.context().close();
    }
  });
});
