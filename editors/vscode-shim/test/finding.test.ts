/** The order in which the daemon is looked for; the machine is made up, the rules are real. */

import assert from "node:assert/strict";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { findLauncher, machine, NotFound, type Probes, type Wishes } from "../src/finding";

const NOTHING: Wishes = { path: [], interpreters: [], bundled: "/ext/dist/bridge", allowUvx: false, version: "1.2.3" };

function probes(has: { files?: string[]; programs?: string[]; imports?: string[] }): Probes {
  const on = (program: string): string | undefined => (has.programs?.includes(program) ? `/bin/${program}` : undefined);
  return {
    exists: (file) => Promise.resolve(has.files?.includes(file) ?? false),
    onPath: (program) => Promise.resolve(on(program)),
    imports: (interpreter, folder) => Promise.resolve(has.imports?.includes(folder === undefined ? interpreter : `${interpreter} ${folder}`) ?? false),
  };
}

const everything = probes({
  files: ["/opt/bridge", "/ext/dist/bridge"],
  programs: ["wave-bridge", "uvx", "python3"],
  imports: ["/venv/python", "/bin/python3 /ext/dist/bridge"],
});

void test("the setting wins over everything, with its arguments", async () => {
  const wishes = { ...NOTHING, path: ["/opt/bridge", "--log-level=DEBUG"], interpreters: ["/venv/python"], allowUvx: true };
  assert.deepEqual(await findLauncher(wishes, everything), { rule: "setting", command: "/opt/bridge", args: ["--log-level=DEBUG"] });
});

void test("a setting that names nothing is said, not passed over", async () => {
  await assert.rejects(findLauncher({ ...NOTHING, path: ["/no/such"] }, everything), (fault: unknown) => {
    assert.ok(fault instanceof NotFound);
    assert.match(fault.message, /\/no\/such/);
    return true;
  });
});

void test("then a bundled copy, run by the first interpreter that can", async () => {
  assert.deepEqual(await findLauncher({ ...NOTHING, interpreters: ["/old/python"] }, everything), {
    rule: "bundled",
    command: "/bin/python3",
    args: ["-m", "wave_bridge"],
    env: { PYTHONPATH: "/ext/dist/bridge" },
  });
});

void test("then an interpreter that imports it, then PATH, then uvx where it is allowed", async () => {
  const wishes = { ...NOTHING, interpreters: ["/old/python", "/venv/python"], allowUvx: true };
  const without = (gone: string[]): Probes =>
    probes({ programs: ["wave-bridge", "uvx"].filter((each) => !gone.includes(each)), imports: gone.includes("imports") ? [] : ["/venv/python"] });
  assert.equal((await findLauncher(wishes, without([]))).command, "/venv/python");
  assert.equal((await findLauncher(wishes, without(["imports"]))).command, "/bin/wave-bridge");
  assert.deepEqual(await findLauncher(wishes, without(["imports", "wave-bridge"])), { rule: "uvx", command: "/bin/uvx", args: ["wave-bridge@1.2.3"] });
});

void test("nothing found says all that was tried", async () => {
  await assert.rejects(findLauncher({ ...NOTHING, interpreters: ["/old/python"] }, probes({ programs: ["uvx"] })), (fault: unknown) => {
    assert.ok(fault instanceof NotFound);
    assert.deepEqual(
      fault.message.split("\n").map((line) => line.split(":")[0]),
      ["interpreter", "path", "uvx"],
    );
    return true;
  });
});

void test("the real machine: PATH is searched for what can be run, imports are tried", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wave-finding-"));
  const before = process.env.PATH;
  process.env.PATH = `${folder}:relative:${before ?? ""}`;
  try {
    await writeFile(join(folder, "wave-probe"), "#!/bin/sh\n");
    assert.equal(await machine.onPath("wave-probe"), undefined, "not executable");
    await chmod(join(folder, "wave-probe"), 0o755);
    assert.equal(await machine.onPath("wave-probe"), join(folder, "wave-probe"));
    assert.equal(await machine.imports(join(folder, "no-such-python")), false);
    const python = join(__dirname, "..", "..", "..", ".venv", "bin", "python");
    assert.equal(await machine.imports(python), true);
  } finally {
    process.env.PATH = before;
  }
});
