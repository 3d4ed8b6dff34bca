#!/usr/bin/env node
/** Bytes, requests, CPU and memory of a bundle in headless Chromium. `--help` says how to run it; README.md what it needs. */

import { statSync, writeFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { launch } from "./browser/chromium.mjs";
import { firstQueries, KNARR, PAGEFIND } from "./browser/first.mjs";
import { native } from "./browser/native.mjs";
import { serve } from "./browser/server.mjs";
import { run } from "./browser/setting.mjs";
import * as warm from "./browser/warm.mjs";
import { binary } from "./relevance/knarr.mjs";
import { generator, mean, quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node browser.mjs BUNDLE QUERIES.jsonl [options]: Markdown tables on standard output, progress on standard error

  BUNDLE           the folder of a bundle; QUERIES.jsonl has a line {"query": …} each
  --first N        fresh pages, one first query each (default: 40, drawn from the queries by a fixed seed)
  --warm N         warm queries (default: 100)
  --single FILE    the same documents as a one-file bundle (.knarr), for opening and memory of a whole bundle
  --pagefind DIR   a Pagefind bundle of the same pages, to measure beside
  --dist DIR       the npm package's built files (default: pkg/dist of this repository)
  --entry FILE     the package's script that pages import (default: core.js, what the search element loads)
  --latency MS     wait before each answer of the server, for first queries (default: 40)
  --parts A,B      some of first, open, warm, memory, native (default: all)
  --json FILE      also write the figures to this file
environment: CHROMIUM, the browser; KNARR_BIN, the command line`;

const PARTS = ["first", "open", "warm", "memory", "native"];

/** Results that are shown: Knarr's default, and the page size of Pagefind's own interface. */
const LIMIT = 10;
const PAGEFIND_LIMIT = 5;

const OWN = {
  first: { type: "string", default: "40" },
  warm: { type: "string", default: "100" },
  single: { type: "string" },
  pagefind: { type: "string" },
  entry: { type: "string", default: "core.js" },
  latency: { type: "string", default: "40" },
  parts: { type: "string", default: PARTS.join(",") },
  json: { type: "string" },
};

const say = (text) => process.stderr.write(`${text}\n`);

await run({ help: HELP, own: OWN, needs: ({ entry }) => entry }, main);

/** Measures what was asked for and prints it. */
async function main(setting) {
  const { options, bundle, files, queries: all } = setting;
  const parts = options.parts.split(",");
  const unknown = parts.find((part) => !PARTS.includes(part));
  if (unknown !== undefined) throw new Error(`there is no part ${unknown}; there are ${PARTS.join(", ")}`);
  const figures = { date: new Date().toISOString(), entry: options.entry, bundle: basename(bundle), queries: basename(files[0]) };
  const browser = await launch();
  try {
    figures.browser = browser.version;
    if (parts.includes("first")) figures.first = await first(browser, setting, draw(all, Number(options.first)));
    const queries = draw(all, Number(options.warm));
    await withServer(setting, 0, async (address) => {
      const single = options.single && `/single/${basename(options.single)}`;
      if (parts.includes("open")) {
        figures.open = { head: await warm.opening(browser, address, options.entry, null, 30) };
        if (single) figures.open.whole = await warm.opening(browser, address, options.entry, single, 10);
      }
      if (parts.includes("warm")) {
        figures.warm = await warm.direct(browser, address, options.entry, queries, say);
        figures.warm.worker = await warm.worker(browser, address, options.entry, queries, say);
        if (options.pagefind) figures.warm.pagefind = await warm.pagefind(browser, address, queries, say);
      }
      if (parts.includes("memory")) figures.memory = await warm.memory(browser, address, options.entry, queries, single, say);
    });
    if (parts.includes("native")) {
      say("native");
      figures.native = {
        "with excerpts": native(binary(), bundle, queries), "ranking only": native(binary(), bundle, queries, ["--no-excerpts"]),
      };
    }
  } finally {
    await browser.close();
  }
  console.log(report(figures, options).join("\n\n"));
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, undefined, 1)}\n`);
}

