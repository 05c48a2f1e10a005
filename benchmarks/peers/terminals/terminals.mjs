// terminals.mjs NAME: JSON lines in, JSON lines out. {file, rounds} measures: {seconds: [CPU seconds of a round]}.
// {data, cols, rows} shows: {text}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import stripAnsi from "strip-ansi";

const require = createRequire(import.meta.url);
const { Terminal } = require("@xterm/headless");
const { Unicode11Addon } = require("@xterm/addon-unicode11");
const CHUNK = 65536;

function trimmed(lines) {
  const shown = lines.map((line) => line.replace(/[ \0]+$/, ""));
  while (shown.at(-1) === "") shown.pop();
  return shown.join("\n");
}

const strip = {
  async show(data) {
    return trimmed(stripAnsi(data.toString("utf8")).split(/\r?\n/));
  },
};

const xterm = {
  async show(data, cols = 80, rows = 24) {
    const term = new Terminal({
      cols, rows, scrollback: 1_000_000, allowProposedApi: true, scrollOnEraseInDisplay: true, logLevel: "off",
    });
    term.loadAddon(new Unicode11Addon());
    term.unicode.activeVersion = "11";
    const text = data.toString("utf8");
    for (let start = 0; start < text.length; start += CHUNK) {
      await new Promise((done) => term.write(text.slice(start, start + CHUNK), done));
    }
    const lines = [];
    for (let y = 0; y < term.buffer.normal.length; y++) {
      const line = term.buffer.normal.getLine(y);
      const next = term.buffer.normal.getLine(y + 1);
      let shown = line.translateToString(!next?.isWrapped);
      const last = line.getCell(cols - 1);
      const gap = next?.isWrapped && next.getCell(0).getWidth() === 2 && !last.getChars() && last.getWidth() === 1;
      if (gap) shown = shown.slice(0, -1);
      if (line.isWrapped && lines.length) lines[lines.length - 1] += shown;
      else lines.push(shown);
    }
    term.dispose();
    return trimmed(lines);
  },
};

const subject = { "strip-ansi": strip, xterm }[process.argv[2]];

async function measure({ file, rounds }) {
  const data = readFileSync(file);
  const seconds = [];
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage();
    await subject.show(data);
    const { user, system } = process.cpuUsage(begin);
    seconds.push((user + system) / 1e6);
  }
  return { seconds };
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const answer = asked.file
    ? await measure(asked)
    : { text: await subject.show(Buffer.from(asked.data, "base64"), asked.cols, asked.rows) };
  console.log(JSON.stringify(answer));
}
