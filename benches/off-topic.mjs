#!/usr/bin/env node
/** Fits and measures the relevance: own questions of labelled sets against questions from other fields. `--help`. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const HELP = `node off-topic.mjs [options]: the coefficients fitted on half a, and tables of half b, on standard output

  --work FOLDER             where bundles are kept (default: below the system's temporary folder)
  --unanswered SET=FILE     more questions without an answer in SET, as JSON lines {"text"}; only measured

environment: KNARR_BIN, the command line to measure; KNARR_SHARED, the folder with data/`;

const { values: options } = parseArgs({
  options: {
    work: { type: "string", default: join(tmpdir(), "knarr-benches") },
    unanswered: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}
const knarr = process.env.KNARR_BIN ?? "knarr";
const data = join(process.env.KNARR_SHARED ?? "../shared", "data");

/** Sets with whole questions: a single word of one field is a fair query in another. */
const SETS = ["lihua-world", "squad-dev", "cranfield", "cacm", "otel-desc", "otel-zh-desc", "locomo"];
/** Sets of short queries: only their own bundle is asked. */
const SHORT = ["rustbook-anchor", "otel-anchor"];
/** Own questions and other questions of a set that are asked, spread evenly. */
const OWN = 300;
const OTHERS = 60;

const run = (...args) => {
  const { status, stdout, stderr, error } = spawnSync(knarr, args, { encoding: "utf8", maxBuffer: 2 ** 30 });
  if (error || (status !== 0 && status !== 1)) throw error ?? new Error(`knarr ${args.join(" ")}: ${stderr}`);
  return stdout;
};
const texts = (file) =>
  readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line)).map((row) => row.text ?? row.query);
const spread = (list, n) => (list.length <= n ? list : list.filter((_, i) => Math.floor((i * n) / list.length) !== Math.floor(((i - 1) * n) / list.length)));

/** The first result of each question: `{ share, cosine, relevance, weak }`. */
function ask(bundle, questions) {
  const file = join(options.work, "questions.jsonl");
  writeFileSync(file, questions.map((query) => JSON.stringify({ query })).join("\n"));
  const lines = run("find", bundle, "--queries", file, "--limit", "1", "--explain", "--no-excerpts", "--json").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [row] = JSON.parse(line).results;
    return row ? { share: row.explain.share, cosine: row.explain.cosine, relevance: row.relevance, weak: row.weak ?? false } : undefined;
  });
}

/** Newton's method for a logistic regression with weighted rows. */
function fit(rows) {
  const n = rows[0].x.length + 1;
  let b = new Array(n).fill(0);
  for (let step = 0; step < 40; step++) {
    const g = new Array(n).fill(0);
    const h = b.map(() => new Array(n).fill(0));
    for (const { x, y, weight } of rows) {
      const z = [1, ...x];
      const p = 1 / (1 + Math.exp(-z.reduce((sum, v, i) => sum + v * b[i], 0)));
      z.forEach((v, i) => {
        g[i] += weight * (p - y) * v;
        z.forEach((u, j) => (h[i][j] += weight * p * (1 - p) * v * u + (i === j ? 1e-9 : 0)));
      });
    }
    const d = solve(h, g);
    b = b.map((v, i) => v - d[i]);
  }
  return b;
}

/** Gaussian elimination. */
function solve(matrix, right) {
  const m = matrix.map((row, i) => [...row, right[i]]);
  for (let i = 0; i < m.length; i++) {
    const best = m.slice(i).reduce((at, row, k) => (Math.abs(row[i]) > Math.abs(m[at][i]) ? i + k : at), i);
    [m[i], m[best]] = [m[best], m[i]];
    for (let k = 0; k < m.length; k++) {
      if (k === i) continue;
      const f = m[k][i] / m[i][i];
      for (let j = i; j <= m.length; j++) m[k][j] -= f * m[i][j];
    }
  }
  return m.map((row, i) => row[m.length] / row[i]);
}

