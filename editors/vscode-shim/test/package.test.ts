/** What is published: the package's files, and that every text is there in both languages. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { pack, PYTHON, ROOT, SHIM } from "./packing";

const LIST = "import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))";
const LARGEST = 1024 * 1024; // bytes, without the panel

const json = (name: string): Record<string, string> => JSON.parse(readFileSync(join(SHIM, name), "utf8")) as Record<string, string>;

void test("the package holds what it should and nothing else", async (context) => {
  const vsix = await pack({ cli: join(ROOT, "tests", "data", "node-cli") });
  const names = execFileSync(PYTHON, ["-c", LIST, vsix], { encoding: "utf8" }).trim().split("\n");
  const inside = names.filter((name) => !name.startsWith("extension/dist/wave-cli/")).sort();
  assert.deepEqual(inside, [
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/LICENSE.txt",
    "extension/changelog.md",
    "extension/dist/extension.js",
    "extension/dist/panel/panel.css",
    "extension/dist/panel/panel.js",
    "extension/l10n/bundle.l10n.zh-cn.json",
    "extension/media/chat.md",
    "extension/media/chat.zh-cn.md",
    "extension/media/host.js",
    "extension/media/icon.png",
    "extension/media/install.md",
    "extension/media/install.zh-cn.md",
    "extension/media/wave.svg",
    "extension/package.json",
    "extension/package.nls.json",
    "extension/package.nls.zh-cn.json",
    "extension/readme.md",
  ]);
  for (const name of ["package.json", "bin/wave-code.js", "dist/bundle/wave.mjs"]) {
    assert.ok(names.includes(`extension/dist/wave-cli/${name}`), `${name} of the CLI`);
  }
  const { size } = statSync(vsix);
  context.diagnostic(`${size} bytes`);
  assert.ok(size < LARGEST, `${size} bytes`);
});

void test("every text of package.json is there, in both languages, and none is left over", () => {
  const [english, chinese] = [json("package.nls.json"), json("package.nls.zh-cn.json")];
  const used = new Set(readFileSync(join(SHIM, "package.json"), "utf8").match(/(?<=")%[\w.]+%(?=")/g)?.map((each) => each.slice(1, -1)));
  assert.deepEqual(Object.keys(english).sort(), [...used].sort());
  assert.deepEqual(Object.keys(chinese), Object.keys(english));
});

void test("every text of the code is translated, and no translation is left over", () => {
  const source = readdirSync(join(SHIM, "src")).filter((name) => name.endsWith(".ts"));
  const calls = source.flatMap((name) => [...readFileSync(join(SHIM, "src", name), "utf8").matchAll(/l10n\.t\(\s*"([^"]+)"/g)]);
  assert.deepEqual([...new Set(calls.map(([, text]) => text))].sort(), Object.keys(json("l10n/bundle.l10n.zh-cn.json")).sort());
});

void test("every command is there, for the palette and for the menus", () => {
  const { contributes } = JSON.parse(readFileSync(join(SHIM, "package.json"), "utf8")) as { contributes: { commands: { command: string }[] } };
  const registered = [...readFileSync(join(SHIM, "src", "extension.ts"), "utf8").matchAll(/command\("(\w+)"/g)].map(([, name]) => `wave.${name ?? ""}`);
  assert.deepEqual(registered.sort(), contributes.commands.map(({ command }) => command).sort());
});
