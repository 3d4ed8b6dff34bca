/** Journeys through the built package in Chromium, in a worker and on the page's own thread. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { BESIDE, DIST, LARGE, LOG_PAGES, SMALL } from "./bundles.mjs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "./server.mjs";

const ROOT = "viking://resources/harbour";

let browser;
let server;

before(async () => {
  const pages = fileURLToPath(new URL("pages", import.meta.url));
  server = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE, "/small/": dirname(SMALL), "/beside/": BESIDE });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

for (const worker of [true, false]) {
  describe(worker ? "in a worker" : "on the page's thread", () => {
    let page;

    before(async () => {
      page = await openPage(browser, `${server.origin}/blank.html`);
    });

    beforeEach(() => server.reset());

    /** Runs `work` in the page with an opened bundle; errors come back as `{ error: { name, code, message } }`. */
    const withKnarr = (work, argument, source = "/search/") =>
      page.evaluate(
        async ([work, argument, source, worker]) => {
          const { Knarr, KnarrError } = await import("/knarr/index.js");
          let knarr;
          try {
            knarr = await Knarr.open(source, { worker });
            // The functions come from this test file, which the policy of the page must not have to allow as a string.
            return await globalThis.works[work](knarr, argument, { Knarr, KnarrError });
          } catch (error) {
            return { error: { name: error.name, code: error.code, message: error.message, ours: error instanceof KnarrError } };
          } finally {
            knarr?.close();
          }
        },
        [work, argument, source, worker],
      );

    before(() => page.evaluate(defineWorks));
    after(() => assert.deepEqual(page.complaints, []));

    test("finds a page by its words, with an excerpt and its section", async () => {
      const { resources, total } = await withKnarr("find", ["bowline loop never jams"]);
      assert.ok(total > 0);
      const [first] = resources;
      assert.equal(first.uri, `${ROOT}/guide/mooring.html`);
      assert.equal(first.context_type, "resource");
      assert.equal(first.level, 2);
      assert.equal(first.title, "Mooring a boat");
      assert.equal(first.url, "guide/mooring.html");
      assert.ok(first.score > 0 && first.score <= 1);
      const marked = first.excerpt.highlights.map(([start, end]) => first.excerpt.text.slice(start, end).toLowerCase());
      assert.ok(marked.includes("bowline"), JSON.stringify(first.excerpt));
      assert.equal(first.sections[0].anchor, "knots");
      assert.equal(first.sections[0].url, "guide/mooring.html#knots");
    });

    test("finds by prefix, through a typo, in code, and in Chinese", async () => {
      const first = async (query) => (await withKnarr("find", [query])).resources[0]?.uri;
      assert.equal(await first("barome"), `${ROOT}/guide/weather.html`);
      assert.equal(await first("baromter"), `${ROOT}/guide/weather.html`);
      assert.equal(await first("calculateBerthFee"), `${ROOT}/api/fees.html`);
      assert.equal(await first("气压计"), `${ROOT}/zh/weather.html`);
    });

    test("a correction is told, and nonsense is refused", async () => {
      const { corrections } = await withKnarr("find", ["baromter"]);
      assert.deepEqual(corrections[0], ["baromter", "barometer"]);
      const nonsense = await withKnarr("find", ["qqxzv wwjkqp"]);
      assert.equal(nonsense.total, 0);
    });

    test("a phrase stands word for word, and a word is left out", async () => {
      const uris = async (query) => (await withKnarr("find", [query])).resources.map(({ uri }) => uri);
      const all = await uris("easterly wind");
      const phrase = await uris('"easterly wind" force');
      assert.ok(phrase.length > 0 && all.length > 0);
      assert.ok(phrase.every((uri) => uri.includes("/log/")), phrase.join());
      const without = await uris("barometer -gale");
      assert.ok(!without.includes(`${ROOT}/guide/weather.html`), without.join());
      assert.ok((await uris("barometer")).includes(`${ROOT}/guide/weather.html`));
    });

    test("options reach the engine, and wrong ones are refused by name", async () => {
      const two = await withKnarr("find", ["wind", { limit: 2, target_uri: `${ROOT}/log`, excerpts: false }]);
      assert.equal(two.resources.length, 2);
      assert.ok(two.resources.every(({ uri }) => uri.startsWith(`${ROOT}/log/`)));
      const vector = await withKnarr("find", ["wind", { vector: [1, 2, 3] }]);
      assert.equal(vector.error?.code, "INVALID_ARGUMENT");
      for (const [options, name] of [[{ limmit: 3 }, "limmit"], [{ limit: "three" }, "limit"], [{ mode: "slow" }, "mode"]]) {
        const { error } = await withKnarr("find", ["wind", options]);
        assert.equal(error?.code, "INVALID_ARGUMENT", name);
        assert.match(error.message, new RegExp(name));
        assert.ok(error.ours);
      }
      const { error } = await withKnarr("find", [42]);
      assert.equal(error?.code, "INVALID_ARGUMENT");
    });

    test("greps lines, says how far it is, and stops at its limit", async () => {
      const { result, progress } = await withKnarr("grep", [ROOT, "Bowline\\b", { case_insensitive: true }]);
      assert.equal(result.count, 2);
      assert.equal(result.match_count, 2);
      assert.equal(result.files_scanned, 7 + LOG_PAGES);
      assert.ok(result.matches.every(({ uri, content }) => uri.endsWith("mooring.html") && /bowline/i.test(content)));
      assert.ok(progress.length > 1);
      assert.deepEqual(progress.at(-1), { files: 7 + LOG_PAGES, total: 7 + LOG_PAGES, matches: 2 });
      const limited = await withKnarr("grep", [`${ROOT}/log`, "harbour master", { node_limit: 5 }]);
      assert.equal(limited.result.count, 5);
      assert.ok(limited.result.files_scanned < LOG_PAGES);
      const outside = await withKnarr("grep", [ROOT, "harbour master", { exclude_uri: `${ROOT}/log` }]);
      assert.equal(outside.result.count, 0);
    });

    test("a bad pattern is refused", async () => {
      for (const pattern of ["(", "\\w{200}{200}"]) {
        const { error } = await withKnarr("grep", [ROOT, pattern]);
        assert.equal(error?.code, "INVALID_PATTERN", pattern);
      }
      assert.equal((await withKnarr("glob", ["[", ROOT])).error?.code, "INVALID_PATTERN");
      assert.equal((await withKnarr("glob", ["", ROOT])).error?.code, "INVALID_PATTERN");
    });

    test("globs paths", async () => {
      assert.deepEqual(await withKnarr("glob", ["guide/*.html", ROOT]), {
        matches: ["mooring", "radio", "weather"].map((name) => `${ROOT}/guide/${name}.html`),
        count: 3,
      });
      assert.equal((await withKnarr("glob", ["**/weather.html", ROOT])).count, 2);
      assert.equal((await withKnarr("glob", ["**/*.md", ROOT, { node_limit: 4 }])).count, 4);
    });

    test("reads abstracts, overviews, lines, listings, facts and relations", async () => {
      const uri = `${ROOT}/guide/mooring.html`;
      const told = await withKnarr("reading", [ROOT, uri]);
      assert.match(told.abstract, /tie up a boat/);
      assert.ok(told.overview.length > 0);
      assert.match(told.read, /Nylon stretches/);
      assert.equal(told.lines, `${told.read.split("\n").slice(1, 3).join("\n")}\n`);
      assert.ok(told.ls.some((entry) => entry.uri === `${ROOT}/guide` && entry.isDir));
      assert.ok(told.tree.some((entry) => entry.rel_path === "guide/mooring.html" && !entry.isDir));
      assert.equal(told.stat.name, "mooring.html");
      assert.equal(told.stat.isDir, false);
      assert.equal(told.relations[0].uri, `${ROOT}/guide/weather.html`);
      assert.equal(told.relations[0].reason, "weather signs");
      assert.equal(told.inspect.files, 7 + LOG_PAGES);
      assert.equal(told.inspect.name, "harbour");
      const { error } = await withKnarr("read", [`${ROOT}/guide/nothing.html`]);
      assert.equal(error?.code, "NOT_FOUND");
      assert.equal((await withKnarr("read", ["guide/mooring.html"])).error?.code, "INVALID_URI");
    });

    test("a call is cancelled by its signal, and the bundle goes on answering", async () => {
      server.faults.delay = 150;
      const { early, late, timeout, next } = await withKnarr("cancel", [ROOT]);
      assert.equal(early.code, "ABORTED");
      assert.equal(late.code, "ABORTED");
      assert.equal(timeout.code, "DEADLINE_EXCEEDED");
      assert.ok(next.total > 0);
    });

    test("a bundle that is not there is named", async () => {
      const { error } = await withKnarr("find", ["wind"], "/nowhere/");
      assert.equal(error?.code, "BUNDLE_MISSING");
      assert.match(error.message, /\/nowhere\/index\.knarr/);
      assert.ok(error.ours);
    });

    test("a page in the place of a bundle is told from a bundle", async () => {
      const { error } = await withKnarr("find", ["wind"], "/blank.html?as=.knarr");
      assert.equal(error?.code, "BUNDLE_MISSING");
      const html = await withKnarr("openBytes", [Array.from("<!doctype html><title>404</title>", (c) => c.charCodeAt(0))]);
      assert.equal(html.error?.code, "BUNDLE_FORMAT");
    });

    test("a flipped bit is found, in the head and in a pack", async () => {
      server.faults.flip = (path) => path.endsWith("/index.knarr");
      const head = await withKnarr("find", ["wind"]);
      assert.equal(head.error?.code, "BUNDLE_DAMAGED");
      server.faults.flip = (path) => path.startsWith("/search/") && !path.endsWith("/index.knarr");
      const pack = await withKnarr("find", ["wind"]);
      // A checksum cannot tell damage from a part of another build.
      assert.match(pack.error?.code, /^BUNDLE_(DAMAGED|MISMATCH)$/);
    });

    test("a server that fails is told from a bundle that is missing, and the next call tries again", async () => {
      server.faults.status = (path) => (path.startsWith("/search/") && !path.endsWith("/index.knarr") ? 503 : undefined);
      const { first, second } = await withKnarr("twice", ["wind", `${server.origin}/blank.html`]);
      assert.equal(first.code, "UNAVAILABLE");
      assert.match(first.message, /503/);
      assert.equal(second.code, "UNAVAILABLE");
      server.reset();
      assert.ok((await withKnarr("find", ["wind"])).total > 0);
    });

    test("a server without byte ranges serves the same answers", async () => {
      const ranged = await withKnarr("find", ["barometer gale"]);
      assert.ok(server.requests.some(({ range }) => range !== undefined), "ranges are asked for");
      server.reset();
      server.faults.ranges = false;
      assert.deepEqual(await withKnarr("find", ["barometer gale"]), ranged);
    });

    test("an index without the files beside it answers, and says so", async () => {
      const told = ({ total, skipped }) => {
        assert.ok(total > 0);
        return skipped.map(({ step, reason }) => `${step}: ${reason}`);
      };
      const lacking = "laptop weather";
      assert.deepEqual(told(await withKnarr("find", [lacking], "/beside/")), []);
      server.faults.status = (path) => (path.endsWith(".pack") ? 404 : undefined);
      const reason = ["words: words that the site lacks: their files are not beside the index"];
      assert.deepEqual(told(await withKnarr("find", [lacking], "/beside/")), reason);
      assert.deepEqual(told(await withKnarr("openFetched", ["/beside/index.knarr", lacking])), reason);
      assert.deepEqual(told(await withKnarr("find", ["weather"], "/beside/")), []);
    });

    test("a one-file bundle answers from an address and from bytes", async () => {
      const byAddress = await withKnarr("find", ["bowline"], "/small/site.knarr");
      assert.equal(byAddress.resources[0].uri, `${ROOT}/guide/mooring.html`);
      const byBytes = await withKnarr("openFetched", ["/small/site.knarr", "bowline"]);
      assert.deepEqual(byBytes, byAddress);
    });

    test("after close, calls are refused", async () => {
      const { error } = await withKnarr("afterClose", []);
      assert.equal(error?.code, "FAILED_PRECONDITION");
    });
  });
}

