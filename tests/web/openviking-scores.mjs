/**
 * Scores of a real OpenViking server against those of its own pack: `node openviking-scores.mjs URL MODEL_URL [KEY]`
 * writes the handbooks of `tests/corpora` to the server, exports them with vectors, builds a bundle of the pack, and asks
 * both the forty questions of the handbooks with the same model. docs/OPENVIKING.md says how to start server and model.
 * `KNARR_BIN` is the command line. Not a part of `npm test`, which has no server to ask.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [url = "http://127.0.0.1:1933", model = "http://127.0.0.1:8901/v1", key] = process.argv.slice(2);
const knarr = process.env.KNARR_BIN ?? "knarr";
const HANDBOOKS = new URL("../corpora/handbooks/", import.meta.url);
const ROOT = "viking://resources/knarr-scores";
/** Rows of an answer that are compared. */
const LIMIT = 20;
/** Largest difference of a score. */
const TOLERANCE = 2e-3;

async function send(method, path, body) {
  const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "x-api-key": key }) };
  const response = await fetch(`${url}/api/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status} ${response.ok ? "" : await response.text()}`);
  return response;
}

const pages = readdirSync(HANDBOOKS, { recursive: true }).filter((name) => name.includes("/") && name.endsWith(".md"));
const questions = readFileSync(new URL("questions.jsonl", HANDBOOKS), "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line).query);
const work = mkdtempSync(join(tmpdir(), "knarr-scores-"));

function ask(query) {
  const args = ["search", join(work, "bundle"), query, "--alpha", "1", "--mode", "quick", "--level", "0,1,2", "--limit", String(LIMIT)];
  const endpoint = ["--embedding-endpoint", `${model}/embeddings`, "--embedding-model", "hashed-words", "--intent", "never"];
  const { results } = JSON.parse(execFileSync(knarr, [...args, ...endpoint, "--json"], { encoding: "utf8" }));
  return new Map(results.map(({ uri, relevance }) => [uri, relevance]));
}

try {
  for (const page of pages) {
    await send("POST", "content/write", { uri: `${ROOT}/${page}`, content: readFileSync(new URL(page, HANDBOOKS), "utf8"), mode: "create", wait: true });
  }
  const pack = join(work, "tree.ovpack");
  writeFileSync(pack, Buffer.from(await (await send("POST", "pack/export", { uri: ROOT, include_vectors: true })).arrayBuffer()));
  execFileSync(knarr, ["build", pack, "--pack-vectors", "--bits", "8", "--out", join(work, "bundle")]);
  let [compared, largest, missing, orders] = [0, 0, 0, 0];
  for (const query of questions) {
    const { result } = await (await send("POST", "search/find", { query, target_uri: ROOT, limit: LIMIT })).json();
    const theirs = [...result.memories, ...result.resources, ...result.skills].sort((a, b) => b.score - a.score);
    const ours = ask(query);
    const both = theirs.filter(({ uri }) => ours.has(uri));
    // A near tie at the end of the list may fall to either row.
    missing += theirs.length - both.length;
    compared += both.length;
    for (const { uri, score } of both) largest = Math.max(largest, Math.abs(score - ours.get(uri)));
    const first = (list) => list.slice(0, 5).join();
    orders += first(both.map(({ uri }) => uri)) === first([...ours.keys()].filter((uri) => both.some((row) => row.uri === uri)));
  }
  console.log(`${pages.length} pages, ${questions.length} questions, ${compared} scores compared, ${missing} rows in one list only`);
  console.log(`largest difference ${largest.toFixed(5)}; the first five in the same order for ${orders} of ${questions.length}`);
  assert.ok(compared > questions.length && largest <= TOLERANCE, `a score differs by ${largest}`);
} finally {
  await send("DELETE", `fs?recursive=true&uri=${encodeURIComponent(ROOT)}`);
}
