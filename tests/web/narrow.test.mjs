/** Where the field is put in themes whose sidebar a narrow window hides: it is seen there, and in its own place in a wide one. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { put } from "../../pkg/bin/pages.mjs";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const OUT = fileURLToPath(new URL("out/narrow", import.meta.url));

/** What the themes have around a field, with the windows in which they hide its place: `home` is that, `top` where it goes. */
const THEMES = {
  alabaster: {
    body: `<div class="document"><div class="sphinxsidebar"><search id="searchbox" role="search"><input></search></div><main>Text</main></div>`,
    style: "@media screen and (max-width:875px){.sphinxsidebar{display:none}}", home: ".sphinxsidebar", top: "body",
  },
  furo: {
    body: `<header class="mobile-header"><div class="header-right"><button>Theme</button></div></header><aside class="sidebar-drawer"><form class="sidebar-search-container"><input></form></aside><main>Text</main>`,
    style: ".mobile-header{display:none}@media(max-width:63em){.mobile-header{display:flex}.sidebar-drawer{position:fixed;left:-15em}}", home: ".sidebar-drawer", top: ".header-right",
  },
  rtd: {
    body: `<nav class="wy-nav-side"><div class="wy-side-nav-search"><div role="search"><input></div></div></nav><nav class="wy-nav-top">Menu</nav><main>Text</main>`,
    style: ".wy-nav-top{display:none}@media screen and (max-width:768px){.wy-nav-side{position:fixed;left:-300px}.wy-nav-top{display:block}}", home: ".wy-side-nav-search", top: ".wy-nav-top",
  },
};

let browser;
let server;

before(async () => {
  mkdirSync(OUT, { recursive: true });
  for (const [name, { body, style }] of Object.entries(THEMES)) {
    const page = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Tides</title><style>${style}</style></head><body>${body}</body></html>`;
    writeFileSync(`${OUT}/${name}.html`, put(page, "./", "knarr"));
  }
  server = await serve({ "/": OUT, "/knarr/": DIST, "/knarr/search/": LARGE }, { policy: false });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

for (const [name, { home, top }] of Object.entries(THEMES)) {
  test(`${name}: the field is seen in narrow windows, and at home in wide ones`, async () => {
    const page = await openPage(browser, `${server.origin}/${name}.html`, { viewport: { width: 360, height: 740 } });
    const isIn = async (place) => {
      await page.waitForFunction((place) => document.querySelector("knarr-search").parentElement.matches(place), place);
      const { x, y, width, height } = await page.locator("button.trigger").boundingBox();
      const hit = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.localName, [x + width / 2, y + height / 2]);
      assert.equal(hit, "knarr-search", JSON.stringify({ place, x, y, width, height }));
    };
    await isIn(top);
    await page.setViewportSize({ width: 1280, height: 740 });
    await isIn(home);
    await page.setViewportSize({ width: 600, height: 740 });
    await isIn(top);
    await page.locator("button.trigger").click();
    assert.equal(await page.getByRole("dialog").isVisible(), true);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}
