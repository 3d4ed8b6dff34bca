/** What the programs that drive a bundle in Chromium share: their arguments, what has to be there, and what is served. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readLines } from "../relevance/lines.mjs";

const PAGES = fileURLToPath(new URL("pages", import.meta.url));
const DIST = fileURLToPath(new URL("../../pkg/dist", import.meta.url));

/**
 * Reads `BUNDLE QUERIES.jsonl…`, the program's `own` options and `--dist`, and runs `main(setting)`; or prints `help`.
 *
 * A setting has the `options`, the `bundle`'s folder, the `files` (at most `most`) with their `queries`, and the `mounts` of a server.
 * Rejects where a file is missing; `needs(options)` names the package's script that pages load.
 */
export async function run({ help, own = {}, most = 1, needs = () => "knarr-search.js" }, main) {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { ...own, dist: { type: "string", default: DIST }, help: { type: "boolean", default: false } },
  });
  if (options.help || positionals.length < 2 || positionals.length > most + 1) {
    console.log(help);
    process.exitCode = options.help ? 0 : 2;
    return;
  }
  const [bundle, ...files] = positionals.map((path) => resolve(path));
  for (const needed of [join(options.dist, needs(options)), join(bundle, "index.knarr")]) {
    if (!existsSync(needed)) throw new Error(`${needed} is not there`);
  }
  const queries = files.flatMap((file) => readLines(file)).map(({ query, text }) => query ?? text);
  await main({ options, bundle, files, queries, mounts: { "/": PAGES, "/knarr": resolve(options.dist), "/bundle": bundle } });
}
