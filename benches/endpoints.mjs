#!/usr/bin/env node
/** What endpoints cost a search: the time of `search()` when each answers after a fixed wait. `--help` says how to run it. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";
import { readLines } from "./relevance/lines.mjs";

const HELP = `node endpoints.mjs BUNDLE.knarr QUERIES.jsonl [options]: a Markdown table on standard output

  BUNDLE.knarr   a one-file bundle: what is measured is the endpoints, not fetching parts
  --delay MS     wait of every endpoint before its answer (default: 50)
  --queries N    how many queries (default: 40)
  --dist DIR     the npm package's built files (default: pkg/dist of this repository)`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    delay: { type: "string", default: "50" },
    queries: { type: "string", default: "40" },
    dist: { type: "string", default: fileURLToPath(new URL("../pkg/dist", import.meta.url)) },
    help: { type: "boolean", default: false },
  },
});
if (options.help || positionals.length !== 2) {
  console.log(HELP);
  process.exit(options.help ? 0 : 2);
}

const delay = Number(options.delay);
const seen = { requests: 0 };
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  seen.requests += 1;
  const body = JSON.parse(text);
  const answer = request.url === "/chat"
    ? { choices: [{ message: { content: JSON.stringify({ reasoning: "", queries: planOf(body) }) } }] }
    : { results: body.documents.map((_, index) => ({ index, relevance_score: 1 / (index + 1) })) };
  setTimeout(() => response.setHeader("content-type", "application/json").end(JSON.stringify(answer)), delay);
}).listen(0, "127.0.0.1");
server.keepAliveTimeout = 60_000; // A connection must not end just as it is used again.
await new Promise((listening) => server.once("listening", listening));

/** Three queries, as a model plans them for a question with several sides. */
function planOf({ messages }) {
  const words = messages.at(-1).content.split(/\s+/u).filter((word) => /^\p{L}{4,}$/u.test(word)).slice(-6);
  return [0, 2, 4].map((at) => ({ query: words.slice(at, at + 2).join(" ") || "page", context_type: "resource", intent: "", priority: 1 }));
}

const at = (path) => ({ url: `http://127.0.0.1:${server.address().port}/${path}` });
const SETTINGS = [
  ["no endpoint", {}, {}],
  ["rerank", { rerank: at("rerank") }, {}],
  ["intent (3 queries)", { intent: at("chat") }, { intent: "always" }],
  ["intent (3 queries) and rerank", { intent: at("chat"), rerank: at("rerank") }, { intent: "always" }],
];

const { Knarr } = await import(pathToFileURL(join(resolve(options.dist), "direct.js")));
const queries = readLines(positionals[1]).slice(0, Number(options.queries)).map(({ query, text }) => query ?? text);
const rows = [];
for (const [name, endpoints, how] of SETTINGS) {
  const knarr = await Knarr.open(new Uint8Array(readFileSync(positionals[0])), { endpoints });
  const times = [];
  for (const query of queries) await knarr.find(query); // Every part decoded: both sides are warm.
  seen.requests = 0;
  for (const query of queries) {
    const start = performance.now();
    // Another limit than before, so that no answer is remembered.
    const { skipped } = await knarr.search(query, { limit: 9, ...how });
    times.push(performance.now() - start);
    if (skipped.some(({ step }) => step === "rerank" || step === "intent") && name !== "no endpoint") throw new Error(JSON.stringify(skipped));
  }
  knarr.close();
  const ms = (share) => quantile(times.toSorted((a, b) => a - b), share).toFixed(0);
  rows.push([name, (seen.requests / queries.length).toFixed(1), ms(0.5), ms(0.95)]);
}
console.log(table(["endpoints", "requests a search", "p50 ms", "p95 ms"], rows));
server.close();
