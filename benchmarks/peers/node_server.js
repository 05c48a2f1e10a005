// The same in Node: readline and JSON.parse on the CLI's side, Content-Length frames on the editor's.
const { spawn } = require("node:child_process");
const readline = require("node:readline");

const [command, ...args] = process.argv.slice(2);
const waiting = new Map();
let agent;
let nextId = 1;

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function startAgent() {
  if (!command) return;
  agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  readline.createInterface({ input: agent.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method) {
      send({ method: "wave/session/event", params: { seq: 1, event: message } });
    } else {
      waiting.get(message.id)(message.result);
      waiting.delete(message.id);
    }
  });
}

function receive({ id, method, params }) {
  if (method === "initialize") send({ id, result: { capabilities: {} } });
  else if (method === "initialized") startAgent();
  else if (method === "bench/local") send({ id, result: { approvals: [] } });
  else if (method === "bench/agent") {
    const agentId = nextId++;
    waiting.set(agentId, (result) => send({ id, result }));
    const request = { id: agentId, method: "getConfiguredModels", params: {}, sessionId: params.sessionId };
    agent.stdin.write(`${JSON.stringify(request)}\n`);
  }
}

let buffer = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, end).toString())[1]);
    if (buffer.length < end + 4 + length) return;
    const body = buffer.subarray(end + 4, end + 4 + length);
    buffer = buffer.subarray(end + 4 + length);
    receive(JSON.parse(body));
  }
});
process.stdin.on("end", () => process.exit(0));
