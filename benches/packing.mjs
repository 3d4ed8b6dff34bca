#!/usr/bin/env node
/** What a first question would fetch if parts were packed by brotli in place of deflate. `--help` says how to run it. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants, inflateRawSync } from "node:zlib";
import { evenly, fetched } from "./browser/fetched.mjs";
import { readLines } from "./relevance/lines.mjs";
import { quantile } from "./relevance/metrics.mjs";
import { table } from "./relevance/report.mjs";

const HELP = `node packing.mjs BUNDLE QUERIES.jsonl… [options]: a Markdown table on standard output

  BUNDLE      the folder of a bundle with packs; QUERIES.jsonl have lines {"query": …}
  --each N    queries of each file, evenly spaced (default: 16)
  --dist DIR  the npm package's built files (default: pkg/dist of this repository)

Each part that a question fetches is inflated and packed again, by itself, at brotli's highest level. A decoder is not counted.`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: "string", default: "16" }, dist: { type: "string", default: fileURLToPath(new URL("../pkg/dist", import.meta.url)) },
    help: { type: "boolean", default: false },
  },
});
if (options.help || positionals.length < 2) {
  console.log(HELP);
  process.exit(options.help ? 0 : 2);
}

/** Bytes of a preamble before the head's body, and of the check before a part (docs/FORMAT.md). */
const [PREAMBLE, CHECK] = [28, 4];

const [bundle, ...files] = positionals.map((path) => resolve(path));
const queries = files.flatMap((file) => evenly(readLines(file), Number(options.each))).map(({ query, text }) => query ?? text);
const packs = new Map();
const rows = (await fetched(options.dist, bundle, queries)).map((requests) => requests.reduce((sum, request) => {
  const sizes = request.from === undefined ? [head(request.file)] : parts(request);
  for (const { stored, brotli } of sizes) {
    sum.stored += stored;
    sum.brotli += brotli;
    sum.parts++;
  }
  return sum;
}, { stored: 0, brotli: 0, parts: 0 }));

const kb = (key, q) => (quantile(rows.map((row) => row[key]).sort((a, b) => a - b), q) / 1000).toFixed(1);
const mean = (key) => rows.reduce((sum, row) => sum + row[key], 0) / rows.length / 1000;
console.log(`${basename(bundle)}, first queries: ${rows.length}, parts of each: ${(1000 * mean("parts")).toFixed(0)} (mean)\n`);
console.log(table(["kB of a first query", "p50", "p95", "mean"], [
  ["deflate, as it is", kb("stored", 0.5), kb("stored", 0.95), mean("stored").toFixed(1)],
  ["brotli", kb("brotli", 0.5), kb("brotli", 0.95), mean("brotli").toFixed(1)],
  ["less", "", "", `${(mean("stored") - mean("brotli")).toFixed(1)} (${(100 * (1 - mean("brotli") / mean("stored"))).toFixed(0)} %)`],
]));

/** The parts of a request, each `{ stored, brotli }` in bytes. */
function parts({ file, from, to }) {
  if (!packs.has(file)) packs.set(file, { bytes: readFileSync(join(bundle, file)), known: new Map() });
  const { bytes, known } = packs.get(file);
  const found = [];
  for (let at = from; at <= to; at += found.at(-1).stored) {
    if (!known.has(at)) known.set(at, part(bytes, at));
    found.push(known.get(at));
  }
  return found;
}

/** One part in its stored form: a check, the length of the raw bytes or 0, and deflated data or the raw bytes. */
function part(bytes, start) {
  const [length, at] = varint(bytes, start + CHECK);
  if (length === 0) return raw(bytes, start, at);
  const { buffer, engine } = inflateRawSync(bytes.subarray(at), { info: true });
  if (buffer.length !== length) throw new Error(`a part of ${length} bytes inflates to ${buffer.length}`);
  const data = engine.bytesWritten;
  return { stored: at - start + data, brotli: at - start + Math.min(data, squeezed(buffer)) };
}

/** A part that is not deflated says nothing of its length: it ends where its check is right. */
function raw(bytes, start, at) {
  const check = bytes.subarray(start, start + CHECK);
  const hash = createHash("sha256").update(bytes.subarray(start + CHECK, at));
  for (let end = at; end <= bytes.length; hash.update(bytes.subarray(end, ++end))) {
    if (!hash.copy().digest().subarray(0, CHECK).equals(check)) continue;
    return { stored: end - start, brotli: at - start + Math.min(end - at, squeezed(bytes.subarray(at, end))) };
  }
  throw new Error("a part without an end");
}

function head(file) {
  const bytes = readFileSync(join(bundle, file));
  const [length, at] = varint(bytes, PREAMBLE);
  const body = length === 0 ? bytes.subarray(at) : inflateRawSync(bytes.subarray(at));
  return { stored: bytes.length, brotli: at + squeezed(body) };
}

function varint(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    value += (bytes[at] & 127) * 2 ** shift;
    if (bytes[at++] < 128) return [value, at];
  }
}

function squeezed(bytes) {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }).length;
}
