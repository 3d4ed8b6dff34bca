/** `search()` through the built package: with endpoints that work, with each that fails, in Node and in Chromium. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE } from "./bundles.mjs";
import { FAULTS, serveEndpoints } from "./endpoints.mjs";
import { serve } from "./server.mjs";

const QUERY = "when is the wind too strong for the small boats?";
const PLAN = `Sure:\n\`\`\`json
{"reasoning": "two needs", "queries": [
  {"query": "barometer", "context_type": "resource", "intent": "signs", "priority": 1},
  {"query": "bowline", "context_type": "skill"},
]}\n\`\`\``;

let site;
let endpoints;
let browser;

before(async () => {
  const pages = fileURLToPath(new URL("pages", import.meta.url));
  site = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE }, { policy: false });
  endpoints = await serveEndpoints(PLAN);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await site?.close();
  await endpoints?.close();
});

beforeEach(() => {
  endpoints.requests.length = 0;
  site.reset();
});

/** What runs on either side: opens the bundle, asks, and returns the answer or the error. */
async function ask({ module, bundle, configured, query, options, worker }) {
  const { Knarr, Session } = await import(module);
  const opening = worker === undefined ? { endpoints: configured } : { endpoints: configured, worker };
  let knarr;
  try {
    knarr = await Knarr.open(bundle, opening);
    const { messages, summary, timeout, ...rest } = options;
    const session = messages && new Session({ summary });
    for (const text of messages ?? []) session.addMessage("user", text);
    const signal = timeout && AbortSignal.timeout(timeout);
    const local = await knarr.find(query, rest.find);
    const answer = await knarr.search(query, { ...rest.find, ...rest.search, session, signal });
    const { dims, encoder } = await knarr.inspect();
    return { local, answer, dims, encoder };
  } catch ({ code, message }) {
    return { error: { code, message } };
  } finally {
    knarr?.close();
  }
}

const sides = {
  "in Node": async (request) => ask({ ...request, module: pathToFileURL(`${DIST}/direct.js`).href, bundle: `${site.origin}/search/` }),
  "in a worker": (request) => inPage({ ...request, worker: true }),
  "on the page's thread": (request) => inPage({ ...request, worker: false }),
};

/** One page for all: opening one takes longer than most searches. */
let page;

async function inPage(request) {
  page ??= await openPage(browser, `${site.origin}/blank.html`);
  const argument = { ...request, module: "/knarr/index.js", bundle: "/search/" };
  return page.evaluate(`(${ask})(${JSON.stringify(argument)})`);
}

/** Scores are 32-bit numbers: the last of their 64 bits is lost on the way through JSON. */
const rounded = (list) => JSON.parse(JSON.stringify(list), (_, value) => (typeof value === "number" ? Math.fround(value) : value));
const uris = ({ resources }) => resources.map(({ uri }) => uri);
const at = (path) => ({ url: `${endpoints.origin}/${path}`, model: "m", timeout_ms: 1000, max_bytes: 100_000 });
const reasons = ({ skipped }, step) => skipped.filter((entry) => entry.step === step).map(({ reason }) => reason);

