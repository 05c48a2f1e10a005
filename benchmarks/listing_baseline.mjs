// The rule by which sessions are listed without a store: one file after another, each opened for its last line, for
// its header and for its first message, no cache. Prints {"count", "ms"}: ms is the listing alone, without start-up.
import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

const NAME = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/;
const BLOCK = 4096;
const HEAD_LINES = 10;

async function lastLine(path) {
  const file = await open(path, "r");
  try {
    let position = (await file.stat()).size;
    let text = Buffer.alloc(0);
    while (position > 0) {
      const length = Math.min(BLOCK, position);
      position -= length;
      const block = Buffer.alloc(length);
      await file.read(block, 0, length, position);
      text = Buffer.concat([block, text]);
      const trimmed = text.toString("utf8").trimEnd();
      const cut = trimmed.lastIndexOf("\n");
      if (cut >= 0) return trimmed.slice(cut + 1);
    }
    return text.toString("utf8").trim();
  } finally {
    await file.close();
  }
}

async function firstLines(path, count) {
  const lines = [];
  const stream = createReadStream(path, { encoding: "utf8" });
  const reader = createInterface({ input: stream, crlfDelay: Infinity });
  for await (const line of reader) {
    if (line.trim()) lines.push(line);
    if (lines.length === count) break;
  }
  reader.close();
  stream.destroy();
  return lines;
}

async function header(path) {
  const [line] = await firstLines(path, 1);
  const value = line ? JSON.parse(line) : {};
  return value.type === "metadata" ? value : {};
}

async function firstMessage(path) {
  for (const line of await firstLines(path, HEAD_LINES)) {
    const message = JSON.parse(line);
    if (message.type === "metadata" || message.isMeta || !message.blocks) continue;
    const text = message.blocks.find((block) => block.type === "text");
    if (text) return text.content;
  }
  return undefined;
}

async function list(folder, workdir) {
  const sessions = [];
  for (const name of await readdir(folder)) {
    const id = NAME.exec(name)?.[1];
    if (!id) continue;
    const path = join(folder, name);
    const last = JSON.parse(await lastLine(path));
    const lastActiveAt = last.timestamp ?? (await stat(path)).mtime.toISOString();
    const { createdAt, gitBranch } = await header(path);
    sessions.push({
      id, workdir, createdAt, lastActiveAt, branch: gitBranch,
      latestTotalTokens: last.usage?.total_tokens ?? 0,
      firstMessage: await firstMessage(path),
    });
  }
  return sessions.sort((a, b) => new Date(b.lastActiveAt) - new Date(a.lastActiveAt));
}

const began = performance.now();
const sessions = await list(process.argv[2], "/w");
process.stdout.write(JSON.stringify({ count: sessions.length, ms: performance.now() - began }));
