#!/usr/bin/env node
/** Packs the extension: its own files, the scripts of the package, and a bundle. `--help` lists the options. */

import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "knarr/build";
import { writePages } from "./pages.mjs";

const HELP = `node build.mjs [options]: writes the extension to out/chromium and out/firefox

  --site FOLDER    a built site to ship the index of, in place of Knarr's documentation; needs --base-url
  --base-url URL   where the site is published: its results open there
  --name NAME      the extension's name
  --keyword WORD   what is typed into the address bar before a question
  --out FOLDER     another folder than out`;

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "../..");
const DIST = fileURLToPath(new URL("./dist/", import.meta.resolve("knarr/package.json")));

/** Scripts that the extension's own import; each names what else it loads. */
const ENTRIES = ["direct.js", "core.js", "knarr-search.js"];

/** The files of the package that the extension needs. */
function packageFiles() {
  const all = new Set(readdirSync(DIST));
  const found = new Set(ENTRIES);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    for (const [, next] of readFileSync(join(DIST, name), "utf8").matchAll(/["'`](?:\.\/)?([\w.-]+\.(?:js|wasm))["'`]/g)) {
      if (all.has(next)) found.add(next);
    }
  }
  return found;
}

/** RFC 7396: what is null in the patch is not in the result. */
function patched(value, patch) {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return patch;
  const entries = Object.entries(patch).map(([key, change]) => [key, patched(value?.[key], change)]);
  return Object.fromEntries(Object.entries({ ...value, ...Object.fromEntries(entries) }).filter(([, kept]) => kept !== null));
}

/** Everything but the manifest: both browsers get the same. */
async function pack(out, { site, "base-url": baseUrl }) {
  mkdirSync(join(out, "knarr"), { recursive: true });
  cpSync(join(HERE, "src"), out, { recursive: true });
  cpSync(join(HERE, "icons"), join(out, "icons"), { recursive: true });
  for (const name of packageFiles()) copyFileSync(join(DIST, name), join(out, "knarr", name));
  const pages = join(out, "pages");
  if (site === undefined) {
    writePages(ROOT, pages);
    copyFileSync(join(HERE, "pages.css"), join(pages, "pages.css"));
  }
  return build({ input: site ?? pages, out: join(out, "search"), baseUrl, name: "docs" });
}

/** Both extensions. */
async function main(options) {
  if ((options.site === undefined) !== (options["base-url"] === undefined)) throw new Error("--site and --base-url go together: the site's pages are not shipped, only its index");
  const [chromium, firefox] = ["chromium", "firefox"].map((name) => join(options.out, name));
  rmSync(options.out, { recursive: true, force: true });
  const { files, bundle_bytes: bytes } = await pack(chromium, options);
  cpSync(chromium, firefox, { recursive: true });
  const base = JSON.parse(readFileSync(join(HERE, "manifest.json"), "utf8"));
  const own = { ...(options.name && { name: options.name }), ...(options.keyword && { omnibox: { keyword: options.keyword } }) };
  const manifest = patched(base, own);
  const write = (folder, content) => writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(content, undefined, 2)}\n`);
  write(chromium, manifest);
  write(firefox, patched(manifest, JSON.parse(readFileSync(join(HERE, "firefox.json"), "utf8"))));
  console.log(`${chromium}, ${firefox}: ${files} pages, an index of ${(bytes / 1000).toFixed(0)} kB`);
}

const { values: options } = parseArgs({
  options: {
    site: { type: "string" }, "base-url": { type: "string" }, name: { type: "string" }, keyword: { type: "string" },
    out: { type: "string", default: join(HERE, "out") }, help: { type: "boolean", default: false },
  },
});
if (options.help) console.log(HELP);
else await main(options);
