import type { BridgeRequests, ClientNotifications } from "../../vscode-shim/src/generated/api";

type Params<M extends keyof BridgeRequests> = BridgeRequests[M]["params"];
type Result<M extends keyof BridgeRequests> = BridgeRequests[M]["result"];

/** What a host tells the panel by itself (never the bridge). */
export interface HostNotes {
  "host/visible": { visible: boolean };
  "host/focus": object;
  "host/insert": {
    text?: string;
    path?: string;
    range?: { start: number; end: number };
    selection?: { path: string; line: number; endLine: number; text: string };
  };
  "host/run": { command: string };
  "host/locale": { locale: string };
}
type Notes = HostNotes & { [M in keyof ClientNotifications]: ClientNotifications[M]["params"] };
type Listener = (params: never) => void;

/** An answer that says no; `kind` is the stable key of docs/PROTOCOL.md, Errors. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly kind: string,
  ) {
    super(message);
  }
}

interface Waiting {
  message: object;
  resolve: (result: unknown) => void;
  reject: (error: Refused) => void;
}

/** The panel's end of JSON-RPC: requests that wait for their answers, and listeners for what the other side says. */
export class Peer {
  private lastId = 0;
  private isOpen = false;
  private waiting = new Map<number, Waiting>();
  private listeners = new Map<string, Listener>();

  constructor(private readonly post: (message: object) => void) {}

  ask<M extends keyof BridgeRequests>(method: M, params: Params<M>): Promise<Result<M>> {
    const id = ++this.lastId;
    const message = { jsonrpc: "2.0", id, method, params };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { message, resolve: resolve, reject });
      if (this.isOpen) this.post(message);
    });
  }

  tellHost(method: `host/${string}`, params: object = {}): void {
    if (this.isOpen) this.post({ jsonrpc: "2.0", method, params });
  }

  on<M extends keyof Notes>(method: M, listener: (params: Notes[M]) => void): void {
    this.listeners.set(method, listener);
  }

  /** The channel opened: say what waits. Or it was lost: what had been said will never be answered. */
  opened(open: boolean): void {
    const before = this.isOpen;
    this.isOpen = open;
    if (open) {
      this.tellHost("host/ready");
      for (const { message } of this.waiting.values()) this.post(message);
    } else if (before) {
      for (const { reject } of this.waiting.values()) reject(new Refused("connection lost", "disconnected"));
      this.waiting.clear();
    }
  }

  receive(data: unknown): void {
    if (typeof data !== "object" || data === null) return;
    const { id, method, params, result, error } = data as Record<string, unknown>;
    if (typeof method === "string") {
      const listener = this.listeners.get(method) as ((params: unknown) => void) | undefined;
      listener?.(params ?? {});
      return;
    }
    const asked = this.waiting.get(id as number);
    if (!asked) return;
    this.waiting.delete(id as number);
    if (error) asked.reject(refusal(error));
    else asked.resolve(result);
  }
}

const refusal = ({ message, data }: { message?: string; data?: { kind?: string } }): Refused =>
  new Refused(message ?? "", data?.kind ?? "internal");
