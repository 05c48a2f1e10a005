// Just enough of the CLI's protocol for a bridge, and facts about the process for the tests (`getAuthStatus`).
// Dependencies are resolved upward from this file, at each use (TB4).
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");

function resolved(name) {
  try {
    return createRequire(import.meta.url)(name).answer;
  } catch (fault) {
    return fault.code;
  }
}

const facts = () => ({
  pid: process.pid,
  argv: process.argv,
  execPath: process.execPath,
  version: process.version,
  bundle: import.meta.url,
  environment: process.env,
  dependency: resolved("@vscode/ripgrep"),
});

const answers = {
  listDaemonSessions: () => ({ sessions: [] }),
  initialize: ({ workdir, restoreSessionId }) => ({
    sessionId: restoreSessionId ?? randomUUID(),
    workingDirectory: workdir ?? process.cwd(),
    permissionMode: "default",
    models: [],
  }),
  getMessages: () => ({ messages: [] }),
  getAuthStatus: facts,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line);
  if (id !== undefined) {
    say({ id, result: answers[method]?.(params) ?? null });
  }
}
