#!/usr/bin/env node
/** What a reader sees of excerpts and section titles in the search element, at two widths. `--help` says how. */

import { basename } from "node:path";
import { launch } from "./browser/chromium.mjs";
import { serve } from "./browser/server.mjs";
import { run } from "./browser/setting.mjs";
import { table } from "./relevance/report.mjs";
import { FUNCTION_WORDS } from "./relevance/words.mjs";

const HELP = `node rows.mjs BUNDLE QUERIES.jsonl… [options]: a Markdown table on standard output

  BUNDLE        the folder of a bundle; QUERIES.jsonl has a line {"query": …} each
  --widths A,B  of the window, in pixels (default: 1280,360)
  --dist DIR    the npm package's built files (default: pkg/dist of this repository)
environment: CHROMIUM, the browser`;

const OWN = { widths: { type: "string", default: "1280,360" } };

await run({ help: HELP, own: OWN, most: Infinity }, main);

async function main({ options, bundle, queries, mounts }) {
  const server = await serve(mounts, { cache: true });
  const browser = await launch();
  try {
    const columns = [];
    for (const width of options.widths.split(",").map(Number)) columns.push(await seen(browser, server, queries, width));
    console.log(`${browser.version}, ${basename(bundle)}, ${queries.length} queries\n`);
    console.log(report(columns));
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Sums of what all queries show in a window of `width` pixels. */
async function seen(browser, server, queries, width) {
  const page = await browser.openPage(`${server.origin}/element.html`, { cache: true });
  await page.send("Emulation.setDeviceMetricsOverride", { width, height: 800, deviceScaleFactor: 1, mobile: false });
  await page.run(async () => {
    await customElements.whenDefined("knarr-search");
    document.querySelector("knarr-search").removeAttribute("inline");
  });
  const sums = { width };
  for (const query of queries) {
    const counts = await page.run(count, query, [...FUNCTION_WORDS]);
    for (const [name, n] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + n;
  }
  await page.close();
  return sums;
}

/** Asks `query` in the dialog, and counts what stands there. Runs in the page. */
async function count(query, functionWords) {
  const search = document.querySelector("knarr-search");
  search.show(query);
  const list = () => search.shadowRoot.querySelector("#results");
  do await new Promise((resolve) => setTimeout(resolve, 50));
  while (list().hasAttribute("aria-busy"));
  const isFunction = new Set(functionWords);
  const only = query.toLowerCase().match(/[\p{L}\p{N}]+/gu).every((word) => isFunction.has(word));
  const all = (selector) => Array.from(list().querySelectorAll(selector));
  const excerpts = all(".excerpt");
  const bottom = (node) => node.getBoundingClientRect().bottom;
  const isHidden = (mark) => bottom(mark) > bottom(mark.closest(".excerpt")) + 1;
  const marks = all(".excerpt mark");
  const titles = all(".section .title");
  const lines = (node) => Math.round(node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight));
  const generic = /^(examples?|safety|panics|errors|see also|structs|notes?|overview|description|parameters|returns?)$/i;
  const texts = (group) => Array.from(group.querySelectorAll(".excerpt"), (node) => node.textContent);
  return {
    rows: all("[role=option]").length,
    excerpts: excerpts.length,
    cut: excerpts.filter((node) => node.scrollHeight > node.clientHeight + 1).length,
    marks: marks.length,
    hidden: marks.filter(isHidden).length,
    unmarked: excerpts.filter((node) => !Array.from(node.querySelectorAll("mark")).some((mark) => !isHidden(mark))).length,
    function: only ? 0 : marks.filter((mark) => isFunction.has(mark.textContent.toLowerCase())).length,
    middle: excerpts.filter((node) => /^…[\p{Ll}]/u.test(node.textContent)).length,
    titles: titles.length,
    long: titles.filter((node) => lines(node) > 2).length,
    generic: titles.filter((node) => generic.test(node.textContent.trim())).length,
    equal: all(".group").reduce((sum, group) => sum + texts(group).length - new Set(texts(group)).size, 0),
  };
}

function report(columns) {
  const of = (part, whole) => (sums) => `${sums[part]} of ${sums[whole]}`;
  const line = (label, cell) => [label, ...columns.map(cell)];
  return table(["", ...columns.map(({ width }) => `${width} px`)], [
    line("excerpts cut", of("cut", "excerpts")),
    line("excerpts without a mark in sight", of("unmarked", "excerpts")),
    line("excerpts that begin with a small letter behind an ellipsis", of("middle", "excerpts")),
    line("excerpts twice on a page", of("equal", "excerpts")),
    line("marks out of sight", of("hidden", "marks")),
    line("marks on function words", of("function", "marks")),
    line("section titles of more than two lines", of("long", "titles")),
    line("general section titles without the one above", of("generic", "titles")),
  ]);
}
