import { diffLines } from "diff";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { disarm } from "../markdown";
import { host, openFile } from "../panel";
import { object, string, type ToolBlock, type Wire } from "../state/blocks";
import { text } from "../texts";

/** A tool call, a user's shell command among them (`unfolded`): its name, what it is about, how it stands, and, unfolded, what went in and came out. */
export function Tool({ block, unfolded }: { block: ToolBlock; unfolded: boolean }): JSX.Element {
  const facts = block.facts.value;
  const given = parsed(block.parameters.read());
  const path = string(given["file_path"]);
  const state = facts.stage !== "end" ? "running" : facts.success === false ? "failed" : "done";
  const edits = facts.name === "Edit" || facts.name === "Write";
  return (
    <details class={`tool tool-${state}`} open={unfolded || (edits && state !== "failed")}>
      <summary>
        <span class="dot" role="img" aria-label={state} />
        <strong>{facts.name}</strong>
        <span class="tool-summary" title={disarm(facts.summary)}>{disarm(facts.summary)}</span>
      </summary>
      {path && host.editor && (
        <button type="button" class="link" onClick={() => { openFile(path, facts.startLine); }}>{disarm(path)}</button>
      )}
      <Input name={facts.name} given={given} />
      <Output block={block} short={facts.shortResult} />
    </details>
  );
}

function Output({ block, short }: { block: ToolBlock; short: string }): JSX.Element | null {
  const result = block.result.read() || short;
  return result ? <pre class="output" tabIndex={0}>{disarm(result)}</pre> : null;
}

/** What a tool is asked to do, in the form that fits it: a diff, a command, else its members. */
export function Input({ name, given }: { name: string; given: Wire }): JSX.Element | null {
  if (name === "Edit") return <Diff before={string(given["old_string"])} after={string(given["new_string"])} />;
  if (name === "Write") return <Diff before="" after={string(given["content"])} />;
  if (name === "Bash") return <pre class="command" tabIndex={0}>{disarm(string(given["command"]))}</pre>;
  const members = Object.entries(given).filter(([, value]) => typeof value !== "object");
  if (!members.length) return null;
  return (
    <dl class="members">
      {members.map(([key, value]) => [<dt key={key}>{key}</dt>, <dd key={`${key}=`}>{disarm(String(value))}</dd>])}
    </dl>
  );
}

const LONGEST_DIFF = 200_000; // characters; longer texts stand as they are

function Diff({ before, after }: { before: string; after: string }): JSX.Element {
  const parts = useMemo(
    () => (before.length + after.length > LONGEST_DIFF ? [{ value: after, added: true, removed: false }] : diffLines(before, after)),
    [before, after],
  );
  return (
    <pre class="diff" tabIndex={0}>
      {parts.flatMap((part, at) =>
        part.value.replace(/\n$/, "").split("\n").map((line, row) => (
          <span key={`${at}.${row}`} class={part.added ? "added" : part.removed ? "removed" : "same"}>
            {`${part.added ? "+" : part.removed ? "−" : " "} ${disarm(line)}\n`}
          </span>
        )),
      )}
    </pre>
  );
}

/** The parameters as far as they can be read: they may be cut (wire.md 9.3). */
function parsed(parameters: string): Wire {
  try {
    return object(JSON.parse(parameters));
  } catch {
    return {};
  }
}

export const exitText = (code: number | null): string => (code === null ? "" : text("exitCode", code));