const auroc = (above, below) => {
  let won = 0;
  for (const a of above) for (const b of below) won += a > b ? 1 : a === b ? 0.5 : 0;
  return won / (above.length * below.length);
};

mkdirSync(options.work, { recursive: true });
const own = [];
const others = [];
const questions = Object.fromEntries(SETS.map((set) => [set, texts(join(data, set, "queries.jsonl"))]));
for (const set of [...SETS, ...SHORT]) {
  const bundle = join(options.work, `off-topic-${set}`);
  if (!existsSync(bundle)) run("build", join(data, set, "corpus.jsonl"), "--out", bundle);
  const mine = spread(questions[set] ?? texts(join(data, set, "queries.jsonl")), OWN);
  ask(bundle, mine).forEach((row, i) => own.push({ set, half: i % 2, row }));
  for (const from of SHORT.includes(set) ? [] : SETS) {
    // Two sets about one product, and its translation.
    if (from === set || (from.startsWith("otel") && set.startsWith("otel"))) continue;
    ask(bundle, spread(questions[from], OTHERS)).forEach((row, i) => others.push({ set, from, half: i % 2, row }));
  }
  for (const [about, file] of options.unanswered.map((pair) => pair.split("="))) {
    if (about === set) ask(bundle, texts(file)).forEach((row, i) => others.push({ set, from: "unanswered", half: i % 2, row, isExtra: true }));
  }
  console.error(`asked ${set}`);
}

const counts = {};
const key = ({ set, from }) => `${set} ${from ?? ""}`;
const learnt = [...own, ...others].filter(({ half, row, isExtra }) => half === 0 && row && !isExtra);
for (const one of learnt) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
const pairs = (set) => new Set(others.filter((one) => one.set === set && !one.isExtra).map(key)).size || 1;
const weighted = (x) =>
  learnt.filter(({ row }) => x(row).every(Number.isFinite)).map((one) => ({
    x: x(one.row), y: one.from ? 0 : 1, weight: 1 / counts[key(one)] / (one.from ? pairs(one.set) : 1),
  }));
const shown = (b) => b.map((v) => v.toFixed(2)).join(", ");
console.log(`Fitted on half a: share and cosine [${shown(fit(weighted(({ share, cosine }) => [share, cosine ?? NaN])))}], share alone [${shown(fit(weighted(({ share }) => [share])))}]\n`);

const lowest = own.filter(({ half }) => half === 0).map(({ row }) => row?.relevance ?? 0).sort((a, b) => a - b);
const below = [0.01, 0.015, 0.02].map((q) => `${q * 100} % below ${lowest[Math.floor(q * lowest.length)].toFixed(3)}`);
console.log(`Relevance of own questions, half a: ${below.join(", ")}\n`);

console.log("Half b:\n\n| bundle | questions from | AUROC | own refused | others refused |\n|---|---|--:|--:|--:|");
const percent = (rows) => `${((100 * rows.filter(({ row }) => !row || row.weak).length) / rows.length).toFixed(1)} %`;
const relevance = (rows) => rows.map(({ row }) => row?.relevance ?? 0);
const b = (list) => list.filter(({ half }) => half === 1);
const all = [];
for (const set of [...SETS, ...SHORT]) {
  const mine = b(own).filter((one) => one.set === set);
  const froms = [...new Set(others.filter((one) => one.set === set).map(({ from }) => from))];
  if (froms.length === 0) console.log(`| ${set} | | | ${percent(mine)} | |`);
  for (const from of froms) {
    const them = b(others).filter((one) => one.set === set && one.from === from);
    const value = auroc(relevance(mine), relevance(them));
    if (!them[0].isExtra) all.push(value);
    console.log(`| ${set} | ${from} | ${value.toFixed(3)} | ${percent(mine)} | ${percent(them)} |`);
  }
}
const fair = b(others).filter(({ isExtra }) => !isExtra);
console.log(`| **together** | | ${(all.reduce((x, y) => x + y) / all.length).toFixed(3)} | ${percent(b(own))} | ${percent(fair)} |`);
