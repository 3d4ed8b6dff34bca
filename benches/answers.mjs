#!/usr/bin/env node
/** How often an answer of `answer: true` is right, and how often one is shown. `--help` says how. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { binary } from "./relevance/knarr.mjs";
import { table } from "./relevance/report.mjs";
import { common, guess, plain } from "./relevance/sentences.mjs";

const HELP = `node answers.mjs BUNDLE=DATA… [options]: a Markdown table on standard output

  BUNDLE=DATA  a bundle, and the folder of its queries.jsonl (with "relevant", or with qrels.tsv beside it)
  --half a|b   half of the questions: every second line, a from the first
  --kind KIND  of the questions of a set with kinds
  --sentence   right is only an answer that has the sentence asked for (guessed as excerpts.mjs tells, so DATA has
               corpus.jsonl); else one from a relevant page
  --fit        fits the chance to be right to the evidence (logistic regression; every set counts as much as another), and
               prints its weights in place of the table
environment: KNARR_BIN, the command line

Single answers are not printed, so that nobody tunes to one.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: "string" }, kind: { type: "string" }, sentence: { type: "boolean", default: false },
    fit: { type: "boolean", default: false }, help: { type: "boolean", default: false },
  },
});

/** Least chances that are tabled; the last is the engine's own. */
const LEAST = [0, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9];

if (options.help || positionals.length === 0) {
  console.log(HELP);
  process.exitCode = options.help ? 0 : 2;
} else {
  const sets = positionals.map((given) => measured(...given.split("=")));
  console.log(options.fit ? fit(sets) : report(sets));
}

/** The answers of a set, each with its evidence and whether it is right. */
function measured(bundle, data) {
  const lines = (name) => readFileSync(join(data, name), "utf8").split("\n").filter((line) => line !== "");
  const judged = new Map();
  const judge = (id, doc) => judged.set(id, [...(judged.get(id) ?? []), doc]);
  if (existsSync(join(data, "qrels.tsv"))) {
    for (const [id, doc] of lines("qrels.tsv").slice(1).map((line) => line.split("\t"))) judge(id, doc);
  }
  const all = lines("queries.jsonl").map((line) => JSON.parse(line));
  for (const { id, relevant = [] } of all) for (const doc of Array.isArray(relevant) ? relevant : Object.keys(relevant)) judge(id, doc);
  const ofKind = ({ id, kind }) => judged.has(id) && (options.kind === undefined || kind === options.kind);
  const ofHalf = (_, at) => options.half === undefined || at % 2 === Number(options.half === "b");
  const queries = all.filter(ofKind).filter(ofHalf).map(({ id, query, text }) => ({ id, text: query ?? text }));
  const nearest = options.sentence ? guess(corpusOf(lines("corpus.jsonl"))) : undefined;
  const found = asked(bundle, queries);
  const rows = found.map(({ answer }, at) => {
    if (answer === undefined) return undefined;
    const { id, text } = queries[at];
    const path = answer.url.replace(/#[^#]*$/, "");
    const doc = judged.get(id).find((doc) => [answer.url, path].some((url) => url === doc || url.endsWith(`/${doc}`)));
    const sentence = doc && nearest?.(text, doc);
    const isThere = () => common(plain(answer.text.text), plain(sentence)) / plain(sentence).length > 0.95;
    return { ...answer, isRight: doc !== undefined && (!nearest || isThere()) };
  });
  return { name: basename(data), n: queries.length, rows: rows.filter((row) => row !== undefined) };
}

function corpusOf(lines) {
  return new Map(lines.map((line) => JSON.parse(line)).map(({ id, text }) => [id, text]));
}

function asked(bundle, queries) {
  const folder = mkdtempSync(join(tmpdir(), "knarr-answers-"));
  try {
    const file = join(folder, "queries.jsonl");
    writeFileSync(file, queries.map(({ text }) => `${JSON.stringify({ query: text })}\n`).join(""));
    const args = ["find", bundle, "--queries", file, "--json", "--limit", "5", "--answer", "--answer-threshold", "0"];
    const run = spawnSync(binary(), args, { encoding: "utf8", maxBuffer: 1 << 30 });
    if (run.status !== 0) throw new Error(`knarr find: ${run.stderr || run.error}`);
    return run.stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(sets) {
  const cell = ({ n, rows }, least) => {
    const shown = rows.filter(({ confidence }) => confidence > least);
    const right = shown.filter(({ isRight }) => isRight).length;
    return `${shown.length} of ${n}, ${shown.length > 0 ? (right / shown.length).toFixed(2) : "–"} right`;
  };
  return table(["least chance", ...sets.map(({ name }) => name)], LEAST.map((least) => [String(least), ...sets.map((set) => cell(set, least))]));
}

/** Weights of the evidence by gradient descent, with a little regularisation. */
function fit(sets) {
  const names = ["relevance", "said", "about", "ahead"];
  const rows = sets.flatMap((set) => set.rows.map(({ evidence, isRight }) => ({
    x: [1, ...names.map((name) => evidence[name])], y: Number(isRight), weight: 1 / set.rows.length / sets.length,
  })));
  const weights = names.map(() => 0);
  weights.unshift(0);
  for (let step = 0; step < 40_000; step++) {
    const gradient = weights.map((w, i) => (i > 0 ? 1e-3 * w : 0));
    for (const { x, y, weight } of rows) {
      const logit = x.reduce((sum, value, i) => sum + value * weights[i], 0);
      const error = 1 / (1 + Math.exp(-logit)) - y;
      x.forEach((value, i) => (gradient[i] += weight * error * value));
    }
    gradient.forEach((g, i) => (weights[i] -= 1.5 * g));
  }
  return ["constant", ...names].map((name, i) => `${name} ${weights[i].toFixed(2)}`).join(", ");
}