test("where workers do not start, the page's thread answers; a worker asked for is an error", async () => {
  const page = await openPage(browser, `${server.origin}/blank.html`);
  server.faults.status = (path) => (path.endsWith("/worker.js") ? 404 : undefined);
  const told = await page.evaluate(async () => {
    const { Knarr } = await import("/knarr/index.js");
    const knarr = await Knarr.open("/search/");
    const { total } = await knarr.find("wind");
    const refused = await Knarr.open("/search/", { worker: true }).catch((error) => error.code);
    return { total, refused };
  });
  server.reset();
  assert.ok(told.total > 0);
  assert.equal(told.refused, "UNAVAILABLE");
  await page.context().close();
});

test("the worker's script, the module and the head are asked for together, and once", async () => {
  const page = await openPage(browser, `${server.origin}/blank.html`);
  await page.evaluate(() => import("/knarr/core.js"));
  server.reset();
  server.faults.delay = 1_000;
  const total = await page.evaluate(async () => {
    const { Knarr } = await import("/knarr/core.js");
    return (await (await Knarr.open("/search/", { worker: true })).find("wind")).total;
  });
  const first = ["/knarr/core-worker.js", "/knarr/knarr_core_first.wasm", "/search/index.knarr"];
  const asked = server.requests.filter(({ path }) => first.includes(path));
  server.reset();
  assert.ok(total > 0);
  assert.deepEqual(asked.map(({ path }) => path).sort(), first);
  const times = asked.map(({ at }) => at);
  assert.ok(Math.max(...times) - Math.min(...times) < 1_000, "no request waits for the answer of another");
  await page.context().close();
});

