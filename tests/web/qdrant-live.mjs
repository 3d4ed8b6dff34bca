/**
 * `Knarr.remote` with a collection in Qdrant's own engine: `knarr export` writes it, the commands of its README.md load it,
 * and pages ask it. Run by `cargo xtask test python`, which has the engine; tests/python/qdrant_server.py is its server.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { DIST } from "./bundles.mjs";
import { refused, uris } from "./expect.mjs";
import { serve } from "./server.mjs";

const { Knarr } = await import(pathToFileURL(`${DIST}/index.js`).href);
const { remote } = await import(pathToFileURL(`${DIST}/qdrant.js`).href);
const PYTHON = process.env.PYTHON ?? "python3";
const OUT = join(process.env.OUT ?? fileURLToPath(new URL("out", import.meta.url)), "qdrant");
const TESTS = fileURLToPath(new URL("..", import.meta.url));
const [TOOL, ...FLAGS] = process.env.KNARR_BIN ? [process.env.KNARR_BIN] : [PYTHON, "-m", "knarr"];
const BUNDLE = join(OUT, "bundle");
const HARBOUR = "viking://resources/harbour";
const KEYS = { write: "may-write", read: "may-read" };
const ALL = { lang: "*", prefix: false };

/** The questions of test_export.py. */
const [, LISTED] = /^QUESTIONS = \[([^\]]*)\]/m.exec(readFileSync(join(TESTS, "python/test_export.py"), "utf8"));
const QUESTIONS = Array.from(LISTED.matchAll(/"(.*?)"/g), ([, question]) => question);

const knarr = (...args) => execFileSync(TOOL, [...FLAGS, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Starts a server; its address. */
async function qdrant(name, keys) {
  const server = spawn(PYTHON, [join(TESTS, "python/qdrant_server.py"), join(OUT, name), ...(keys ? [JSON.stringify(keys)] : [])], { stdio: ["ignore", "pipe", "inherit"] });
  const [told] = await once(server.stdout, "data");
  return { origin: String(told).trim(), stop: () => server.kill() };
}

/** The first block of the README.md that the export wrote: what loads it. */
function load(folder, origin) {
  const [, steps] = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"));
  execFileSync("bash", ["-e", "-o", "pipefail", "-c", steps], { cwd: folder, env: { ...process.env, QDRANT: origin }, stdio: ["ignore", "ignore", "inherit"] });
}

const put = async (url, body, headers = {}) => {
  const response = await fetch(url, { method: "PUT", body, headers: { "content-type": "application/json", ...headers } });
  assert.equal(response.status, 200, await response.clone().text());
};

let server;
let client;
let bundle;
const exported = join(OUT, "export");

before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  knarr("build", join(TESTS, "corpus"), "--out", BUNDLE, "--name", "harbour", "--quiet");
  knarr("export", BUNDLE, "--to", "qdrant", "--out", exported, "--name", "harbour");
  server = await qdrant("open");
  load(exported, server.origin);
  client = await Knarr.remote(server.origin, { engine: "qdrant", collection: "harbour" });
  bundle = await Knarr.open(pathToFileURL(`${BUNDLE}/`), { worker: false });
});

after(() => {
  bundle?.close();
  server?.stop();
});

