#!/usr/bin/env node
// The entry of a CLI that tests bundle, made like the real one: it answers -v by itself, else its bundle runs.
import { readFileSync } from "node:fs";

if (process.argv.includes("-v")) {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  console.log(manifest.version);
} else {
  await import("../dist/bundle/wave.mjs");
}
