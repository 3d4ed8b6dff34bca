/** Several bundles as one: `knarr/several`, and the attribute `also` of the element. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { AGENT, AGENT_TREE, DIST, LARGE, VARIANTS, VARIANTS_SITE } from "./bundles.mjs";
import { Bench } from "./element-page.mjs";

const { Knarr } = await import(pathToFileURL(`${DIST}/direct.js`).href);
const { several, KnarrError } = await import(pathToFileURL(`${DIST}/several.js`).href);

const open = (folder) => Knarr.open(pathToFileURL(folder));
let harbour, tide, both;

before(async () => {
  [harbour, tide] = await Promise.all([open(LARGE), open(VARIANTS)]);
  both = several([{ knarr: harbour, base: "https://harbour.example/docs/" }, { knarr: tide, base: "https://tide.example/", name: "Tide" }]);
});
after(() => both.close());

const isTide = ({ url }) => url.startsWith("https://tide.example/");

test("the rows of each bundle are there in its own order, with whole addresses and the bundle's name", async () => {
  for (const query of ["weather", "news of the harbour", "timeout", "log of day 12"]) {
    const { resources, total, skipped } = await both.find(query, { limit: 40 });
    for (const [knarr, base, rows] of [[harbour, "https://harbour.example/docs/", resources.filter((row) => !isTide(row))], [tide, "https://tide.example/", resources.filter(isTide)]]) {
      const alone = (await knarr.find(query, { limit: 40 })).resources;
      assert.deepEqual(rows.map(({ url }) => url), alone.slice(0, rows.length).map(({ url }) => new URL(url, base).href), query);
      for (const { url } of rows.flatMap(({ sections }) => sections)) assert.ok(url.startsWith(base), url);
    }
    assert.equal(total, resources.length);
    assert.deepEqual(skipped.filter(({ step }) => step === "bundle"), []);
    for (const row of resources) assert.equal(row.crumbs?.[0] === "Tide", isTide(row));
  }
});

test("the next row is the most relevant one, and a second page goes on where the first ended", async () => {
  const { resources } = await both.find("news of the harbour", { limit: 12 });
  assert.ok(resources.some(isTide) && !resources.every(isTide), "both have rows");
  const bests = [false, true].map((of) => Math.max(...resources.filter((row) => isTide(row) === of).map(({ relevance }) => relevance)));
  assert.equal(isTide(resources[0]), bests[1] > bests[0]);
  const second = await both.find("news of the harbour", { limit: 5, offset: 5 });
  assert.deepEqual(second.resources.map(({ url }) => url), resources.slice(5, 10).map(({ url }) => url));
});

test("what is called as the question is first, whichever bundle has it", async () => {
  for (const knarr of [harbour, tide]) {
    const { resources } = await knarr.find("harbour", { limit: 3 });
    assert.equal(resources.length, 3);
    for (const { title } of resources) assert.equal((await both.find(title, { limit: 3 })).resources[0].title, title);
  }
});

test("the rows of a bundle with more weight come sooner", async () => {
  for (const isFirst of [isTide, (row) => !isTide(row)]) {
    const weight = (row) => (isFirst(row) ? 1 : 0.001);
    const weighed = several([
      { knarr: harbour, base: "https://harbour.example/docs/", weight: weight({ url: "" }) },
      { knarr: tide, base: "https://tide.example/", weight: weight({ url: "https://tide.example/" }) },
    ]);
    const { resources } = await weighed.find("news of the harbour", { limit: 1000 });
    const last = resources.findLastIndex((row) => isFirst(row) && row.relevance > 0.005); // One of 0 counts nothing with any weight.
    assert.ok(last > 0 && !resources.every(isFirst) && resources.slice(0, last).every(isFirst));
  }
  for (const weight of [-1, NaN, Infinity, "x"]) {
    assert.throws(() => several([{ knarr: tide, base: "https://a.example/", weight }]), ({ code, message }) => code === "INVALID_ARGUMENT" && /weight/.test(message));
  }
});

test("a browser without URL.canParse has whole addresses, too", async () => {
  const { canParse } = URL;
  delete URL.canParse;
  try {
    const { resources } = await both.find("weather", { limit: 3 });
    assert.ok(resources.length > 0 && resources.every(({ url }) => /^https:\/\/(harbour|tide)\.example\//.test(url)));
  } finally {
    URL.canParse = canParse;
  }
});

test("related pages are those of the result's own bundle", async () => {
  const { resources } = await both.find("log of day 12", { limit: 3 });
  const related = await both.relations(resources[0].uri);
  assert.deepEqual(related.map(({ uri }) => uri), (await harbour.relations(resources[0].uri)).map(({ uri }) => uri));
  for (const { url } of related) assert.ok(url === undefined || url.startsWith("https://harbour.example/docs/"), url);
  await assert.rejects(both.relations("viking://resources/harbour/nowhere.md"), (error) => error instanceof KnarrError && error.code === "NOT_FOUND");
});

test("counts of both are added, and directories stand in the order of their best rows", async () => {
  const agent = await open(AGENT);
  const twice = several([{ knarr: agent, base: "https://a.example/" }, { knarr: agent, base: "https://b.example/" }]);
  const { facets: once } = await agent.find("invoice", { facets: ["*"] });
  const { facets } = await twice.find("invoice", { facets: ["*"] });
  assert.deepEqual(facets?.map(({ key, values }) => [key, values]), once?.map(({ key, values }) => [key, values.map(({ value, label, count }) => ({ value, label, count: 2 * count }))]));
  const { groups, resources } = await both.find("news of the harbour", { limit: 8, group: "directory" });
  const places = groups.map(({ results: [first] }) => resources.findIndex(({ uri }) => uri === first));
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  assert.equal(groups.flatMap(({ results }) => results).length, resources.length);
  agent.close();
});

test("a bundle that fails is left out and named; the call fails where all do, or what is asked is for one bundle", async () => {
  const warned = [];
  const { warn } = console;
  console.warn = (text) => warned.push(text);
  try {
    const gone = Knarr.open(pathToFileURL("/nowhere/search/"));
    const half = several([{ knarr: gone, base: "https://gone.example/", name: "Gone" }, { knarr: tide, base: "https://tide.example/" }]);
    for (let time = 0; time < 2; time += 1) {
      const { resources, skipped } = await half.find("timeout");
      assert.ok(resources.length > 0);
      assert.equal(skipped.at(-1).step, "bundle");
      assert.match(skipped.at(-1).reason, /^Gone: /);
    }
    assert.equal(warned.length, 1, "the console is told once");
    await assert.rejects(several([{ knarr: gone, base: "https://gone.example/" }]).find("timeout"), ({ code }) => code === "BUNDLE_MISSING");
    await assert.rejects(both.find("timeout", { limit: "x" }), ({ code }) => code === "INVALID_ARGUMENT");
    await assert.rejects(both.find("timeout", { sort: "updated_at" }), ({ code, message }) => code === "INVALID_ARGUMENT" && /sort/.test(message));
    await assert.rejects(both.find("timeout", { signal: AbortSignal.abort() }), ({ code }) => code === "ABORTED");
    for (const wrong of [undefined, [], [{ base: "https://a.example/" }], [{ knarr: tide, base: "no address" }]]) {
      assert.throws(() => several(wrong), ({ code }) => code === "INVALID_ARGUMENT");
    }
  } finally {
    console.warn = warn;
  }
});

describe("the element", () => {
  let bench;
  before(async () => (bench = await Bench.start({ "/tide/": VARIANTS_SITE, "/tide/search/": VARIANTS, "/agent/search/": AGENT, "/agent/": AGENT_TREE })));
  after(() => bench?.stop());

  const show = async (also) => {
    const page = await bench.show();
    await page.locator("knarr-search").evaluate((search, also) => search.setAttribute("also", also), also);
    await page.keyboard.press("/");
    return page;
  };

  test("shows the rows of both, each at its own site's address", async () => {
    const page = await show("/tide/search/");
    await page.keyboard.type("news of the harbour", { delay: 10 });
    await page.locator(".list:not([aria-busy]) .excerpt").first().waitFor();
    const hrefs = await page.locator(".row.page").evaluateAll((rows) => rows.map(({ href }) => new URL(href).pathname));
    assert.ok(hrefs.some((href) => href.startsWith("/tide/")) && hrefs.some((href) => href.startsWith("/site/")), hrefs.join());
    await page.locator(".row.page[href*='/tide/']").first().click();
    await page.waitForURL("**/tide/**");
    assert.equal(await page.locator("h1").count() > 0, true, "its page is there");
    await bench.end();
  });

  test("searches the rest where one is not there, and says so to its owner", async () => {
    const page = await show("/nowhere/search/");
    const told = [];
    page.on("console", (message) => message.type() === "warning" && told.push(message.text()));
    await bench.ask("weather");
    assert.ok((await bench.rows.count()) > 0);
    await bench.ask("news of the harbour");
    assert.deepEqual(told.map((text) => /one of several bundles is left out; .*nowhere/.test(text)), [true], told.join("\n"));
    await bench.end();
  });
});