describe("questions", () => {
  /** First pages by the question as the command line writes it. */
  async function byHand(question, alpha) {
    const body = knarr("export", BUNDLE, "--to", "qdrant", "--question", question, "--alpha", String(alpha));
    const response = await fetch(`${server.origin}/collections/harbour/points/query/groups`, { method: "POST", body });
    const rows = (await response.json()).result.groups.map(({ hits: [{ payload, score }] }) => ({ uri: payload.uri.split("#")[0], score }));
    // Rows that score alike have no order.
    return rows.filter(({ score }) => score === rows[0].score).map(({ uri }) => uri);
  }

  test("are answered with the first page of the question that the command line writes", async () => {
    assert.equal(QUESTIONS.length, 12);
    for (const question of [...QUESTIONS, "sensro paring?", "harbour.toml", "网关 配置", "rename, renamed and Wi-Fi"]) {
      for (const alpha of [0, 1]) {
        if (alpha === 1 && question === "网关 配置") continue; // No word of it has a vector.
        const [first] = uris(await client.find(question, { ...ALL, alpha }));
        const best = await byHand(question, alpha);
        assert.ok(best.includes(first), `${question} ${alpha}: ${first}, not ${best}`);
      }
    }
  });

  test("by vector are answered with the three pages of the bundle, by words or both with its first", async () => {
    const same = { words: 0, both: 0 };
    for (const query of QUESTIONS) {
      const asked = async (knarr, options) => uris(await knarr.find(query, { ...ALL, limit: 3, ...options }));
      assert.deepEqual(await asked(client, { alpha: 1 }), await asked(bundle, { alpha: 1, mode: "quick" }), query);
      same.words += (await asked(client, { alpha: 0 }))[0] === (await asked(bundle, { alpha: 0, mode: "quick" }))[0];
      same.both += (await asked(client))[0] === (await asked(bundle))[0];
    }
    console.log(`of ${QUESTIONS.length} first results are the bundle's: ${same.words} by words, ${same.both} by both`);
    assert.ok(same.words >= QUESTIONS.length - 1 && same.both >= QUESTIONS.length - 1, JSON.stringify(same));
  });

  test("have the shape of a bundle's answer", async () => {
    const query = "how do I add a sensor";
    const [ours, theirs] = await Promise.all([client, bundle].map((knarr) => knarr.find(query, { limit: 2, group: "directory" })));
    const kinds = (value) => (Array.isArray(value) ? value.slice(0, 1).map(kinds) : value && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, kinds(part)]).sort()) : typeof value);
    const [{ crumbs, also, ...hit }] = theirs.resources;
    assert.deepEqual(kinds({ ...ours, skipped: [] }), kinds({ ...theirs, resources: [hit], skipped: [] }));
    const [first] = ours.resources;
    for (const name of ["uri", "url", "title", "abstract", "tags", "level", "context_type", "lang"]) assert.deepEqual(first[name], hit[name], name);
    const [{ anchor, url, uri, title }] = first.sections;
    assert.deepEqual([url, uri], [`guide/add-a-sensor.md#${anchor}`, `${first.uri}#${anchor}`]);
    assert.notEqual(title, "");
    const { text, highlights } = first.excerpt;
    assert.ok(highlights.some(([start, end]) => /^sensors?$/i.test(text.slice(start, end))), JSON.stringify(first.excerpt));
    // The second result is the walk's, which a server does not have.
    const group = ({ groups: [{ results, ...group }] }) => ({ ...group, first: results[0] });
    assert.deepEqual(group(ours), group(theirs));
    const bare = await client.find(query, { limit: 1, excerpts: false });
    assert.deepEqual(bare.resources[0].excerpt, { text: "", highlights: [] });
  });

  test("are read while they are typed, and mistyped", async () => {
    const [typed, whole] = [await client.find("pairi"), await client.find("pairi", { prefix: false, alpha: 0 })];
    assert.ok(uris(typed).includes(`${HARBOUR}/guide/add-a-sensor.md`) && typed.corrections.length === 0, uris(typed).join());
    assert.notDeepEqual(whole.corrections, []);
    assert.deepEqual((await client.find("sensro", { prefix: false })).corrections, [["sensro", "sensor"]]);
    const half = "a mistake in each half";
    assert.deepEqual((await client.find("reccovrey", { prefix: false })).corrections, [["reccovrey", "recovery"]], half);
    assert.equal((await client.find("xyzzyqwv")).total, 0);
    const { skipped } = await client.find('"add a sensor" -lamp', { explain: true });
    assert.deepEqual(skipped.map(({ step }) => step).sort(), ["excluded", "explain", "phrase"]);
  });

  test("are narrowed, and never widened", async () => {
    const find = async (options, query = "sensor gateway reading") => uris(await client.find(query, { ...ALL, limit: 50, ...options }));
    const every = await find({});
    const guide = `${HARBOUR}/guide`;
    assert.ok(every.some((uri) => !uri.startsWith(guide)));
    const inGuide = every.filter((uri) => uri.startsWith(guide)).sort();
    assert.deepEqual((await find({ target_uri: guide })).sort(), inGuide);
    assert.deepEqual((await find({ filter: { op: "must", field: "uri", conds: [guide] } })).sort(), inGuide);
    assert.deepEqual((await find({ filter: { op: "must_not", field: "uri", conds: [guide] } })).sort(), every.filter((uri) => !uri.startsWith(guide)).sort());
    const [page] = every;
    assert.deepEqual(await find({ target_uri: page }), [page]);
    assert.ok(!(await find({ filter: { op: "must_not", field: "uri", conds: [page] } })).includes(page), "nor by one of its sections");
    assert.ok((await find({ tags: ["area=reference"] })).every((uri) => uri.includes("/reference/")));
    assert.deepEqual(await find({ context_type: "memory" }), []);
    const dated = await bundle.find("sensor gateway reading", { ...ALL, limit: 50, since: "2024-06-01", until: "2024-06-15" });
    assert.deepEqual((await find({ since: "2024-06-01", until: "2024-06-15" })).sort(), uris(dated).sort());
    const German = await client.find("Sensor", { lang: "de", limit: 50 });
    assert.ok(German.total > 0 && German.resources.every(({ lang = "de" }) => lang === "de"));
    const pages = await Promise.all([0, 2].map((offset) => find({ limit: 2, offset })));
    assert.deepEqual(pages.flat(), every.slice(0, 4));
    for (const options of [{ user: "me" }, { level: 0 }, { score_threshold: 0.5 }, { hybrid: { access: {} } }, { target_uri: "viking://~" }, { filter: { op: "prefix", field: "name", prefix: "a" } }]) {
      await assert.rejects(client.find("sensor", options), refused("UNIMPLEMENTED", /: /), JSON.stringify(options));
    }
    await assert.rejects(client.find("sensor", { filter: { op: "mist" } }), refused("INVALID_FILTER", /filter\.op/));
  });

  test("of search() have a plan, and no session", async () => {
    const found = await client.search("add a sensor", { session: { messages: [{ role: "user", content: "hello" }] }, limit: 1 });
    assert.equal(found.query_plan.queries[0].query, "add a sensor");
    assert.deepEqual(found.skipped.map(({ step }) => step), ["intent"]);
  });
});

