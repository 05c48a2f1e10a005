/**
 * Reading the terminal by way of the clipboard, which is what it was before when this is done (MB1).
 *
 * A sentinel tells "nothing was copied" from an empty text. Only text can be restored: an image is lost, so this is used
 * only when the user has asked for the terminal, and a setting forbids it.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";

const CALL_TIME = 2000; // milliseconds; without permission a browser's clipboard answers never
const COPY_TIME = 300;
const LOOK_AGAIN = 10;
const BETWEEN_READINGS = 50;
const MOST_READINGS = 6;

export type Rendered = { kind: "text"; text: string } | { kind: "nothing" } | { kind: "failed"; reason: string };

export interface LastCommand {
  line: Rendered;
  output: Rendered;
}

export class Clipboard {
  private queue: Promise<unknown> = Promise.resolve();

  /**
   * Gives the last command's line and what it printed; "nothing" for no output. Two commands: each is exact.
   *
   * Until the mark of the next prompt has been read the prompt is copied as output, so two readings must agree.
   */
  lastCommand(): Promise<LastCommand> {
    return this.borrow(async () => {
      let before = await lastCommand();
      for (let tries = 1; tries < MOST_READINGS; tries++) {
        await sleep(BETWEEN_READINGS);
        const now = await lastCommand();
        if (isDeepStrictEqual(now, before)) break;
        before = now;
      }
      return before;
    });
  }

  /** Gives what is shown since the previous command, prompts included; clears the selection that this makes. */
  sincePreviousCommand(): Promise<Rendered> {
    return this.borrow(() =>
      copied([
        "workbench.action.terminal.selectToPreviousCommand",
        "workbench.action.terminal.copySelection",
        "workbench.action.terminal.clearSelection",
      ]),
    );
  }

  /** One borrower at a time: two would restore each other's sentinels. */
  private borrow<T>(use: () => Promise<T>): Promise<T> {
    const turn = this.queue.then(use);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}

async function lastCommand(): Promise<LastCommand> {
  return {
    line: await copied(["workbench.action.terminal.copyLastCommand"]),
    output: await copied(["workbench.action.terminal.copyLastCommandOutput"]),
  };
}

async function copied(commands: string[]): Promise<Rendered> {
  try {
    const before = await timely(vscode.env.clipboard.readText());
    const sentinel = `wave-${randomUUID()}`;
    await timely(vscode.env.clipboard.writeText(sentinel));
    try {
      for (const command of commands) await timely(vscode.commands.executeCommand(command));
      return await changed(sentinel);
    } finally {
      await timely(vscode.env.clipboard.writeText(before));
    }
  } catch (fault) {
    return { kind: "failed", reason: fault instanceof Error ? fault.message : String(fault) };
  }
}

async function changed(sentinel: string): Promise<Rendered> {
  const deadline = Date.now() + COPY_TIME;
  for (;;) {
    const text = await timely(vscode.env.clipboard.readText());
    if (text !== sentinel) return text.trim() === "" ? { kind: "nothing" } : { kind: "text", text };
    if (Date.now() > deadline) return { kind: "nothing" };
    await sleep(LOOK_AGAIN);
  }
}

function timely<T>(work: Thenable<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error(vscode.l10n.t("the clipboard does not answer")));
    }, CALL_TIME);
    work.then(resolve, reject).then(
      () => {
        clearTimeout(late);
      },
      () => {
        clearTimeout(late);
      },
    );
  });
}
