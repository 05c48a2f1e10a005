/** A panel as a test drives it: the page of test/page, by way of the browser. */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Frame } from "playwright-core";

import type * as api from "../src/generated/api";

type Json = Record<string, unknown>;
type Params<Name extends keyof api.BridgeRequests> = api.BridgeRequests[Name]["params"];

/** What the page of test/page puts on its window; typed here, for the browser's side has no types. */
interface Wave {
  facts: { panelId: string; placement: string; locale: string; workdir: string; reload?: unknown };
  told: { method: string; params: Json }[];
  request: (method: string, params: unknown) => Promise<unknown>;
  host: (method: string, params: unknown) => void;
}

declare const wave: Wave;
const PATIENCE = 60_000; // milliseconds

export class Probe {
  session = "";

  private constructor(
    private readonly frame: Frame,
    readonly facts: Wave["facts"],
  ) {}

  /** Waits, for so many milliseconds, until the page listens. */
  static async of(frame: Frame, patience = PATIENCE): Promise<Probe> {
    await frame.waitForFunction(() => "wave" in globalThis, undefined, { timeout: patience });
    return new Probe(frame, await frame.evaluate(() => wave.facts));
  }

  async request<Name extends keyof api.BridgeRequests>(method: Name, params: Params<Name>): Promise<api.BridgeRequests[Name]["result"]> {
    return this.frame.evaluate(([name, given]) => wave.request(name, given), [method, params] as const);
  }

  async host(method: string, params: Json): Promise<void> {
    await this.frame.evaluate(([name, given]) => { wave.host(name, given); }, [method, params] as const);
  }

  async told(): Promise<Wave["told"]> {
    return this.frame.evaluate(() => wave.told);
  }

  /** Starts a session. */
  async begin(workdir: string): Promise<void> {
    this.session = (await this.request("wave/session/new", { workdir })).sessionId;
  }

  async turn(text: string): Promise<void> {
    await this.frame.evaluate(() => { wave.told.length = 0; });
    await this.request("wave/turn/start", { sessionId: this.session, clientTurnId: randomUUID(), parts: [{ type: "text", text }] });
  }

  /** Waits for a notification that fits and gives its parameters. */
  async heard(method: string, fits: (params: Json) => boolean = () => true): Promise<Json> {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const told = await this.told();
      const found = told.find((each) => each.method === method && fits(each.params));
      if (found !== undefined) return found.params;
      if (Date.now() > deadline) throw new Error(`${method} never came: ${JSON.stringify(told).slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Gives how many pieces of text came. */
  async pieces(): Promise<number> {
    return (await this.told()).filter((each) => each.method === "wave/session/event" && isPiece(each.params)).length;
  }

  /** Waits until the session does nothing any more. */
  async ended(): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    for (;;) {
      const { state } = await this.request("wave/session/resume", { sessionId: this.session });
      if (!state.loading) return;
      if (Date.now() > deadline) throw new Error("the turn does not end");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Gives the session's messages, as text. */
  async messages(): Promise<string> {
    const { messages } = await this.request("wave/session/snapshot", { sessionId: this.session });
    return JSON.stringify(messages);
  }

  async status(): Promise<api.DaemonStatus> {
    return this.request("wave/daemon/status", {});
  }
}

/** Whether a `wave/session/event` brings a piece of an answer. */
export function isPiece(params: Json): boolean {
  return JSON.stringify(params.event).includes('"chunk"');
}

/** Gives the process of the CLI that a daemon runs. */
export function cliOf(daemon: number): number {
  const children = readFileSync(`/proc/${daemon}/task/${daemon}/children`, "utf8").trim().split(" ").map(Number);
  const found = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--stdio"));
  if (found === undefined) throw new Error(`the daemon ${daemon} runs no CLI`);
  return found;
}
