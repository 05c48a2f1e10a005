/** One VS Code window: code-server in a process group of its own, a home, a workspace and a browser page of their own. */

import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from "playwright-core";

import type { Tools } from "./tools";

const PATIENCE = 60_000; // milliseconds; two cores are shared with everything else
const SHIM = resolve(__dirname, "..");
const BRIDGE = join(SHIM, "..", "..", ".venv", "bin", "wave-bridge");
const QUIET = {
  "wave.path": [BRIDGE], // VS Code's server takes PATH from a login shell, not from us
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "security.workspace.trust.enabled": false,
  "terminal.integrated.gpuAcceleration": "off",
  "terminal.integrated.stickyScroll.enabled": false,
  "terminal.integrated.enablePersistentSessions": false,
  "terminal.integrated.defaultProfile.linux": "bash",
};

export class Editor {
  private server: ChildProcess | undefined;
  private browser: Browser | undefined;
  private context: BrowserContext | undefined;
  private port = 0;
  readonly workspace: string;
  readonly home: string;

  private constructor(
    private readonly tools: Tools,
    readonly folder: string,
  ) {
    this.workspace = join(folder, "workspace");
    this.home = join(folder, "home");
  }

  /** Starts the server with `settings` on top of those that keep it quiet. The bridge is the repository's own. */
  static async start(tools: Tools, options: { settings?: object; env?: NodeJS.ProcessEnv; args?: string[] } = {}): Promise<Editor> {
    const editor = new Editor(tools, await mkdtemp(join(tmpdir(), "wave-vscode-")));
    await Promise.all([editor.workspace, editor.home].map((folder) => mkdir(folder, { recursive: true })));
    await editor.configure(options.settings ?? {});
    await editor.serve(options.env ?? {}, options.args ?? []);
    return editor;
  }

  /** Writes the user's settings; a remote window takes those of the scope `machine` from another file. */
  async configure(settings: object): Promise<void> {
    for (const scope of ["User", "Machine"]) {
      const file = join(this.folder, "user", scope, "settings.json");
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify({ ...QUIET, ...settings }));
    }
  }

  /** Opens a window on the workspace; with `inHost`, its extension host runs the tests of that module. */
  async open(inHost?: { module: string; ended: (code: number) => void; said: (text: string) => void }): Promise<Page> {
    this.browser ??= await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    const origin = `http://127.0.0.1:${this.port}`;
    this.context ??= await this.browser.newContext({ viewport: { width: 1280, height: 860 } });
    await this.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    const page = await this.context.newPage();
    const query = new URLSearchParams({ folder: this.workspace });
    if (inHost !== undefined) {
      await page.exposeFunction("codeAutomationExit", inHost.ended);
      await page.exposeFunction("codeAutomationLog", (_: string, args: unknown[]) => {
        inHost.said(args.map(String).join(" "));
      });
      const remote = (path: string): string => `vscode-remote://127.0.0.1:${this.port}${path}`;
      query.set("payload", JSON.stringify([["extensionDevelopmentPath", remote(SHIM)], ["extensionTestsPath", remote(inHost.module)]]));
    }
    await page.goto(`${origin}/?${query.toString()}`, { timeout: PATIENCE });
    return page;
  }

  /** Installs the packaged extension. */
  async install(vsix: string): Promise<void> {
    await this.once(["--install-extension", vsix, "--force"]);
  }

  /** Ends the browser and the server's whole process group. */
  async close(): Promise<void> {
    await this.browser?.close();
    if (this.server?.pid !== undefined && this.server.exitCode === null) {
      const ended = new Promise((resolve) => this.server?.once("exit", resolve));
      process.kill(-this.server.pid, "SIGTERM");
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }

  async log(): Promise<string> {
    return readFile(join(this.folder, "server.log"), "utf8");
  }

  private get options(): string[] {
    return ["--config", join(this.folder, "config.yaml"), "--user-data-dir", join(this.folder, "user"), "--extensions-dir", join(this.folder, "extensions")];
  }

  private env(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const ours = { NODE_OPTIONS: undefined, VSCODE_IPC_HOOK_CLI: undefined }; // of a VS Code that the tests are started from
    return { ...process.env, ...ours, PATH: this.tools.path, HOME: this.home, WAVE_BRIDGE_DIR: join(this.folder, "run"), WAVE_BRIDGE_GRACE: "3", ...more };
  }

  private async serve(env: NodeJS.ProcessEnv, args: string[]): Promise<void> {
    this.port = await freePort();
    await writeFile(join(this.folder, "config.yaml"), `bind-addr: 127.0.0.1:${this.port}\nauth: none\ncert: false\n`);
    const isOld = this.tools.release.unpacked === true;
    const modern = isOld ? [] : ["--reconnection-grace-time", "5", "--vscode-option", "enable-smoke-test-driver"];
    const trust = args.includes("--trust") ? [] : ["--disable-workspace-trust"];
    const argv = [...this.options, "--disable-telemetry", "--disable-update-check", ...trust, "--ignore-last-opened", ...modern, this.workspace];
    this.server = spawn(this.tools.program, argv, { env: this.env(env), detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const log: string[] = [];
    for (const stream of [this.server.stdout, this.server.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => log.push(text));
    const deadline = Date.now() + PATIENCE;
    while (!(await healthy(this.port))) {
      if (Date.now() > deadline || this.server.exitCode !== null) throw new Error(`code-server did not start:\n${log.join("")}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  private async once(args: string[]): Promise<void> {
    const child = spawn(this.tools.program, [...this.options, ...args], { env: this.env({}), stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    const code = await new Promise((resolve) => child.once("exit", resolve));
    if (code !== 0) throw new Error(`code-server ${args.join(" ")} ended with ${String(code)}:\n${said}`);
  }
}

/** Runs a command of the palette. */
export async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input[type=text]:visible");
  await input.waitFor({ timeout: PATIENCE });
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor({ timeout: PATIENCE });
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden", timeout: PATIENCE });
}

/** Gives the frames of our pages in all windows, once there are `count`. */
export async function panels(page: Page, count: number): Promise<Frame[]> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const found: Frame[] = [];
    for (const frame of page.context().pages().flatMap((each) => each.frames())) {
      const has = await frame.locator('meta[name="wave-host"]').count().catch(() => 0);
      if (has > 0) found.push(frame);
    }
    if (found.length >= count) return found;
    if (Date.now() > deadline) throw new Error(`${found.length} of ${count} panels came`);
    await page.waitForTimeout(200);
  }
}

async function healthy(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
