/** `<knarr-search>` in a site of two languages and two versions: what it finds, and where a choice leads. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openPage } from "./browser.mjs";
import { DIST, VARIANTS, VARIANTS_SITE } from "./bundles.mjs";
import { serve } from "./server.mjs";

let server;
let browser;

before(async () => {
  server = await serve({ "/tide/": VARIANTS_SITE, "/tide-search/": VARIANTS, "/knarr/": DIST });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

/** Asks in the page at `path`, and returns the page with the rows' links and breadcrumbs. */
async function ask(path, query) {
  const page = await openPage(browser, `${server.origin}${path}`);
  await page.locator("button.trigger").first().waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill(query);
  await page.locator(".list:not([aria-busy]) .group .page").first().waitFor();
  const rows = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("knarr-search");
    return [...shadowRoot.querySelectorAll(".group .page")].map((row) => ({
      to: new URL((row.closest("a") ?? row.querySelector("a") ?? row).href).pathname,
      text: row.textContent,
    }));
  });
  return { page, rows };
}

for (const [what, from, to] of [
  ["a page in English finds English, in the newest version", "/tide/", "/tide/guide/settings/"],
  ["a page in German finds German", "/tide/de/", "/tide/de/guide/settings/"],
  ["a page of an older version finds that version", "/tide/1.0/guide/settings/", "/tide/1.0/guide/settings/"],
]) {
  test(what, async () => {
    const { page, rows } = await ask(from, "timeoutMs");
    assert.equal(rows[0].to, to);
    const settings = new Set(rows.map((row) => row.to).filter((path) => path.endsWith("settings/")));
    assert.deepEqual([...settings], [to], "one language, one version");
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}

test("breadcrumbs are the site's titles", async () => {
  const { page, rows } = await ask("/tide/", "timeoutMs");
  assert.match(rows[0].text, /The guide/);
  await page.context().close();
});

test("translations are one row, which tells the other language", async () => {
  const page = await openPage(browser, `${server.origin}/tide/`);
  await page.locator("button.trigger").first().waitFor();
  await page.evaluate(() => document.querySelector("knarr-search").setAttribute("docs-lang", "en,de"));
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("timeoutMs");
  await page.locator(".list:not([aria-busy]) .group .page").first().waitFor();
  const rows = await page.locator(".group .page").allTextContents();
  assert.equal(rows.filter((text) => /Settings|Einstellungen/.test(text)).length, 1);
  assert.match(rows[0], /Also in (Deutsch|English)/);
  await page.context().close();
});

test("a choice opens the address that the site's own links use, at its section, without a complaint", async () => {
  const { page } = await ask("/tide/", "timeoutMs");
  await page.getByRole("option").filter({ hasText: "Timeout" }).last().click();
  await page.waitForURL(`${server.origin}/tide/guide/settings/#timeout`);
  const inView = await page.evaluate(() => {
    const { top } = document.getElementById("timeout").getBoundingClientRect();
    return top >= 0 && top < innerHeight && scrollY > 0;
  });
  assert.ok(inView);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});
