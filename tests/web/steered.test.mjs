/** Walks and graphs that a program steers, through the built package: in Node, in a worker, and on the page's thread. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE } from "./bundles.mjs";
import { serveEndpoints } from "./endpoints.mjs";
import { serve } from "./server.mjs";

const NATIVE = process.env.KNARR_BIN ?? fileURLToPath(new URL("../../target/debug/knarr", import.meta.url));

/** Letters of a few people: the one who answers "who sold the boat" is in a letter that names neither boat nor buyer. */
const LETTERS = [
  ["a", "Wolfgang Schulz lives in Hamburg. Wolfgang Schulz met Anna Berger at the quay."],
  ["b", "Anna Berger owns the shipyard. Anna Berger wrote to Peter Lang about the keel."],
  ["c", "Peter Lang sold the cutter in autumn."],
  ["d", "The weather was calm all week, and nobody sailed."],
];

let scratch, site, endpoints, browser, page;

before(async () => {
  scratch = mkdtempSync(join(tmpdir(), "knarr-steered-"));
  const lines = LETTERS.map(([name, text]) => JSON.stringify({ path: `${name}.md`, title: `Letter ${name}`, text }));
  writeFileSync(join(scratch, "letters.jsonl"), `${lines.join("\n")}\n`);
  execFileSync(NATIVE, ["build", join(scratch, "letters.jsonl"), "--out", join(scratch, "letters"), "--graph", "--quiet"]);
  const pages = fileURLToPath(new URL("pages", import.meta.url));
  site = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE, "/letters/": join(scratch, "letters") }, { policy: false });
  endpoints = await serveEndpoints("");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await site?.close();
  await endpoints?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Opens a bundle and makes a call of it: what it answers, or its error. */
async function call({ module, root, bundle, configured, worker, method, args }) {
  const { Knarr } = await import(module);
  let knarr;
  try {
    knarr = await Knarr.open(root + bundle, { endpoints: configured, ...(worker === undefined ? {} : { worker }) });
    return await knarr[method](...args);
  } catch ({ code, message }) {
    return { error: { code, message } };
  } finally {
    knarr?.close();
  }
}

async function inPage(request) {
  page ??= await openPage(browser, `${site.origin}/blank.html`);
  return page.evaluate(`(${call})(${JSON.stringify({ ...request, module: "/knarr/index.js", root: "/" })})`);
}

const sides = {
  "in Node": (request) => call({ ...request, module: pathToFileURL(`${DIST}/direct.js`).href, root: `${site.origin}/` }),
  "in a worker": (request) => inPage({ ...request, worker: true }),
  "on the page's thread": (request) => inPage({ ...request, worker: false }),
};

for (const [side, run] of Object.entries(sides)) {
  describe(side, () => {
    const letters = (query, options) => run({ bundle: "letters/", method: "find", args: [query, { alpha: 0, ...options }] });
    const titles = ({ resources }) => resources.map(({ title }) => title);

    test("a caller names the entities of its question, and is told which the graph lacks", async () => {
      const plain = await letters("who sold it", { graph: 0.5 });
      assert.ok(plain.skipped.some(({ step }) => step === "graph"), JSON.stringify(plain.skipped));
      const given = await letters("who sold it", { graph: 0.5, hybrid: { graph_entities: ["Anna Berger", "Ibsen"], answer_types: "PERSON" } });
      assert.match(given.skipped.find(({ step }) => step === "graph").reason, /does not know Ibsen/);
      assert.ok(titles(given).includes("Letter b"), "it names her, and no word of the question");
      assert.ok(!titles(plain).includes("Letter b"));
    });

    test("the context of a graph is text for a model", async () => {
      const { graph_context } = await letters("Anna Berger", { graph: 0.5, hybrid: { graph_context: true } });
      assert.match(graph_context, /anna berger/i);
      assert.match(graph_context, /shipyard/);
      assert.equal((await letters("Anna Berger", { graph: 0.5 })).graph_context, undefined);
    });

    test("a program scores the rows of a walk, round by round", async () => {
      const scores = {};
      let answer;
      let rounds = 0;
      const options = { mode: "thinking", preset: "classic", limit: 5 };
      do {
        answer = await run({ bundle: "search/", method: "find", args: ["barometer", { ...options, walk_scores: scores }] });
        assert.equal(answer.error, undefined);
        // The log alone is what this model likes.
        for (const { uri } of answer.wanted ?? []) scores[uri] = uri.includes("/log") ? 0.9 : 0.1;
        rounds += 1;
      } while (answer.wanted && rounds < 20);
      assert.ok(rounds > 1 && rounds < 20, `${rounds} rounds`);
      assert.ok(answer.resources.length > 0 && answer.resources.every(({ uri }) => uri.includes("/log")), titles(answer).join());
    });

    test("an endpoint scores the rows of a walk, one batch a round", async () => {
      endpoints.requests.length = 0;
      const configured = { rerank: { url: `${endpoints.origin}/ok/rerank`, model: "m", timeout_ms: 2000 } };
      const ask = (rerank) => run({ bundle: "search/", configured, method: "search", args: ["barometer", { mode: "thinking", preset: "classic", rerank }] });
      const walked = await ask("walk");
      const batches = endpoints.requests.length;
      assert.ok(batches > 1, `${batches} batches`);
      assert.deepEqual(walked.skipped, []);
      assert.ok(walked.total > 0);
      endpoints.requests.length = 0;
      await ask(true);
      assert.equal(endpoints.requests.length, 1, "otherwise once, for the results");
    });
  });
}
