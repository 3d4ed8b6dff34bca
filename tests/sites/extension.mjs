/**
 * `cargo xtask test sites`, fifth part: the package in an extension that WXT builds. Its popup has the element, its
 * background, a service worker, finds by `knarr/direct`.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { test } from "node:test";
import { prepare, SMALL } from "../web/bundles.mjs";
import { Installed } from "../web/extension-page.mjs";
import { HERE, install, isWanted, KNARR, program } from "./tools.mjs";

/** Builds the extension; its folder. With Vite 7, as here, WXT leaves the modules where they were. */
function build() {
  const root = `${HERE}wxt`;
  for (const name of ["out", "public", ".wxt"]) rmSync(`${root}/${name}`, { recursive: true, force: true });
  mkdirSync(`${root}/public/search`, { recursive: true });
  copyFileSync(SMALL, `${root}/public/search/index.knarr`);
  copyFileSync(`${HERE}search.js`, `${root}/search.gen.js`);
  for (const name of readdirSync(`${KNARR}/dist`)) {
    if (/\.wasm$|worker\.js$/.test(name)) copyFileSync(`${KNARR}/dist/${name}`, `${root}/public/${name}`);
  }
  const [name, args, options] = program({ name: "wxt", newer: true }, "wxt build");
  execFileSync(name, args, { ...options, stdio: "pipe", timeout: 300_000 });
  return `${root}/out/chrome-mv3`;
}

if (isWanted("wxt")) {
  test("wxt", async () => {
    prepare();
    install();
    const installed = await Installed.start(build());
    try {
      const page = await installed.open("popup.html");
      const answer = await page.waitForFunction(() => document.documentElement.dataset.answer, undefined, { timeout: 30_000 });
      assert.equal(await answer.jsonValue(), "Mooring a boat 2");
      await page.locator("knarr-search button.trigger").click();
      await page.getByRole("combobox").fill("bowline");
      assert.match(await page.getByRole("option").first().textContent(), /Mooring a boat/);
      assert.equal(await page.evaluate(() => chrome.runtime.sendMessage({ find: "bowline" })), "Mooring a boat");
      assert.deepEqual(installed.complaints, []);
    } finally {
      await installed.stop();
    }
  });
}
