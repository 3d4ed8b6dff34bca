/** `knarr build SITE --watch` without the native command line: looks at the pages again and again, and builds when they changed. */

import { spawn } from "node:child_process";
import { readdir, realpath, stat } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("knarr.mjs", import.meta.url));

/** Milliseconds between two looks; more where a look takes long, so that looking is a twentieth of a core at most. */
const LOOK_MS = 400;
const SHARE = 20;

/** What the build itself writes beside a bundle of one file. */
const SCRATCH = /(\.knarr-build|\.partial)$/;

/**
 * Builds, and builds again after every change, until the process is stopped. It looks in place of asking the system: a
 * generator removes its folder and writes it anew, which no watch of the system's survives on every platform.
 */
export async function watch(args) {
  const options = args.filter((arg) => arg !== "--watch");
  const [, input] = options;
  const refuse = (code, message, exit) => (console.error(`error[${code}]: ${message}`), exit);
  if (input === undefined || input.startsWith("-")) return refuse("INVALID_ARGUMENT", "with --watch, name the folder right after build: npx knarr build SITE --watch", 2);
  if (!existsSync(input)) return refuse("IO", `cannot watch ${input}: it is not there`, 1);
  const out = await real(outOf(options) ?? join(input, "search"));
  let built = await look(input, out);
  const code = await build(options);
  if (code !== 0) return code;
  console.error(`watching ${input} (Ctrl+C stops)`);
  for (;;) {
    const seen = await settled(input, out, built);
    const start = performance.now();
    built = seen;
    // A build that fails has told why, and the bundle stays as it was.
    if ((await build(options)) === 0) console.error(`built again in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}

/** Returns when the input is another than it was, is there, and has not changed between two looks. */
async function settled(input, out, built) {
  for (let before = built; ; ) {
    const start = performance.now();
    const seen = await look(input, out);
    if (seen !== undefined && seen !== built && seen === before) return seen;
    before = seen;
    await sleep(Math.max(LOOK_MS, SHARE * (performance.now() - start)));
  }
}

/** Names, sizes and times of all files as one text; undefined where there are none to be had. */
async function look(input, out) {
  try {
    const root = await realpath(input);
    const told = await stat(root);
    if (!told.isDirectory()) return `${told.size} ${told.mtimeMs}`;
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => !entry.isDirectory() && !SCRATCH.test(entry.name)).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
    const files = paths.filter((path) => path !== out && !path.startsWith(out + sep)).sort();
    const lines = [];
    for (const path of files) {
      const { size, mtimeMs } = await stat(path).catch(() => ({}));
      lines.push(`${path} ${size} ${mtimeMs}`);
    }
    return lines.join("\n");
  } catch {
    return undefined; // Its generator is writing it.
  }
}

/** The bundle that a line names. */
function outOf(options) {
  const at = options.findIndex((option) => option === "--out" || option.startsWith("--out="));
  if (at < 0) return undefined;
  return options[at] === "--out" ? options[at + 1] : options[at].slice("--out=".length);
}

/** The path as the look finds it; the bundle may not be there yet, or its folder. */
async function real(path) {
  const whole = resolve(path);
  const parent = join(whole, "..");
  return realpath(whole).catch(async () => join(await realpath(parent).catch(() => parent), whole.slice(parent.length)));
}

/** In a process of its own, whose memory ends with it. */
function build(options) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [COMMAND, ...options], { stdio: "inherit" });
    child.on("error", () => done(1));
    child.on("close", (code) => done(code ?? 1));
  });
}
