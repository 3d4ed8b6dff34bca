/** `<knarr-search>` when something fails: the reader's words, the owner's behind them, and how it goes on. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

const note = () => bench.page.locator(".note.error");
const inBundle = (path) => path.startsWith("/search/");
/** Words that only those who serve a bundle know. */
const OWNERS = /https?:|fetch|bundle|wasm|[A-Z]{4,}_?[A-Z]*|127\.0\.0\.1|search\/index/;

/** Every way to fail that a reader may meet, and what they are told in three languages. */
const FAULTS = {
  "no bundle": {
    fault: { status: (path) => (inBundle(path) ? 404 : undefined) },
    code: "BUNDLE_MISSING", told: ["Search is not working", "Die Suche funktioniert nicht", "搜索无法使用"],
  },
  "a damaged bundle": {
    fault: { flip: inBundle },
    code: "BUNDLE_DAMAGED", told: ["Search is not working", "Die Suche funktioniert nicht", "搜索无法使用"],
  },
  "a server that fails": {
    fault: { status: (path) => (inBundle(path) ? 503 : undefined) },
    code: "UNAVAILABLE", told: ["Search cannot be reached", "Die Suche ist nicht erreichbar", "无法连接到搜索"],
  },
  "an engine that does not arrive": {
    fault: { status: (path) => (path.endsWith(".wasm") ? 503 : undefined) },
    code: "UNAVAILABLE", told: ["Search cannot be reached", "Die Suche ist nicht erreichbar", "无法连接到搜索"],
  },
};

describe("the reader's words", () => {
  for (const [what, { fault, code, told }] of Object.entries(FAULTS)) {
    for (const [at, lang] of ["en", "de", "zh"].entries()) {
      test(`${what}, ${lang}`, async () => {
        const page = await bench.show();
        await page.evaluate((lang) => {
          document.addEventListener("knarr-error", ({ detail }) => (globalThis.failed = detail.code));
          document.querySelector("knarr-search").lang = lang;
        }, lang);
        Object.assign(bench.server.faults, fault);
        await page.keyboard.press("/");
        await bench.input.fill("tide");
        await note().waitFor();
        const seen = await note().locator("> p").allTextContents();
        assert.equal(seen[0], told[at]);
        assert.equal(seen.length, 2);
        for (const text of seen) assert.doesNotMatch(text, OWNERS);
        assert.equal(await page.evaluate(() => globalThis.failed), code);
        assert.equal(await note().locator("details code").textContent(), code);
        assert.match(await note().locator("details p").textContent(), OWNERS);
        await bench.live.filter({ hasText: told[at] }).waitFor({ state: "attached" });
      });
    }
  }

  test("where the index of a site with the field was looked for, the command that writes both is told", async () => {
    const page = await bench.show();
    bench.server.faults.status = (path) => (path.startsWith("/knarr/search/") ? 404 : undefined);
    await page.evaluate(() => document.querySelector("knarr-search").setAttribute("src", "/knarr/search/"));
    await page.keyboard.press("/");
    await bench.input.fill("tide");
    await page.getByText("npx knarr add SITE").waitFor();
  });

  test("a server without a bundle says how to make one, to its owner at once and to others behind Details", async () => {
    const { origin } = bench.server;
    // A development server answers what it does not know with a page.
    const search = async (page) => {
      await page.evaluate(() => document.querySelector("knarr-search").setAttribute("src", "/element.html?"));
      await page.keyboard.press("/");
      await bench.input.fill("tide");
      await note().waitFor();
      await page.getByText("knarr build SITE --out SITE/search").waitFor({ state: "attached" });
      return page.getByText("knarr build SITE --out SITE/search").isVisible();
    };
    bench.server.faults.status = (path) => (path.startsWith("/element.html/") ? 404 : undefined);
    assert.equal(await search(await bench.show()), true);
    await bench.page.context().close();
    const page = await bench.browser.newPage({ ignoreHTTPSErrors: true });
    await page.route("http://docs.example/**", async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: origin + pathname }) });
    });
    page.complaints = [];
    bench.page = page;
    await page.goto("http://docs.example/element.html");
    await page.locator("button.trigger").waitFor();
    assert.equal(await search(page), false);
    await page.locator("summary").focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.getByText("knarr build SITE --out SITE/search").isVisible());
  });
});

