/** The core in two parts: what a first search runs, and the rest, which comes behind the rows or when something needs it. */

import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { BESIDE, DIST, LARGE, VARIANTS } from "./bundles.mjs";
import { serve } from "./server.mjs";

const REST = "/knarr/knarr_core_rest.wasm";
const FIRST = "/knarr/knarr_core_first.wasm";

/** Ways to ask that a search element or a page has: the first part answers each of them. */
const FIRST_QUERIES = [
  ["wind", { limit: 8, excerpts: false }], ["wind", { limit: 8, excerpt_length: 160 }], ["bowl", { limit: 1, alpha: 0, score_threshold: 1, excerpts: false, prefix: true }],
  ["bowlin", {}], ["bowlnie loop", {}], ["how do I tie a loop that never jams?", { group: "directory" }], ["\"never jams\"", {}], ["wind", { target_uri: "viking://resources/harbour" }],
  ["zzzzqqq", {}], ["風", {}], ["wind", { lang: ["en"], version: ["1.0"] }],
];

/** What the first part has not been made for: `level` is an option that no page's element sets. */
const BEYOND = ["wind", { level: 2 }];

let browser;
let server;

before(async () => {
  const pages = fileURLToPath(new URL("pages", import.meta.url));
  server = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE, "/beside/": BESIDE, "/tide/": VARIANTS });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Everything asked of a bundle in one page, one after the other: `[method, args]` or `[method, args, { together }]`. */
async function answers(calls, { worker, source = "/search/", wasmUrl, together = false }) {
  const page = await openPage(browser, `${server.origin}/blank.html`);
  try {
    return await page.evaluate(async ([calls, worker, source, wasmUrl, together]) => {
      const { Knarr } = await import("/knarr/core.js");
      const knarr = await Knarr.open(source, { worker, wasmUrl });
      const ask = ([method, args]) => knarr[method](...args).catch(({ code, message }) => ({ code, message }));
      if (together) return Promise.all(calls.map(ask));
      const answers = [];
      for (const call of calls) answers.push(await ask(call));
      return answers;
    }, [calls, worker, source, wasmUrl, together]);
  } finally {
    await page.context().close();
  }
}

const askedFor = (path) => server.requests.filter((request) => request.path === path);

for (const worker of [true, false]) {
  describe(worker ? "in a worker" : "on the page's thread", () => {
    for (const source of ["/search/", "/beside/", "/tide/"]) {
      test(`the first part alone answers searches of ${source}`, async () => {
        server.reset();
        server.faults.status = (path) => (path === REST ? 404 : undefined);
        const found = await answers(FIRST_QUERIES.map((args) => ["find", args]), { worker, source });
        server.reset();
        for (const [at, answer] of found.entries()) assert.equal(answer.code, undefined, `${FIRST_QUERIES[at][0]}: ${answer.message}`);
        assert.ok(found.some(({ total }) => total > 0));
      });
    }

    test("the rest is asked for when the rows are there, once", async () => {
      const page = await openPage(browser, `${server.origin}/blank.html`);
      server.reset();
      const total = await page.evaluate(async (worker) => {
        const { Knarr } = await import("/knarr/core.js");
        globalThis.knarr = await Knarr.open("/search/", { worker });
        return (await globalThis.knarr.find("wind")).total;
      }, worker);
      assert.ok(total > 0);
      assert.equal(askedFor(REST).length, 0);
      assert.equal(askedFor(FIRST).length, 1);
      for (let waited = 0; askedFor(REST).length === 0 && waited < 10_000; waited += 50) await new Promise((resolve) => setTimeout(resolve, 50));
      await page.evaluate(() => globalThis.knarr.find("loop"));
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      assert.equal(askedFor(REST).length, 1);
      assert.equal(askedFor("/knarr/knarr_core_bg.wasm").length, 0);
      await page.context().close();
    });

    test("a call that needs the rest waits for it, and searches under way beside it are answered", async () => {
      server.reset();
      server.faults.delay = (path) => (path === REST ? 1_500 : 0);
      const calls = [["find", ["wind"]], ["find", BEYOND], ["find", ["loop"]], ["ls", []], ["find", ["bowline"]]];
      const found = await answers(calls, { worker, together: true });
      server.reset();
      assert.deepEqual(found.map(({ code, message }) => code && message), calls.map(() => undefined));
      for (const at of [0, 1, 2, 4]) assert.ok(found[at].total > 0, `${calls[at]}`);
      assert.ok(found[3].length > 0);
    });

    test("without the rest searches go on, and what needs it says so", async () => {
      server.reset();
      server.faults.status = (path) => (path === REST ? 404 : undefined);
      const [before, read, beyond, after] = await answers([["find", ["wind"]], ["read", ["viking://resources/harbour"]], ["find", BEYOND], ["find", ["wind"]]], { worker });
      server.reset();
      assert.ok(before.total > 0);
      for (const { code, message } of [read, beyond]) {
        assert.equal(code, "UNAVAILABLE");
        assert.match(message, /knarr_core_rest\.wasm could not be loaded as WebAssembly: HTTP status 404/);
      }
      assert.deepEqual(after, before);
    });

    test("one part answers as two do", async () => {
      server.reset();
      const files = [["ls", []], ["tree", []], ["inspect", []], ["glob", ["**/*.md"]], ["grep", ["viking://", "wind"]], ["relations", ["viking://resources/harbour"]]];
      const calls = [...FIRST_QUERIES.map((args) => ["find", args]), ["find", BEYOND], ...files];
      const split = await answers(calls, { worker });
      assert.equal(askedFor("/knarr/knarr_core_bg.wasm").length, 0);
      server.reset();
      const whole = await answers(calls, { worker, wasmUrl: "/knarr/knarr_core_bg.wasm" });
      assert.deepEqual([FIRST, REST].flatMap(askedFor), []);
      assert.deepEqual(split, whole);
    });
  });
}

test("parts of two builds are not joined", async () => {
  const folder = join(tmpdir(), `knarr-parts-${process.pid}`);
  cpSync(DIST, folder, { recursive: true });
  const bytes = readFileSync(join(folder, "knarr_core_rest.wasm"));
  const at = bytes.indexOf("rest-") + "rest-".length;
  bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30; // Another build's number.
  const { Engine } = await import(`file://${folder}/core-engine.js`);
  writeFileSync(join(folder, "knarr_core_rest.wasm"), bytes);
  const head = new URL(`file://${LARGE}/index.knarr`).href;
  const engine = new Engine({ head, base: new URL("./", head).href, wasm: {} });
  assert.ok((await engine.call("find", ["wind", {}])).total > 0);
  await assert.rejects(engine.call("ls", ["viking://", {}]), { code: "UNAVAILABLE" });
  assert.ok((await engine.call("find", ["wind", {}])).total > 0);
  engine.close();
  rmSync(folder, { recursive: true });
});
