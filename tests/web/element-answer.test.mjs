/** Sentences of a page over the rows of `<knarr-search answer>`. */

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

/** Puts a stand-in under the element that answers with these sentences. */
async function ask(page, text) {
  await page.evaluate((text) => {
    const search = document.querySelector("knarr-search");
    const row = { uri: "viking://resources/a", title: "A", url: "a.html", score: 1, tags: [], abstract: "", sections: [], excerpt: { text: "row", highlights: [] } };
    const answer = { text: { text, highlights: [[0, 4]] }, title: "A page", section: "Part", uri: "viking://resources/a#part", url: "a.html#part", confidence: 0.95 };
    const find = async (query, options) => {
      globalThis.asked = options;
      return { resources: [row], memories: [], skills: [], corrections: [], skipped: [], total: 1, answer };
    };
    search.setAttribute("answer", "");
    search.knarr = { find };
    search.show("how long is a knot");
  }, text);
  await page.locator(".answer").waitFor();
}

test("an answer stands over the rows as text, with its link, and is announced", async () => {
  const page = await bench.show({ bypassCSP: true, reducedMotion: "reduce" });
  const markup = "Some <b>words</b> <img src=x onerror=alert(1)>.";
  await ask(page, markup);
  assert.equal(await page.evaluate(() => globalThis.asked.answer), true);
  const answer = page.getByRole("group", { name: "Answer" });
  assert.equal(await answer.locator("p").textContent(), markup);
  assert.equal(await answer.locator("img, b").count(), 0);
  assert.deepEqual(await answer.locator("mark").allTextContents(), ["Some"]);
  const link = answer.getByRole("link", { name: "A page › Part" });
  assert.match(await link.getAttribute("href"), /\/a\.html#part$/);
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelector("[role=status]").textContent.startsWith("Answer: Some"));
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  assert.deepEqual(violations.map(({ id }) => id), []);
});

test("the link of an answer is a choice like any other", async () => {
  const page = await bench.show();
  await ask(page, "Some words.");
  await page.evaluate(() => document.addEventListener("knarr-select", (event) => {
    event.preventDefault();
    globalThis.chosen = event.detail.url;
  }));
  await page.locator(".answer a").click();
  assert.match(await page.evaluate(() => globalThis.chosen), /\/a\.html#part$/);
});
