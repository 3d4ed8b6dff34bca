#!/usr/bin/env node
/** Where the rows of a site's search lead: whether the file, the place and the words are there. `--help` says how. */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./browser/chromium.mjs";
import { decode, letters, measured, parse, section, words } from "./landing/page.mjs";
import { binary } from "./relevance/knarr.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node landing.mjs FOLDER=BUNDLE… [options]: a Markdown table on standard output, a line for each site

  FOLDER=BUNDLE  a built site's folder and the bundle that knarr built of it, without --base-url
  --pages N      pages that questions are made of (default: 100)
  --list N       name up to N faults of each kind and site on standard error
environment: KNARR_BIN, the command line; CHROMIUM, the browser, whose parser reads the pages

Each page asks four questions: its first heading, two others, and three words in a row of its text. Of all rows and
sections that are shown, counted are: addresses without a file (file), anchors without an element (anchor), sections that
only the page's top is opened for (top); sentences of excerpts that have a word which is not on the page (words), or that
are not one run of its letters, since labels within were left out (run); sentences of a section's excerpt that stand
elsewhere on the page (place); titles of pages that are no <title>, heading or alt of it, and titles of sections that do
not stand on it (title); rows that are another page than one above them and have its title and breadcrumbs (alike).`;

/** Rows asked for, and letters that an excerpt may stand before or behind its section. */
const LIMIT = 8;
const NEAR = 200;

const FAULTS = ["file", "anchor", "top", "words", "run", "place", "title", "alike"];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: "string", default: "100" }, list: { type: "string", default: "0" }, help: { type: "boolean", default: false } },
});

if (options.help || positionals.length === 0) {
  console.log(HELP);
  process.exitCode = options.help ? 0 : 2;
} else {
  await main(positionals.map((pair) => pair.split("=")));
}

async function main(sites) {
  const browser = await launch();
  const rows = [];
  try {
    for (const [folder, bundle] of sites) rows.push(await site(browser, folder, bundle));
  } finally {
    await browser.close();
  }
  console.log(table(["site", "questions", "rows", "sections", ...FAULTS], rows));
}

/** A line of the table. */
async function site(browser, folder, bundle) {
  const tab = await browser.openPage("about:blank");
  const pages = new Map();
  const read = async (file) => {
    if (!pages.has(file)) pages.set(file, measured(await tab.run(parse, decode(readFileSync(join(folder, file))))));
    return pages.get(file);
  };
  const questions = [];
  for (const file of sample(bundle, Number(options.pages))) questions.push(...asked(await read(file), file));
  const seen = { rows: 0, sections: 0, faults: new Map(FAULTS.map((fault) => [fault, []])) };
  for (const answer of ask(bundle, questions)) await judge(answer, { folder, read, seen });
  await tab.close();
  for (const [fault, found] of seen.faults) {
    for (const line of found.slice(0, Number(options.list))) console.error(`${basename(folder)} ${fault}: ${line}`);
  }
  return [basename(folder), questions.length, seen.rows, seen.sections, ...FAULTS.map((fault) => seen.faults.get(fault).length)];
}

/** Files of pages, evenly spread over those that the bundle shows. */
function sample(bundle, most) {
  const all = JSON.parse(execFileSync(binary(), ["inspect", bundle, "--pages", "--json"], { encoding: "utf8", maxBuffer: 1 << 28 }));
  const shown = Object.keys(all).filter((file) => /\.x?html?$/.test(file) && !all[file].left_out && !all[file].folded_into).sort();
  const step = Math.max(1, shown.length / most);
  return Array.from({ length: Math.min(most, shown.length) }, (_, at) => shown[Math.floor(at * step)]);
}

/** Numbers in [0, 1) that are the same for the same name (mulberry32). */
function chance(name) {
  let state = Array.from(name).reduce((sum, sign) => Math.imul(sum ^ sign.codePointAt(0), 16777619), 2166136261);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A page's questions. */
function asked(page, file) {
  const next = chance(file);
  const pick = (list, width = 1) => list.slice(...((from) => [from, from + width])(Math.floor(next() * Math.max(1, list.length - width + 1))));
  const headings = page.headings.map(({ text }) => text.replace(/\s+/g, " ").trim()).filter((text) => letters(text) !== "");
  const run = pick(page.text.split(/\s+/).filter((word) => letters(word) !== ""), 3).join(" ");
  return [headings[0] ?? page.title, ...pick(headings.slice(1)), ...pick(headings.slice(1)), run].filter((text) => letters(text) !== "");
}

/** The rows of each question. */
function ask(bundle, questions) {
  const folder = mkdtempSync(join(tmpdir(), "knarr-landing-"));
  const file = join(folder, "queries.jsonl");
  writeFileSync(file, questions.map((query) => `${JSON.stringify({ query })}\n`).join(""));
  const args = ["find", bundle, "--queries", file, "--limit", String(LIMIT), "--lang", "*", "--json"];
  const lines = execFileSync(binary(), args, { encoding: "utf8", maxBuffer: 1 << 30 }).trimEnd().split("\n");
  rmSync(folder, { recursive: true });
  return lines.map((line) => JSON.parse(line).results);
}

/** The file that a host shows at an address, if there is one. */
function fileAt(folder, address) {
  const path = decodeURIComponent(new URL(address, "https://site.example/").pathname).slice(1);
  const forms = [path, `${path}.html`, join(path, "index.html"), `${path}.htm`, join(path, "index.htm"), join(path, "README.md")];
  return forms.find((form) => form !== "" && existsSync(join(folder, form)) && statSync(join(folder, form)).isFile());
}

/** Counts the faults of one answer's rows. */
async function judge(answer, { folder, read, seen }) {
  const fault = (kind, ...about) => seen.faults.get(kind).push(about.join(" | "));
  const above = new Set();
  for (const row of answer) {
    seen.rows++;
    const look = JSON.stringify([row.title, row.crumbs, row.lang, row.docs_version]);
    if (above.has(look)) fault("alike", row.url, look);
    above.add(look);
    const file = fileAt(folder, row.url);
    if (file === undefined) fault("file", row.url);
    else if (/\.x?html?$/.test(file)) judgeRow(row, await read(file), seen, fault);
    else seen.sections += row.sections?.length ?? 0;
  }
}

/** What the part of an address behind `#` names: as it stands, or else decoded, as browsers do. */
function named(page, url) {
  const [, fragment = ""] = url.split("#");
  if (fragment === "" || page.anchors.has(fragment)) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Counts the faults of a row whose page is there. */
function judgeRow(row, page, seen, fault) {
  const anchor = named(page, row.url);
  if (anchor !== "" && !page.anchors.has(anchor)) fault("anchor", row.url);
  if (!page.titles.some((title) => title.includes(letters(row.title)))) fault("title", row.url, row.title);
  judgeExcerpt(row, page, undefined, fault);
  for (const part of row.sections ?? []) {
    seen.sections++;
    const name = named(page, part.url);
    const isThere = page.anchors.has(name);
    if (!isThere) fault(name === "" ? "top" : "anchor", part.url, part.title);
    // A section's title may have that of its parent before it.
    if (!part.title.split(" › ").every((title) => page.letters.includes(letters(title)))) fault("title", part.url, part.title);
    judgeExcerpt(part, page, isThere ? section(page, name) : undefined, fault);
  }
}

/** Sentences of an excerpt: what was left out between two of them is no fault. */
function sentences(text) {
  return text.split(/…|(?<=[.!?])\s+/u).filter((sentence) => letters(sentence) !== "");
}

/** Counts the first fault of an excerpt, which is of a section where `range` has its letters. */
function judgeExcerpt({ url, excerpt }, page, range, fault) {
  for (const sentence of sentences(excerpt?.text ?? "")) {
    const own = letters(sentence);
    // A page's description stands in its head.
    if (page.described.some((text) => text.includes(own))) continue;
    if (!page.letters.includes(own)) {
      const missing = words(sentence).find((word) => !page.letters.includes(word));
      return missing === undefined ? fault("run", url, sentence) : fault("words", url, missing, sentence);
    }
    const near = range && page.letters.slice(Math.max(0, range.from - NEAR), range.to + NEAR);
    if (near?.includes(own) === false) return fault("place", url, sentence);
  }
}