for (const [side, run] of Object.entries(sides)) {
  describe(side, () => {
    after(async () => {
      await page?.context().close();
      page = undefined;
    });

    test("without endpoints it is find with a plan, and the module is not loaded", async () => {
      const { local, answer } = await run({ query: QUERY, options: { search: { include_provenance: true } } });
      const { query_plan, provenance, ...rest } = answer;
      assert.deepEqual(rest, local);
      assert.equal(query_plan.queries[0].query, QUERY);
      assert.equal(provenance[0].matched_contexts.length, local.total);
      assert.ok(!site.requests.some(({ path }) => path.endsWith("knarr_delegate_bg.wasm")));
      const { error } = await run({ query: QUERY, options: { search: { intent: "sometimes" } } });
      assert.equal(error.code, "INVALID_ARGUMENT");
      assert.equal(endpoints.requests.length, 0);
    });

    test("a question without an answer has an empty trace, and no fault", async () => {
      const { answer, error } = await run({ query: "zxqvkjw", options: { search: { trace: true } } });
      assert.equal(error, undefined);
      const [told, ...others] = answer.query_results;
      assert.deepEqual([answer.total, told.matched_contexts, told.trace.candidates, others], [0, [], [], []]);
    });

    test("a conversation is searched by its plan", async () => {
      const configured = { intent: { ...at("ok/chat"), headers: { authorization: "Bearer k" } } };
      const options = { messages: ["one \ud83d", "two", "three", "four", "five", "six"], summary: "of boats", search: { include_provenance: true } };
      const { answer } = await run({ configured, query: QUERY, options });
      const [{ body, headers }] = endpoints.requests;
      assert.equal(headers.authorization, "Bearer k");
      assert.equal(headers.cookie, undefined);
      assert.match(body.messages[1].content, /of boats[^]*\[user\]: two[^]*\[user\]: six[^]*small boats/);
      assert.doesNotMatch(body.messages[1].content, /one/);
      assert.equal(answer.query_plan.reasoning, "two needs");
      assert.deepEqual(answer.provenance.map(({ query }) => query), ["barometer", "bowline"]);
      assert.ok(uris(answer).some((uri) => uri.endsWith("guide/weather.html")));
      assert.ok(uris(answer).some((uri) => uri.endsWith("guide/mooring.html")));
      assert.equal(new Set(uris(answer)).size, answer.total);
      assert.deepEqual(reasons(answer, "context_type"), ["no skill matches 'bowline': all types were searched"]);
    });

    test("results are scored again, and a busy endpoint is asked again once", async () => {
      const wide = (await run({ query: QUERY, options: { find: { limit: 20 } } })).local;
      for (const [path, requests] of [["ok", 1], ["busy", 2]]) {
        endpoints.requests.length = 0;
        const { answer } = await run({ configured: { rerank: at(`${path}/rerank`) }, query: QUERY, options: {} });
        assert.deepEqual(uris(answer), uris(wide).reverse().slice(0, 10));
        assert.deepEqual(answer.skipped, []);
        assert.equal(endpoints.requests.length, requests);
      }
    });

    test("the question's vector comes from the bundle's own model, and another model is refused", async () => {
      const { dims: dimensions, encoder } = await run({ query: QUERY, options: {} });
      const { answer, local } = await run({ configured: { embedding: { ...at("ok/embed"), dimensions, encoder } }, query: QUERY, options: {} });
      assert.deepEqual(endpoints.requests[0].body.input, [QUERY]);
      assert.notDeepEqual(uris(answer), uris(local));
      const { error } = await run({ configured: { embedding: at("ok/embed") }, query: QUERY, options: {} });
      assert.equal(error.code, "FAILED_PRECONDITION");
    });

    test("whatever fails, the local answer stands and says why", async () => {
      for (const [step, kind] of [["intent", "chat"], ["rerank", "rerank"]]) {
        for (const [fault, reason] of FAULTS) {
          endpoints.sent = 0;
          const configured = { [step]: at(`${fault}/${kind}`) };
          const { answer, local } = await run({ configured, query: QUERY, options: { search: { intent: "always" } } });
          assert.deepEqual(rounded(answer.resources), rounded(local.resources), `${fault} ${kind}`);
          const told = reasons(answer, step).join();
          assert.match(told, reason, `${fault} ${kind}`);
          assert.ok(endpoints.sent < 90, "the body was not read to its end");
        }
      }
      for (const [what, reason] of [["short", /19 of 20/], ["range", /document 25 of 20/], ["nan", /are not numbers/]]) {
        const { answer, local } = await run({ configured: { rerank: at(`wrong/rerank/${what}`) }, query: QUERY, options: {} });
        assert.deepEqual(rounded(answer.resources), rounded(local.resources), what);
        assert.match(reasons(answer, "rerank").join(), reason, what);
      }
    });

    test("the caller's signal ends a search that waits for an endpoint", async () => {
      const configured = { rerank: { ...at("hang/rerank"), timeout_ms: 60_000 } };
      const { error } = await run({ configured, query: QUERY, options: { timeout: 300 } });
      assert.equal(error.code, "DEADLINE_EXCEEDED");
    });

    test("mistakes in the configuration are named", async () => {
      for (const [configured, named] of [
        [{ reranc: at("ok/rerank") }, /reranc/], [{ rerank: { ...at("ok/rerank"), tresh: 1 } }, /tresh/],
        [{ rerank: {} }, /rerank has no url/], [{ rerank: { url: "ftp://a/" } }, /http/],
      ]) {
        const { error } = await run({ configured, query: QUERY, options: {} });
        assert.equal(error?.code, "INVALID_ARGUMENT");
        assert.match(error.message, named);
      }
      // What the search before was ended over may arrive after it: a request on its way is not called back.
      assert.deepEqual(endpoints.requests.filter(({ path }) => path !== "/hang/rerank"), []);
    });
  });
}

