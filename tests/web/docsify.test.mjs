/** A site of Docsify, whose pages are Markdown that it shows in the browser: results open them there. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { PACKAGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const DOCSIFY = fileURLToPath(new URL("node_modules/docsify/lib/docsify.min.js", import.meta.url));

const LONG = "It is tied well.\n\n".repeat(80);

let site, server, browser;
before(async () => {
  site = mkdtempSync(join(tmpdir(), "knarr-docsify-"));
  cpSync(DOCSIFY, join(site, "docsify.js"));
  const pages = {
    "index.html": `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tides</title></head><body><div id="app"></div>
      <script>window.$docsify = { name: "Tides", loadSidebar: true };</script><script src="docsify.js"></script></body></html>`,
    "README.md": "# Tides\n\nOf the sea, and of what the moon does to it.\n",
    "_sidebar.md": "- [Home](/)\n- [Mooring](guide/mooring.md)\n",
    "guide/mooring.md": `# Mooring\n\nA boat is tied to the quay.\n\n${LONG}## Bowline\n\nThe knot that never jams.\n\n${LONG}`,
  };
  for (const [name, text] of Object.entries(pages)) {
    cpSync(DOCSIFY, join(site, name)); // Makes the folder.
    writeFileSync(join(site, name), text);
  }
  execFileSync(process.execPath, [join(PACKAGE, "bin/knarr.mjs"), "add", site, "--quiet"]);
  server = await serve({ "/": site }, { policy: false });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(site, { recursive: true, force: true });
});

test("a section is opened where Docsify shows it", async () => {
  const page = await openPage(browser, `${server.origin}/`);
  await page.getByRole("heading", { name: "Tides", level: 1 }).last().waitFor();
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("bowline");
  await page.locator(".group .section").filter({ hasText: "Bowline" }).first().click();
  await page.getByRole("heading", { name: "Bowline" }).waitFor();
  assert.equal(page.url(), `${server.origin}/#/guide/mooring?id=bowline`);
  await page.waitForFunction(() => Math.abs(document.getElementById("bowline").getBoundingClientRect().top) < innerHeight / 2);
  assert.equal(await page.locator("knarr-search dialog[open]").count(), 0);
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("sidebar mooring");
  await page.locator(".group .page").first().waitFor();
  const titles = await page.locator(".group .page .title").allTextContents();
  assert.deepEqual(titles.filter((title) => !["Tides", "Mooring"].includes(title)), [], "the menu is no page");
  assert.deepEqual(page.complaints, []);
});
