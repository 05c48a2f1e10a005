import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Locator, type Page } from "playwright-core";
import { Editor } from "./editor";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PYTHON = process.env["WAVE_PYTHON"] ?? join(ROOT, ".venv/bin/python");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);

/** A directive for the embedded CLI's scripted model (docs/EMBEDDED.md). */
export const says = (...replies: object[]): string => replies.map((reply) => `[[${JSON.stringify(reply)}]]`).join("");
export const calls = (name: string, args: object): object => ({ tool: { name, args } });

interface Options {
  colorScheme?: "light" | "dark";
  contrast?: "more";
}

/** A daemon with the embedded CLI, a workspace, and a real browser at its door. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), "wp-"));
  readonly work = join(this.folder, "work");
  readonly violations: string[] = [];
  private browser: Browser | undefined;
  private readonly environment = {
    PATH: process.env["PATH"],
    LANG: "C.UTF-8",
    HOME: join(this.folder, "home"),
    WAVE_BRIDGE_DIR: join(this.folder, "run"),
    WAVE_BRIDGE_LOG: join(this.folder, "daemon.log"),
    WAVE_CLI_PATH: "embedded",
  };

  constructor(private readonly locale: "zh_CN.UTF-8" | "en_US.UTF-8" = "zh_CN.UTF-8") {
    mkdirSync(this.environment.HOME);
    mkdirSync(this.work);
    writeFileSync(join(this.work, "sums.py"), "def add(first, second):\n    return first - second\n");
    writeFileSync(join(this.work, "README.md"), "# Sums\n");
  }

  bridge(...args: string[]): string {
    const env = { ...this.environment, LANG: this.locale };
    return execFileSync(PYTHON, ["-P", "-m", "wave_bridge", ...args], { env, encoding: "utf8", timeout: 60_000 });
  }

  /** Open a panel as `wave-bridge panel` does; complaints of the content security policy are kept. */
  async panel(options: Options = {}): Promise<Page> {
    return this.open(this.bridge("panel", this.work, "--no-open").trim(), options);
  }

  /** An editor that is connected to the same daemon. */
  editor(answers: ConstructorParameters<typeof Editor>[2]): Editor {
    return new Editor([PYTHON, "-P", "-m", "wave_bridge", "--stdio"], this.environment, answers);
  }

  async open(url: string, options: Options = {}): Promise<Page> {
    this.browser ??= await chromium.launch({ executablePath: CHROMIUM ?? "chromium", args: ["--no-sandbox", "--disable-gpu"] });
    const context = await this.browser.newContext({ viewport: { width: 520, height: 760 }, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on("console", (message) => { if (/Content Security Policy/i.test(message.text())) this.violations.push(message.text()); });
    page.on("pageerror", (error) => this.violations.push(String(error)));
    await page.goto(url);
    await this.input(page).waitFor();
    return page;
  }

  /** Keep a conversation on disk as the CLI would have, one user message in it. */
  store(words: string): void {
    const script = [
      "import sys; from datetime import datetime, UTC; from pathlib import Path",
      "from wave_bridge.store import paths, writing",
      "home, work, words = sys.argv[1:]",
      "path = paths.session_file(Path(home) / '.wave', work, '11111111-2222-4333-8444-555555555555')",
      "block = {'type': 'text', 'content': words, 'stage': 'end'}",
      "body = {'id': 'm-1', 'role': 'user', 'blocks': [block], 'timestamp': '2026-12-01T00:00:00.000Z'}",
      "writing.Transcript(path, writing.header(work, datetime.now(UTC))).append(body)",
    ].join("\n");
    execFileSync(PYTHON, ["-c", script, this.environment.HOME, this.work, words], { cwd: ROOT });
  }

  input(page: Page): Locator {
    return page.getByRole("textbox", { name: /输入消息|Message/ });
  }

  /** Type (as one insertion, as an IME does) and send. */
  async send(page: Page, words: string): Promise<void> {
    await this.input(page).focus();
    await page.keyboard.insertText(words);
    await page.keyboard.press("Enter");
  }

  async close(): Promise<void> {
    await this.browser?.close();
    this.bridge("stop");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
