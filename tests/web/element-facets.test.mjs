/** Filters over the rows of `<knarr-search facets>`, and the pictures of `images`: a site whose pages name both. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { DIST } from "./bundles.mjs";
import { Bench } from "./element-page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const KNARR = process.env.KNARR_BIN ?? new URL("../../target/debug/knarr", import.meta.url).pathname;
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** Pages by their file: title, kind, port, picture. */
const PAGES = {
  "boats/keel": ["Keelboats", "Guide", "Old Harbour", "keel.png"],
  "boats/dinghy": ["Dinghies", "guide", "New Quay", "/boats/missing.png"],
  "boats/tug": ["Tugs", "Reference", "Old Harbour", "javascript:alert(1)"],
  "law/berths": ["Berths", "Reference", "New Quay", undefined],
  "law/fees": ["Fees", "Reference", undefined, undefined],
};

let bench;
let work;

before(async () => {
  work = mkdtempSync(join(tmpdir(), "knarr-facets-"));
  for (const [file, [title, kind, port, picture]] of Object.entries(PAGES)) {
    const marks = [`<p data-knarr-filter="kind:${kind}">`, port ? `<p data-knarr-filter="Port:${port}">` : "", picture ? `<img data-knarr-meta="image[src]" src="${picture}" alt="">` : ""];
    const page = `<!doctype html><html lang="en"><title>${title}</title><body><main><h1>${title}</h1>${marks.join("")}<p>The harbour has rules for ${title.toLowerCase()}: ropes, lights and a whistle.</p></main></body></html>`;
    mkdirSync(join(work, "site", file, ".."), { recursive: true });
    writeFileSync(join(work, "site", `${file}.html`), page);
  }
  writeFileSync(join(work, "site/boats/keel.png"), PIXEL);
  execFileSync(KNARR, ["build", join(work, "site"), "--out", join(work, "search"), "--quiet"]);
  bench = await Bench.start({ "/facets/": join(work, "search"), "/boats/": join(work, "site/boats") });
});
after(async () => {
  await bench?.stop();
  rmSync(work, { recursive: true, force: true });
});
afterEach(() => bench.end());

/** Opens the dialog of an element with these attributes over the site. */
async function show(attributes, options) {
  const page = await bench.show(options);
  await page.evaluate((attributes) => {
    const search = document.querySelector("knarr-search");
    for (const [name, value] of Object.entries({ src: "/facets/", base: "/", ...attributes })) search.setAttribute(name, value);
  }, attributes);
  await page.keyboard.press("/");
  return page;
}

const titles = (page) => page.locator(".row.page .title").allTextContents();
const choices = (select) => select.locator("option").allTextContents();

test("each key has a drop-down with its values as the pages write them, and how many pages have the words", async () => {
  const page = await show({ facets: "kind, port, nothing", strings: '{"kinds":{"guide":"How to"},"facets":{"port":"Where"}}' }, { bypassCSP: true, reducedMotion: "reduce" });
  const bar = page.getByRole("group", { name: "Filters" });
  await bar.waitFor();
  assert.equal(await bar.getByRole("combobox").count(), 2, "a key that no page has is left out");
  const [kind, port] = [bar.getByLabel("Kind"), bar.getByLabel("Where")];
  assert.deepEqual(await choices(kind), ["All", "How to", "Reference"]);
  assert.deepEqual(await choices(port), ["All", "New Quay", "Old Harbour"]);
  assert.equal(await bar.getByRole("button").count(), 0, "there is nothing to clear");
  await bench.ask("whistle");
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelector(".facet option:nth-child(2)").textContent.includes("("));
  assert.deepEqual(await choices(kind), ["All", "How to (2)", "Reference (3)"]);
  assert.equal((await titles(page)).length, 5);
  await kind.selectOption({ label: "Reference (3)" });
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".row.page").length === 3);
  assert.equal(await page.locator("knarr-search").getAttribute("tags"), "kind=reference");
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".facet")[1].textContent.includes("New Quay (1)"));
  assert.deepEqual(await choices(port), ["All", "New Quay (1)", "Old Harbour (1)"], "of the pages that the other choice leaves");
  assert.deepEqual(await choices(kind), ["All", "How to (2)", "Reference (3)"], "its own choice leaves the others");
  await port.selectOption("old harbour");
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".row.page").length === 1);
  assert.deepEqual(await titles(page), ["Tugs"]);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  assert.deepEqual(violations.map(({ id }) => id), []);
  await bar.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".row.page").length === 5);
  assert.equal(await page.locator("knarr-search").getAttribute("tags"), null);
});

