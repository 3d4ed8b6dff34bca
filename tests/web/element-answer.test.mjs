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

/** Sets `answer` on the page's element, opens it and asks a question that the site answers. */
async function askBundle(page) {
  await page.evaluate(() => document.querySelector("knarr-search").setAttribute("answer", ""));
  await page.keyboard.press("/");
  await bench.input.fill("which fall of a barometer announces a gale in three hours");
}

/** The full engine is not beside the element's script. */
const alone = (path) => (/\/(index|worker|full-engine|knarr_full)\.js$/.test(path) ? 404 : undefined);

test("without the full engine the element searches all the same, and the console names the remedy once", async () => {
  const page = await bench.show();
  const warned = [];
  page.on("console", (message) => message.type() === "warning" && warned.push(message.text()));
  bench.server.faults.status = alone;
  await askBundle(page);
  await page.locator(".group .page").filter({ hasText: "Reading the weather" }).first().waitFor();
  assert.equal(await page.locator(".answer, .note.error").count(), 0);
  await bench.ask("mayday");
  assert.equal(warned.length, 1, warned.join("\n"));
  assert.match(warned[0], /index\.js is not beside .*npx knarr init SITE --answers/);
  // An element without the attribute has the same engine.
  await page.evaluate(() => document.querySelector("knarr-search").removeAttribute("answer"));
  await bench.ask("bowline");
  assert.equal(bench.server.requests.filter(({ path }) => path.endsWith("core-worker.js")).length, 1);
});

test("a connection that fails is no missing engine: the next attempt answers", async () => {
  const page = await bench.show();
  bench.server.faults.status = (path) => (/\.js$/.test(path) ? 503 : undefined);
  await askBundle(page);
  await page.locator(".note.error").waitFor();
  bench.server.faults.status = undefined;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".answer p").filter({ hasText: "announces a gale" }).waitFor();
});

test("an answer comes when typing stops, and stays while the question goes on", async () => {
  const page = await bench.show();
  await page.evaluate(() => {
    const row = { uri: "viking://resources/a", title: "A", url: "a.html", score: 1, tags: [], abstract: "", sections: [], excerpt: { text: "row", highlights: [] } };
    const answer = { text: { text: "Some words.", highlights: [] }, title: "A page", section: "Part", uri: "viking://resources/a#part", url: "a.html#part", confidence: 0.95 };
    globalThis.asked = [];
    const find = async (query, options) => {
      globalThis.asked.push({ query, bare: options.excerpts === false, answer: options.answer });
      return { resources: [row], memories: [], skills: [], corrections: [], skipped: [], total: 1, answer: options.answer && query.endsWith("knot") ? answer : undefined };
    };
    const search = document.querySelector("knarr-search");
    search.setAttribute("answer", "");
    search.bundle = async () => ({ find });
    // A bundle of this script, so that it is asked as one that downloads.
    const above = search.shadowRoot.querySelector(".above");
    globalThis.seen = [];
    new MutationObserver(() => globalThis.seen.push([globalThis.asked.at(-1).query, above.querySelector(".answer") !== null])).observe(above, { childList: true });
  });
  await page.keyboard.press("/");
  await page.keyboard.type("how long is a knot", { delay: 20 });
  await page.locator(".answer").waitFor();
  await page.keyboard.type(" in");
  await page.locator(".answer").waitFor({ state: "detached" });
  const { asked, seen } = await page.evaluate(() => ({ asked: globalThis.asked, seen: globalThis.seen }));
  assert.deepEqual(asked.filter(({ bare, answer }) => bare === (answer === true)), [], "rows alone are asked for without an answer");
  assert.ok(seen.some(([query, there]) => query.endsWith(" in") && there), "it is not known yet whether it still answers");
  assert.ok(seen.filter(([, there], at) => there !== (seen[at - 1]?.[1] ?? false)).length === 2, JSON.stringify(seen));
  await bench.input.fill("other words");
  await page.keyboard.type(" here");
  assert.equal(await page.locator(".answer").count(), 0);
});

test("by keyboard: Tab leads to an answer's link, Enter opens it, and down is to the first row", async () => {
  const page = await bench.show();
  await ask(page, "Some words.");
  await page.evaluate(() => document.addEventListener("knarr-select", (event) => {
    event.preventDefault();
    globalThis.chosen = event.detail.url;
  }));
  const link = page.locator(".answer a");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.ok(await link.evaluate((link) => link.matches(":focus")));
  assert.ok((await link.boundingBox()).height >= 24, "large enough for a finger");
  await page.keyboard.press("ArrowDown");
  assert.ok(await bench.input.evaluate((input) => input.matches(":focus")));
  assert.equal(await bench.rows.first().getAttribute("aria-selected"), "true");
  await link.focus();
  await page.keyboard.press("Enter");
  assert.match(await page.evaluate(() => globalThis.chosen), /\/a\.html#part$/);
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
