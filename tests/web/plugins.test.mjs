/** The plugins of the package in the generators that they are for. Astro's needs Node 22: tests/sites has it. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { PACKAGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));

let scratch;
before(() => (scratch = mkdtempSync(join(tmpdir(), "knarr-plugins-"))));
after(() => rmSync(scratch, { recursive: true, force: true }));

test("eleventy: one line, and every page searches, below a path prefix", async () => {
  const put = (name, text) => {
    mkdirSync(join(scratch, name, ".."), { recursive: true });
    writeFileSync(join(scratch, name), text);
  };
  put("src/_includes/page.html", "<!doctype html><html lang=en><head><title>{{ title }}</title></head><body><header>Harbour</header><main>{{ content }}</main></body></html>");
  for (const [name, title, text] of [
    ["index", "Harbour", "How to come in."],
    ["guide/mooring", "Mooring a boat", "Make the loop with a bowline around the bollard."],
    ["guide/weather", "Reading the weather", "A barometer that falls announces wind."],
    ["drafts/anchor", "Anchoring", "A bowline at the ring."],
  ]) put(`src/${name}.md`, `---\nlayout: page.html\ntitle: ${title}\n---\n# ${title}\n\n${text}\n`);
  put("eleventy.config.mjs", `
    import knarr from ${JSON.stringify(pathToFileURL(join(PACKAGE, "plugins/eleventy.mjs")).href)};
    export default function (config) {
      config.addPlugin(knarr, { exclude: ["drafts/**"] });
      return { dir: { input: "src", output: "out" }, pathPrefix: "/docs/" };
    }`);
  const build = () => execFileSync(process.execPath, [join(HERE, "node_modules/@11ty/eleventy/cmd.cjs"), "--quiet"], { cwd: scratch, encoding: "utf8" });
  assert.match(build(), /\[knarr\] 3 pages indexed, the search field put into 4/);
  assert.match(build(), /\[knarr\] 3 pages indexed, the search field put into 4/, "Eleventy writes its pages anew");
  assert.match(readFileSync(join(scratch, "out/guide/mooring/index.html"), "utf8"), /<header>Harbour<knarr-search src="\.\.\/\.\.\/knarr\/search\/"/);
  const server = await serve({ "/docs/": join(scratch, "out") }, { policy: false, clean: true });
  const browser = await launch();
  try {
    const page = await openPage(browser, `${server.origin}/docs/guide/weather/index.html`);
    await page.locator("button.trigger").click();
    await page.getByRole("combobox").fill("bowline");
    await page.getByRole("option").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/guide\/mooring\//);
    assert.deepEqual(page.complaints, []);
  } finally {
    await browser.close();
    await server.close();
  }
});
