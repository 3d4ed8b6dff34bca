/** What Chromium's tests do not tell of browsers with other engines: that they find, and what they keep. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DIST, JOINED, LARGE, LARGE_SITE } from "./bundles.mjs";
import { pack } from "./extension-page.mjs";
import { Firefox, soon, WebKit } from "./others.mjs";
import { serve } from "./server.mjs";

const PAGES = fileURLToPath(new URL("pages", import.meta.url));
const QUERIES = ["bowline loop", "berth of the harbour master", "barometer falls quickly"];

/** Answers what each question finds. Runs in the page. */
async function ask(from, script, options, queries) {
  const { Knarr } = await import(`/knarr/${script}.js`);
  const knarr = await Knarr.open(from, options);
  const found = [];
  for (const query of queries) found.push((await knarr.find(query)).resources.map(({ uri }) => uri));
  await new Promise((resolve) => setTimeout(resolve, 300)); // Nobody waits for what is kept.
  knarr.close();
  return found;
}

for (const Other of [Firefox, WebKit]) {
  describe(Other.name, { skip: Other.lacks }, () => {
    let browser, server;
    before(async () => {
      server = await serve({ "/": PAGES, "/knarr/": DIST, "/search/": LARGE, "/joined/": JOINED, "/site/": LARGE_SITE });
      browser = await Other.start();
    });
    after(async () => {
      await browser?.stop();
      await server?.close();
    });
    beforeEach(() => server.reset());

    const packs = () => server.requests.filter(({ path }) => path.endsWith(".pack")).length;
    const blank = () => browser.open(`${server.origin}/blank.html`);

    test("what is typed is found, and opened by keyboard", async () => {
      await browser.open(`${server.origin}/element.html`);
      await browser.until(() => document.querySelector("knarr-search").shadowRoot?.querySelector("button.trigger"));
      await browser.press("/");
      await browser.type("bowline");
      await browser.until(() => document.querySelector("knarr-search").shadowRoot.querySelector(".list:not([aria-busy]) .group .page"));
      await browser.press("ArrowDown");
      await browser.until(() => document.querySelector("knarr-search").shadowRoot.querySelector("input").getAttribute("aria-activedescendant") === "row-1");
      assert.deepEqual([browser.complaints, await browser.evaluate(() => globalThis.complaints ?? [])], [[], []]);
      await browser.press("Enter");
      await browser.until(() => location.pathname.startsWith("/site/"));
    });

    test("it speaks Arabic from right to left, as soon as the file is there, and keeps what is typed", async () => {
      server.faults.delay = (path) => (path.includes("/strings-") ? 1500 : 0);
      await browser.open(`${server.origin}/element.html`);
      await browser.until(() => Boolean(document.querySelector("knarr-search").shadowRoot?.querySelector("button.trigger")));
      await browser.evaluate(() => (document.documentElement.lang = "ar"));
      await browser.press("/");
      await browser.type("bowline");
      await browser.until(() => document.querySelector("knarr-search").shadowRoot.querySelector(".cancel").textContent === "إلغاء");
      await browser.until(() => Boolean(document.querySelector("knarr-search").shadowRoot.querySelector(".list:not([aria-busy]) .group .page")));
      const seen = await browser.evaluate(() => {
        const { shadowRoot, open } = document.querySelector("knarr-search");
        const input = shadowRoot.querySelector("input");
        return [open, shadowRoot.activeElement === input, input.value, getComputedStyle(shadowRoot.querySelector(".foot")).direction];
      });
      assert.deepEqual(seen, [true, true, "bowline", "rtl"]);
      assert.deepEqual([browser.complaints, await browser.evaluate(() => globalThis.complaints ?? [])], [[], []]);
    });

    test("a connection that failed before the engine was there does not end the search", async () => {
      const shown = (selector) => browser.until((selector) => Boolean(document.querySelector("knarr-search").shadowRoot?.querySelector(selector)), selector); // An element that the driver were given may be gone by then.
      const again = () => browser.evaluate(() => document.querySelector("knarr-search").shadowRoot.querySelector(".note.error button").click());
      await browser.open(`${server.origin}/element.html`);
      await shown("button.trigger");
      server.faults.status = (path) => (path.endsWith(".js") ? 503 : undefined);
      await browser.press("/");
      await browser.type("bowline");
      await shown(".note.error");
      const asked = server.requests.length;
      await again();
      await soon(() => server.requests.length > asked);
      await shown(".list:not([aria-busy]), .note.error");
      server.faults.status = undefined;
      await again();
      await shown(".list:not([aria-busy]) .group .page");
    });

    test("the panel is dark on a dark page, and light where its text stands on white", async () => {
      await browser.open(`${server.origin}/element.html`);
      await browser.until(() => document.querySelector("knarr-search").shadowRoot?.querySelector("button.trigger"));
      const panel = (text) => browser.evaluate(async (text) => {
        document.querySelector("main").style.backgroundColor = text;
        document.body.style.backgroundColor = text === "" ? "#1b1b1f" : "#1b1b20";
        await new Promise((resolve) => setTimeout(resolve, 300));
        return getComputedStyle(document.querySelector("knarr-search").shadowRoot.querySelector("button.trigger")).backgroundColor;
      }, text);
      assert.equal(await panel(""), "rgb(28, 27, 26)");
      assert.equal(await panel("#fff"), "rgb(255, 255, 255)");
    });

    test("a worker, the page's thread, the whole engine and large packs answer alike", async () => {
      await blank();
      const found = await browser.evaluate(ask, "/search/", "core", { worker: false }, QUERIES);
      assert.ok(found.every((uris) => uris.length > 2), JSON.stringify(found));
      assert.deepEqual(await browser.evaluate(ask, "/search/", "core", { worker: true }, QUERIES), found);
      assert.deepEqual(await browser.evaluate(ask, "/search/", "index", {}, QUERIES), found);
      server.faults.control = null;
      const before = packs();
      assert.deepEqual(await browser.evaluate(ask, "/joined/", "core", { worker: false }, QUERIES), found);
      assert.ok(packs() - before < 20, "ranges share requests");
    });

    test("a policy that forbids WebAssembly is named", async () => {
      const strict = await serve({ "/": PAGES, "/knarr/": DIST, "/search/": LARGE }, { policy: "script-src 'self'" });
      try {
        await browser.open(`${strict.origin}/blank.html`);
        for (const worker of [true, false]) {
          const error = await browser.evaluate(async (worker) => {
            const { Knarr } = await import("/knarr/core.js");
            return Knarr.open("/search/", { worker }).then(() => "opened", ({ code, message }) => `${code} ${message}`);
          }, worker);
          assert.match(error, /wasm-unsafe-eval/);
        }
      } finally {
        await strict.close();
      }
    });

    for (const control of ["public, max-age=31536000, immutable", "max-age=600", null]) {
      test(`Cache-Control: ${control ?? "none"}: a second page asks for no part again`, async () => {
        Object.assign(server.faults, { control, etag: '"1"' });
        await blank();
        await browser.evaluate(() => caches.delete("knarr-parts"));
        await blank(); // What a page knows of its caches is gone with it.
        const first = await browser.evaluate(ask, "/search/", "core", { worker: false }, QUERIES);
        const asked = packs();
        assert.ok(asked > 3);
        // MiniBrowser keeps nothing for longer than a page is open.
        await browser.openInTab(`${server.origin}/blank.html`);
        assert.deepEqual(await browser.evaluate(ask, "/search/", "core", { worker: false }, QUERIES), first);
        assert.equal(packs(), asked);
      });
    }
  });
}

describe("the extension in Firefox", { skip: Firefox.lacks }, () => {
  let browser, packed;
  before(async () => {
    packed = pack();
    browser = await Firefox.start(packed.firefox);
  });
  after(async () => {
    await browser?.stop();
    packed?.remove();
  });

  test("its panel finds without a connection, and so does its background for its pages", async () => {
    await browser.openExtension("panel.html");
    await browser.until(() => document.querySelector("knarr-search")?.shadowRoot?.querySelector("input"));
    await browser.evaluate(() => document.querySelector("knarr-search").shadowRoot.querySelector("input").focus());
    await browser.type("large packs");
    await browser.until(() => document.querySelector("knarr-search").shadowRoot.querySelector(".list:not([aria-busy]) .group .page"));
    const found = await browser.evaluate(() => globalThis.browser.runtime.sendMessage({ find: "large packs", options: { limit: 2 } }));
    assert.equal(found.found.resources.length, 2);
    assert.deepEqual(browser.complaints, []);
  });

  test("its options show the index that it ships", async () => {
    await browser.openExtension("options.html");
    await browser.until(() => document.querySelector("input[type=radio]")?.checked);
    assert.deepEqual(browser.complaints, []);
  });
});
