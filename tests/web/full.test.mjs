/** What only the full engine has, through the package; that the core says so; and the page that draws traces. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE, WWW } from "./bundles.mjs";
import { serve } from "./server.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let server;

before(async () => {
  server = await serve({ "/": WWW, "/knarr/": DIST, "/search/": LARGE });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens the bundle with an entry of the package in Node and runs `work`. */
async function withKnarr(work, entry = "direct.js") {
  const { Knarr } = await import(`${DIST}/${entry}`);
  const knarr = await Knarr.open(`${server.origin}/search/`, entry === "direct.js" ? {} : { worker: false });
  try {
    return await work(knarr);
  } finally {
    knarr.close();
  }
}

const uris = ({ memories, resources, skills }) => [...memories, ...resources, ...skills].map(({ uri }) => uri);
const refused = (code, message) => (error) => error.code === code && message.test(error.message);

test("files are downloaded as bytes; the core says that it cannot", async () => {
  const read = async (knarr) => {
    const { resources: [{ uri }] } = await knarr.find("wind");
    return { bytes: await knarr.download(uri), text: await knarr.read(uri) };
  };
  await withKnarr(async (knarr) => {
    const { bytes, text } = await read(knarr);
    assert.ok(bytes instanceof Uint8Array && bytes.length > 0);
    assert.equal(new TextDecoder().decode(bytes), text);
    await assert.rejects(knarr.download("viking://resources/no"), refused("NOT_FOUND", /no/));
  });
  await withKnarr((knarr) => assert.rejects(read(knarr), refused("FAILED_PRECONDITION", /no download\(\)/)), "core.js");
});

test("a page in the place of a bundle, as development servers answer what they do not know, is told with its address", async () => {
  const { Knarr } = await import(`${DIST}/direct.js`);
  const folder = mkdtempSync(join(tmpdir(), "knarr-page-"));
  writeFileSync(join(folder, "index.knarr"), "<!doctype html><title>Harbour</title>");
  const pages = await serve({ "/search/": folder });
  try {
    await assert.rejects(Knarr.open(`${pages.origin}/search/`), refused("BUNDLE_FORMAT", /^http:.*\/search\/index\.knarr: this is not a Knarr bundle \(it looks like an HTML page\)/));
  } finally {
    await pages.close();
    rmSync(folder, { recursive: true });
  }
});

test("levels are a number, a list or a text with commas, in the core, too", async () => {
  const levels = async (level, entry) => withKnarr(async (knarr) => {
    const { resources } = await knarr.find("wind", { level, limit: 50 });
    return [...new Set(resources.map((row) => row.level))].sort();
  }, entry);
  for (const entry of ["core.js", "direct.js"]) {
    assert.deepEqual(await levels(2, entry), [2]);
    assert.deepEqual(await levels("2", entry), [2]);
    assert.deepEqual(await levels("0,1,2", entry), await levels([0, 1, 2], entry));
    assert.ok((await levels("0,1", entry)).every((level) => level < 2), entry);
    await assert.rejects(levels("0,3", entry), refused("INVALID_ARGUMENT", /level/));
  }
});

describe("filters", () => {
  test("narrow what is found, and nothing else is touched", () => withKnarr(async (knarr) => {
    const all = uris(await knarr.find("berth wind", { limit: 500 }));
    const filter = { op: "and", conds: [
      { op: "prefix", field: "name", prefix: "day-1" },
      { op: "must_not", field: "name", conds: ["day-11.md"] },
    ] };
    const some = uris(await knarr.find("berth wind", { limit: 500, filter }));
    assert.ok(some.length > 0 && all.length > some.length);
    for (const uri of some) assert.match(uri, /\/day-1\d*\.md$/);
    assert.ok(!some.some((uri) => uri.endsWith("/day-11.md")));
    const byPattern = { op: "regex", field: "uri", pattern: "log/day-[67]\\." };
    for (const uri of uris(await knarr.find("berth", { filter: byPattern }))) assert.match(uri, /day-[67]\.md$/);
  }));

  test("the clock is the caller's own", () => withKnarr(async (knarr) => {
    // The fixture was written a moment ago.
    assert.ok(uris(await knarr.find("berth", { since: "1d" })).length > 0);
    assert.deepEqual(uris(await knarr.find("berth", { until: "2000-01-01" })), []);
    assert.deepEqual(uris(await knarr.find("berth", { since: "1d", now: Date.now() + 9e8 })), []);
  }));

  test("malformed ones are refused by name", () => withKnarr(async (knarr) => {
    for (const [options, code, message] of [
      [{ filter: { op: "MUST", field: "tags", conds: ["x"] } }, "INVALID_FILTER", /filter\.op/],
      [{ filter: { op: "regex", field: "name", pattern: "(" } }, "INVALID_FILTER", /filter\.pattern/],
      [{ filter: { op: "and", conds: [{ op: "must", field: "nothing", conds: [] }] } }, "INVALID_FILTER", /conds\[0\]\.field/],
      [{ tags: "x" }, "INVALID_ARGUMENT", /tags/],
      [{ tags: ["a="] }, "INVALID_ARGUMENT", /`a=`/],
      [{ since: "soon" }, "INVALID_ARGUMENT", /since/],
      [{ target_uri: "viking://~/memories" }, "INVALID_URI", /user/],
      [{ user: "alice", target_uri: "viking://user/bob/memories" }, "PERMISSION_DENIED", /bob/],
      [{ graph: 2 }, "INVALID_ARGUMENT", /graph/],
      [{ level: "x7" , limit: -1 }, "INVALID_ARGUMENT", /limit/],
    ]) {
      await assert.rejects(knarr.find("berth", options), refused(code, message), JSON.stringify(options));
    }
  }));

  test("levels may be text, as the documents write them", () => withKnarr(async (knarr) => {
    const levels = new Set((await knarr.find("log", { level: "0,2", limit: 50 })).resources.map(({ level }) => level));
    assert.deepEqual([...levels].sort(), [0, 2]);
  }));
});

