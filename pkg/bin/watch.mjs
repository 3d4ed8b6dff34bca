/** Builds that go on, `knarr build SITE --watch` without the native command line and `build({ watch: true })`: the pages are looked at again and again. */

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

/** What the build itself writes beside a bundle of one file, or in the folder of its cache. */
const SCRATCH = /(\.knarr-build|\.partial)$|^pages\.(cache|json)$/;

/** What a build ends with where its arguments are wrong, which no change of the files mends. */
export const WRONG_ARGUMENTS = 2;

/**
 * Builds, and builds again after every change, until the process is stopped. A build that fails has told why, and the
 * bundle stays as it was.
 */
export async function watch(args) {
  const options = args.filter((arg) => arg !== "--watch");
  const [, input] = options;
  const refuse = (code, message, exit) => (console.error(`error[${code}]: ${message}`), exit);
  if (input === undefined || input.startsWith("-")) return refuse("INVALID_ARGUMENT", "with --watch, name the folder right after build: npx knarr build SITE --watch", 2);
  if (!existsSync(input)) return refuse("IO", `cannot watch ${input}: it is not there`, 1);
  const changed = await changesOf(input, valueOf("--out", options) ?? valueOf("-o", options) ?? join(input, "search"), valueOf("--site-file", options));
  const code = await build(options);
  if (code === WRONG_ARGUMENTS) return code;
  console.error(`watching ${input} (Ctrl+C stops)`);
  for (;;) {
    await changed();
    const start = performance.now();
    if ((await build(options)) === 0) console.error(`built again in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}

/**
 * A function that returns when the input is another than when it last returned, is there, and has not changed between two
 * looks; `beside` is a file that counts too, wherever it lies. It looks in place of asking the system: a generator removes
 * its folder and writes it anew, which no watch of the system's survives on every platform.
 */
export async function changesOf(input, out, beside) {
  const bundle = await real(out);
  let built = await look(input, bundle, beside);
  return async (signal) => {
    for (let before = built; ; ) {
      const start = performance.now();
      const seen = await look(input, bundle, beside);
      if (seen !== undefined && seen !== built && seen === before) return void (built = seen);
      before = seen;
      await sleep(Math.max(LOOK_MS, SHARE * (performance.now() - start)), undefined, { signal });
    }
  };
}

/** Names, sizes and times of all files as one text; undefined where there are none to be had. */
async function look(input, out, beside) {
  try {
    const root = await realpath(input);
    const told = await stat(root);
    const own = beside === undefined ? "" : lineOf(beside, await stat(beside).catch(() => ({})));
    if (!told.isDirectory()) return `${own}${told.size} ${told.mtimeMs}`;
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => !entry.isDirectory() && !SCRATCH.test(entry.name)).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
    const files = paths.filter((path) => path !== out && !path.startsWith(out + sep)).sort();
    const lines = [own];
    for (const path of files) lines.push(lineOf(path, await stat(path).catch(() => ({}))));
    return lines.join("");
  } catch {
    return undefined; // Its generator is writing it.
  }
}

const lineOf = (path, { size, mtimeMs }) => `${path} ${size} ${mtimeMs}\n`;

/** The value of an option that is given. */
function valueOf(name, options) {
  const at = options.findIndex((option) => option === name || option.startsWith(`${name}=`));
  if (at < 0) return undefined;
  return options[at] === name ? options[at + 1] : options[at].slice(name.length + 1);
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
