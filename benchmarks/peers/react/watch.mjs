// Measures one page in Chromium while an answer streams into it: `node watch.mjs '{...}'`, one line of JSON out.
//   {"url", "send", "ends"}            a panel of ours: what is typed, and the words at the end of the answer
//   {"bundle", "messages", "text", "chunks"}   the naive list, fed from within at 1,000 chunks a second
import { buildSync } from "esbuild";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const asked = JSON.parse(process.argv[2]);
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 520, height: 760 } });
page.setDefaultTimeout(180_000);
page.on("pageerror", (error) => { throw error; });
await page.addInitScript(() => {
  window.seen = { tasks: [], gaps: [] };
  new PerformanceObserver((list) => window.seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: "longtask",
  });
});

function begin() {
  window.seen.tasks.length = 0;
  let last = performance.now();
  const frame = (now) => {
    window.seen.gaps.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

async function ours() {
  await page.goto(asked.url);
  const input = page.getByRole("textbox", { name: /Message|输入消息/ });
  await input.waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".messages-content > *").length > 50);
  await input.focus();
  await page.keyboard.insertText(asked.send);
  await page.evaluate(begin);
  await page.keyboard.press("Enter");
  await page.waitForFunction((ends) => document.querySelector(".messages-content")?.textContent.includes(ends), asked.ends);
}

async function naive() {
  const { outputFiles } = buildSync({
    entryPoints: [asked.bundle],
    bundle: true,
    write: false,
    minify: true,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  await page.goto('data:text/html,<div id="root"></div>');
  await page.evaluate((messages) => { window.MESSAGES = messages; }, asked.messages);
  await page.addScriptTag({ content: outputFiles[0].text });
  await page.waitForFunction(() => window.grow);
  await page.evaluate(begin);
  await page.evaluate(async ({ text, chunks }) => {
    const begun = performance.now();
    const size = Math.ceil(text.length / chunks);
    for (let sent = 0; sent < chunks; ) {
      await new Promise((resolve) => setTimeout(resolve, 4));
      for (const due = performance.now() - begun; sent < Math.min(chunks, due); sent += 1)
        window.grow(text.slice(sent * size, (sent + 1) * size));
    }
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, asked);
}

const begun = performance.now();
await (asked.bundle ? naive() : ours());
const seconds = (performance.now() - begun) / 1000;
const seen = await page.evaluate(() => window.seen);
const devtools = await page.context().newCDPSession(page);
await devtools.send("HeapProfiler.collectGarbage");
const { usedSize } = await devtools.send("Runtime.getHeapUsage");
const FRAME = 1000 / 60;
const dropped = seen.gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME) - 1), 0);
const shown = seen.gaps.length;
console.log(
  JSON.stringify({
    seconds,
    dropped: (100 * dropped) / (dropped + shown),
    longest: Math.max(0, ...seen.tasks, ...seen.gaps.map((gap) => gap - FRAME)),
    heap: usedSize / 2 ** 20,
  }),
);
await browser.close();
