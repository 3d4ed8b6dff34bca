/** Pages that are unlike others: without a bundler, with scripts of another origin or from disk, with nonces, kept when left. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { launch, openPage } from "./browser.mjs";
import { DIST, JOINED, LARGE } from "./bundles.mjs";
import { serve } from "./server.mjs";

const HOSTING = readFileSync(fileURLToPath(new URL("../../docs/HOSTING.md", import.meta.url)), "utf8");
const ELEMENT = '<script type="module" src="/knarr/knarr-search.js"></script>';
const FIELD = '<knarr-search src="/search/" base="/"></knarr-search>';

let browser, folder;
before(async () => {
  browser = await launch();
  folder = mkdtempSync(join(tmpdir(), "knarr-places-"));
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name, body) => writeFileSync(join(folder, name), `<!doctype html><html lang="en"><meta charset="utf-8"><title>x</title>${body}</html>`);

/** Asks as a reader does. */
async function ask(page, query = "bowline", title = /Mooring a boat/) {
  if (!(await page.getByRole("combobox").isVisible())) await page.locator("knarr-search button.trigger").click();
  await page.getByRole("combobox").fill(query);
  await page.getByRole("option", { name: title }).first().waitFor();
}

/** Serves the folder, with `options` of the server, and opens a page of it. */
async function visit(name, options, look) {
  const server = await serve({ "/": folder, "/knarr/": DIST, "/search/": LARGE }, { policy: false, ...options });
  const page = await openPage(browser, `${server.origin}/${name}`);
  try {
    await look(page, server);
  } finally {
    await page.context().close();
    await server.close();
  }
}

test("an import map in place of a bundler", async () => {
  write("map.html", `<script type="importmap">{ "imports": { "knarr": "/knarr/index.js", "knarr/element": "/knarr/knarr-search.js" } }</script>
    <script type="module">
      import { Knarr } from "knarr";
      import "knarr/element";
      const knarr = await Knarr.open("/search/");
      document.title = (await knarr.find("bowline")).resources[0].title + (await knarr.grep("viking://", "bowline")).count;
    </script>${FIELD}`);
  await visit("map.html", {}, async (page) => {
    await page.waitForFunction(() => document.title === "Mooring a boat2");
    await ask(page);
    assert.equal(page.workers().length, 2);
    assert.deepEqual(page.complaints, []);
  });
});

test("the package on another origin: on the page's thread, and in a worker of the page's own", async () => {
  const other = await serve({ "/knarr/": DIST }, { policy: false, shared: true });
  try {
    const [, remedy] = /^ {2}```js\n( {2}import \{ Knarr \} from "https:\/\/cdn\.[^]*?)^ {2}```/m.exec(HOSTING);
    const script = ELEMENT.replace("/knarr/", `${other.origin}/knarr/`);
    write("thread.html", script + FIELD);
    write("worker.html", `${script}${FIELD}<script type="module">${remedy.replaceAll("https://cdn.example.org", other.origin)}document.title = "opened"</script>`);
    await visit("thread.html", {}, async (page) => {
      await ask(page);
      assert.deepEqual([page.workers().length, page.complaints], [0, []]);
    });
    await visit("worker.html", {}, async (page) => {
      await page.waitForFunction(() => document.title === "opened");
      await ask(page);
      assert.deepEqual([page.workers().length, page.complaints], [1, []]);
    });
  } finally {
    await other.close();
  }
});

test("from disk, where the browser lets pages read it: packs are read whole", async () => {
  const disk = join(folder, "disk");
  mkdirSync(disk);
  cpSync(DIST, join(disk, "knarr"), { recursive: true });
  for (const bundle of [LARGE, JOINED]) {
    cpSync(bundle, join(disk, "search"), { recursive: true });
    write("disk/index.html", (ELEMENT + FIELD).replaceAll('"/', '"./'));
    const lenient = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--headless", "--disable-gpu", "--allow-file-access-from-files"],
    });
    try {
      const page = await openPage(lenient, pathToFileURL(join(disk, "index.html")).href);
      await ask(page);
      assert.deepEqual(page.complaints, []);
    } finally {
      await lenient.close();
      rmSync(join(disk, "search"), { recursive: true });
    }
  }
});

test("a policy of nonces: nothing is reported where it has a word for the worker", async () => {
  write("nonce.html", ELEMENT.replace("<script", '<script nonce="abc"') + FIELD);
  for (const [more, workers] of [["worker-src 'self'", 1], ["", 0]]) {
    const policy = `default-src 'self'; script-src 'nonce-abc' 'wasm-unsafe-eval'; style-src 'nonce-abc'; ${more}`;
    await visit("nonce.html", { policy }, async (page) => {
      await ask(page);
      assert.equal(page.workers().length, workers);
      assert.equal(page.complaints.length, 1 - workers, String(page.complaints));
    });
  }
});

test("a page that is left while a question is on its way is kept, and its search goes on", async () => {
  const keeping = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", ignoreDefaultArgs: ["--disable-back-forward-cache"], args: ["--no-sandbox", "--headless", "--disable-gpu"],
  });
  write("kept.html", ELEMENT + FIELD);
  write("next.html", "next");
  const server = await serve({ "/": folder, "/knarr/": DIST, "/search/": LARGE }, { policy: false });
  server.faults.control = null;
  try {
    const page = await openPage(keeping, `${server.origin}/kept.html`);
    await page.evaluate(() => addEventListener("pageshow", ({ persisted }) => (document.title = `kept: ${persisted}`)));
    await ask(page);
    server.faults.delay = (path) => (path.endsWith(".pack") ? 600 : 0);
    await page.getByRole("combobox").fill("barometer");
    await page.waitForTimeout(200);
    await page.evaluate(() => (location.href = "/next.html"));
    await page.waitForURL("**/next.html");
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => document.title === "kept: true");
    await page.getByRole("option", { name: /Reading the weather/ }).first().waitFor();
    await ask(page, "mayday", /./);
    assert.deepEqual(page.complaints, []);
  } finally {
    await keeping.close();
    await server.close();
  }
});