test("relations take a limit, and no other option", () => withKnarr(async (knarr) => {
  const [{ uri }] = (await knarr.find("log of day 273")).resources;
  const all = await knarr.relations(uri);
  assert.ok(all.length > 1);
  for (const limit of [0, 1]) assert.equal((await knarr.relations(uri, { limit })).length, limit);
  assert.deepEqual(await knarr.relations(uri, { limit: 2 ** 40 }), all);
  for (const options of [{ limit: -1 }, { limit: 1.5 }, { limit: "2" }, { depth: 1 }]) {
    await assert.rejects(knarr.relations(uri, options), refused("INVALID_ARGUMENT", /relations: .*limit/), JSON.stringify(options));
  }
}));

describe("a bundle without a graph", () => {
  test("has no entities, and says how it gets them", () => withKnarr(async (knarr) => {
    await assert.rejects(knarr.entities(), refused("FAILED_PRECONDITION", /--graph/));
    await assert.rejects(knarr.neighbors("berth"), refused("FAILED_PRECONDITION", /--graph/));
    await assert.rejects(knarr.entities({ entity_kind: "PERSON" }), refused("INVALID_ARGUMENT", /entity_type/));
    await assert.rejects(knarr.neighbors("berth", { limit: 1 }), refused("INVALID_ARGUMENT", /limit/));
  }));
});

describe("Onyx's choices", () => {
  test("reach the engine, and wrong ones are named", () => withKnarr(async (knarr) => {
    const hybrid = {
      profile: "keyword", recency: 0.5, votes: [{ uri: "viking://resources", votes: 3 }], context: true,
      expansions: { semantic: ["harbour wind"], keywords: ["quay"] },
    };
    const found = await knarr.find("berth", { hybrid, explain: true, relations: true });
    assert.ok(Math.abs(found.alpha - 0.2) < 1e-6);
    const [best] = found.resources;
    assert.ok(Math.abs(best.explain.factors.document_boost - 2 / (1 + Math.exp(-1))) < 1e-4);
    assert.ok(best.explain.factors.recency_bias >= 0.75);
    assert.ok(best.explain.queries.length > 1);
    assert.ok(found.resources.some(({ passages }) => passages?.[0].text.length > 0));
    await assert.rejects(knarr.find("berth", { hybrid: { scroing: "lists" } }), refused("INVALID_ARGUMENT", /scroing/));
    await assert.rejects(knarr.find("berth", { hybrid: { access: { sources: ["nowhere"] } } }), refused("INVALID_FILTER", /nowhere/));
  }));

  test("what was done is counted, in find and in search", () => withKnarr(async (knarr) => {
    assert.equal((await knarr.statistics()).n_queries, 0);
    const { telemetry, total } = await knarr.find("berth wind", { telemetry: true });
    assert.match(telemetry.id, /^tm_[0-9a-f]{32}$/);
    assert.equal(telemetry.summary.operation, "search.find");
    assert.equal(telemetry.summary.vector.returned, total);
    assert.equal((await knarr.find("berth wind")).telemetry, undefined);
    const searched = await knarr.search("berth wind", { telemetry: true });
    assert.deepEqual(searched.telemetry.summary.search, { typed_queries_count: 1 });
    await assert.rejects(knarr.find(" "), refused("INVALID_ARGUMENT", /empty/));
    await knarr.find("berth wind");
    const { n_queries, n_errors, n_remembered, p50_ms, max_ms } = await knarr.statistics();
    assert.deepEqual([n_queries, n_errors], [4, 1]);
    assert.ok(n_remembered >= 1 && max_ms >= p50_ms && p50_ms > 0);
  }));
});