describe("the tree", () => {
  test("is listed and read as the bundle's", async () => {
    for (const [uri, options] of [["viking://", {}], [HARBOUR, {}], [`${HARBOUR}/guide/`, { abs_limit: 20 }], [HARBOUR, { recursive: true, node_limit: 7 }]]) {
      assert.deepEqual(await client.ls(uri, options), await bundle.ls(uri, options), uri);
    }
    const tree = await bundle.tree("viking://", { level_limit: 9 });
    assert.deepEqual(await client.tree("viking://", { level_limit: 9 }), tree);
    assert.deepEqual(await client.tree(HARBOUR, { sort_by: "mtime", sort_order: "desc" }), await bundle.tree(HARBOUR, { sort_by: "mtime", sort_order: "desc" }));
    for (const { uri, isDir } of tree) {
      assert.equal(await client.abstract(uri), await bundle.abstract(uri), uri);
      assert.deepEqual(await client.stat(uri), await bundle.stat(uri), uri);
      const [ours, theirs] = await Promise.all([client, bundle].map((knarr) => (isDir ? knarr.overview(uri) : knarr.read(uri, { offset: 1, limit: 2 }))));
      assert.equal(ours, theirs, uri);
    }
  });

  test("says what it has not, and where that is", async () => {
    for (const call of [
      () => client.grep("viking://", "x"), () => client.glob("*"), () => client.download(HARBOUR), () => client.relations(HARBOUR), () => client.entities(),
      () => client.neighbors("x"), () => client.inspect(), () => client.statistics(), () => client.overview(`${HARBOUR}/index.md`), () => client.read(`${HARBOUR}/index.md`, { raw: true }),
    ]) await assert.rejects(call(), refused("UNIMPLEMENTED", /Qdrant collection has no .*: /), String(call));
    await assert.rejects(client.read(`${HARBOUR}/nothing.md`), refused("NOT_FOUND", /nothing\.md/));
    await assert.rejects(client.read(HARBOUR), refused("INVALID_ARGUMENT", /is a directory/));
    await assert.rejects(client.ls(`${HARBOUR}/index.md`), refused("INVALID_ARGUMENT", /is a file/));
    await assert.rejects(client.ls("https://a/"), refused("INVALID_URI", /viking/));
  });
});

