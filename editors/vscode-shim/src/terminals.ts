/**
 * The last command of each terminal and what it printed, raw: all cleaning is the daemon's.
 *
 * Two routes, for neither is whole. Shell integration gives the bytes, but VS Code's extension host loses the output of
 * commands that end within milliseconds; whole data begins with the mark of a command's start. The commands that copy
 * what was shown are right then, but say nothing while a command runs and can leave an older command's text.
 */

import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";

import { Clipboard } from "./clipboard";

const START = /^\x1b\]633;C/;
const KEPT = 1024 * 1024; // characters of one command's output; the daemon keeps the tail, so the beginning may go
const DRAIN = 500; // milliseconds for the last bytes of a command that has ended
const SETTLE = 150; // milliseconds after it until the next prompt is marked: before, what is copied may end in it

/** The member `terminal` of an answer to `wave/context/read` (docs/PROTOCOL.md). */
export type TerminalFacts =
  | { source: "unavailable"; reason: string }
  | { source: "screen"; text: string }
  | {
      source: "command";
      command?: string;
      output: string;
      rendered?: true;
      exitCode?: number;
      running?: true;
      omittedBytes?: number;
    };

/** One command of a terminal. */
class Run {
  output = "";
  omitted = 0;
  sawStart = false;
  exitCode: number | undefined;
  endedAt: number | undefined;
  readonly drained: Promise<void>;

  /** `before` holds until this has turned out to be a command. */
  constructor(
    readonly execution: vscode.TerminalShellExecution,
    public before: Run | undefined,
  ) {
    this.drained = this.read(execution.read()); // at once: a stream that is asked for later has lost its beginning
  }

  get line(): string {
    return this.execution.commandLine.value.trim();
  }

  private async read(chunks: AsyncIterable<string>): Promise<void> {
    for await (const chunk of chunks) {
      this.sawStart ||= this.output === "" && START.test(chunk);
      this.output += chunk;
      if (this.output.length > 2 * KEPT) {
        this.omitted += Buffer.byteLength(this.output.slice(0, -KEPT));
        this.output = this.output.slice(-KEPT);
      }
    }
  }
}

export class Terminals implements vscode.Disposable {
  private readonly last = new WeakMap<vscode.Terminal, Run>();
  private readonly clipboard = new Clipboard();
  private readonly listening: vscode.Disposable;

  /** `mayUseClipboard` is asked at each reading: a setting that changes counts at once. */
  constructor(private readonly mayUseClipboard: () => boolean) {
    this.listening = vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution((event) => {
        this.last.set(event.terminal, new Run(event.execution, this.last.get(event.terminal)));
      }),
      vscode.window.onDidEndTerminalShellExecution((event) => {
        const run = this.last.get(event.terminal);
        if (run?.execution !== event.execution) return;
        run.exitCode = event.exitCode;
        run.endedAt = Date.now();
        // Enter on an empty line has no exit code; a command whose line VS Code has lost, as it may in fish, has one.
        if (run.line === "" && run.exitCode === undefined) this.forget(event.terminal, run.before);
        else run.before = undefined;
      }),
    );
  }

  private forget(terminal: vscode.Terminal, before: Run | undefined): void {
    if (before === undefined) this.last.delete(terminal);
    else this.last.set(terminal, before);
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Gives the active terminal's last command (MB2), read at this moment (M1.2); nothing else of it is read (MB7). */
  async read(): Promise<TerminalFacts> {
    const terminal = vscode.window.activeTerminal;
    if (terminal === undefined) return { source: "unavailable", reason: "noTerminal" };
    const run = this.last.get(terminal);
    if (run !== undefined && run.endedAt === undefined) return facts(run, { running: true });
    if (run !== undefined) await within(run.drained, DRAIN);
    if (run?.sawStart === true && run.line !== "") return facts(run);
    if (!this.mayUseClipboard()) return { source: "unavailable", reason: vscode.l10n.t("reading needs the clipboard, which a setting forbids") };
    return terminal.shellIntegration === undefined ? this.shown() : this.copied(run);
  }

  private async copied(run: Run | undefined): Promise<TerminalFacts> {
    await sleep((run?.endedAt ?? 0) + SETTLE - Date.now());
    const { line, output } = await this.clipboard.lastCommand();
    if (line.kind === "failed") return { source: "unavailable", reason: line.reason };
    if (line.kind === "nothing" && run === undefined) return { source: "unavailable", reason: "noOutput" };
    const command = line.kind === "text" ? line.text.trimEnd() : "";
    const isItsOutput = output.kind === "text" && (run === undefined || run.line === "" || command === run.line);
    const known = run === undefined ? ({ source: "command" } as const) : facts(run);
    return { ...known, command: run === undefined || run.line === "" ? command : run.line, output: isItsOutput ? output.text : "", rendered: true };
  }

  private async shown(): Promise<TerminalFacts> {
    const copied = await this.clipboard.sincePreviousCommand();
    if (copied.kind === "failed") return { source: "unavailable", reason: copied.reason };
    if (copied.kind === "nothing") return { source: "unavailable", reason: "noOutput" };
    return { source: "screen", text: copied.text };
  }
}

function facts(run: Run, more: { running?: true } = {}): TerminalFacts & { source: "command" } {
  return {
    source: "command",
    command: run.line,
    output: run.output,
    ...(run.exitCode === undefined ? {} : { exitCode: run.exitCode }),
    ...(run.omitted === 0 ? {} : { omittedBytes: run.omitted }),
    ...more,
  };
}

/** Waits for `work`, but no longer than so many milliseconds. */
async function within(work: Promise<void>, milliseconds: number): Promise<void> {
  const late = new AbortController();
  const limit = sleep(milliseconds, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([work, limit]);
  late.abort();
}