test("the core refuses what it does not have and says where it is", () => withKnarr(async (knarr) => {
  assert.ok((await knarr.find("berth")).total > 0);
  const refusal = refused("INVALID_ARGUMENT", /unknown option filter.*`knarr`/);
  await assert.rejects(knarr.find("berth", { filter: { op: "prefix", field: "name", prefix: "d" } }), refusal);
}, "core.js"));

describe("the trace page", () => {
  for (const colorScheme of ["light", "dark"]) {
    test(`draws words, candidates and the walk, accessibly, ${colorScheme}`, async () => {
      const page = await openPage(browser, `${server.origin}/trace.html?query=bowline+knot`, { colorScheme });
      try {
        await page.locator(".candidates li").first().waitFor();
        assert.match(await page.locator("#status").textContent(), /results in \d+ ms/);
        assert.equal(await page.locator("[name=mode]").inputValue(), "auto", "what find does is what is drawn");
        assert.ok(await page.locator(".words li").count() >= 2);
        assert.ok(await page.locator(".tree .tree .directory").count() >= 1, "a directory in a directory");
        assert.ok(await page.locator(".tree .turn").count() >= 2);
        // Of a directory whose two rows score alike there is one bar.
        const bars = await page.locator(".tree .directory").evaluateAll((all) =>
          all.map((line) => [...line.querySelectorAll(".score")].map((bar) => bar.textContent.replace(/^L[01] /, ""))));
        assert.ok(bars.every((scores) => scores.length === new Set(scores).size), JSON.stringify(bars));
        await page.locator(".candidates summary").first().focus();
        await page.keyboard.press("Enter");
        assert.ok(await page.locator(".candidates table").first().isVisible());
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes[0].html]), []);
        assert.deepEqual(page.complaints, []);
      } finally {
        await page.context().close();
      }
    });
  }

  test("fits 320 px, shows markup as text, and says what is wrong", async () => {
    const page = await openPage(browser, `${server.origin}/trace.html?query=%3Cimg+src%3Dx%3E+bowline`, { viewport: { width: 320, height: 640 } });
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    try {
      await page.locator(".candidates li").first().waitFor();
      assert.ok(await width() <= 320, `${await width()} px`);
      for (const summary of await page.locator(".tree summary").all()) await summary.click();
      assert.ok(await width() <= 320, `${await width()} px, all opened`);
      assert.equal(await page.locator("main img").count(), 0);
      await page.goto(`${server.origin}/trace.html?src=nowhere/`);
      await page.getByText("BUNDLE_MISSING").waitFor();
      assert.ok(await page.locator("#trace").isHidden());
    } finally {
      await page.context().close();
    }
  });

  test("of a question that has no answer there is nothing to trace, and the address keeps it", async () => {
    for (const call of ["find", "search"]) {
      const page = await openPage(browser, `${server.origin}/trace.html?query=zxqvkjw&call=${call}`);
      try {
        await page.locator("#status").getByText(/^0 results in/).waitFor();
        await page.getByText("Nothing was found, and there is nothing to trace.").waitFor();
        assert.equal(await page.locator(".candidates").count(), 0);
        await page.getByLabel("Query").fill("qqxzv");
        await page.getByLabel("Query").press("Enter");
        await page.waitForURL(new RegExp(`\\?query=qqxzv&call=${call}&`));
        await page.locator("#status").getByText(/^0 results in/).waitFor();
        assert.deepEqual(page.complaints, []);
      } finally {
        await page.context().close();
      }
    }
  });

  test("draws the plan of search() and the trace of each of its queries", async () => {
    const page = await openPage(browser, `${server.origin}/trace.html?query=bowline+knot&call=search`);
    try {
      await page.locator(".candidates li").first().waitFor();
      assert.match(await page.locator("#trace").textContent(), /The plan.*no intent endpoint.*“bowline knot”.*The walk/s);
      assert.ok(await page.locator(".candidates details").count() > 0, "rows explain themselves");
      assert.deepEqual(page.complaints, []);
    } finally {
      await page.context().close();
    }
  });
});
