#!/usr/bin/env node
/** Compiling the engine while it arrives, against compiling it when it is there. `--help` says how to run it. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { launch } from "./browser/chromium.mjs";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node compile.mjs [options]: a Markdown table on standard output

  --visits N     pages that compile each way, in turns; each in a browser context of its own, then again with its cache (default: 20)
  --latency MS   wait before each answer of the server (default: 150)
  --kbit A,B     kbit/s at which the module arrives, 0 without a limit (default: 0,1600)
  --dist DIR     the npm package's built files (default: pkg/dist of this repository)
environment: CHROMIUM, the browser

Milliseconds from asking for knarr_core_first.wasm to its compiled module; the browser keeps it for an hour.`;

const { values: options } = parseArgs({
  options: {
    visits: { type: "string", default: "20" }, latency: { type: "string", default: "150" }, kbit: { type: "string", default: "0,1600" },
    dist: { type: "string", default: fileURLToPath(new URL("../pkg/dist", import.meta.url)) }, help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit();
}

const WAYS = ["buffer", "streaming"];
const STEPS = ["first visit", "again", "once more"];
/** Bytes that the server writes at a time when it is slow. */
const PIECE = 4096;

const module = brotliCompressSync(readFileSync(join(options.dist, "knarr_core_first.wasm")));
let kbit = 0;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const server = createServer(async ({ url }, response) => {
  if (!url.endsWith(".wasm")) return void response.writeHead(200, { "content-type": "text/html" }).end('<!doctype html><link rel="icon" href="data:,">');
  await sleep(Number(options.latency));
  response.writeHead(200, { "content-type": "application/wasm", "content-encoding": "br", "cache-control": "public, max-age=3600", etag: '"1"' });
  if (kbit === 0) return void response.end(module);
  const began = performance.now();
  for (let at = 0; at < module.length; at += PIECE) {
    response.write(module.subarray(at, at + PIECE));
    await sleep(began + (8 * (at + PIECE)) / kbit - performance.now());
  }
  response.end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

/** Fetches and compiles the module. Runs in the page. */
async function compile(way) {
  const began = performance.now();
  if (way === "buffer") await WebAssembly.compile(await (await fetch("/m.wasm")).arrayBuffer());
  else await WebAssembly.compileStreaming(fetch("/m.wasm"));
  return performance.now() - began;
}

const browser = await launch();
const rows = [];
try {
  for (kbit of options.kbit.split(",").map(Number)) {
    const times = Object.fromEntries(WAYS.map((way) => [way, STEPS.map(() => [])]));
    for (let visit = 0; visit < Number(options.visits); visit++) {
      for (const way of WAYS) {
        const page = await browser.openPage(origin, { cache: true });
        for (const [step] of STEPS.entries()) {
          if (step > 0) await page.go(`${origin}/${step}`);
          times[way][step].push(await page.run(compile, way));
          await sleep(300);
        }
        await page.close();
      }
    }
    for (const way of WAYS) {
      rows.push([kbit === 0 ? "no limit" : `${kbit} kbit/s`, way, ...times[way].map((values) => {
        values.sort((a, b) => a - b);
        return [0, 0.5, 0.95].map((q) => quantile(values, q).toFixed(0)).join(" / ");
      })]);
    }
  }
  console.log(`${browser.version}, ${options.latency} ms latency, ${options.visits} visits; ms, least / p50 / p95\n`);
  console.log(table(["", "compiled from", ...STEPS], rows));
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
