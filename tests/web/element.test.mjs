/** `<knarr-search>` in Chromium: by keyboard, for assistive technology, and against hostile data. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE, LARGE_SITE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser;
let server;
let page;

before(async () => {
  const pages = fileURLToPath(new URL("pages", import.meta.url));
  server = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE, "/site/": LARGE_SITE });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(() => server.reset());

const show = async (options) => {
  page = await openPage(browser, `${server.origin}/element.html`, options);
  await page.locator("button.trigger").waitFor();
};
const input = () => page.getByRole("combobox");
const options = () => page.getByRole("option");
const active = () => page.locator("[role=option][aria-selected=true]");
const type = async (query) => {
  await input().fill(query);
  await page.locator(".list:not([aria-busy]) .group .page").first().waitFor();
};

afterEach(async () => {
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

describe("by keyboard", () => {
  test("Ctrl+K opens and closes, and focus returns to where it was", async () => {
    await show();
    await page.locator("#field").focus();
    await page.keyboard.press("Control+k");
    assert.ok(await page.getByRole("dialog").isVisible());
    assert.ok(await input().evaluate((element) => element.getRootNode().activeElement === element));
    await page.keyboard.press("Control+k");
    assert.ok(await page.getByRole("dialog").isHidden());
    assert.equal(await page.evaluate(() => document.activeElement.id), "field");
  });

  test("a slash opens, but not while typing", async () => {
    await show();
    await page.locator("#field").focus();
    await page.keyboard.type("a/b");
    assert.equal(await page.locator("#field").inputValue(), "a/b");
    assert.ok(await page.getByRole("dialog").isHidden());
    await page.locator("#field").blur();
    await page.keyboard.press("/");
    assert.ok(await page.getByRole("dialog").isVisible());
    assert.equal(await input().inputValue(), "");
  });

  test("arrows wrap, then Home and End jump, and the field names the active row", async () => {
    await show();
    await page.keyboard.press("/");
    await type("weather");
    const last = (await options().count()) - 1;
    const at = async () => {
      const id = await input().getAttribute("aria-activedescendant");
      assert.equal(await active().getAttribute("id"), id);
      return Number(id.split("-")[1]);
    };
    assert.equal(await at(), 0);
    await page.keyboard.press("ArrowUp");
    assert.equal(await at(), last);
    await page.keyboard.press("ArrowDown");
    assert.equal(await at(), 0);
    await page.keyboard.press("End");
    assert.equal(await at(), last);
    await page.keyboard.press("Home");
    assert.equal(await at(), 0);
    assert.equal(await input().getAttribute("aria-expanded"), "true");
  });

  test("Enter opens the real page at the section, and the search is remembered", async () => {
    await show();
    await page.keyboard.press("/");
    await type("bowline never jams");
    await page.locator(".row.section").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.origin}/site/guide/mooring.html#*`);
    assert.match(await page.locator("h1").textContent(), /Mooring/);
    await page.goBack();
    await page.locator("button.trigger").click();
    await page.keyboard.press("Escape");
    assert.equal(await options().first().locator(".title").textContent(), "bowline never jams");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.locator(".list:not([aria-busy]) .group .page").first().waitFor();
    assert.equal(await input().inputValue(), "bowline never jams");
  });

  test("Ctrl+Enter opens another tab and keeps the dialog", async () => {
    await show();
    await page.keyboard.press("/");
    await type("barometer");
    const [tab] = await Promise.all([page.context().waitForEvent("page"), page.keyboard.press("Control+Enter")]);
    await tab.waitForURL(/weather\.html/);
    assert.ok(await page.getByRole("dialog").isVisible());
  });

  test("Escape clears, then closes", async () => {
    await show();
    await page.keyboard.press("/");
    await type("fog");
    await page.keyboard.press("Escape");
    assert.equal(await input().inputValue(), "");
    assert.ok(await page.getByRole("dialog").isVisible());
    await page.keyboard.press("Escape");
    assert.ok(await page.getByRole("dialog").isHidden());
  });

  test("keys belong to the input method while it composes", async () => {
    await show();
    await page.keyboard.press("/");
    await type("fog");
    const active = () => input().getAttribute("aria-activedescendant");
    const before = [page.url(), await active()];
    await input().evaluate((element) => {
      for (const key of ["Enter", "Escape", "ArrowDown"]) {
        element.dispatchEvent(new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, composed: true }));
      }
    });
    assert.deepEqual([page.url(), await active()], before);
    assert.equal(await input().inputValue(), "fog");
  });
});

describe("what it shows", () => {
  test("a correction, highlights, a breadcrumb and a count for screen readers", async () => {
    await show();
    await page.keyboard.press("/");
    await type("baromter");
    assert.match(await page.locator(".corrected").textContent(), /Showing results for\s+barometer/);
    assert.ok((await page.locator(".excerpt mark").allTextContents()).some((text) => /barometer/i.test(text)));
    assert.equal(await page.locator(".crumbs").first().textContent(), "Guide");
    await page.getByRole("status").filter({ hasText: /\d+ (best )?results?/ }).waitFor();
  });

  test("that the nearest rows are about something else, for a question of another field only", async () => {
    await show();
    await page.keyboard.press("/");
    const weak = page.locator("[part=weak]");
    await type("how is the barometer read");
    await page.getByRole("status").filter({ hasText: /\d+ (best )?results?/ }).waitFor();
    assert.equal(await weak.count(), 0);
    const foreign = "the treaty between the king of France and Spain";
    await input().fill(foreign);
    await weak.waitFor();
    const told = `Nothing here seems to be about “${foreign}”. The nearest:`;
    assert.equal(await weak.textContent(), told);
    assert.ok((await options().count()) > 0, "the nearest rows are there");
    await page.getByRole("status").filter({ hasText: told.slice(0, -1) }).waitFor();
    await input().fill("fog");
    await weak.waitFor({ state: "detached" });
    await page.locator("mark", { hasText: /fog/i }).first().waitFor();
  });

  test("that nothing was found", async () => {
    await show();
    await page.keyboard.press("/");
    await input().fill("qqxzv wwjkqp");
    await page.getByText("No results for “qqxzv wwjkqp”").first().waitFor();
    assert.equal(await input().getAttribute("aria-expanded"), "false");
  });

  test("that signs alone are nothing to search for", async () => {
    await show();
    await page.keyboard.press("/");
    for (const signs of ["???", "-->", "()", "::", "\"…\""]) {
      await input().fill(signs);
      await page.getByText(`“${signs}” has no word to search for`).first().waitFor();
    }
    await page.getByRole("status").filter({ hasText: "Signs alone are not searched" }).waitFor();
  });

  test("grey rows while the first answer is on its way, and old results while the next is", async () => {
    await show();
    server.faults.delay = 400;
    await page.keyboard.press("/");
    await input().fill("tide");
    await page.locator(".skeleton").waitFor();
    await page.locator(".list:not([aria-busy]) .group .page").first().waitFor({ timeout: 15_000 });
    assert.equal(await page.locator(".skeleton").count(), 0);
    await input().fill("mayday distress");
    await page.locator(".list[aria-busy=true]").waitFor();
    assert.ok((await page.locator(".group .page").count()) > 0);
  });

  test("nothing of a question that was cleared before its answer came", async () => {
    await show();
    server.faults.delay = 60_000;
    await page.evaluate(() => {
      const search = document.querySelector("knarr-search");
      search.show("tide");
      search.show("");
    });
    const note = page.locator(".note");
    const start = await note.textContent();
    assert.notEqual(start.trim(), "");
    await page.waitForTimeout(500);
    assert.equal(await note.textContent(), start);
    assert.equal(await page.getByRole("status").textContent(), "");
  });

  test("words and a way out where the first answer does not come", async () => {
    await show();
    await page.keyboard.press("/");
    await page.evaluate(() => document.querySelector("knarr-search").bundle());
    await page.clock.install();
    server.faults.delay = 60_000;
    await input().fill("tide");
    await page.clock.runFor(7_000);
    await page.locator(".skeleton").waitFor();
    assert.equal(await page.locator(".slow").count(), 0);
    await page.clock.runFor(2_000);
    await page.locator(".slow", { hasText: "This takes longer than usual." }).waitFor();
    assert.equal(await page.locator("[part=retry]").count(), 0);
    await page.clock.runFor(18_000);
    server.faults.delay = 0;
    await page.locator("[part=retry]").click();
    await page.clock.resume();
    await page.locator(".group .page").first().waitFor({ timeout: 15_000 });
    assert.equal(await page.locator(".slow").count(), 0);
  });

  test("that no page has a phrase word for word", async () => {
    await show();
    await page.keyboard.press("/");
    await input().fill("\"tide barometer\"");
    await page.locator("[part=weak]", { hasText: "No page has the words in quotes next to each other." }).waitFor();
    assert.ok((await options().count()) > 0, "pages with its words are there");
  });

  test("an error with its code, and a retry that works", async () => {
    await show();
    server.faults.status = (path) => (path.startsWith("/search/") ? 404 : undefined);
    await page.evaluate(() => document.addEventListener("knarr-error", (event) => (document.title = event.detail.code)));
    await page.keyboard.press("/");
    await input().fill("tide");
    const retry = page.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    assert.ok(await page.getByText("BUNDLE_MISSING").isVisible());
    assert.equal(await page.title(), "BUNDLE_MISSING");
    server.reset();
    await retry.click();
    await page.locator(".list:not([aria-busy]) .group .page").first().waitFor();
  });

  test("its own language, and a site's own words", async () => {
    await show();
    await page.evaluate(() => {
      const search = document.querySelector("knarr-search");
      search.lang = "de";
      search.strings = { placeholder: "Hafen durchsuchen" };
    });
    assert.match(await page.locator("button.trigger").textContent(), /Suchen/);
    await page.locator("button.trigger").click();
    assert.equal(await input().getAttribute("placeholder"), "Hafen durchsuchen");
  });

  test("events tell what happens, and a page may take a choice over", async () => {
    await show();
    await page.evaluate(() => {
      globalThis.told = [];
      for (const type of ["knarr-open", "knarr-close", "knarr-select"]) {
        document.addEventListener(type, (event) => {
          globalThis.told.push([type, event.detail?.url ?? null]);
          event.preventDefault();
        });
      }
    });
    await page.keyboard.press("/");
    await type("mayday");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => globalThis.told.length >= 3);
    const told = await page.evaluate(() => globalThis.told);
    assert.deepEqual(told.map(([type]) => type), ["knarr-open", "knarr-select", "knarr-close"]);
    assert.ok(told[1][1].startsWith(`${server.origin}/site/guide/radio.html`));
    assert.equal(page.url(), `${server.origin}/element.html`);
  });
});

describe("hostile data", () => {
  test("markup in titles, abstracts and queries stays text", async () => {
    await show();
    await page.keyboard.press("/");
    await type("hostile headline markup");
    const row = page.locator(".row.page", { hasText: "<img src=x" }).first();
    await row.waitFor();
    assert.equal(await page.locator("knarr-search img, knarr-search script").count(), 0);
    assert.equal(await page.title(), "Harbour handbook");
    await input().fill('<img src=x onerror="document.title=1"> qqxzv');
    await page.waitForTimeout(300);
    assert.equal(await page.locator("knarr-search img").count(), 0);
  });

  test("an address with a scheme of its own is no link", async () => {
    await show();
    await page.evaluate(() => {
      const excerpt = { text: "", highlights: [] };
      const result = (url) => ({
        uri: "viking://resources/x/a", url, title: url, score: 1, excerpt, sections: [], abstract: "", tags: [], level: 2,
        context_type: "resource",
      });
      const urls = ["javascript:document.title='owned'", "data:text/html,x", " javascript:1", "//evil.example/x", "\\\\evil.example/x", "/docs/ok.html", "ok.html"];
      const answer = { resources: urls.map(result), memories: [], skills: [], total: urls.length, corrections: [], skipped: [] };
      document.querySelector("knarr-search").knarr = { find: async () => answer };
    });
    await page.keyboard.press("/");
    await type("x");
    const hrefs = await options().evaluateAll((rows) => rows.map((row) => row.getAttribute("href")));
    assert.deepEqual(hrefs, [null, null, null, ...["evil.example/x", "evil.example/x", "docs/ok.html", "site/ok.html"].map((path) => `${server.origin}/${path}`)]);
  });
});

describe("accessibility", () => {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing in any state, ${colorScheme}`, async () => {
      // The checker styles the page inline, which the page's own policy forbids.
      await show({ colorScheme, reducedMotion: "reduce", bypassCSP: true });
      await page.evaluate(AXE);
      const check = async (state) => {
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
        assert.deepEqual(told, [], state);
      };
      await check("closed");
      await page.keyboard.press("/");
      await check("empty");
      await type("weather");
      await check("results");
      await input().fill("baromter");
      await page.locator(".corrected").waitFor();
      await check("corrected");
      await input().fill("the treaty between the king of France and Spain");
      await page.locator("[part=weak]").waitFor();
      await check("weak");
      await input().fill("qqxzv wwjkqp");
      await page.getByText("No results").first().waitFor();
      await check("none");
      await type("weather");
      server.faults.status = () => 503;
      await input().fill("barnacle lighthouse");
      await page.getByText("from before").waitFor();
      await check("an error over results");
      await page.evaluate(() => document.querySelector("knarr-search").setAttribute("src", "/elsewhere/"));
      await page.getByRole("button", { name: "Try again" }).waitFor();
      await input().fill("");
      await page.locator(".note.quiet").waitFor();
      await input().fill("tide");
      await page.locator(".note.error:not(.over)").waitFor();
      await check("error");
    });
  }

  test("it fits 320 px without scrolling sideways, right to left too", async () => {
    for (const dir of ["ltr", "rtl"]) {
      await page?.context().close();
      await show({ viewport: { width: 320, height: 640 } });
      await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
      await page.locator("button.trigger").click();
      await type("weather");
      const { wide, size } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth - innerWidth,
        size: Number.parseFloat(getComputedStyle(document.querySelector("knarr-search").shadowRoot.querySelector("input")).fontSize),
      }));
      assert.ok(wide <= 0, dir);
      assert.ok(size >= 16, "a smaller field makes phones zoom in");
      const rows = await options().evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
      assert.ok(rows.every((height) => height >= 44), "rows are tall enough for a thumb");
    }
  });
});
