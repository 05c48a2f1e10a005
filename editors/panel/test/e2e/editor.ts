import { spawn, type ChildProcess } from "node:child_process";

type Answer = (params: Record<string, unknown>) => unknown;

/** An editor at `wave-bridge --stdio` that has a terminal and problems, for panels in the browser that it asks for. */
export class Editor {
  readonly asked: string[] = [];
  private readonly child: ChildProcess;
  private buffer = Buffer.alloc(0);
  private waiting = new Map<number, (result: unknown) => void>();
  private lastId = 0;

  constructor(command: string[], env: NodeJS.ProcessEnv, private readonly answers: Record<string, Answer>) {
    const [program = "", ...args] = command;
    this.child = spawn(program, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    this.child.stdout?.on("data", (chunk: Buffer) => { this.read(chunk); });
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = ++this.lastId;
    this.write({ id, method, params });
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  async initialize(): Promise<void> {
    const wave = { version: 1, terminal: true, problems: true, panels: true };
    const capabilities = { experimental: { wave } };
    await this.ask("initialize", { processId: process.pid, rootUri: null, capabilities, locale: "zh-cn" });
    this.write({ method: "initialized", params: {} });
  }

  close(): void {
    this.child.stdin?.end();
  }

  private write(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.child.stdin?.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  private read(chunk: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    for (;;) {
      const head = this.buffer.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(this.buffer.toString("latin1", 0, Math.max(head, 0)))?.[1]);
      if (head < 0 || this.buffer.length < head + 4 + length) return;
      const body = this.buffer.toString("utf8", head + 4, head + 4 + length);
      this.buffer = this.buffer.subarray(head + 4 + length);
      this.take(JSON.parse(body) as { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown });
    }
  }

  private take({ id, method, params, result }: { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown }): void {
    if (method === undefined && id !== undefined) {
      this.waiting.get(id)?.(result);
      this.waiting.delete(id);
    } else if (method !== undefined && id !== undefined) {
      this.asked.push(method);
      this.write({ id, result: this.answers[method]?.(params ?? {}) ?? null });
    }
  }
}