describe("a server that does not let everybody in", () => {
  let locked;

  before(async () => {
    locked = await qdrant("locked", KEYS);
    const mine = { "api-key": KEYS.write };
    await put(`${locked.origin}/collections/rows`, readFileSync(join(exported, "collection.json")), mine);
    for (const points of readFileSync(join(exported, "points.jsonl"), "utf8").trim().split("\n")) await put(`${locked.origin}/collections/rows/points?wait=true`, points, mine);
  });

  after(() => locked?.stop());

  test("says so, and what it has in place of a collection", async () => {
    const asked = async (options) => (await remote(locked.origin, options)).find("sensor");
    await assert.rejects(asked({ collection: "rows" }), refused("UNAUTHENTICATED", /answered 401.*apiKey/));
    await assert.rejects(asked({ collection: "rows", apiKey: "wrong" }), refused("UNAUTHENTICATED", /apiKey/));
    await assert.rejects(asked({ collection: "row", apiKey: KEYS.read }), refused("NOT_FOUND", /Collection `row` doesn't exist.*as collection/));
    await assert.rejects(asked({ collection: "rows", apiKey: KEYS.read }), refused("FAILED_PRECONDITION", /site\.jsonl/));
    const about = { points: [{ id: 0, vector: {}, payload: { knarr: { format: 2 } } }] };
    await put(`${locked.origin}/collections/rows/points`, JSON.stringify(about), { "api-key": KEYS.write });
    await assert.rejects(asked({ collection: "rows", apiKey: KEYS.read }), refused("FAILED_PRECONDITION", /form 2.*form 1/));
  });
});

test("a page's search asks it across origins, and what somebody wrote into it is no markup and no script", async () => {
  const hostile = "<img src=x onerror=document.title=1> <b>sensor</b>";
  await put(`${server.origin}/collections/hostile`, readFileSync(join(exported, "collection.json")));
  for (const index of readFileSync(join(exported, "indexes.jsonl"), "utf8").trim().split("\n")) await put(`${server.origin}/collections/hostile/index`, index);
  for (const file of ["points.jsonl", "site.jsonl"]) {
    for (const line of readFileSync(join(exported, file), "utf8").trim().split("\n")) {
      const { points } = JSON.parse(line);
      for (const { payload } of points.filter(({ payload }) => payload.page !== undefined)) {
        for (const name of ["title", "section", "abstract", "text"]) payload[name] = hostile;
        payload.url = ["javascript:document.title=1", "java\tscript:alert(1)", "//elsewhere.invalid/a", "data:text/html,x"][payload.place % 4];
      }
      await put(`${server.origin}/collections/hostile/points?wait=true`, JSON.stringify({ points }));
    }
  }
  const knarr = await remote(server.origin, { collection: "hostile" });
  const { resources } = await knarr.find("sensor");
  assert.ok(resources.length > 0 && resources.every(({ title, url }) => title === hostile && !/script|data:/.test(url)));
  const site = await serve({ "/": fileURLToPath(new URL("pages", import.meta.url)), "/knarr/": DIST }, { policy: `default-src 'none'; script-src 'self'; style-src 'self'; connect-src ${server.origin}` });
  const browser = await launch();
  try {
    const page = await openPage(browser, `${site.origin}/element.html`);
    const ask = async (collection, title) => {
      await page.evaluate(async ([origin, collection]) => {
        const { Knarr } = await import("/knarr/index.js");
        const search = document.querySelector("knarr-search");
        search.knarr = await Knarr.remote(origin, { engine: "qdrant", collection });
        search.show("how do I add a sensor");
      }, [server.origin, collection]);
      await page.locator(".group .page", { hasText: title }).first().waitFor();
    };
    await ask("harbour", "Add a sensor");
    const title = await page.title();
    await page.evaluate(() => document.querySelector("knarr-search").close());
    await ask("hostile", "<b>sensor</b>");
    const links = await page.locator(".group a").evaluateAll((all) => all.map((link) => link.href));
    assert.ok(links.every((href) => href === "" || /^https?:/.test(href)), links.join());
    assert.equal(await page.locator(".group img, .group b").count(), 0);
    assert.deepEqual([await page.title(), page.complaints], [title, []]);
  } finally {
    await browser.close();
    await site.close();
  }
});