test("an endpoint that does not allow the page's origin is one that cannot be reached", async () => {
  endpoints.cors = false;
  try {
    const { answer, local } = await inPage({ worker: false, configured: { rerank: at("ok/rerank") }, query: QUERY, options: {} });
    assert.deepEqual(rounded(answer.resources), rounded(local.resources));
    assert.match(reasons(answer, "rerank").join(), /could not be reached/);
  } finally {
    endpoints.cors = true;
    await page.context().close();
  }
});

test("an address relative to the page works, and the module loads once", async () => {
  const page = await openPage(browser, `${site.origin}/blank.html`);
  const answers = await page.evaluate(async () => {
    const { Knarr } = await import("/knarr/index.js");
    const knarr = await Knarr.open("/search/", { endpoints: { rerank: { url: "/nowhere/rerank" } } });
    return [await knarr.search("wind"), await knarr.search("tide")];
  });
  for (const answer of answers) assert.match(reasons(answer, "rerank").join(), /answered 404/);
  assert.equal(site.requests.filter(({ path }) => path.endsWith("knarr_delegate_bg.wasm")).length, 1);
  await page.context().close();
});

test("a trap of the module ends its searches and no others", async () => {
  const { Knarr } = await import(`${pathToFileURL(`${DIST}/direct.js`).href}`);
  const { Search } = await import(`${pathToFileURL(`${DIST}/knarr_delegate.js`).href}`);
  const knarr = await Knarr.open(`${site.origin}/search/`, { endpoints: { rerank: at("ok/rerank") } });
  const expected = await knarr.search(QUERY);
  const { step } = Search.prototype;
  Search.prototype.step = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  try {
    await assert.rejects(knarr.search(QUERY), ({ code }) => code === "INTERNAL");
  } finally {
    Search.prototype.step = step;
  }
  assert.deepEqual(await knarr.search(QUERY), expected);
  knarr.close();
});

test("the small engine of documentation sites has no search, and says so", async () => {
  const page = await openPage(browser, `${site.origin}/blank.html`);
  const told = await page.evaluate(async () => {
    const { Knarr } = await import("/knarr/core.js");
    const knarr = await Knarr.open("/search/");
    const code = await knarr.search("wind").catch((error) => error.code);
    return { code, total: (await knarr.find("wind")).total };
  });
  assert.equal(told.code, "FAILED_PRECONDITION");
  assert.ok(told.total > 0);
  await page.context().close();
});

test("the command line answers the same", async () => {
  const knarr = process.env.KNARR_BIN ?? fileURLToPath(new URL("../../target/debug/knarr", import.meta.url));
  const run = (...more) => JSON.parse(execFileSync(knarr, ["search", LARGE, QUERY, "--json", "--provenance", ...more], { encoding: "utf8" }));
  const options = { search: { include_provenance: true } };
  const { answer } = await sides["in Node"]({ query: QUERY, options });
  const native = run();
  assert.deepEqual(native.results.map(({ uri }) => uri), uris(answer));
  assert.deepEqual(native.query_plan, answer.query_plan);
  assert.deepEqual(Object.keys(native.provenance[0]).sort(), Object.keys(answer.provenance[0]).sort());
});
