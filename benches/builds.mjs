#!/usr/bin/env node
/** CPU and memory of building an index: Knarr and Pagefind on the same folder of HTML, in turns. `--help` says how. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pageHtml, splitPage } from "./relevance/documents.mjs";
import { binary } from "./relevance/knarr.mjs";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node builds.mjs FOLDER [options]: a Markdown table on standard output, progress on standard error

  FOLDER       pages of Markdown, which become HTML as for relevance.mjs, or of HTML, which are taken as they are
  --runs N     builds of each, one after the other in turns (default: 3)
  --lang TAG   language of pages that were Markdown (default: en)
  --keep DIR   keep the HTML there, and take what is there already
environment: KNARR_BIN, the command line (default: target/tool/knarr of this repository); needs GNU time`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "3" }, lang: { type: "string", default: "en" }, keep: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (options.help || positionals.length !== 1) {
  console.log(HELP);
  process.exit(options.help ? 0 : 2);
}

const PAGEFIND = fileURLToPath(new URL("node_modules/.bin/pagefind", import.meta.url));

/** The builds, by their rows: the command that reads `site` and writes `out`. */
const BUILDS = [
  ["Knarr", (site, out) => [binary(), "build", site, "--out", out, "--quiet"]],
  ["Knarr without vectors (`--dims 0`)", (site, out) => [binary(), "build", site, "--out", out, "--quiet", "--dims", "0"]],
  ["Pagefind", (site, out) => [PAGEFIND, "--site", site, "--output-path", out, "--silent"]],
];

const work = mkdtempSync(join(tmpdir(), "knarr-builds-"));
try {
  const site = asHtml(resolve(positionals[0]), options.keep === undefined ? join(work, "site") : resolve(options.keep));
  const rows = BUILDS.map(([name]) => ({ name, runs: [] }));
  for (let run = 1; run <= Number(options.runs); run++) {
    for (const [at, [name, command]] of BUILDS.entries()) {
      rows[at].runs.push(build(command, site, join(work, "out")));
      process.stderr.write(`${name}, run ${run}: ${JSON.stringify(rows[at].runs.at(-1))}\n`);
    }
  }
  const { version } = JSON.parse(readFileSync(new URL("node_modules/pagefind/package.json", import.meta.url), "utf8"));
  console.log(`${pagesBelow(site).length} pages of HTML, ${options.runs} runs in turns, Pagefind ${version}; median (least to most)\n`);
  console.log(report(rows));
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The names of the HTML pages below a folder. */
function pagesBelow(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".html"));
}

/** The folder of the same pages as HTML: `from` itself if it has some, else `to`. */
function asHtml(from, to) {
  if (pagesBelow(from).length > 0) return from;
  if (existsSync(to)) return to;
  for (const name of readdirSync(from, { recursive: true }).filter((name) => name.endsWith(".md"))) {
    const file = join(to, name.replace(/\.md$/, ".html"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, pageHtml(splitPage(readFileSync(join(from, name), "utf8")), options.lang));
  }
  return to;
}

/** One build: seconds of CPU and thousands of KiB at its peak, by GNU time, and what it wrote. */
function build(command, site, out) {
  rmSync(out, { recursive: true, force: true });
  const report = `${out}.time`;
  const { status, stderr, error } = spawnSync("/usr/bin/time", ["-f", "%U %S %M %e", "-o", report, ...command(site, out)], { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (error || status !== 0) throw new Error(`${command(site, out).join(" ")}: ${error?.message ?? stderr}`);
  const [user, system, peak, elapsed] = readFileSync(report, "utf8").trim().split("\n").at(-1).split(" ").map(Number);
  const files = readdirSync(out, { recursive: true }).map((name) => statSync(join(out, name))).filter((entry) => entry.isFile());
  return { cpu: user + system, peak: peak / 1000, elapsed, files: files.length, mb: files.reduce((sum, { size }) => sum + size, 0) / 1e6 };
}

function report(rows) {
  const cell = (runs, key, digits) => {
    const values = runs.map((run) => run[key]).sort((a, b) => a - b);
    const [low, middle, high] = [0, 0.5, 1].map((q) => quantile(values, q).toFixed(digits));
    return low === high ? middle : `${middle} (${low} to ${high})`;
  };
  return table(["", "CPU s", "peak MB", "elapsed s", "MB written", "files"], rows.map(({ name, runs }) => [
    name, cell(runs, "cpu", 1), cell(runs, "peak", 0), cell(runs, "elapsed", 0), cell(runs, "mb", 1), cell(runs, "files", 0),
  ]));
}
