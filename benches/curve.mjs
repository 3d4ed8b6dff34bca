#!/usr/bin/env node
/** Bytes of a first query against nDCG@10, by what a bundle keeps of meaning; a table and a picture. `--help` says how. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { evenly, fetched } from "./browser/fetched.mjs";
import { draw } from "./relevance/picture.mjs";
import { binary, checksum } from "./relevance/knarr.mjs";
import { readLines } from "./relevance/lines.mjs";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node curve.mjs FOLDER QUERIES.jsonl… [options]: a Markdown table on standard output, progress on standard error

  FOLDER          the pages; QUERIES.jsonl are the sets, lines {"query", "relevant"}
  --each N        queries of each set whose bytes are counted, evenly spaced (default: 16)
  --skip-field A,B fields of front matter that each build leaves out
  --peer "N,K,Q"  another engine's point: its name, kB at the median without its engine, nDCG@10 (repeatable)
  --draw FILE     write the picture, an SVG
  --work FOLDER   where the bundles are kept (default: below the system's temporary folder)
  --dist DIR      the npm package's built files (default: pkg/dist of this repository)
environment: KNARR_BIN, the command line

nDCG@10 is the mean over the sets, each on its half b; bytes are the bundle's, without scripts and module.`;

/** What is measured: a name and the build's arguments, whether the picture joins it to the ones before, and where its name stands there. */
const POINTS = [
  ["words only", ["--dims", "0"], true, "right"], ["2 blocks", ["--probes", "2"], true, "left"], ["4", ["--probes", "4"], true, "above"],
  ["8, the default", [], true, "right"], ["16", ["--probes", "16"], true, "below"], ["32", ["--probes", "32"], true, "above"],
  ["32 dimensions", ["--dims", "32"], false, "right"], ["4 bits", ["--bits", "4"], false, "below"], ["large packs", ["--large-packs"], false, "above"],
];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: "string", default: "16" }, "skip-field": { type: "string" }, peer: { type: "string", multiple: true, default: [] },
    draw: { type: "string" }, work: { type: "string", default: join(tmpdir(), "knarr-curve") },
    dist: { type: "string", default: fileURLToPath(new URL("../pkg/dist", import.meta.url)) }, help: { type: "boolean", default: false },
  },
});
if (options.help || positionals.length < 2) {
  console.log(HELP);
  process.exit(options.help ? 0 : 2);
}

const [folder, ...sets] = positionals.map((path) => resolve(path));
const queries = sets.flatMap((file) => evenly(readLines(file), Number(options.each))).map(({ query, text }) => query ?? text);
const points = [];
for (const [name, settings, isJoined, place] of POINTS) {
  const bundle = build(settings);
  const costs = (await fetched(options.dist, bundle, queries)).map((requests) => ({ requests: requests.length, kb: requests.reduce((sum, { bytes }) => sum + bytes, 0) / 1000 }));
  const at = (key, q) => quantile(costs.map((cost) => cost[key]).sort((a, b) => a - b), q);
  const ndcg = sets.map((set) => quality(bundle, set));
  points.push({ name, isJoined, place, kb: at("kb", 0.5), p95: at("kb", 0.95), requests: at("requests", 0.5), ndcg: mean(ndcg), sets: ndcg });
  process.stderr.write(`${name}: ${points.at(-1).kb.toFixed(1)} kB, ${points.at(-1).ndcg.toFixed(4)}\n`);
}
const peers = options.peer.map((text) => text.split(",")).map(([name, kb, ndcg]) => ({ name, kb: Number(kb), ndcg: Number(ndcg) }));
const three = (value) => value.toFixed(3).replace(/^0/, "");
console.log(table(
  ["", "kB p50", "p95", "requests p50", "nDCG@10, mean", ...sets.map((set) => basename(set, ".jsonl").replace("queries-", ""))],
  points.map(({ name, kb, p95, requests, ndcg, sets }) => [name, kb.toFixed(1), p95.toFixed(1), requests, three(ndcg), ...sets.map(three)]),
));
if (options.draw) writeFileSync(options.draw, draw(points, peers));

/** A bundle with these settings, built once for a command line. */
function build(settings) {
  const bundle = join(options.work, [checksum(), ...settings].join("").replaceAll("--", "-"));
  if (existsSync(bundle)) return bundle;
  mkdirSync(options.work, { recursive: true });
  execFileSync(binary(), ["build", folder, "--out", bundle, "--name", "docs", "--quiet", "--packs", ...settings, ...(options["skip-field"] ? ["--skip-field", options["skip-field"]] : [])], { stdio: ["ignore", "inherit", "inherit"] });
  return bundle;
}

function quality(bundle, set) {
  const [{ mean }] = JSON.parse(execFileSync(binary(), ["eval", bundle, set, "--half", "b", "--json"], { encoding: "utf8", maxBuffer: 1 << 28 }));
  return mean.ndcg;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
