import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { list, object, string, type Wire } from "../src/state/blocks";
import { Conversation } from "../src/state/conversation";
import { req } from "./req";

const WIRE = new URL("../../../tests/data/wire/", import.meta.url);

/** Reading a recording as the bridge does: each session's notifications, and what `getMessages` says between them. */
function* replay(file: string): Generator<{ line: number; model: Wire[]; told: Wire[]; replayed: boolean }> {
  const sessions = new Map<string, Conversation>();
  const asked = new Map<unknown, string>();
  const replaced = new Set<string>();
  for (const [line, text] of readFileSync(new URL(file, WIRE), "utf8").split("\n").entries()) {
    if (!text) continue;
    const { dir, json } = JSON.parse(text) as { dir: string; json?: Wire };
    if (!json) continue;
    const id = string(json["sessionId"]);
    if (dir === ">") {
      if (json["method"] === "getMessages") asked.set(json["id"], id);
      if (json["method"] === "initialize") replaced.add(string(object(json["params"])["restoreSessionId"]));
      if (["rewindToMessage", "restoreSession", "compact"].includes(string(json["method"]))) replaced.add(id);
    } else if (dir === "<" && "id" in json && asked.has(json["id"])) {
      const session = asked.get(json["id"]) ?? "";
      asked.delete(json["id"]);
      if (!("result" in json)) continue;
      const told = list(object(json["result"])["messages"]);
      const model = sessions.get(session);
      if (model && !replaced.has(session) && !model.stale.peek()) {
        yield { line, model: shown(model), told: told.map(plain), replayed: true };
      }
      const fresh = new Conversation();
      fresh.reset(told);
      yield { line, model: shown(fresh), told: told.map(plain), replayed: false };
      sessions.set(session, fresh);
      replaced.delete(session);
    } else if (dir === "<" && typeof json["method"] === "string" && id) {
      const params = object(json["params"]);
      if (json["method"] === "sessionIdChange") replaced.add(string(params["sessionId"]));
      if (!sessions.has(id)) sessions.set(id, new Conversation());
      sessions.get(id)?.apply(json["method"], params);
    }
  }
}

const UNSHOWN = new Set(["file_history"]);

/** What both sides are compared by: everything that a user sees of a message. */
function plain(message: Wire): Wire {
  const blocks = list(message["blocks"]).filter((block) => !UNSHOWN.has(string(block["type"])));
  return { id: message["id"], role: message["role"], blocks: blocks.map(plainBlock) };
}

function plainBlock(block: Wire): Wire {
  const type = block["type"];
  switch (type) {
    case "tool":
      return {
        type,
        ...{ id: block["id"], name: block["name"], stage: block["stage"], success: block["success"] },
        ...{ parameters: string(block["parameters"]), result: string(block["result"]) },
      };
    case "bang":
      return { type, command: block["command"], output: string(block["output"]), exitCode: block["exitCode"] ?? null };
    case "image":
      return { type, urls: block["imageUrls"] };
    case "task_notification":
      return { type, taskId: block["taskId"], status: block["status"], summary: block["summary"] };
    default:
      return { type, content: string(block["content"]) };
  }
}

function shown(conversation: Conversation): Wire[] {
  return conversation.order.peek().map((message) => ({
    id: message.id,
    role: message.role,
    blocks: message.blocks.peek().map((block) => {
      const { type } = block;
      switch (type) {
        case "text":
        case "reasoning":
          return { type, content: block.text.peek() };
        case "tool": {
          const { name, stage, success } = block.facts.peek();
          const { id, parameters, result } = block;
          return { type, id, name, stage, success, parameters: parameters.peek(), result: result.peek() };
        }
        case "bang":
          return { type, command: block.command, output: block.output.peek(), exitCode: block.state.peek().exitCode };
        case "image":
          return { type, urls: block.urls };
        case "task_notification":
          return { type, taskId: block.taskId, status: block.status, summary: block.summary };
        default:
          return { type, content: block.content };
      }
    }),
  }));
}

describe(`after any recording the model is what getMessages says ${req("T9.2", "T9.3", "T9.4", "T9.5")}`, () => {
  let compared = 0;
  let replays = 0; // the others are snapshots, read back
  for (const file of readdirSync(WIRE).sort()) {
    it(file, () => {
      for (const { line, model, told, replayed } of replay(file)) {
        expect(model, `line ${line + 1}`).toEqual(told);
        compared++;
        if (replayed) replays++;
      }
    });
  }
  it("compares something", () => {
    expect(compared).toBeGreaterThan(30);
    expect(replays).toBeGreaterThanOrEqual(12);
  });
});
