/**
 * The peers: each runs in a process of its own, so that one that runs out of memory or fails takes nothing down and
 * none slows another, and its rankings are kept, because a peer does not change between two runs.
 */

import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Peers by name: the module below `peers/`, the package whose version counts, and the options handed to the module.
 * What each option stands for is in the module.
 */
export const PEERS = {
  bm25: { module: "bm25", package: "lunr", about: "BM25 with Porter stems over title and text, our yardstick" },
  minisearch: { module: "minisearch", package: "minisearch", about: "pages, VitePress's options" },
  "minisearch-sections": {
    module: "minisearch", package: "minisearch", options: { sections: true }, about: "sections, VitePress's options",
  },
  flexsearch: { module: "flexsearch", package: "flexsearch", about: "prefixes, suggestions, title before text" },
  "flexsearch-fields": {
    module: "flexsearch", package: "flexsearch", options: { fields: true }, about: "the same with title and text as two fields",
  },
  lunr: { module: "lunr", package: "lunr", about: "stems and beginnings of words, title ten times" },
  orama: { module: "orama", package: "@orama/orama", about: "defaults, title four times" },
  pagefind: { module: "pagefind", package: "pagefind", about: "defaults, in Chromium" },
};

/** Megabytes of heap that a peer may use. */
const HEAP_MB = 8192;

/** Runs in progress or done in this process: a peer that failed on a corpus is not started on it again. */
const running = new Map();

/**
 * Ranks the documents of a corpus for every text: a map from text to document ids, best first. Indexing is what costs,
 * so give the texts of all sets of the corpus at once. Rejects with the reason when the peer fails.
 */
export function rank(name, corpus, texts, limit, say) {
  const run = `${name} ${corpus.name}`;
  if (!running.has(run)) running.set(run, keptOrAsked(name, corpus, texts, limit, say));
  return running.get(run);
}

async function keptOrAsked(name, corpus, texts, limit, say) {
  const peer = PEERS[name];
  const folder = join(corpus.folder, "peers");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}-${key(peer, corpus, limit)}.json`);
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const open = [...new Set(texts)].filter((text) => kept[text] === undefined);
  if (open.length > 0) {
    const rankings = await ask(name, peer, corpus, open, limit, say);
    open.forEach((text, at) => (kept[text] = rankings[at]));
    writeFileSync(file, JSON.stringify(kept));
  }
  return new Map(Object.entries(kept));
}

/** Changes whenever an answer might: the package, our module, the documents. */
function key(peer, corpus, limit) {
  const module = readFileSync(new URL(`peers/${peer.module}.mjs`, import.meta.url));
  const what = [version(peer), peer.options ?? {}, readFileSync(corpus.documents, "utf8").length, limit];
  return createHash("sha256").update(module).update(JSON.stringify(what)).digest("hex").slice(0, 16);
}

/** The version of the package that is installed. */
export function version({ package: name }) {
  const manifest = fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url));
  if (!existsSync(manifest)) throw new Error("the peers are not installed; run `npm install` in benches");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

function ask(name, peer, corpus, texts, limit, say) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL("peer-process.mjs", import.meta.url)), {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    let answer;
    child.on("message", (message) => {
      if (message.progress !== undefined) say(`${name}, ${corpus.name}: ${message.progress}`);
      else answer = message;
    });
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (answer?.rankings) resolve(answer.rankings);
      else reject(new Error(answer?.error ?? `its process ended with ${signal ?? code}`));
    });
    child.send({
      module: peer.module, options: peer.options ?? {}, language: corpus.language, documents: corpus.documents,
      site: corpus.site, folder: corpus.folder, texts, limit,
    });
  });
}
