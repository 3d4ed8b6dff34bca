#!/usr/bin/env node
/** Whether the excerpt of the first result shows the sentence that a question is about. `--help` says how. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { binary } from "./relevance/knarr.mjs";
import { table } from "./relevance/report.mjs";
import { common, guess, plain } from "./relevance/sentences.mjs";

const HELP = `node excerpts.mjs DATA [options]: a Markdown table on standard output

  DATA         a folder with corpus.jsonl, queries.jsonl and qrels.tsv, one judged paragraph a question (squad-dev)
  --half a|b   half of the questions: every second line, a from the first
  --find ARGS  more arguments of knarr find, in one text
environment: KNARR_BIN, the command line

The sets name paragraphs and no answers. The sentence asked for is therefore guessed, without the engine: that of the
judged paragraph whose words (Porter stems) have the most inverse sentence frequency in common with the question, the
shorter one of equals. The check tells whether an excerpt shows the place where question and paragraph meet. It cannot
tell whether the answer stands there: where a question is asked in other words, or the answer is in the sentence after,
the guess is wrong. So it compares excerpts of one set; it is no share of questions that were answered.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { half: { type: "string" }, find: { type: "string", default: "" }, help: { type: "boolean", default: false } },
});

if (options.help || positionals.length !== 1) {
  console.log(HELP);
  process.exitCode = options.help ? 0 : 2;
} else {
  main(positionals[0]);
}

function main(data) {
  const lines = (name) => readFileSync(join(data, name), "utf8").split("\n").filter((line) => line !== "");
  const corpus = new Map(lines("corpus.jsonl").map((line) => JSON.parse(line)).map(({ id, text }) => [id, text]));
  const judged = new Map();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query, doc] = line.split("\t");
    judged.set(query, [...(judged.get(query) ?? []), doc]);
  }
  const ofHalf = (_, at) => options.half === undefined || at % 2 === Number(options.half === "b");
  const queries = lines("queries.jsonl").map((line) => JSON.parse(line)).filter(({ id }) => judged.has(id)).filter(ofHalf);
  const nearest = guess(corpus);
  const rows = answers(join(data, "corpus.jsonl"), queries).map(({ results }, at) => {
    const { id, text } = queries[at];
    const [first] = results;
    const doc = first && judged.get(id).find((doc) => doc === first.url);
    const sentence = doc && nearest(text, doc);
    const shown = first?.excerpt.text ?? "";
    return {
      found: doc !== undefined, share: sentence ? common(plain(shown), plain(sentence)) / plain(sentence).length : 0,
      letters: shown.length, begins: !shown.startsWith("…") || /^…\p{Lu}/u.test(shown), marks: first?.excerpt.highlights.length ?? 0,
    };
  });
  const share = (rows, is) => (rows.filter(is).length / rows.length).toFixed(3);
  const mean = (rows, of) => (rows.reduce((sum, row) => sum + of(row), 0) / rows.length).toFixed(3);
  const found = rows.filter((row) => row.found);
  console.log(table(["", "all questions", "paragraph first"], [
    ["questions", String(rows.length), String(found.length)],
    ["the excerpt has the whole sentence", ...[rows, found].map((rows) => share(rows, (row) => row.share > 0.95))],
    ["at least half of it", ...[rows, found].map((rows) => share(rows, (row) => row.share >= 0.5))],
    ["letters of the sentence shown", ...[rows, found].map((rows) => mean(rows, (row) => row.share))],
    ["begins with a sentence", ...[rows, found].map((rows) => share(rows, (row) => row.begins))],
    ["letters", ...[rows, found].map((rows) => mean(rows, (row) => row.letters))],
    ["marks", ...[rows, found].map((rows) => mean(rows, (row) => row.marks))],
  ]));
}

/** The first result of each question, from a bundle that is made for it. */
function answers(corpus, queries) {
  const folder = mkdtempSync(join(tmpdir(), "knarr-excerpts-"));
  const knarr = (...args) => {
    const run = spawnSync(binary(), args, { encoding: "utf8", maxBuffer: 1 << 30 });
    if (run.status !== 0) throw new Error(`knarr ${args[0]}: ${run.stderr || run.error}`);
    return run.stdout;
  };
  try {
    knarr("build", corpus, "--out", join(folder, "bundle"), "--quiet");
    const file = join(folder, "queries.jsonl");
    writeFileSync(file, queries.map(({ text }) => `${JSON.stringify({ query: text })}\n`).join(""));
    const more = options.find.split(" ").filter(Boolean);
    const found = knarr("find", join(folder, "bundle"), "--queries", file, "--json", "--limit", "1", ...more);
    return found.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
