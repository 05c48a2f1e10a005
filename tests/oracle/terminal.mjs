// What a user sees, by the terminal that VS Code shows: a JSON line {data, cols, rows} in, {lines, alternate} out.
// With --widths: the cells of every printable code point from U+00A0 on, as [first, last, width] of those not 1.
import { createRequire } from "node:module";
import { StringDecoder } from "node:string_decoder";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const { Terminal } = require("@xterm/headless");
const { Unicode11Addon } = require("@xterm/addon-unicode11");

function terminal(cols, rows) {
  const term = new Terminal({
    cols, rows, scrollback: 1_000_000, allowProposedApi: true, scrollOnEraseInDisplay: true, logLevel: "off",
  });
  term.loadAddon(new Unicode11Addon());
  term.unicode.activeVersion = "11";
  return term;
}

// Bytes become a string first, as a pseudo-terminal library hands them on: bad UTF-8 shows as U+FFFD.
function decode(base64) {
  const decoder = new StringDecoder("utf8");
  return decoder.write(Buffer.from(base64, "base64")) + decoder.end();
}

// The cells of a row that goes on, but for the empty one into which a wide character did not fit.
function fullText(line, next, cols) {
  const text = line.translateToString(false);
  const last = line.getCell(cols - 1);
  const gap = next.getCell(0).getWidth() === 2 && last.getChars() === "" && last.getWidth() === 1;
  return gap ? text.slice(0, -1) : text;
}

function joinedLines(buffer, cols) {
  const lines = [];
  for (let i = 0; i < buffer.length; i++) {
    const line = buffer.getLine(i);
    const next = buffer.getLine(i + 1);
    const text = next?.isWrapped ? fullText(line, next, cols) : line.translateToString(true);
    if (line.isWrapped && lines.length) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  const trimmed = lines.map((line) => line.replace(/[ \0]+$/, ""));
  while (trimmed.at(-1) === "") trimmed.pop();
  return trimmed;
}

let failed = () => {};
process.on("uncaughtException", (error) => failed(error));

async function show({ data, cols, rows }) {
  const term = terminal(cols, rows);
  await new Promise((done, fail) => {
    failed = fail;
    term.write(decode(data), done);
  });
  const answer = { lines: joinedLines(term.buffer.normal, term.cols), alternate: term.buffer.active.type === "alternate" };
  term.dispose();
  return answer;
}

async function widths() {
  const term = terminal(80, 24);
  const ranges = [];
  for (let code = 0xa0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const width = term._core.unicodeService.wcwidth(code);
    const last = ranges.at(-1);
    if (width === 1) continue;
    if (last && last[1] === code - 1 && last[2] === width) last[1] = code;
    else ranges.push([code, code, width]);
  }
  return ranges;
}

if (process.argv[2] === "--widths") {
  console.log(JSON.stringify(await widths()));
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = await show(JSON.parse(line)).catch((error) => ({ error: String(error) }));
    console.log(JSON.stringify(answer));
  }
}
