#!/usr/bin/env node
/**
 * The identifiers set: exact identifiers, error codes and whole titles of cpp-docs, written to identifiers.jsonl.
 *
 *   node queries/identifiers.mjs            writes the file again; the seed is fixed, so it comes out the same
 *
 * Three kinds, each drawn from all pages by the seed. A query is kept only when its label is beyond doubt:
 *
 * - code: an error or warning code (`C2065`, `LNK2019`) from the file name; relevant are all pages with that code there.
 * - identifier: a title that is one identifier, or `identifier kind` (`CObject Class`), with an underscore, a capital or a
 *   digit inside; relevant are all pages whose title holds the same identifier as a word.
 * - title: a whole title of three to eight words; relevant are all pages with exactly that title.
 *
 * More than MOST_PAGES relevant pages make a query a matter of taste, and it is dropped.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { splitPage } from "../relevance/documents.mjs";
import { generator } from "../relevance/metrics.mjs";
import { prepareCorpus } from "../relevance/sets.mjs";

/** Queries of each kind. */
const COUNT = 70;
const MOST_PAGES = 3;
const KINDS = "class|structure|struct|function|functions|method|enumeration|enum|interface|macro|macros|operator|union|namespace";

const { values: options } = parseArgs({ options: { work: { type: "string", default: join(tmpdir(), "knarr-benches") } } });
const corpus = prepareCorpus("cpp-docs", options.work, (text) => process.stderr.write(`${text}\n`));
const pages = [...corpus.ids].map(([file, id]) => {
  const { title } = splitPage(readFileSync(join(corpus.site, file), "utf8"));
  return { id, file, title: title.replace(/[`\\]/g, "").trim() };
});

const byCode = group(pages, ({ file }) => {
  const code = /(?:^|[-/])((?:lnk|rc|cs|prj|cvt|bk|nmake-u|rg|d|c|a|u)\d{3,5})(?:-c\d+)*\.md$/.exec(file);
  return code ? [code[1].toUpperCase()] : [];
});
const byTitle = group(pages, ({ title }) => [title]);
const byWord = group(pages, ({ title }) => title.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== ""));

const kinds = {
  code: [...byCode].map(([query, relevant]) => ({ query, relevant })),
  identifier: pages
    .map(({ title }) => new RegExp(`^([A-Za-z_][\\w]{3,})(?: (?:${KINDS}))?$`, "i").exec(title)?.[1])
    .filter((word) => word !== undefined && /[_\d]|[a-z][A-Z]|^[A-Z]{2}/.test(word) && !byCode.has(word))
    .map((query) => ({ query, relevant: byWord.get(query) })),
  title: [...byTitle]
    .filter(([title]) => title.split(/\s+/).length >= 3 && title.split(/\s+/).length <= 8 && !/\b[A-Z]+\d{3,}\b/.test(title))
    .map(([query, relevant]) => ({ query, relevant })),
};

const random = generator(2065);
const lines = [];
for (const [kind, all] of Object.entries(kinds)) {
  const once = [...new Map(all.map((row) => [row.query, row])).values()].filter(({ relevant }) => relevant.length <= MOST_PAGES);
  const drawn = once.map((row) => [random(), row]).sort(([a], [b]) => a - b).slice(0, COUNT);
  process.stderr.write(`${kind}: ${drawn.length} of ${once.length}\n`);
  for (const [, { query, relevant }] of drawn) lines.push(`${JSON.stringify({ query, relevant, kind })}\n`);
}
writeFileSync(new URL("identifiers.jsonl", import.meta.url), lines.join(""));

function group(rows, keys) {
  const groups = new Map();
  for (const row of rows) {
    for (const key of new Set(keys(row))) groups.set(key, [...(groups.get(key) ?? []), row.id]);
  }
  return groups;
}
