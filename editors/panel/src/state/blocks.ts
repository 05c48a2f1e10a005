import { signal, type Signal } from "@preact/signals";
import { GrowingText } from "./text";

/** What the wire says of a block or an update of one; members are the CLI's own and may all be missing. */
export type Wire = Record<string, unknown>;

export type ToolStage = "start" | "streaming" | "running" | "end";

/** The facts of a tool call that change as it runs, whole for each update. */
export interface ToolFacts {
  name: string;
  stage: ToolStage;
  summary: string;
  shortResult: string;
  success: boolean | undefined;
  error: string;
  exitCode: number | undefined;
  startLine: number | undefined;
  backgroundTaskId: string | undefined;
  images: Wire[];
}

export interface TextBlock {
  type: "text" | "reasoning";
  text: GrowingText;
  streaming: Signal<boolean>;
  startTime: number | undefined;
  endTime: Signal<number | undefined>;
  expansion: string | undefined;
}
export interface ToolBlock {
  type: "tool";
  id: string;
  facts: Signal<ToolFacts>;
  parameters: GrowingText;
  result: GrowingText;
}
export interface BangBlock {
  type: "bang";
  command: string;
  output: GrowingText;
  state: Signal<{ running: boolean; exitCode: number | null }>;
}
export interface ImageBlock {
  type: "image";
  urls: string[];
}
export interface PlainBlock {
  type: "error" | "compact";
  content: string;
}
export interface NoticeBlock {
  type: "task_notification";
  taskId: string;
  taskType: string;
  status: string;
  summary: string;
  result: string;
}
export type Block = TextBlock | ToolBlock | BangBlock | ImageBlock | PlainBlock | NoticeBlock;

export const string = (value: unknown): string => (typeof value === "string" ? value : "");
export const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
export const list = (value: unknown): Wire[] => (Array.isArray(value) ? (value as Wire[]) : []);
export const object = (value: unknown): Wire => (typeof value === "object" && value !== null ? (value as Wire) : {});

/** Make a block of a whole one from the wire; undefined for what is not for display. */
export function blockFrom(wire: Wire): Block | undefined {
  switch (wire["type"]) {
    case "text":
    case "reasoning":
      return textBlock(wire["type"], wire);
    case "tool":
      return toolBlock(wire);
    case "bang":
      return bangBlock(wire);
    case "image":
      return { type: "image", urls: list(wire["imageUrls"]).map(String) };
    case "error":
    case "compact":
      return { type: wire["type"], content: string(wire["content"]) };
    case "task_notification":
      return {
        type: "task_notification",
        taskId: string(wire["taskId"]),
        taskType: string(wire["taskType"]),
        status: string(wire["status"]),
        summary: string(wire["summary"]),
        result: string(wire["result"]),
      };
    default:
      return undefined;
  }
}

export function textBlock(type: "text" | "reasoning", wire: Wire): TextBlock {
  const expansion = string(wire["customCommandContent"]);
  return {
    type,
    text: new GrowingText(string(wire["content"])),
    streaming: signal(wire["stage"] === "streaming"),
    startTime: number(wire["startTime"]),
    endTime: signal(number(wire["endTime"])),
    expansion: expansion || undefined,
  };
}

export function bangBlock(wire: Wire): BangBlock {
  return {
    type: "bang",
    command: string(wire["command"]),
    output: new GrowingText(string(wire["output"])),
    state: signal({ running: wire["stage"] === "running", exitCode: number(wire["exitCode"]) ?? null }),
  };
}

export function toolBlock(wire: Wire): ToolBlock {
  const block: ToolBlock = {
    type: "tool",
    id: string(wire["id"]),
    facts: signal({
      name: string(wire["name"]),
      stage: "start",
      summary: "",
      shortResult: "",
      success: undefined,
      error: "",
      exitCode: undefined,
      startLine: undefined,
      backgroundTaskId: undefined,
      images: [],
    }),
    parameters: new GrowingText(),
    result: new GrowingText(),
  };
  updateTool(block, wire);
  return block;
}

/** Apply an update: full `parameters` win over a piece, which may be a stale one (wire.md 9.3). */
export function updateTool(block: ToolBlock, wire: Wire): void {
  if (typeof wire["parameters"] === "string" && (wire["parameters"] || wire["stage"] === "start")) {
    block.parameters.replace(wire["parameters"]);
  } else {
    block.parameters.append(string(wire["parametersChunk"]));
  }
  if (typeof wire["result"] === "string" && wire["result"] !== block.result.peek()) block.result.replace(wire["result"]);
  const facts = block.facts.peek();
  block.facts.value = {
    name: string(wire["name"]) || facts.name,
    stage: typeof wire["stage"] === "string" ? (wire["stage"] as ToolStage) : facts.stage,
    summary: string(wire["compactParams"]) || facts.summary,
    shortResult: string(wire["shortResult"]) || facts.shortResult,
    success: typeof wire["success"] === "boolean" ? wire["success"] : facts.success,
    error: string(wire["error"]) || facts.error,
    exitCode: number(wire["exitCode"]) ?? facts.exitCode,
    startLine: number(wire["startLineNumber"]) ?? facts.startLine,
    backgroundTaskId: string(wire["backgroundTaskId"]) || facts.backgroundTaskId,
    images: Array.isArray(wire["images"]) ? list(wire["images"]) : facts.images,
  };
}
