// A user of a client on vscode-languageserver-protocol: asks, sees the document grow by edits, allows a tool, stops,
// renames, resumes, and goes on when the CLI and the daemon are killed; prints JSON. With WB_JOIN it only joins.
import { execFileSync, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  ApplyWorkspaceEditRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExecuteCommandRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  ShowDocumentRequest,
  ShowMessageRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  WorkDoneProgressCreateRequest,
} from "vscode-languageserver-protocol/node.js";
import { TextDocument } from "vscode-languageserver-textdocument";

const { env } = process;
const server = spawn(env.WB_PYTHON, ["-m", "wave_bridge", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const client = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
const documents = new Map();
const news = new EventEmitter().setMaxListeners(0);
const questions = [];
let refused = 0;

function open(uri) {
  if (documents.has(uri)) return;
  const document = TextDocument.create(uri, "markdown", 1, readFileSync(fileURLToPath(uri), "utf8"));
  documents.set(uri, document);
  const textDocument = { uri, languageId: "markdown", version: 1, text: document.getText() };
  client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
}

// Edits count only for the version that they name, and are told back as changes, as in an editor.
client.onRequest(ApplyWorkspaceEditRequest.type, ({ edit }) => {
  for (const { textDocument, edits } of edit.documentChanges) {
    const document = documents.get(textDocument.uri);
    if (textDocument.version !== null && textDocument.version !== document?.version) {
      refused += 1;
      return { applied: false };
    }
    const version = document.version + 1;
    const text = TextDocument.applyEdits(document, edits);
    documents.set(document.uri, TextDocument.update(document, [{ text }], version));
    const told = { textDocument: { uri: document.uri, version }, contentChanges: [{ text }] };
    client.sendNotification(DidChangeTextDocumentNotification.type, told);
  }
  news.emit("news");
  return { applied: true };
});
client.onRequest(ShowDocumentRequest.type, ({ uri }) => (open(uri), { success: true }));
client.onRequest(WorkDoneProgressCreateRequest.type, () => null);
client.onRequest(ShowMessageRequest.type, ({ message, actions }) => {
  questions.push(message);
  return actions.find(({ title }) => title.startsWith("Allow")) ?? null;
});
client.listen();

const run = (command, argument = {}) =>
  client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });

async function until(holds) {
  const late = AbortSignal.timeout(20_000);
  const tick = setInterval(() => news.emit("news"), 100);
  try {
    while (!holds()) await once(news, "news", { signal: late });
    return true;
  } catch {
    return false;
  } finally {
    clearInterval(tick);
  }
}

const text = (uri) => documents.get(uri)?.getText() ?? "";
const idle = (uri, wanted) => until(() => text(uri).includes(wanted) && !text(uri).includes("Wave is working"));
const kill = (what) => execFileSync(env.WB_PYTHON, ["-c", env.WB_KILL], { env: { ...env, WB_KILLED: what } });

const folder = pathToFileURL(process.cwd()).href;
await client.sendRequest(InitializeRequest.type, {
  processId: process.pid,
  rootUri: folder,
  workspaceFolders: [{ uri: folder, name: "work" }],
  capabilities: {
    workspace: { applyEdit: true, executeCommand: {}, workspaceEdit: { documentChanges: true } },
    window: { workDoneProgress: true, showDocument: { support: true } },
  },
});
client.sendNotification(InitializedNotification.type, {});

async function converse() {
  const { sessionId, uri } = await run("wave.ask", { text: env.WB_STREAM });
  const streamed = await idle(uri, env.WB_STREAMED);
  await run("wave.ask", { text: env.WB_TOOL });
  const allowed = (await idle(uri, "Made.")) && existsSync("made.txt");
  await run("wave.ask", { text: env.WB_SLOW });
  await until(() => text(uri).includes("Wave is working"));
  await run("wave.stop");
  const stopped = await idle(uri, "aborted");
  await run("wave.rename", { title: "From Node" });
  const renamed = await until(() => text(uri).includes("# From Node"));
  kill("wave_bridge.embedded");
  await run("wave.ask", { text: 'Again [[{"text": "after the CLI"}]]' });
  const outlivedCli = await idle(uri, "\nafter the CLI");
  kill("daemon");
  const answered = await again('Again [[{"text": "after the daemon"}]]');
  const outlivedDaemon = answered && (await idle(uri, "\nafter the daemon"));
  const resumed = (await run("wave.resume", { sessionId })).uri === uri;
  return { streamed, allowed, stopped, renamed, outlivedCli, outlivedDaemon, resumed, questions: questions.length };
}

// What was asked of the daemon that died is refused at once; the user asks again.
async function again(words) {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      await run("wave.ask", { text: words });
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return false;
}

async function join() {
  const { uri } = await run("wave.resume", { sessionId: env.WB_JOIN });
  return { joined: await idle(uri, env.WB_STREAMED) };
}

const seen = env.WB_JOIN ? await join() : await converse();
console.log(`\nSEEN ${JSON.stringify(seen)}`);
if (refused) console.log(`${refused} edits were for an older version`);
await client.sendRequest(ShutdownRequest.type);
await client.sendNotification(ExitNotification.type);
process.exit(0);
