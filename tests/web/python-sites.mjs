/**
 * The sites that MkDocs and Sphinx built with the wheel's plugins: type, choose, arrive, go on by the site's own links,
 * turn the theme. Run by `cargo xtask test python`.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { ask, turn } from "./reading.mjs";
import { serve } from "./server.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/**
 * `folder` below OUT; `end` of addresses; `link`: one of the site's own; `toggle`: what turns the theme; `client` where
 * links do not load anew; `says`: what the theme complains of without a search, too.
 */
const SITES = [
  { folder: "mkdocs", end: "/", link: ".md-nav--primary a[href*=weather]", toggle: ["form[data-md-component=palette] label:not([hidden])"], client: true },
  { folder: "sphinx-alabaster", end: ".html", link: ".sphinxsidebar a[href*=weather]" },
  { folder: "sphinx-furo", end: ".html", link: ".sidebar-tree a[href*=weather]", toggle: [".theme-toggle"] },
  { folder: "sphinx-pydata_sphinx_theme", end: ".html", link: "a[href*=weather]", toggle: [".theme-switch-button", ".theme-change-button[data-mode=dark]"], says: /^Got invalid theme mode/ },
  { folder: "sphinx-sphinx_rtd_theme", end: ".html", link: ".wy-menu a[href*=weather]" },
];

for (const { folder, end, link, toggle, client = false, says = /^$/ } of SITES) {
  test(`${folder}: the site is searched as it is read, below a folder`, async () => {
    const server = await serve({ "/docs/": `${process.env.OUT}/${folder}` }, { policy: false });
    try {
      if (client) {
        // Material's router goes to what the site's map has, which names the host that the site was built for.
        const map = `${process.env.OUT}/${folder}/sitemap.xml`;
        writeFileSync(map, readFileSync(map, "utf8").replace(/https?:\/\/[^/]+/g, (host) => (host.includes("sitemaps.org") ? host : server.origin)));
      }
      const page = await openPage(browser, `${server.origin}/docs/${end === "/" ? "" : "index.html"}`);
      assert.equal(await page.locator("knarr-search button.trigger").locator("visible=true").count(), 1, "one field");
      await page.setViewportSize({ width: 360, height: 740 });
      await page.waitForFunction(() => {
        const { x, y, width, height } = document.querySelector("knarr-search").shadowRoot.querySelector("button.trigger").getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2)?.localName === "knarr-search";
      });
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.evaluate(() => (globalThis.stayed = true));
      const stays = async () => assert.equal(await page.evaluate(() => globalThis.stayed ?? false), client);
      await ask(page, "bowline", "Mooring");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/docs/guide/mooring${end}*`);
      await stays();
      await page.locator(link).locator("visible=true").first().click();
      await page.waitForURL(`**/docs/guide/weather${end}`);
      await page.getByRole("heading", { level: 1, name: /weather/i }).waitFor();
      await stays();
      if (toggle) await turn(page, toggle);
      await ask(page, "bowline", "Mooring");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/docs/guide/mooring${end}*`);
      assert.deepEqual(page.complaints.filter((complaint) => !says.test(complaint)), []);
    } finally {
      await server.close();
    }
  });
}