test("the keys of a drop-down are its own, but Escape", async () => {
  const page = await show({ facets: "port" });
  await bench.ask("whistle");
  const port = page.getByLabel("Port");
  await port.focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".row.page").length === 2);
  assert.equal(await port.inputValue(), "new quay");
  assert.equal(await bench.input.inputValue(), "whistle");
  await page.keyboard.type("o");
  await page.waitForFunction(() => document.querySelector("knarr-search").getAttribute("tags") === "port=old harbour");
  assert.equal(await bench.input.inputValue(), "whistle", "a letter chooses a value and is not typed");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("knarr-search").open || document.querySelector("knarr-search").shadowRoot.querySelector("input").value === "");
});

test("the attribute tags alone narrows the search, and what was chosen is there for who comes back", async () => {
  const page = await show({ tags: "kind=guide" });
  await bench.ask("whistle");
  assert.deepEqual((await titles(page)).sort(), ["Dinghies", "Keelboats"]);
  assert.equal(await page.getByRole("group", { name: "Filters" }).count(), 0);
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    search.addEventListener("knarr-select", (event) => event.preventDefault(), { once: true });
    search.setAttribute("tags", "port=new quay|kind=reference");
  });
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".row.page").length === 1);
  await page.keyboard.press("Enter");
  const kept = await page.evaluate(() => history.state.knarr);
  assert.equal(kept.tags, "port=new quay|kind=reference");
  await page.reload();
  await page.locator("button.trigger").first().waitFor();
  assert.equal(await page.locator("knarr-search").getAttribute("tags"), "port=new quay|kind=reference");
});

test("while the field is empty, a choice lists its pages, which open and are there for who comes back", async () => {
  const page = await show({ facets: "kind", images: "" });
  const kind = page.getByLabel("Kind");
  await kind.selectOption("guide");
  const listed = (n) => page.waitForFunction((n) => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".row.page").length === n, n);
  await listed(2);
  assert.deepEqual(await titles(page), ["Dinghies", "Keelboats"], "in the order of the site");
  assert.deepEqual(await choices(kind), ["All", "guide (2)", "Reference (3)"]);
  assert.equal(await page.locator(".end").textContent(), "2 results");
  assert.equal(await page.locator(".row img").count(), 1);
  await bench.ask("whistle");
  await listed(2);
  await bench.input.fill("");
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelector(".row.page .title mark") === null);
  await listed(2);
  assert.deepEqual(await titles(page), ["Dinghies", "Keelboats"], "the words are gone and the choice is there");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelector(".row.page") === null);
  await kind.selectOption("guide");
  await listed(2);
  await page.evaluate(() => document.querySelector("knarr-search").addEventListener("knarr-select", (event) => event.preventDefault(), { once: true }));
  await bench.input.focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForTimeout(400); // The field's focus does not make the rows anew, which would be chosen no more.
  assert.equal(await page.locator(".row[aria-selected=true] .title").textContent(), "Dinghies");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => history.state?.knarr?.tags === "kind=guide");
  await page.reload();
  await page.locator("button.trigger").first().waitFor();
  assert.equal(await page.locator("knarr-search").getAttribute("tags"), "kind=guide");
  page.complaints.length = 0;
});

test("a picture stands in its page's row where it comes, and no address but the web's is asked", async () => {
  const page = await show({ images: "" });
  await bench.ask("whistle");
  const pictures = page.locator(".row.page img");
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelectorAll(".row img").length === 1);
  assert.deepEqual(await pictures.evaluateAll((all) => all.map(({ src, alt }) => [new URL(src).pathname, alt])), [["/boats/keel.png", ""]]);
  assert.equal(await page.locator(".row.page .icon.page").count(), 4, "the others have their icon");
  page.complaints.length = 0; // The browser tells of the picture that is not there.
});

test("the small engine filters and counts as the full one", async () => {
  await bench.show(undefined, "/blank.html");
  const open = async (name) => (await import(pathToFileURL(join(DIST, name)).href)).Knarr.open(pathToFileURL(join(work, "search/index.knarr")));
  const [small, full] = [await open("core.js"), await open("index.js")];
  for (const query of ["whistle", "harbour rules", "keelboats", ""]) {
    for (const tags of [[], ["kind=GUIDE"], ["kind=reference", "port=old harbour"], ["kind=none"], ["guide"]]) {
      const options = { tags, facets: ["*"] };
      const [a, b] = [await small.find(query, options), await full.find(query, options)];
      const rows = ({ resources }) => resources.map(({ uri, score }) => [uri, score.toFixed(5)]);
      assert.deepEqual(rows(a), rows(b), `${query} ${tags}`);
      assert.deepEqual(a.facets, b.facets, `${query} ${tags}`);
    }
  }
  for (const knarr of [small, full]) {
    await assert.rejects(knarr.find("whistle", { tags: ["kind="] }), { code: "INVALID_ARGUMENT", message: /kind=/ });
    await assert.rejects(knarr.find("whistle", { facets: ["a=b"] }), { code: "INVALID_ARGUMENT" });
    knarr.close();
  }
});
