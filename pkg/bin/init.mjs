/** `knarr init SITE`: puts what `<knarr-search>` loads beside the pages, and says what to write into them, or writes it. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { putIntoPages } from "./pages.mjs";

/** The folder of the package's built files. */
export const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const START = "knarr-search.js";
/** What the attribute `answer` loads besides: 300 kB that most sites have no use for; who wants it copies dist. */
const FULL = "index.js";

export const INIT_HELP = `Put the search element's files beside the pages of a built site

Usage: knarr init [--pages] <SITE>

Arguments:
  <SITE>  The folder that is published; the files go into its folder "knarr"

Options:
      --pages  Also put the search field into every page that has none, where its theme has room for it; the index is
               then made with: knarr build <SITE> --out <SITE>/knarr/search
  -h, --help   Print help`;

/** The names of the files in dist that a page with the element loads: `START`, and what each of them names. */
export function elementFiles() {
  const all = new Set(readdirSync(DIST));
  const found = new Set([START]);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    for (const [, next] of readFileSync(join(DIST, name), "utf8").matchAll(/["'`](?:\.\/)?([\w.-]+\.(?:js|wasm))["'`]/g)) {
      if (all.has(next) && next !== FULL) found.add(next);
    }
  }
  return [...found].sort();
}

/** Copies the element's files into `folder` and returns their number and bytes. */
export function copyElement(folder) {
  mkdirSync(folder, { recursive: true });
  const files = elementFiles();
  let bytes = 0;
  for (const name of files) {
    copyFileSync(join(DIST, name), join(folder, name));
    bytes += statSync(join(folder, name)).size;
  }
  return { files: files.length, bytes };
}

/** Runs the command and returns its exit code. */
export function init(args) {
  const [site, ...more] = args.filter((arg) => arg !== "--pages");
  const refuse = (code, message, exit) => (console.error(`error[${code}]: ${message}`), exit);
  if (site === undefined || more.length > 0 || site.startsWith("-")) return refuse("INVALID_ARGUMENT", "name the folder of the built site (see knarr init --help)", 2);
  if (!existsSync(site) || !statSync(site).isDirectory()) return refuse("NOT_FOUND", `${site} is not a folder: build the site first`, 1);
  const folder = join(site, "knarr");
  const { files, bytes } = copyElement(folder);
  console.log(`${folder}: ${files} files, ${(bytes / 1000).toFixed(0)} kB, of which a page loads what it needs`);
  if (args.includes("--pages")) {
    console.log(`${putIntoPages(site, "knarr")} pages have the search field now`);
    if (!existsSync(join(folder, "search", "index.knarr"))) console.log(`The index is still to be made: knarr build ${site} --out ${join(folder, "search")}`);
    return 0;
  }
  console.log(`
Into the pages' template:

  <script type="module" src="/knarr/${START}"></script>
  <knarr-search src="/search/"></knarr-search>
`);
  if (!existsSync(join(site, "search", "index.knarr"))) console.log(`The index is still to be made: knarr build ${site}`);
  return 0;
}