test("a host that hangs does not outlast the signal of open", async () => {
  const page = await openPage(browser, `${server.origin}/blank.html`);
  await page.evaluate(() => import("/knarr/core.js"));
  server.reset();
  server.faults.stall = (path) => path === "/search/index.knarr";
  const code = await page.evaluate(async () => {
    const { Knarr } = await import("/knarr/core.js");
    return Knarr.open("/search/", { worker: true, signal: AbortSignal.timeout(1_000) }).then(() => "opened", (error) => error.code);
  });
  server.reset();
  assert.equal(code, "DEADLINE_EXCEEDED");
  await page.context().close();
});

test("a page in the place of the module is told from a module", async () => {
  const page = await openPage(browser, `${server.origin}/blank.html`);
  const error = await page.evaluate(async () => {
    const { Knarr } = await import("/knarr/core.js");
    const options = { worker: true, wasmUrl: "/blank.html" };
    return Knarr.open("/search/", options).catch(({ code, message }) => ({ code, message }));
  });
  assert.equal(error.code, "UNAVAILABLE");
  assert.match(error.message, /blank\.html could not be loaded as WebAssembly.*optimizeDeps: \{ exclude: \["knarr"\] \}/);
  await page.context().close();
});

test("grep and glob load their module on first use, and find never does", async () => {
  server.reset();
  const page = await openPage(browser, `${server.origin}/blank.html`);
  await page.evaluate(async () => {
    const { Knarr } = await import("/knarr/index.js");
    globalThis.knarr = await Knarr.open("/search/");
    await globalThis.knarr.find("wind");
  });
  const loaded = () => server.requests.filter(({ path }) => path.endsWith("knarr_patterns_bg.wasm")).length;
  assert.equal(loaded(), 0);
  await page.evaluate(async (root) => {
    await globalThis.knarr.glob("*.html", root);
    await globalThis.knarr.grep(root, "tide");
  }, ROOT);
  assert.equal(loaded(), 1);
  await page.context().close();
});

