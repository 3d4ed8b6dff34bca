#!/usr/bin/env node
/** What one list of several bundles' results is worth, beside one bundle of all pages. `--help` says how. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { binary } from "./relevance/knarr.mjs";
import { readLines } from "./relevance/lines.mjs";
import { DEPTH, graded, mean, measure } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node several.mjs [options]: a Markdown table on standard output, progress on standard error

  Rust's documentation as eight bundles, each built on its own, and as one: nDCG@${DEPTH} and MRR@8 of the first ten pages

  --docs FOLDER  the documentation (default: that of rustc's sysroot, of the component rust-docs)
  --keep FOLDER  keep the bundles there, and take what is there already
environment: KNARR_BIN, the command line; KNARR_SHARED, the folder with data/rust-howto, which is left out where it is missing`;

const { values: options } = parseArgs({ options: { docs: { type: "string" }, keep: { type: "string" }, help: { type: "boolean", default: false } } });
if (options.help) {
  console.log(HELP);
  process.exit();
}

const PACKAGE = new URL("../pkg/dist/", import.meta.url);
const { Knarr } = await import(new URL("direct.js", PACKAGE).href);
const { several } = await import(new URL("several.js", PACKAGE).href);

const PARTS = ["book", "reference", "cargo", "rustc", "nomicon", "rust-by-example", "edition-guide", "std"];
const WITHOUT = ["**/print.html", "**/toc.html", "first-edition/**", "second-edition/**", "2018-edition/**"];
const SITE = "https://doc.example/";
const FIRST = 8;

const docs = options.docs ?? join(execFileSync("rustc", ["--print", "sysroot"], { encoding: "utf8" }).trim(), "share/doc/rust/html");
const work = options.keep ?? mkdtempSync(join(tmpdir(), "knarr-several-"));
mkdirSync(work, { recursive: true });

/** The bundle of a folder of the documentation, or of all, opened. */
async function bundle(name, from, base, args) {
  const out = join(work, name);
  if (!existsSync(out)) {
    console.error(`building ${name}`);
    execFileSync(binary(), ["build", from, "--out", out, "--name", name, "--base-url", base, "--quiet", ...args], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return Knarr.open(pathToFileURL(out));
}

const without = (patterns) => patterns.flatMap((pattern) => ["--exclude", pattern]);
const whole = await bundle("rust", docs, "doc/", [
  ...PARTS.flatMap((part) => ["--include", `${part}/**/*.html`]), ...without(WITHOUT.map((pattern) => (pattern.startsWith("**") ? pattern : `book/${pattern}`))),
]);
const parts = [];
for (const part of PARTS) parts.push(await bundle(part, join(docs, part), `doc/${part}/`, ["--include", "**/*.html", ...without(WITHOUT)]));

const all = several(parts.map((knarr) => ({ knarr, base: SITE })));
/** Each bundle's rows, and all of them by one number. */
const by = (field) => async (query) => {
  const answers = await Promise.all(parts.map((knarr) => knarr.find(query)));
  return answers.flatMap(({ resources }) => resources).sort((a, b) => b[field] - a[field]).slice(0, DEPTH);
};
const WAYS = [
  ["one bundle", async (query) => (await whole.find(query)).resources],
  ["several, by score", by("score")],
  ["several, by relevance", by("relevance")],
  ["`several`", async (query) => (await all.find(query)).resources],
];

const queries = (name) => fileURLToPath(new URL(`queries/${name}.jsonl`, import.meta.url));
const howto = join(process.env.KNARR_SHARED ?? fileURLToPath(new URL("../../shared", import.meta.url)), "data/rust-howto/queries.jsonl");
const SETS = [["rust-howto", howto, 2], ["names", queries("rust-names"), 1], ["half names", queries("rust-half-names"), 1]].filter(([, file]) => existsSync(file));

/** A page's address without its section, and however a link writes it. */
const pageOf = (url) => new URL(url, SITE).pathname.replace(/^\/(doc\/)?/, "").replace(/(^|\/)index\.html$/, "$1").replace(/\.html$|\/$/, "");

const rows = [];
for (const [way, find] of WAYS) {
  const cells = [];
  for (const [name, file, least] of SETS) {
    console.error(`${way}: ${name}`);
    const [ndcg, mrr] = [[], []];
    for (const { query, relevant } of readLines(file)) {
      const grades = new Map((Array.isArray(relevant) ? relevant.map((page) => [page, 1]) : Object.entries(relevant)).map(([page, grade]) => [pageOf(page), grade]));
      const right = new Set([...grades.keys()].filter((page) => grades.get(page) >= least));
      const ranking = (await find(query)).map(({ url }) => pageOf(url));
      ndcg.push(graded(ranking, grades));
      mrr.push(measure(ranking, right, ranking.length, FIRST).mrr);
    }
    cells.push(`${mean(ndcg).toFixed(3)}, ${mean(mrr).toFixed(3)}`);
  }
  rows.push([way, ...cells]);
}
console.log(table(["", ...SETS.map(([name]) => name)], rows));
all.close();
whole.close();
