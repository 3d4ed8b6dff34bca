/** What a screen reader hears of `<knarr-search>`: the names of its rows, and how often they are told while one types. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

/** A bundle of one page with a section, both with names that lines may break; texts come as `find` is asked for them. */
async function oneOf(attributes = {}) {
  await bench.page.evaluate((attributes) => {
    const search = document.querySelector("knarr-search");
    for (const [name, value] of Object.entries(attributes)) search.setAttribute(name, value);
    const find = async (query, { excerpts = true }) => {
      const excerpt = { text: excerpts ? "…return flask.send_from_directory(path)…" : "", highlights: [] };
      const hit = { uri: "viking://resources/x/a", url: "blank.html", title: "flask.send_file", crumbs: ["API", "Helpers"], score: 1, excerpt, abstract: "", tags: ["kind=function"], also: [{ lang: "de" }] };
      const section = { ...hit, url: "blank.html#b", anchor: "b", title: "layout.html", tags: [], also: [], excerpt: { text: "…in layout.html…", highlights: [] } };
      return { resources: [{ ...hit, sections: excerpts ? [section] : [] }], memories: [], skills: [], total: 1, corrections: [], skipped: [] };
    };
    search.bundle = async () => ({ find });
  }, attributes);
  await bench.page.keyboard.press("/");
}

/** Roles, names and descriptions as the browser gives them to screen readers. */
async function options() {
  const session = await bench.page.context().newCDPSession(bench.page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  return nodes.filter((node) => node.role?.value === "option").map(({ name, description }) => [name.value, description?.value ?? ""]);
}

test("a row's name is its title, then its place, without holes; its text describes it", async () => {
  const page = await bench.show();
  await oneOf();
  await page.keyboard.type("send");
  await page.locator(".row.section").waitFor();
  assert.deepEqual(await options(), [
    ["flask.send_file, function, API, Helpers, Also in German", "…return flask.send_from_directory(path)…"],
    ["layout.html, flask.send_file", "…in layout.html…"],
  ]);
  await page.evaluate(() => document.querySelector("knarr-search").setAttribute("lang", "de"));
  await page.getByRole("option", { name: "flask.send_file, function, API, Helpers, Auch auf Deutsch" }).waitFor();
});

test("the count is that of the rows, as it is seen", async () => {
  const page = await bench.show();
  await oneOf();
  await page.keyboard.type("send");
  await bench.live.filter({ hasText: "2 results" }).waitFor({ state: "attached" });
  assert.equal(await page.locator(".end").textContent(), "2 results");
});

test("rows that come while one types are marked, and heard when typing stops", async () => {
  const page = await bench.show();
  await oneOf();
  await page.locator("knarr-search").evaluate(({ shadowRoot }) => {
    const input = shadowRoot.querySelector("[part=input]");
    globalThis.told = [];
    new MutationObserver(() => globalThis.told.push(input.getAttribute("aria-activedescendant"))).observe(input, { attributeFilter: ["aria-activedescendant"] });
  });
  await page.keyboard.type("send a file", { delay: 120 });
  assert.equal(await page.locator(".row[aria-selected=true]").count(), 1);
  assert.deepEqual(await page.evaluate(() => globalThis.told), []);
  await page.locator(".row.section").waitFor();
  await page.waitForTimeout(300);
  assert.deepEqual(await page.evaluate(() => globalThis.told), ["row-0"]);
  await page.keyboard.press("ArrowDown");
  assert.equal(await bench.input.getAttribute("aria-activedescendant"), "row-1");
});