/** First queries of Knarr, and of Pagefind where its bundle is given. */
async function first(browser, setting, queries) {
  const { options } = setting;
  return withServer(setting, Number(options.latency), async (address) => {
    const rows = { knarr: await firstQueries(browser, address, { ...KNARR, options: { limit: LIMIT, entry: options.entry } }, queries, (text) => say(`Knarr: ${text}`)) };
    if (options.pagefind) {
      const client = { ...PAGEFIND, options: { limit: PAGEFIND_LIMIT } };
      rows.pagefind = await firstQueries(browser, address, client, queries, (text) => say(`Pagefind: ${text}`));
    }
    return rows;
  });
}

async function withServer({ options, mounts: shared }, latency, work) {
  const mounts = { ...shared };
  if (options.pagefind) mounts["/pagefind"] = resolve(options.pagefind);
  if (options.single) mounts["/single"] = dirname(resolve(options.single));
  const server = await serve(mounts, { latency });
  try {
    return await work(`${server.origin}/`);
  } finally {
    await server.close();
  }
}

/** `count` of the queries, the same ones every time, in an order that does not follow the file's. */
function draw(queries, count) {
  const random = generator(7);
  const keyed = queries.map((query) => [random(), query]).sort(([a], [b]) => a - b);
  return keyed.slice(0, count).map(([, query]) => query);
}

function report(figures, options) {
  const blocks = [`${figures.browser}, ${figures.entry}, ${figures.bundle}, ${figures.queries}`];
  if (figures.first) blocks.push(firstTable(figures.first, options));
  const rows = [];
  const cpu = (name, values) => rows.push([name, ...[0.5, 0.95, 1].map((q) => quantile(values, q).toFixed(2)), mean(values).toFixed(2)]);
  const average = (name, value) => rows.push([name, "", "", "", value.toFixed(2)]);
  if (figures.open) {
    cpu("open: head", figures.open.head);
    if (figures.open.whole) cpu(`open: one file of ${megabytes(statSync(options.single).size)}`, figures.open.whole);
  }
  if (figures.warm) {
    cpu("warm query with excerpts, page's thread", figures.warm.excerpts);
    cpu("warm query, ranking only, page's thread", figures.warm.ranking);
    average("warm query with excerpts, worker (whole renderer)", figures.warm.worker);
    if (figures.warm.pagefind) average("Pagefind, search and 10 fragments (whole renderer)", figures.warm.pagefind);
  }
  if (figures.native) {
    for (const [name, { ms, coldMs }] of Object.entries(figures.native)) {
      average(`native, ${name}, warm`, ms);
      average(`native, ${name}, parts read the first time`, coldMs);
    }
  }
  if (rows.length > 0) blocks.push(table(["CPU, ms", "p50", "p95", "max", "mean"], rows));
  if (figures.memory) {
    const names = { head: "opened", first: "after one query", warm: "after all queries", whole: "one file, after all queries" };
    const lines = Object.entries(figures.memory).map(([name, { wasm, heap }]) => [names[name], megabytes(wasm), megabytes(heap)]);
    blocks.push(table(["memory", "WebAssembly", "JavaScript heap"], lines));
  }
  return blocks;
}

function firstTable(first, options) {
  const kb = (bytes) => (bytes / 1000).toFixed(0);
  const rows = Object.entries(first).flatMap(([name, measured]) => {
    const line = (label, key, form) => {
      const values = measured.map((row) => row[key]).sort((a, b) => a - b);
      return [`${name}: ${label}`, ...[0, 0.5, 0.95, 1].map((q) => form(quantile(values, q)))];
    };
    return [
      line("kB, everything", "bytes", kb), line("kB, engine", "engineBytes", kb), line("kB, bundle", "dataBytes", kb),
      line("requests", "requests", String), line("requests, bundle", "dataRequests", String),
      line("dependent rounds", "rounds", String), line("dependent rounds, bundle", "dataRounds", String),
      line(`ms to the results, ${options.latency} ms latency`, "ms", (ms) => ms.toFixed(0)),
    ];
  });
  return table(["first query", "min", "p50", "p95", "max"], rows);
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
