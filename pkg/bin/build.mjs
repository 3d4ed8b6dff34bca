/** `import { build } from "knarr/build"`: the indexer for programs, in a process of its own. */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { KnarrError } from "../dist/errors.js";
import { copyElement } from "./init.mjs";
import { putIntoPages } from "./pages.mjs";
import { outside } from "./paths.mjs";

const COMMAND = fileURLToPath(new URL("knarr.mjs", import.meta.url));

/** `maxFileBytes: 5` is `--max-file-bytes 5`; true is a flag alone, a list repeats it. */
function flags(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")}`;
    if (value === undefined || value === null || value === false) return [];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => (one === true ? [flag] : [flag, String(one)]));
  });
}

/** Builds a bundle. See build.d.ts. */
export async function build({ input, onProgress, signal, ...options } = {}) {
  if (typeof input !== "string") throw new KnarrError("INVALID_ARGUMENT", "input is not a path: name the folder of the built site");
  const args = [COMMAND, "build", input, "--json", ...flags(options)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], signal });
  let out = "";
  let line = "";
  const told = [];
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => {
    const lines = (line + text).split("\n");
    line = lines.pop();
    for (const one of lines) {
      told.push(one);
      onProgress?.(one);
    }
  });
  const code = await new Promise((resolve, reject) => {
    child.on("error", (error) => reject(error.name === "AbortError" ? new KnarrError("ABORTED", "the build was stopped") : error));
    child.on("close", resolve);
  });
  if (line !== "") told.push(line);
  if (code !== 0) {
    const [, kind, message] = told.map((one) => /^error\[(\w+)\]: (.*)$/.exec(one)).find(Boolean) ?? [];
    // What Node says when a program fails has the reason in the middle.
    const reason = told.find((one) => /^(\w*Error|FATAL)\b/.test(one)) ?? told.slice(-3).join(" ");
    throw new KnarrError(kind ?? "INTERNAL", message ?? `the build ended with ${code}: ${reason}`);
  }
  const report = JSON.parse(out);
  return { ...report, out: outside(report.out) };
}

/** Builds the index of a built site and puts the search field into its pages. See build.d.ts. */
export async function addSearch({ site, folder = "knarr", answers = false, intoPages = true, ...options }) {
  if (typeof site !== "string") throw new KnarrError("INVALID_ARGUMENT", "site is not a path: name the folder of the built site");
  const report = await build({ input: site, out: join(site, folder, "search"), ...options });
  copyElement(join(site, folder), { answers });
  return { ...report, pages: intoPages ? putIntoPages(site, folder, { answers }) : 0 };
}
