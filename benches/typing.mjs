#!/usr/bin/env node
/** Requests, bytes and times of queries that are typed, letter by letter, into the search element. `--help` says how. */

import { basename } from "node:path";
import { launch } from "./browser/chromium.mjs";
import { serve } from "./browser/server.mjs";
import { run } from "./browser/setting.mjs";
import { typed } from "./browser/typed.mjs";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node typing.mjs BUNDLE QUERIES.jsonl [options]: a Markdown table on standard output, progress on standard error

  BUNDLE        the folder of a bundle; QUERIES.jsonl has a line {"query": …} each
  --queries N   how many of the queries: every third line first, as many as there are (default: 20)
  --gaps A,B    milliseconds from letter to letter; 0 pastes the query (default: 0,60,150)
  --ahead MS    milliseconds from the field's focus, which loads the engine, to the first letter (default: 0)
  --latency MS  wait before each answer of the server (default: 150)
  --dist DIR    the npm package's built files (default: pkg/dist of this repository)
environment: CHROMIUM, the browser`;

const OWN = {
  queries: { type: "string", default: "20" },
  gaps: { type: "string", default: "0,60,150" },
  ahead: { type: "string", default: "0" },
  latency: { type: "string", default: "150" },
};

await run({ help: HELP, own: OWN }, main);

async function main({ options, bundle, files, queries: all, mounts }) {
  const queries = all.filter((_, at) => at % 3 === 0).slice(0, Number(options.queries));
  const server = await serve(mounts, { latency: Number(options.latency), cache: true });
  const browser = await launch();
  try {
    await typed(browser, server, queries[0], 0); // The server compresses each script once.
    const columns = [];
    for (const gap of options.gaps.split(",").map(Number)) {
      const rows = [];
      for (const query of queries) {
        rows.push(await typed(browser, server, query, gap, Number(options.ahead)));
        process.stderr.write(`${gap} ms: ${rows.length} of ${queries.length}\n`);
      }
      columns.push({ gap, rows });
    }
    console.log(`${browser.version}, ${basename(bundle)}, ${queries.length} queries of ${basename(files[0])}, ${options.ahead} ms after the focus, ${options.latency} ms latency, cache on; p50 / p95 / max\n`);
    console.log(report(columns));
  } finally {
    await browser.close();
    await server.close();
  }
}

function report(columns) {
  const line = (label, key, form = String) => [label, ...columns.map(({ rows }) => {
    const values = rows.map((row) => row[key]).sort((a, b) => a - b);
    return [0.5, 0.95, 1].map((q) => form(quantile(values, q))).join(" / ");
  })];
  const whole = (value) => value.toFixed(0);
  const kb = (bytes) => (bytes / 1000).toFixed(0);
  return table(["", ...columns.map(({ gap }) => (gap === 0 ? "pasted" : `${gap} ms a letter`))], [
    line("letters", "letters", whole), line("requests", "requests", whole), line("aborted", "aborted", whole),
    line("asked again", "twice", whole), line("kB sent by the server", "bytes", kb), line("rounds at the server", "rounds", whole),
    line("connections", "connections", whole), line("beginnings with rows", "beginnings", whole),
    line("first rows, ms after the first letter", "first", whole), line("rows, ms after the last letter", "last", whole),
    line("rows with excerpts, ms after the last letter", "excerpts", whole),
  ]);
}
