// The same on vscode-jsonrpc, as VS Code's own language servers are: readline towards the CLI, its connection towards
// the editor.
const { spawn } = require("node:child_process");
const readline = require("node:readline");
const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = require("vscode-jsonrpc/node");

const [command, ...args] = process.argv.slice(2);
const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);
const waiting = new Map();
let agent;
let nextId = 1;

connection.onRequest("initialize", () => ({ capabilities: {} }));
connection.onNotification("initialized", () => {
  if (!command) return;
  agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  readline.createInterface({ input: agent.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method) {
      connection.sendNotification("wave/session/event", { seq: 1, event: message });
    } else {
      waiting.get(message.id)(message.result);
      waiting.delete(message.id);
    }
  });
});
connection.onRequest("bench/local", () => ({ approvals: [] }));
connection.onRequest("bench/agent", ({ sessionId }) => {
  const id = nextId++;
  agent.stdin.write(`${JSON.stringify({ id, method: "getConfiguredModels", params: {}, sessionId })}\n`);
  return new Promise((resolve) => waiting.set(id, resolve));
});
connection.onClose(() => process.exit(0));
connection.listen();
