/** Words of a question that `<knarr-search>` marks on the page that was chosen. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { openPage } from "./browser.mjs";
import { PACKAGE } from "./bundles.mjs";
import { Bench } from "./element-page.mjs";
import { patternOf } from "../../pkg/src/element-marks.js";

/** A client router that changes the address first and brings the page later, with new nodes a moment after. */
const ROUTER = `addEventListener("click", async (event) => {
  const link = event.composedPath()[0].closest?.("a");
  if (!link?.href || !document.documentElement.hasAttribute("data-router")) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  const page = new DOMParser().parseFromString(await (await fetch(link.href)).text(), "text/html");
  const main = () => document.querySelector("main").replaceChildren(...Array.from(page.querySelector("main").cloneNode(true).childNodes));
  setTimeout(main, 200);
  setTimeout(main, 600);
}, true);`;

const page = (title, text) => `<!doctype html><html lang="en"><head><title>${title}</title></head><body><header>Otters</header>
  <nav><a href="/river/">Feeding otters</a></nav><main><h1>${title}</h1>${text}</main><script src="/river/router.js"></script></body></html>`;

const FEEDING = `<p>An otter eats what it catches. Whoever keeps <code>otters</code> feeds them twice; the feeding-house is at the river.</p>
  <p hidden>Hidden otters</p><h2 id="fish">Fish</h2><p>Otters like eels.</p><pre>otterhound Otters</pre>`;

let bench, site;

before(async () => {
  site = mkdtempSync(join(tmpdir(), "knarr-marks-"));
  mkdirSync(join(site, "care"));
  writeFileSync(join(site, "index.html"), page("The river house", "<p>A house for those who live at the river, with opening times and prices.</p>"));
  writeFileSync(join(site, "care/feeding.html"), page("Feeding otters", FEEDING));
  writeFileSync(join(site, "care/beavers.html"), page("Beavers", "<p>A beaver fells trees, and builds a dam of them.</p>"));
  writeFileSync(join(site, "router.js"), ROUTER);
  execFileSync(process.execPath, [join(PACKAGE, "bin/knarr.mjs"), "add", site, "--quiet"]);
  bench = await Bench.start({ "/river/": site });
});
after(async () => {
  await bench?.stop();
  rmSync(site, { recursive: true, force: true });
});
afterEach(() => bench.end());

const start = async (path = "/river/index.html") => {
  bench.page = await openPage(bench.browser, `${bench.server.origin}${path}`);
  return bench.page;
};
/** The marked texts of the page. */
const marks = () => bench.page.evaluate(() => Array.from(CSS.highlights.get("knarr") ?? [], ({ startContainer, startOffset, endOffset }) => startContainer.isConnected && startContainer.data.slice(startOffset, endOffset)));
const marked = () => bench.page.waitForFunction(() => CSS.highlights.get("knarr")?.size > 0);

async function choose(query, row = 0) {
  await bench.page.keyboard.press("/");
  await bench.ask(query);
  await bench.page.locator(".list:not([aria-busy]) .excerpt").first().waitFor();
  for (let at = 0; at < row; at += 1) await bench.page.keyboard.press("ArrowDown");
  await bench.page.keyboard.press("Enter");
  await bench.page.waitForURL("**/care/**");
}

test("the words of the question are marked in the text of the page that was chosen, and in no frame around it", async () => {
  const page = await start();
  await choose("otters feeding");
  await marked();
  const texts = await marks();
  assert.deepEqual([...new Set(texts.map((text) => text.toLowerCase()))].toSorted(), ["feeding", "feeds", "otter", "otters"], "the forms that the excerpt marks, too");
  assert.equal(texts.length, 8, `two of the title, and of the texts: ${texts}`);
  assert.equal(await page.locator("mark").count(), 0, "no node of the page was changed");
  const paint = await page.evaluate(() => getComputedStyle(document.querySelector("h1"), "::highlight(knarr)").backgroundColor);
  assert.equal(paint, "rgb(255, 229, 143)");
  await page.reload();
  await page.locator("button.trigger").waitFor();
  assert.deepEqual(await marks(), [], "once");
});

test("a click takes the marks away, and so does Escape; a search in the same page marks anew", async () => {
  const page = await start();
  await choose("otters");
  await marked();
  await page.locator("h1").click();
  assert.deepEqual(await marks(), []);
  await choose("eels");
  await marked();
  assert.deepEqual(await marks(), ["eels"]);
  await page.keyboard.press("Escape");
  assert.deepEqual(await marks(), []);
});

test("a client router's page is marked when it is there, and again when its nodes are replaced", async () => {
  const page = await start();
  await page.evaluate(() => {
    document.documentElement.setAttribute("data-router", "");
    globalThis.isSame = true;
  });
  await choose("otters");
  await marked();
  await page.waitForTimeout(1000);
  assert.equal(await page.evaluate(() => globalThis.isSame), true);
  const texts = await marks();
  assert.ok(texts.length > 2 && texts.every((text) => /^otters?$/i.test(text)), texts.join());
});

test("nothing is marked where the site wants no marks, nor on a page that nobody chose", async () => {
  const page = await start();
  await page.locator("knarr-search").evaluate((search) => search.setAttribute("marks", "off"));
  await choose("otters");
  await page.locator("button.trigger").waitFor();
  assert.deepEqual(await marks(), []);
  await page.goto(`${bench.server.origin}/river/index.html`);
  await page.evaluate((url) => sessionStorage.setItem("knarr-marks", JSON.stringify([url, "otters", Date.now()])), `${bench.server.origin}/river/care/beavers.html`);
  await page.goto(`${bench.server.origin}/river/care/feeding.html`);
  await page.locator("button.trigger").waitFor();
  await page.waitForTimeout(300);
  assert.deepEqual(await marks(), []);
});

test("words are whole, names are as they are written, and what the page must not have is no mark", () => {
  const found = (words, text) => Array.from(text.matchAll(patternOf(words)), ([word]) => word);
  assert.deepEqual(found("otter", "An otter, otters, OTTER and seaotter"), ["otter", "OTTER"]);
  assert.deepEqual(found("Vec::retain", "Vec::retain and vec"), ["Vec::retain"]);
  assert.deepEqual(found("c++ -java (go)", "C++ and Java in Go"), ["C++", "Go"]);
  assert.deepEqual(found("--release", "cargo build --release"), ["--release"]);
  assert.deepEqual(found("红烧", "红烧肉的做法"), ["红烧"]);
  assert.deepEqual(found("a+b [x]", "a+b x ax"), ["a+b", "x"]);
  assert.equal(patternOf("-x ?! ,"), undefined);
});
