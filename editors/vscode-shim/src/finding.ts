/**
 * Finding the daemon's program, by rules in a fixed order; the first that holds wins.
 *
 * Only `Probes` touches the machine, so that the order itself is tested as a plain function.
 */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as path from "node:path";

const PROBE_TIME = 10_000; // milliseconds; an interpreter on a cold disk takes long

/** What starts the daemon's door: the program, its arguments before `--stdio`, and the rule that found it. */
export interface Launcher {
  rule: "setting" | "bundled" | "interpreter" | "path" | "uvx";
  command: string;
  args: string[];
  env?: Record<string, string>;
}

export interface Wishes {
  /** `wave.path`: a program and its arguments. */
  path: string[];
  /** `wave.interpreter`, else the one that the Python extension has chosen. */
  interpreters: string[];
  /** The folder of a copy of the bridge inside the extension, if the package was built with one. */
  bundled: string;
  allowUvx: boolean;
  /** The version that `uvx` may fetch. */
  version: string;
}

/** What can be asked of the machine. */
export interface Probes {
  exists: (file: string) => Promise<boolean>;
  onPath: (program: string) => Promise<string | undefined>;
  /** Whether the interpreter is new enough and imports the bridge, from `folder` where that is given. */
  imports: (interpreter: string, folder?: string) => Promise<boolean>;
}

export class NotFound extends Error {}

/** Gives the launcher, or throws NotFound with what was tried, a line each. */
export async function findLauncher(wishes: Wishes, probes: Probes): Promise<Launcher> {
  const tried: string[] = [];
  const [program, ...args] = wishes.path;
  if (program !== undefined) {
    const command = path.isAbsolute(program) ? program : await probes.onPath(program);
    if (command !== undefined && (await probes.exists(command))) return { rule: "setting", command, args };
    // What the user has named is never silently replaced by something else.
    throw new NotFound(`wave.path: there is no program ${program}`);
  }
  const interpreters = [...wishes.interpreters, ...(await present(probes, ["python3", "python"]))];
  if (await probes.exists(wishes.bundled)) {
    for (const command of interpreters) {
      if (await probes.imports(command, wishes.bundled)) {
        return { rule: "bundled", command, args: ["-m", "wave_bridge"], env: { PYTHONPATH: wishes.bundled } };
      }
      tried.push(`bundled: ${command} does not run the bridge in ${wishes.bundled}`);
    }
  }
  for (const command of wishes.interpreters) {
    if (await probes.imports(command)) return { rule: "interpreter", command, args: ["-m", "wave_bridge"] };
    tried.push(`interpreter: ${command} does not import wave_bridge`);
  }
  const command = await probes.onPath("wave-bridge");
  if (command !== undefined) return { rule: "path", command, args: [] };
  tried.push("path: no wave-bridge on PATH");
  const uvx = await probes.onPath("uvx");
  if (uvx !== undefined && wishes.allowUvx) {
    return { rule: "uvx", command: uvx, args: [`wave-bridge@${wishes.version}`] };
  }
  tried.push(uvx === undefined ? "uvx: not on PATH" : "uvx: there, but wave.allowUvx is off");
  throw new NotFound(tried.join("\n"));
}

async function present({ onPath }: Probes, programs: string[]): Promise<string[]> {
  const found = await Promise.all(programs.map(async (program) => onPath(program)));
  return found.filter((program) => program !== undefined);
}

/** The machine that the extension runs on. */
export const machine: Probes = {
  exists: async (file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  onPath: async (program) => {
    const endings = process.platform === "win32" ? (process.env.PATHEXT ?? ".EXE").split(";") : [""];
    for (const folder of (process.env.PATH ?? "").split(path.delimiter).filter((each) => path.isAbsolute(each))) {
      for (const ending of endings) {
        const file = path.join(folder, program + ending);
        if (await isExecutable(file)) return file;
      }
    }
    return undefined;
  },
  imports: async (interpreter, folder) => {
    const env = folder === undefined ? process.env : { ...process.env, PYTHONPATH: folder };
    const code = "import sys, wave_bridge; sys.exit(sys.version_info < (3, 11))";
    return new Promise((resolve) => {
      execFile(interpreter, ["-c", code], { env, timeout: PROBE_TIME }, (error) => {
        resolve(error === null);
      });
    });
  },
};

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
