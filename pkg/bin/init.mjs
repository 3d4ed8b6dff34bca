/** `knarr init SITE`: puts what `<knarr-search>` loads beside the pages, and says what to write into them, or writes it. */

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { htmlOf, takeAttributes } from "./attributes.mjs";
import { putIntoPages, told } from "./pages.mjs";

/** The folder of the package's built files. */
export const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const START = "knarr-search.js";
/** What the attribute `answer` loads besides, with what it names: most sites have no use for it. */
const FULL = "index.js";
/** What no element asks for: grep and glob, other servers, endpoints. Half a megabyte; pages that call these have the package's files. */
const CALLED = new Set(["knarr_patterns_bg.wasm", "knarr_delegate_bg.wasm", "remote.js", "qdrant.js"]);

export const INIT_HELP = `Put the search element's files beside the pages of a built site

Usage: knarr init [--answers] [--attribute <NAME=TEXT>]... [--pages] <SITE>

Arguments:
  <SITE>  The folder that is published; the files go into its folder "knarr"

Options:
      --answers  Also put the full engine there, which shows sentences of a page over the results where they answer a
                 question clearly, and write the attribute "answer" on the search field
      --attribute <NAME=TEXT>
                 Write an attribute on the field, such as facets=kind, or related for a switch; repeatable
                 (docs/ELEMENT.md lists them)
      --pages    Also put the search field into every page that has none, where its theme has room for it; the index is
                 then made with: npx knarr build <SITE> --out <SITE>/knarr/search
  -h, --help     Print help`;

/** The names of the files in dist that a page with the element loads: `START`, and what each of them names; with `answers` the full engine's too. */
export function elementFiles({ answers = false } = {}) {
  const all = new Set(readdirSync(DIST));
  const found = new Set([START]);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    for (const [, next] of readFileSync(join(DIST, name), "utf8").matchAll(/["'`](?:\.\/)?([\w.-]+\.(?:js|wasm))["'`]/g)) {
      if (all.has(next) && !CALLED.has(next) && (answers || next !== FULL)) found.add(next);
    }
  }
  return [...found].sort();
}

/** Copies the element's files into `folder`, those for `answers` if they are asked for, and returns their number and bytes. */
export function copyElement(folder, options) {
  mkdirSync(folder, { recursive: true });
  const files = elementFiles(options);
  let bytes = 0;
  for (const name of files) {
    copyFileSync(join(DIST, name), join(folder, name));
    bytes += statSync(join(folder, name)).size;
  }
  return { files: files.length, bytes };
}

/** The attributes that lead to the index of a site: where `build` puts it, or else where `add` and `--pages` have it. */
function places(site) {
  const isAt = (...folders) => existsSync(join(site, ...folders, "index.knarr"));
  const isAdded = !isAt("search") && isAt("knarr", "search");
  // Without `base`, the site's root is the folder around the index.
  return { isMade: isAdded || isAt("search"), attributes: isAdded ? 'src="/knarr/search/" base="/"' : 'src="/search/"' };
}

/** Runs the command and returns its exit code. */
export function init(args) {
  const refuse = (code, message, exit) => (console.error(`error[${code}]: ${message}`), exit);
  let taken;
  try {
    taken = takeAttributes(args);
  } catch ({ code, message }) {
    return refuse(code, message, 2);
  }
  const [site, ...more] = taken.left.filter((arg) => arg !== "--pages");
  const answers = "answer" in taken.attributes;
  if (site === undefined || more.length > 0 || site.startsWith("-")) return refuse("INVALID_ARGUMENT", "name the folder of the built site (see knarr init --help)", 2);
  if (!existsSync(site) || !statSync(site).isDirectory()) return refuse("NOT_FOUND", `${site} is not a folder: build the site first`, 1);
  const folder = join(site, "knarr");
  const { files, bytes } = copyElement(folder, { answers });
  console.log(`${folder}: ${files} files, ${(bytes / 1000).toFixed(0)} kB, of which a page loads what it needs`);
  if (args.includes("--pages")) {
    console.log(told(putIntoPages(site, "knarr", { attributes: taken.attributes })));
    if (!existsSync(join(folder, "search", "index.knarr"))) console.log(`The index is still to be made: npx knarr build ${site} --out ${join(folder, "search")}`);
    return 0;
  }
  const { isMade, attributes } = places(site);
  console.log(`
Into the pages' template:

  <script type="module" src="/knarr/${START}"></script>
  <knarr-search ${attributes}${htmlOf(taken.attributes)}></knarr-search>

Where the site lies below a path, such as /docs/, put that path before each of these addresses.`);
  if (!isMade) console.log(`The index is still to be made: npx knarr build ${site}`);
  return 0;
}