/** What the tests above run in the page, by name. */
function defineWorks() {
  const code = async (promise) => promise.then(() => ({ code: "none" }), ({ code, message }) => ({ code, message }));
  globalThis.works = {
    find: (knarr, [query, options]) => knarr.find(query, options),
    glob: (knarr, args) => knarr.glob(...args),
    read: (knarr, [uri]) => knarr.read(uri),
    async grep(knarr, [uri, pattern, options]) {
      const progress = [];
      const result = await knarr.grep(uri, pattern, { ...options, onProgress: (state) => progress.push(state) });
      return { result, progress };
    },
    async reading(knarr, [root, uri]) {
      return {
        abstract: await knarr.abstract(uri),
        overview: await knarr.overview(`${root}/guide`),
        read: await knarr.read(uri),
        lines: await knarr.read(uri, { offset: 1, limit: 2 }),
        ls: await knarr.ls(root),
        tree: await knarr.tree(root, { level_limit: 2 }),
        stat: await knarr.stat(uri),
        relations: await knarr.relations(uri),
        inspect: await knarr.inspect(),
      };
    },
    async cancel(knarr, [root]) {
      const early = await code(knarr.find("wind", { signal: AbortSignal.abort() }));
      const controller = new AbortController();
      const grep = code(knarr.grep(root, "harbour", { signal: controller.signal }));
      setTimeout(() => controller.abort(), 20);
      const late = await grep;
      const timeout = await code(knarr.find("tide", { signal: AbortSignal.timeout(20) }));
      return { early, late, timeout, next: await knarr.find("wind") };
    },
    async twice(knarr, [query]) {
      return { first: await code(knarr.find(query)), second: await code(knarr.find(query)) };
    },
    openBytes: (_, [bytes], { Knarr }) => Knarr.open(new Uint8Array(bytes)),
    async openFetched(_, [address, query], { Knarr }) {
      const bytes = await (await fetch(address)).arrayBuffer();
      const knarr = await Knarr.open(bytes);
      return knarr.find(query);
    },
    afterClose(knarr) {
      knarr.close();
      return knarr.find("wind");
    },
  };
}
