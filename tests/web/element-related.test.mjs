/** Pages below the rows of `<knarr-search related>`: what the best ones link to or resemble. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, before, test } from "node:test";
import { Bench } from "./element-page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

/** Shows the element with the attribute over the bundle. */
async function show(options) {
  const page = await bench.show(options);
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    search.setAttribute("related", "");
    search.setAttribute("limit", "3");
    document.addEventListener("knarr-select", (event) => {
      event.preventDefault();
      globalThis.chosen = { url: event.detail.url, type: event.detail.hit.type, of: event.detail.result.title };
    });
  });
  await page.keyboard.press("/");
  return page;
}

test("pages that the best ones link to or resemble stand below them, once each, and by keyboard", async () => {
  const page = await show({ bypassCSP: true, reducedMotion: "reduce" });
  await bench.input.fill("log of day 12");
  const group = page.getByRole("group", { name: "See also" });
  await group.waitFor();
  const hrefs = (rows) => rows.evaluateAll((all) => all.map(({ href }) => href.replace(/#.*/, "")));
  const shown = await hrefs(page.locator(".row.page"));
  const related = await hrefs(group.getByRole("option"));
  assert.ok(related.length > 0 && related.length <= 4);
  assert.equal(new Set([...shown, ...related]).size, shown.length + related.length, "no page stands twice");
  const isLast = await group.evaluate((group) => group.nextElementSibling.className);
  assert.equal(isLast, "end");
  await page.keyboard.press("ArrowUp");
  assert.equal(await group.getByRole("option").last().getAttribute("aria-selected"), "true");
  await page.keyboard.press("Enter");
  const chosen = await page.evaluate(() => globalThis.chosen);
  assert.equal(chosen.url.replace(/#.*/, ""), related.at(-1));
  assert.match(chosen.type, /^(link|similar)$/);
  assert.notEqual(chosen.of, "");
  await page.keyboard.press("/");
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  assert.deepEqual(violations.map(({ id }) => id), []);
});

test("they come when typing stops, and nothing of them is fetched before", async () => {
  const page = await show();
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const bundle = search.bundle.bind(search);
    globalThis.asked = [];
    const told = (knarr, name) => (text, options) => (globalThis.asked.push(options.excerpts === false ? "rows" : name), knarr[name](text, options));
    search.bundle = async () => {
      const knarr = await bundle();
      return { find: told(knarr, "find"), relations: told(knarr, "relations") };
    };
  });
  await page.keyboard.type("log of day 12", { delay: 20 });
  await page.getByRole("group", { name: "See also" }).waitFor();
  const asked = await page.evaluate(() => globalThis.asked);
  assert.ok(asked.includes("rows"));
  assert.deepEqual(asked.slice(asked.lastIndexOf("find")), ["find", "relations", "relations"], "of the best two, after the texts");
  assert.equal(asked.indexOf("relations"), asked.lastIndexOf("find") + 1);
});

test("titles are text, addresses are checked, and what has no title is not shown", async () => {
  const page = await bench.show();
  const rows = await page.evaluate(async () => {
    const { relatedGroup, relatedRows } = await import("/knarr/element-related.js");
    const related = (uri, title, url) => ({ uri, title, url, type: "link", reason: "", abstract: "" });
    const lists = [
      [related("b", "B", "b.html"), related("c", "<img src=x>", "javascript:alert(1)"), related("e", "", "e.html")],
      [related("a", "A", "a.html"), related("d", "D", "d.html"), related("c", "C", "c.html")],
    ];
    const rows = relatedRows(["a", "b", "z"].map((uri) => ({ uri })), lists);
    const group = relatedGroup(rows, { base: "/", strings: { related: "See also" }, ...(await import("/knarr/element-view.js")) });
    return Array.from(group.querySelectorAll("[role=option]"), (row) => [row.querySelector(".title").textContent, row.getAttribute("href"), row.knarrHit.result.uri]);
  });
  const origin = bench.server.origin;
  assert.deepEqual(rows, [["<img src=x>", null, "a"], ["D", `${origin}/d.html`, "b"]]);
});