describe("offline", () => {
  const offline = async (on) => {
    // The browser's own switch leaves workers online.
    bench.server.faults.status = on ? (path) => (inBundle(path) ? 503 : undefined) : undefined;
    await bench.page.context().setOffline(on);
  };

  test("is said, and the search goes on by itself when the connection is back", async () => {
    const page = await bench.show();
    await offline(true);
    await page.keyboard.press("/");
    await bench.input.fill("tide");
    await page.getByText("You are offline").first().waitFor();
    await offline(false);
    await page.locator(".list:not([aria-busy]) .group .page").first().waitFor();
    assert.equal(await note().count(), 0);
    assert.equal(await bench.input.inputValue(), "tide");
  });

  test("results on the screen stay, marked as old, and are still opened by keyboard", async () => {
    const page = await bench.show();
    await page.keyboard.press("/");
    await bench.ask("weather");
    const titles = () => page.locator(".row .title").allTextContents();
    const before = await titles();
    await offline(true);
    await bench.input.fill("bowline never jams");
    await page.getByText("You are offline").first().waitFor();
    assert.deepEqual(await titles(), before);
    assert.ok(await page.getByText("Results for “weather”, from before").isVisible());
    assert.equal(await bench.input.getAttribute("aria-activedescendant"), null);
    // Enter asks again: it opens nothing that was not asked for. The note is there already: the second failure is waited for.
    await page.evaluate(() => {
      const told = new Promise((resolve) => document.addEventListener("knarr-error", resolve, { once: true }));
      globalThis.failedAgain = told.then(() => new Promise(requestAnimationFrame));
    });
    await page.keyboard.press("Enter");
    await page.evaluate(() => globalThis.failedAgain);
    assert.equal(page.url(), `${bench.server.origin}/element.html`);
    await page.keyboard.press("ArrowDown");
    assert.equal(await bench.input.getAttribute("aria-activedescendant"), "row-0");
    await offline(false);
    await page.locator(".row", { hasText: /bowline/i }).first().waitFor();
    assert.equal(await page.getByText("from before").count(), 0);
    assert.equal(page.url(), `${bench.server.origin}/element.html`);
  });
});

test("Try again leaves the focus in the field, also where it is only slow", async () => {
  const page = await bench.show();
  await page.clock.install();
  await bench.standIn({ held: true });
  await page.keyboard.press("/");
  await bench.input.fill("tide");
  await page.clock.runFor(26_000);
  const retry = page.locator(".slow button");
  await retry.focus();
  await page.keyboard.press("Enter");
  assert.equal(await bench.input.evaluate((input) => input.matches(":focus")), true);
  await page.evaluate(() => globalThis.answer());
  await page.clock.runFor(1_000);
  await bench.rows.first().waitFor();
});

test("a site that was published anew under an open page is opened again", async () => {
  const page = await bench.show();
  await page.keyboard.press("/");
  await bench.ask("weather");
  const { requests, faults } = bench.server;
  requests.length = 0;
  const opened = () => requests.some(({ path }) => path === "/search/index.knarr");
  faults.status = (path) => (path.endsWith(".pack") && !opened() ? 404 : undefined);
  await bench.input.fill("bowline never jams");
  await page.locator(".row", { hasText: /bowline/i }).first().waitFor();
  assert.ok(opened());
  assert.equal(await note().count(), 0);
  // What is missing stays missing: it is opened again once, not for ever.
  faults.status = (path) => (path.endsWith(".pack") ? 404 : undefined);
  requests.length = 0;
  await bench.input.fill("mayday distress");
  await note().waitFor();
  assert.equal(requests.filter(({ path }) => path === "/search/index.knarr").length, 1);
});

describe("two panels of one bundle", () => {
  const show = async () => {
    const page = await bench.show({}, "/many.html");
    const panels = [1, 2].map((at) => page.locator("knarr-search").nth(at));
    const ask = async (query) => {
      for (const panel of panels) await panel.locator("input").fill(query);
    };
    const each = (selector) => Promise.all(panels.map((panel) => panel.locator(selector).first().waitFor()));
    return { page, panels, ask, each };
  };

  test("that could not be reached both go on when it can be", async () => {
    const { page, ask, each } = await show();
    bench.server.faults.status = (path) => (inBundle(path) ? 503 : undefined);
    await ask("tide");
    await each(".note.error");
    bench.server.faults.status = undefined;
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await each(".list:not([aria-busy]) .row.page");
    await page.waitForTimeout(500);
    assert.equal(await note().count(), 0);
    assert.equal(page.workers().length, 1);
  });

  test("that is opened anew by one go on with what the other opened", async () => {
    const { page, panels, ask, each } = await show();
    await ask("tide");
    await each(".list:not([aria-busy]) .row.page");
    // One leaves the bundle while the other's question is on its way.
    const { faults, requests } = bench.server;
    faults.stall = (path) => path.endsWith(".pack");
    await panels[1].locator("input").fill("mayday distress");
    await page.waitForTimeout(1_000);
    faults.stall = undefined;
    requests.length = 0;
    faults.status = (path) => (path.endsWith(".pack") && !requests.some(({ path }) => path === "/search/index.knarr") ? 404 : undefined);
    await panels[0].locator("input").fill("bowline never jams");
    await panels[0].locator(".row", { hasText: /bowline/i }).first().waitFor();
    await panels[1].locator(".row", { hasText: /mayday|distress/i }).first().waitFor();
    assert.equal(await note().count(), 0);
  });
});

test("Try again cuts off an opening that hangs", async () => {
  const page = await bench.show();
  await page.clock.install();
  bench.server.faults.stall = (path) => path === "/search/index.knarr";
  await page.keyboard.press("/");
  await bench.input.fill("tide");
  await page.clock.runFor(26_000);
  await page.locator(".slow button").waitFor();
  bench.server.faults.stall = undefined;
  await page.locator(".slow button").click();
  await bench.rows.first().waitFor({ timeout: 5_000 });
  assert.equal(page.workers().length, 1);
});
