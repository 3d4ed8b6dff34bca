#!/usr/bin/env node
/**
 * The paraphrase set: questions about pages of cpp-docs that share no content word with them.
 *
 *   node queries/paraphrase.mjs --sample N   names N pages to write questions about, drawn by a fixed seed
 *   node queries/paraphrase.mjs              checks paraphrase.jsonl; fails when a question shares a word with its page
 *
 * A content word is any word that is not in FUNCTION_WORDS. Words are compared by Porter stem, against everything a search
 * could see of the page: its path, title, headings, text and code.
 */

import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import lunr from "lunr";
import { pageText, splitPage } from "../relevance/documents.mjs";
import { generator } from "../relevance/metrics.mjs";
import { readLines } from "../relevance/lines.mjs";
import { prepareCorpus } from "../relevance/sets.mjs";
import { FUNCTION_WORDS } from "../relevance/words.mjs";

/** Pages that can be asked about: long enough to mean something, short enough to leave other words to ask with. */
const WORDS = [60, 260];

/** At most so many pages of one top folder, so that error messages do not fill the set. */
const PER_FOLDER = 12;

const { values: options } = parseArgs({
  options: { sample: { type: "string" }, work: { type: "string", default: join(tmpdir(), "knarr-benches") } },
});
const corpus = prepareCorpus("cpp-docs", options.work, (text) => process.stderr.write(`${text}\n`));
if (options.sample === undefined) check();
else sample(Number(options.sample));

/** The stems of the content words of a text. */
function contentStems(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Map(words.filter((word) => !FUNCTION_WORDS.has(word)).map((word) => [lunr.stemmer(new lunr.Token(word, {})).toString(), word]));
}

function check() {
  const queries = readLines(new URL("paraphrase.jsonl", import.meta.url));
  const files = new Map([...corpus.ids].map(([file, id]) => [id, file]));
  let shared = 0;
  for (const { query, relevant } of queries) {
    for (const id of relevant) {
      const file = files.get(id);
      if (file === undefined) throw new Error(`there is no page ${id}`);
      const markdown = readFileSync(join(corpus.site, file), "utf8");
      const page = splitPage(markdown);
      const seen = contentStems(`${file} ${page.title} ${page.body} ${pageText(page).text}`);
      const both = [...contentStems(query)].filter(([stem]) => seen.has(stem)).map(([, word]) => word);
      if (both.length === 0) continue;
      shared += 1;
      console.log(`${id}: ${both.join(", ")}`);
    }
  }
  console.log(`${queries.length} questions, ${shared} share a word with their page`);
  if (shared > 0) process.exitCode = 1;
}

function sample(count) {
  const random = generator(20);
  const pages = [...corpus.ids].map(([file, id]) => ({ key: random(), file, id })).sort((a, b) => a.key - b.key);
  const perFolder = new Map();
  let named = 0;
  for (const { file, id } of pages) {
    const folder = file.split("/")[0];
    const words = splitPage(readFileSync(join(corpus.site, file), "utf8")).body.split(/\s+/).length;
    if (words < WORDS[0] || words > WORDS[1] || (perFolder.get(folder) ?? 0) >= PER_FOLDER) continue;
    perFolder.set(folder, (perFolder.get(folder) ?? 0) + 1);
    console.log(id);
    if (++named === count) return;
  }
}
