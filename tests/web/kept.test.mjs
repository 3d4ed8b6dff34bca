/** Parts of bundles are kept from page to page where a host's headers do not make the browser keep them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage } from "./browser.mjs";
import { largeSite, MOUNTS, packs } from "./large.mjs";
import { KNARR_POLICY, serve } from "./server.mjs";

const site = largeSite();

/** Asks in a page; answers the total, or the code of an error. Runs in the page. */
async function ask([queries, worker]) {
  const { Knarr } = await import("/knarr/core.js");
  const knarr = await Knarr.open("/search/", { worker });
  const totals = [];
  for (const query of queries) totals.push(await knarr.find(query).then(({ total }) => total, ({ code }) => code));
  await new Promise((resolve) => setTimeout(resolve, 300)); // Nobody waits for what is written.
  return totals;
}

/** The same question in two tabs after one another; answers the totals, and how many ranges each tab asked the host for. */
async function visits({ worker, prepare, between } = {}) {
  const page = await openPage(site.browser, `${site.server.origin}/blank.html`);
  try {
    if (prepare) await page.context().addInitScript(prepare);
    await page.reload();
    const [first] = await page.evaluate(ask, [["bowline loop"], worker]);
    const asked = packs(site).length;
    if (between) await page.evaluate(between);
    const next = await page.context().newPage();
    await next.goto(`${site.server.origin}/blank.html`);
    const [second, again] = await next.evaluate(ask, [["bowline loop", "bowline loop"], worker]);
    const names = await page.evaluate(async () => {
      try {
        return await caches.keys();
      } catch {
        return [];
      }
    });
    return { first, second, again, asked: [asked, packs(site).length - asked], names };
  } finally {
    await page.context().close();
  }
}

for (const worker of [true, false]) {
  describe(worker ? "in a worker" : "on the page's thread", () => {
    for (const control of [null, "max-age=600", "no-cache"]) {
      test(`Cache-Control: ${control ?? "none"}: a second page asks for no part again`, async () => {
        site.server.faults.control = control;
        const { first, second, asked } = await visits({ worker });
        assert.ok(first > 0 && asked[0] > 3, JSON.stringify({ first, asked }));
        assert.equal(second, first);
        assert.equal(asked[1], 0);
      });
    }
  });
}

const FOREVER = "public, max-age=31536000, immutable";

for (const [control, etag] of [[FOREVER, '"1"'], ["no-store"]]) {
  test(`Cache-Control: ${control}: nothing is kept beside the browser's own cache`, async () => {
    Object.assign(site.server.faults, { control, etag });
    const { first, second, asked, names } = await visits();
    assert.equal(second, first);
    assert.deepEqual(names, []);
    assert.equal(asked[1], control === "no-store" ? asked[0] : 0);
  });
}

test("without ETag and Last-Modified no browser keeps ranges, whatever Cache-Control says", async () => {
  site.server.faults.control = FOREVER;
  const { first, second, asked, names } = await visits();
  assert.deepEqual([second, asked[1], names], [first, 0, ["knarr-parts"]]);
});

test("a host that knows no ranges: its whole packs are kept", async () => {
  Object.assign(site.server.faults, { control: null, ranges: false });
  const { first, second, asked } = await visits();
  assert.ok(first > 0 && asked[0] > 0);
  assert.deepEqual([second, asked[1]], [first, 0]);
});

test("what is kept is bounded, and the oldest leaves", async () => {
  site.server.faults.control = null;
  const page = await openPage(site.browser, `${site.server.origin}/blank.html`);
  const fill = async () => {
    const parts = await caches.open("knarr-parts");
    for (let i = 0; i < 600; i++) await parts.put(`/search/old.pack?${i}`, new Response("old"));
  };
  const names = async () => (await (await caches.open("knarr-parts")).keys()).map(({ url }) => url);
  await page.evaluate(fill);
  assert.ok((await page.evaluate(ask, [["bowline loop"], true]))[0] > 0);
  await page.waitForTimeout(500);
  const left = await page.evaluate(names);
  assert.ok(left.length <= 440, String(left.length));
  assert.ok(left.some((url) => !url.includes("old.pack")));
  assert.ok(!left.some((url) => url.endsWith("old.pack?0")));
  await page.context().close();
});

test("a part that is damaged where it is kept is asked for again", async () => {
  site.server.faults.control = null;
  const damage = async () => {
    const parts = await caches.open("knarr-parts");
    for (const request of await parts.keys()) {
      const bytes = new Uint8Array(await (await parts.match(request)).arrayBuffer());
      bytes[bytes.length >> 1] ^= 1;
      await parts.put(request, new Response(bytes));
    }
  };
  const { first, again } = await visits({ between: damage });
  assert.equal(again, first);
});

describe("without a place to keep anything, everything works", () => {
  const FAULTS = {
    "there is none": () => delete Object.getPrototypeOf(globalThis).caches && delete globalThis.caches,
    "it may not be read": () => Object.defineProperty(globalThis, "caches", { get() { throw new DOMException("no", "SecurityError"); } }),
    "it refuses": () => Object.defineProperty(globalThis, "caches", { value: { has: () => Promise.reject(new Error("no")), open: () => Promise.reject(new Error("no")) } }),
    "it is full": () => (Cache.prototype.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"))),
    "it never answers": () => (CacheStorage.prototype.has = CacheStorage.prototype.open = () => new Promise(() => {})),
  };
  for (const [name, prepare] of Object.entries(FAULTS)) {
    test(name, async () => {
      site.server.faults.control = null;
      const { first, second, asked } = await visits({ worker: false, prepare });
      assert.ok(first > 0);
      assert.deepEqual([second, asked[1]], [first, asked[0]]);
    });
  }

  test("in a sandbox, which has an opaque origin", async () => {
    const other = await serve(MOUNTS, { policy: `${KNARR_POLICY.replaceAll("'self'", "*")}; sandbox allow-scripts`, shared: true });
    other.faults.control = null;
    try {
      const page = await openPage(site.browser, `${other.origin}/blank.html`);
      assert.equal(await page.evaluate(() => origin), "null");
      const [total] = await page.evaluate(ask, [["bowline loop"], false]);
      assert.ok(total > 0, String(total));
      await page.context().close();
    } finally {
      await other.close();
    }
  });
});
