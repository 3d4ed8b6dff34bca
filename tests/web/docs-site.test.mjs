/** The documentation as a site (docs/site), built by VitePress with the package's plugin, below a path: its links, its figures, its search. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { PACKAGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const SITE = path("../../docs/site");
const OUT = path("out/docs-site");

/** Addresses of the site's pages by their files' names, with their texts. */
let pages;
let server;
let browser;
before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  const env = { ...process.env, BASE: "/docs/", NODE_ENV: undefined, NODE_TEST_CONTEXT: undefined };
  try {
    execFileSync("npm", ["run", "build", "--", "--outDir", OUT], { cwd: SITE, env, stdio: "pipe" });
  } catch (error) {
    throw new Error(`the site was not built; is npm --prefix docs/site ci done?\n${error.stdout}${error.stderr}`.slice(-4000));
  }
  const files = readdirSync(OUT, { recursive: true }).filter((file) => file.endsWith(".html"));
  pages = new Map(files.map((file) => [file, readFileSync(join(OUT, file), "utf8")]));
  server = await serve({ "/docs/": OUT }, { policy: false });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("every page of the table is there, and every link leads to a page and a place of it", async () => {
  const { PAGES } = await import(pathToFileURL(join(SITE, "pages.mjs")).href);
  assert.deepEqual([...pages.keys()].toSorted(), [...PAGES.values(), "404"].map((page) => `${page}.html`).toSorted());
  const ids = new Map([...pages].map(([file, text]) => [file, new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id))]));
  const dead = [];
  for (const [file, text] of pages) {
    for (const [, href] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(href)) continue;
      const [address, fragment] = href.replaceAll("&amp;", "&").split("#");
      const inside = address.startsWith("/docs/") ? address.slice("/docs/".length) : join(dirname(file), address);
      const target = address === "" ? file : normalize(inside.endsWith("/") || inside === "" ? `${inside}index.html` : inside);
      if (!existsSync(join(OUT, target))) dead.push(`${file}: ${href}`);
      else if (fragment && ids.has(target) && !ids.get(target).has(decodeURIComponent(fragment))) dead.push(`${file}: no such place: ${href}`);
    }
  }
  assert.deepEqual(dead, []);
});

test("the figures of the home page are those of the tables", async () => {
  const { table } = await import(pathToFileURL(join(SITE, "figures/charts.mjs")).href);
  const first = table("SPEED.md", "First query").find(({ name }) => name.startsWith("Knarr"));
  const later = table("SPEED.md", "CPU").find(({ name }) => name.startsWith("query with excerpts through the worker"));
  const home = pages.get("index.html");
  assert.ok(home.includes(`${first.p50} kB at the median`), "bytes of a first question");
  assert.ok(home.includes(`a later one ${later.cells[4]} ms`), "CPU of a later one");
});

/** Questions of somebody who reads documentation, and the page that answers. */
const QUESTIONS = [
  ["vitepress", "start/vitepress.html"], ["content security policy", "guide/hosting.html"], ["data-pagefind-weight", "guide/moving.html"],
  ["knarr-select", "guide/element.html"], ["score_threshold", "reference/options.html"], ["what does a varint look like", "reference/format.html"],
  ["rerank with an endpoint", "guide/endpoints.html"], ["which pages are left out", "concepts/sites.html"], ["esbuild", "guide/toolchains.html"],
  ["requests of a first query", "figures/speed.html"],
];

test("the site answers questions about itself", async () => {
  const { Knarr } = await import(pathToFileURL(join(PACKAGE, "dist/direct.js")).href);
  const knarr = await Knarr.open(pathToFileURL(join(OUT, "knarr/search/")));
  for (const [question, page] of QUESTIONS) {
    const { resources } = await knarr.find(question, { limit: 3 });
    const found = resources.map(({ url }) => url);
    assert.ok(found.includes(page), `${question}: ${found}`);
  }
  knarr.close();
});

test("a reader searches in the header and on the home page, in light and dark, wide and narrow", async () => {
  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: { width: 390, height: 800 } }]) {
    const page = await openPage(browser, `${server.origin}/docs/`, options);
    const field = page.locator("knarr-search[inline]");
    await field.getByRole("combobox").fill("caching");
    await field.getByRole("option", { name: /Hosting/ }).first().click();
    await page.waitForURL(/\/docs\/guide\/hosting\.html/);
    await page.keyboard.press("Control+k");
    const dialog = page.locator(".VPNavBarSearch knarr-search");
    await dialog.getByRole("combobox").fill("varint");
    await dialog.getByRole("option", { name: /Primitives/ }).first().click();
    await page.waitForURL(/\/docs\/reference\/format\.html#primitives$/);
    const [red] = (await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor)).match(/\d+/g);
    assert.equal(red > 128, options.colorScheme === "light");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the window");
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test("drawings and charts are there, and named for those who do not see them", () => {
  for (const [file, n] of [["concepts/bundle.html", 3], ["concepts/ranking.html", 1], ["concepts/tree.html", 1], ["figures/index.html", 6]]) {
    const drawn = pages.get(file).match(/<svg[^>]*role="img" aria-label="[^"]{20,}"/g) ?? [];
    assert.equal(drawn.length, n, file);
  }
  assert.equal(readFileSync(join(OUT, "knarr.svg"), "utf8"), readFileSync(path("../../www/knarr.svg"), "utf8"), "one mark");
});
