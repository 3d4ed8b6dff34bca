/** Knarr's own side: bundles built once per binary and corpus, and rankings from `knarr find`. */

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Name of the tree in every bundle built here. */
const TREE = "docs";

/** The settings that are measured: a name for the tables, arguments of `knarr find`, and of `knarr build` where it matters. */
export const SETTINGS = [
  { name: "knarr", arguments: [], about: "the default: keywords and vectors mixed" },
  { name: "knarr-keywords", arguments: ["--alpha", "0"], about: "keywords only" },
  { name: "knarr-vectors", arguments: ["--alpha", "1"], about: "vectors only" },
  { name: "knarr-walk", arguments: ["--mode", "thinking"], about: "the walk through the directories" },
  { name: "knarr-graph", arguments: ["--graph", "0.3"], build: ["--graph"], about: "the graph of entities mixed in" },
];

/** The command line to measure: `KNARR_BIN`, else the repository's own optimised build, else the one on the path. */
export function binary() {
  const built = fileURLToPath(new URL("../../target/tool/knarr", import.meta.url));
  if (process.env.KNARR_BIN !== undefined || existsSync(built)) return process.env.KNARR_BIN ?? built;
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "knarr")).find((file) => existsSync(file));
  if (onPath === undefined) throw new Error("there is no knarr: name it in KNARR_BIN");
  return onPath;
}

/** The first digits of the command line's SHA-256. */
export function checksum() {
  return createHash("sha256").update(readFileSync(binary())).digest("hex").slice(0, 12);
}

/** Builds the bundle of a corpus, or finds the one that this binary built before. Answers its folder. */
export function buildBundle(corpus, setting, say) {
  const program = binary();
  const options = [...corpus.skip.flatMap((field) => ["--skip-field", field]), ...(setting.build ?? [])];
  const key = createHash("sha256").update(checksum()).update(JSON.stringify(options)).digest("hex").slice(0, 16);
  const out = join(corpus.folder, `knarr-${key}`);
  if (!existsSync(out)) {
    say(`knarr build, ${corpus.name}`);
    // In one step, and under a name of this process: two runs at once must not mix their files.
    const part = `${out}.${process.pid}`;
    execFileSync(program, ["build", corpus.site, "--out", part, "--name", TREE, "--quiet", ...options], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    if (existsSync(out)) rmSync(part, { recursive: true });
    else renameSync(part, out);
  }
  return out;
}

/** Ranks the documents of a corpus for every query: an array of arrays of document ids, best first. */
export function rank(corpus, setting, queries, limit, say) {
  const bundle = buildBundle(corpus, setting, say);
  mkdirSync(corpus.folder, { recursive: true });
  const file = join(corpus.folder, `queries-${process.pid}.jsonl`);
  writeFileSync(file, queries.map(({ text }) => `${JSON.stringify({ query: text })}\n`).join(""));
  const find = spawnSync(
    binary(),
    ["find", bundle, "--queries", file, "--json", "--limit", String(limit), ...setting.arguments],
    { encoding: "utf8", maxBuffer: 1 << 30 },
  );
  rmSync(file);
  if (find.error) throw find.error;
  const rows = find.stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  if (find.status !== 0 || rows.length !== queries.length) {
    throw new Error(`knarr find failed: ${find.stderr.trim() || `${rows.length} answers to ${queries.length} queries`}`);
  }
  return rows.map((row) => row.results.map(({ uri }) => documentOf(corpus, uri)));
}

function documentOf(corpus, uri) {
  const file = decodeURIComponent(uri.slice(`viking://resources/${TREE}/`.length));
  const id = corpus.ids.get(file);
  if (id === undefined) throw new Error(`knarr found ${uri}, which is no document of ${corpus.name}`);
  return id;
}
