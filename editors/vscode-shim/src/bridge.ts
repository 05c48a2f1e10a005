/** The connection to the daemon: one `wave-bridge --stdio` for the window; how it starts, ends and says what is wrong. */

import * as path from "node:path";
import type { Readable } from "node:stream";
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn, State, type StaticFeature } from "vscode-languageclient/node";

import { findLauncher, machine, NotFound, type Launcher } from "./finding";
import type * as api from "./generated/api";
import { pythonOfWindow } from "./python";

const START_TIME = 30_000; // milliseconds; a program that is no bridge never answers
declare const BRINGS_CLI: boolean; // set by build.mjs
const STDERR_LINES = 200; // kept for the log of a start that fails

/** What this editor can do (docs/PROTOCOL.md, Connecting). */
const abilities: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    const wave = { version: 1, terminal: true, problems: true, selection: true, openEditors: true, panels: true };
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), wave };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

export interface Logs {
  extension: vscode.LogOutputChannel;
  server: vscode.LogOutputChannel;
}

export class Bridge implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<LanguageClient> | undefined;
  private stderr: string[] = [];
  private readonly status = vscode.languages.createLanguageStatusItem("wave.status", { pattern: "**" });
  private readonly changed = new vscode.EventEmitter<boolean>();
  private readonly failed = new vscode.EventEmitter<string>();

  /** Fires when the connection is up (true) or lost (false). */
  readonly onDidChange = this.changed.event;

  /** Fires with the reason when a start has failed; the user has been told. */
  readonly onDidFail = this.failed.event;

  /** `prepare` registers what answers the daemon, before a client starts. */
  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly logs: Logs,
    private readonly prepare: (client: LanguageClient) => void,
  ) {
    this.status.name = "Wave";
    this.status.command = { command: "wave.showLogs", title: vscode.l10n.t("Show log") };
    this.show(vscode.l10n.t("Not connected"), vscode.LanguageStatusSeverity.Information);
  }

  /** Whether a start is under way or has succeeded. */
  get isStarting(): boolean {
    return this.starting !== undefined;
  }

  get isUp(): boolean {
    return this.client?.isRunning() === true;
  }

  /** Starts the connection for somebody who listens to the events. */
  connect(): void {
    this.start().catch(() => undefined); // explained
  }

  /** Starts the connection, once: later calls wait for the same start, or try again after one that failed. */
  start(): Promise<LanguageClient> {
    this.starting ??= this.launch().catch((fault: unknown) => {
      this.starting = undefined;
      this.explain(fault);
      throw fault;
    });
    return this.starting;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = this.starting = undefined;
    // A client that never came up refuses to stop: there is nothing to end.
    if (client?.isRunning() === true) {
      await client.stop().catch((fault: unknown) => {
        this.logs.extension.warn(String(fault));
      });
    }
  }

  /** Tells the daemon that settings have changed: all of them, for it interprets them. */
  async configure(): Promise<void> {
    if (this.client?.isRunning() !== true) return;
    await this.client.sendNotification("workspace/didChangeConfiguration", { settings: { wave: settings() } });
  }

  async request<Name extends keyof api.BridgeRequests>(
    name: Name,
    params: api.BridgeRequests[Name]["params"],
  ): Promise<api.BridgeRequests[Name]["result"]> {
    return (await this.start()).sendRequest(name, params);
  }

  /** Sends a notification; without a connection it has no addressee and is dropped. */
  notify<Name extends keyof api.BridgeNotifications>(name: Name, params: api.BridgeNotifications[Name]["params"]): void {
    if (this.client?.isRunning() !== true) return;
    this.client.sendNotification(name, params).catch((fault: unknown) => {
      this.logs.extension.warn(`${name}: ${String(fault)}`);
    });
  }

  dispose(): void {
    vscode.Disposable.from(this.status, this.changed, this.failed).dispose();
  }

  private async launch(): Promise<LanguageClient> {
    this.status.busy = true;
    this.show(vscode.l10n.t("Starting"), vscode.LanguageStatusSeverity.Information);
    this.stderr = [];
    const client = this.make(await this.find());
    this.client = client;
    this.prepare(client);
    await timely(client.start(), vscode.l10n.t("The bridge did not answer within {0} seconds.", START_TIME / 1000));
    return client;
  }

  private async find(): Promise<Launcher> {
    const settings = vscode.workspace.getConfiguration("wave");
    const interpreters = [settings.get<string>("interpreter", ""), await pythonOfWindow()];
    const launcher = await findLauncher(
      {
        path: settings.get("path", []),
        interpreters: interpreters.filter((each) => each !== ""),
        bundled: path.join(this.context.extensionPath, "dist", "bridge"),
        allowUvx: settings.get("allowUvx", false),
        version: (this.context.extension.packageJSON as { version: string }).version,
      },
      machine,
    );
    this.logs.extension.info(`rule "${launcher.rule}": ${[launcher.command, ...launcher.args, "--stdio"].join(" ")}`);
    return launcher;
  }

  private make({ command, args, env }: Launcher): LanguageClient {
    const level = vscode.workspace.getConfiguration("wave").get("logLevel", "INFO");
    const client = new LanguageClient(
      "wave",
      "Wave",
      {
        command,
        args: [...args, "--stdio"],
        options: { env: { ...process.env, ...env, WAVE_BRIDGE_LOG_LEVEL: level } },
      },
      {
        initializationOptions: () => introduction(this.context.extensionPath),
        outputChannel: this.logs.server,
        traceOutputChannel: this.logs.server,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        stdioOptions: {
          stdout: () => undefined, // the protocol's
          stderr: (stream) => {
            this.keep(stream);
          },
        },
      },
    );
    client.registerFeature(abilities);
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) return;
      const isUp = newState === State.Running;
      this.status.busy = newState === State.Starting;
      if (isUp) this.show(vscode.l10n.t("Connected"), vscode.LanguageStatusSeverity.Information);
      if (newState === State.Stopped) this.show(vscode.l10n.t("Not connected"), vscode.LanguageStatusSeverity.Warning);
      this.changed.fire(isUp);
    });
    return client;
  }

  private keep(stream: Readable): void {
    stream.setEncoding("utf8").on("data", (text: string) => {
      const lines = text.split(/\r?\n/).filter((line) => line !== "");
      this.stderr = [...this.stderr, ...lines].slice(-STDERR_LINES);
      for (const line of lines) this.logs.server.info(line);
    });
  }

  private show(text: string, severity: vscode.LanguageStatusSeverity): void {
    this.status.text = `Wave: ${text}`;
    this.status.severity = severity;
  }

  /** Tells the user why there is no connection and what can be done; the log has all of it (T4.8). */
  private explain(fault: unknown): void {
    const reason = fault instanceof Error ? fault.message : String(fault); // the client rejects with plain texts as well
    this.status.busy = false;
    this.show(vscode.l10n.t("Did not start"), vscode.LanguageStatusSeverity.Error);
    this.logs.extension.error(fault instanceof Error ? (fault.stack ?? reason) : reason);
    for (const line of this.stderr) this.logs.extension.error(`stderr: ${line}`);
    this.failed.fire(reason);
    const advice =
      fault instanceof NotFound
        ? vscode.l10n.t("Wave: the bridge was not found. Install it (pipx install wave-bridge), or name it in the setting wave.path.")
        : vscode.l10n.t("Wave did not start: {0}", this.stderr.at(-1) ?? reason);
    const actions = { log: vscode.l10n.t("Show log"), again: vscode.l10n.t("Try again"), settings: vscode.l10n.t("Open settings") };
    void vscode.window.showErrorMessage(advice, ...Object.values(actions)).then((chosen) => {
      const command = { [actions.log]: "wave.showLogs", [actions.again]: "wave.restartServer", [actions.settings]: "wave.openSettings" };
      return chosen === undefined ? undefined : vscode.commands.executeCommand(command[chosen] ?? "wave.showLogs");
    });
  }
}

/** Gives the `initializationOptions`: who we are, which CLI we bring, all settings as they are. */
function introduction(extension: string): api.InitializationOptions {
  const bundled = path.join(extension, "dist", "wave-cli");
  const named = vscode.workspace.getConfiguration("wave").get<string>("cliPath", "");
  return {
    client: { name: "vscode", version: vscode.version, id: "vscode" },
    cli: {
      ...(named === "" ? {} : { path: named }),
      // A package that was built with a CLI names it also when it is gone: the daemon then says so (T1.4, T4.1).
      ...(BRINGS_CLI ? { bundled, runtime: process.execPath } : {}),
    },
    settings: settings(),
  };
}

function settings(): Record<string, unknown> {
  return JSON.parse(JSON.stringify(vscode.workspace.getConfiguration("wave"))) as Record<string, unknown>;
}

function timely<T>(work: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(message));
    }, START_TIME);
  });
  return Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}
