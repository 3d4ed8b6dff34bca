/** `import { build } from "knarr/build"`: the indexer for programs, in a process of its own. */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KnarrError } from "../dist/errors.js";
import { attributesOf } from "./attributes.mjs";
import { copyElement } from "./init.mjs";
import { putIntoPages, told } from "./pages.mjs";
import { outside } from "./paths.mjs";
import { changesOf, WRONG_ARGUMENTS } from "./watch.mjs";

const COMMAND = fileURLToPath(new URL("knarr.mjs", import.meta.url));

/** `maxFileBytes: 5` is `--max-file-bytes 5`; true is a flag alone, a list repeats it. What begins with a hyphen would be one by itself. */
function flags(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = flagOf(name);
    if (value === undefined || value === null || value === false) return [];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => (one === true ? [flag] : String(one).startsWith("-") ? [`${flag}=${one}`] : [flag, String(one)]));
  });
}

const flagOf = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")}`;

/** What the command prints in place of building. */
const PRINTING = ["help", "version"];

/** Builds a bundle, or with `watch` again and again. See build.d.ts. */
export async function build({ watch = false, onBuild, ...options } = {}) {
  if (typeof options.input !== "string") throw new KnarrError("INVALID_ARGUMENT", "input is not a path: name the folder of the built site");
  const other = PRINTING.find((name) => options[name]);
  if (other) throw new KnarrError("INVALID_ARGUMENT", `build has no option \`${other}\`: the command prints that (npx knarr build --${other})`);
  if (watch) return keepBuilding(options, onBuild);
  const { report, error } = await once(options);
  if (error) throw error;
  return report;
}

/** Builds until it works, which the promise is about, and then after every change until `signal` says stop. */
async function keepBuilding(options, onBuild) {
  const { input, out = join(input, "search"), siteFile, signal } = options;
  if (!existsSync(input)) throw new KnarrError("IO", `cannot watch ${input}: it is not there`);
  const changed = await changesOf(input, out, siteFile);
  // `error` where nothing more is to be built, as after the exit code `last`.
  const attempt = async (last) => {
    const { code, report, error } = await once(options);
    if (signal?.aborted) return { error: ABORTED(signal) };
    if (code === undefined || code === last) return { error };
    onBuild?.(error ? { error } : { report });
    return { report };
  };
  const next = () => changed(signal).then(() => attempt(), () => ({ error: ABORTED(signal) }));
  let { report, error } = await attempt(WRONG_ARGUMENTS);
  while (!report && !error) ({ report, error } = await next());
  if (error) throw error;
  const goOn = async () => {
    while (!(await next()).error);
  };
  goOn();
  return report;
}

const ABORTED = (signal) =>
  signal?.reason?.name === "TimeoutError" ? new KnarrError("DEADLINE_EXCEEDED", "the build was stopped: its time is over") : new KnarrError("ABORTED", "the build was stopped");

/** Runs the command once: what it built or why it failed, with its exit code; without one where it did not come to its end. */
async function once({ input, onProgress, signal, ...options }) {
  const args = [COMMAND, "build", input, "--json", ...flags(options)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], signal });
  let out = "";
  let line = "";
  const told = [];
  let thrown;
  const tell = (text) => {
    try {
      if (!thrown) onProgress?.(text);
    } catch (error) {
      thrown = error;
      child.kill(); // An error of the caller's is the caller's answer.
    }
  };
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => {
    const lines = (line + text).split("\n");
    line = lines.pop();
    for (const one of lines) {
      told.push(one);
      tell(one);
    }
  });
  const { code, error } = await new Promise((done) => {
    child.on("error", (error) => done({ error: error.name === "AbortError" ? ABORTED(signal) : error }));
    child.on("close", (code) => done({ code }));
  });
  if (thrown ?? error) return { error: thrown ?? error };
  if (line !== "") told.push(line);
  if (code !== 0) {
    const [, kind, message] = told.map((one) => /^error\[(\w+)\]: (.*)$/.exec(one)).find(Boolean) ?? [];
    // What Node says when a program fails has the reason in the middle.
    const reason = told.find((one) => /^(\w*Error|FATAL)\b/.test(one)) ?? told.slice(-3).join(" ");
    // By the name that the caller gave it.
    const flag = /^unexpected argument '(--[\w-]+)/.exec(message ?? "")?.[1];
    const unknown = flag && Object.keys(options).find((name) => flagOf(name) === flag);
    const like = /similar argument exists: '--([\w-]+)/.exec(message ?? "")?.[1].replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    const isOwn = like && !PRINTING.includes(like);
    if (unknown) return { code, error: new KnarrError(kind, `build has no option \`${unknown}\`${isOwn ? `; a similar one is \`${like}\`` : ""}`) };
    return { code, error: new KnarrError(kind ?? "INTERNAL", message ?? `the build ended with ${code}: ${reason}`) };
  }
  const report = JSON.parse(out);
  return { code, report: { ...report, out: outside(report.out) } };
}

/** Builds the index of a built site and puts the search field into its pages. See build.d.ts. */
export async function addSearch({ site, folder = "knarr", answers, attributes: given, intoPages = true, root, ...options } = {}) {
  if (typeof site !== "string") throw new KnarrError("INVALID_ARGUMENT", "site is not a path: name the folder of the built site");
  if (options.watch) throw new KnarrError("INVALID_ARGUMENT", "watch is an option of build: the field is put into pages once, after they are written");
  const attributes = attributesOf({ answers, attributes: given });
  const report = await build({ input: site, out: join(site, folder, "search"), ...options });
  copyElement(join(site, folder), { answers: "answer" in attributes });
  if (!intoPages) return { ...report, pages: 0 };
  const pages = putIntoPages(site, folder, { attributes, root });
  if (pages.skipped > 0) options.onProgress?.(told(pages));
  return { ...report, pages: pages.changed };
}
