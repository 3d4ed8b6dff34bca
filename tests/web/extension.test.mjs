/**
 * The extension of `examples/extension` in Chromium: panel, address bar, options, offline, a service worker that ends.
 *
 * Two things are the browser's own and out of reach without a screen: typing into the address bar (its events are
 * dispatched to the worker's listeners instead) and the click on the permission's prompt (the origin is allowed on the
 * browser's page of extensions instead, upon which the same request is granted without a prompt).
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { DIST, LARGE, SITE, VARIANTS, VARIANTS_SITE } from "./bundles.mjs";
import { EXTENSION, Installed, pack } from "./extension-page.mjs";
import { serve } from "./server.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let packed, installed, server;
before(async () => {
  packed = pack();
  installed = await Installed.start(packed.chromium);
  server = await serve({
    "/tide/": VARIANTS_SITE, "/tide/knarr/search/": VARIANTS, "/harbour/": SITE, "/harbour/search/": LARGE,
  }, { policy: false });
});
after(async () => {
  await installed?.stop();
  await server?.close();
  packed?.remove();
});
afterEach(async () => {
  for (const page of installed.context.pages().slice(1)) await page.close();
  assert.deepEqual(installed.complaints.splice(0), []);
});

const field = (page) => page.getByRole("combobox");
const rows = (page) => page.locator(".group .page .title");
const told = (page) => page.locator("#told");

/** Chooses an index on the options page, which the browser lets it read. */
async function use(page, address) {
  await page.getByLabel("A site with a Knarr index").check();
  await page.getByLabel("Address of the site").fill(address);
  await page.getByRole("button", { name: "Use it" }).click();
}

test("what is packed is what is needed, and Firefox's linter has no complaint", () => {
  assert.match(packed.told, /\d\d pages, an index of \d+ kB/);
  const files = readdirSync(join(packed.chromium, "knarr"));
  for (const name of ["direct.js", "knarr-search.js", "core-worker.js", "knarr_core_first.wasm", "knarr_core_rest.wasm", "knarr_full_bg.wasm"]) assert.ok(files.includes(name), name);
  assert.ok(!files.some((name) => /\.d\.ts$|^server|^element-(?!marks|more)/.test(name)), files.join());
  const linter = join(EXTENSION, "node_modules/.bin/web-ext");
  const report = JSON.parse(execFileSync(linter, ["lint", "--source-dir", packed.firefox, "--self-hosted", "--output", "json"], { encoding: "utf8" }));
  assert.deepEqual(report.errors, []);
  assert.deepEqual(report.warnings.map(({ code, file, message }) => `${code} ${file} ${message}`), []);
});

test("the icons are www/knarr.svg", async () => {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const svg = readFileSync(join(EXTENSION, "../../www/knarr.svg"), "base64");
    for (const size of [16, 32, 48, 128]) {
      const png = readFileSync(join(EXTENSION, `icons/${size}.png`), "base64");
      const difference = await page.evaluate(async ([size, ...sources]) => {
        const [drawn, kept] = await Promise.all(sources.map(async (source) => {
          const image = Object.assign(new Image(), { src: source });
          await image.decode();
          const canvas = new OffscreenCanvas(size, size).getContext("2d");
          canvas.drawImage(image, 0, 0, size, size);
          return [...canvas.getImageData(0, 0, size, size).data, image.naturalWidth];
        }));
        const pixels = drawn.slice(0, -1).map((value, at) => Math.abs(value - kept[at]));
        return { width: kept.at(-1), mean: pixels.reduce((sum, value) => sum + value, 0) / pixels.length };
      }, [size, `data:image/svg+xml;base64,${svg}`, `data:image/png;base64,${png}`]);
      assert.equal(difference.width, size);
      assert.ok(difference.mean < 4, `${size}: ${difference.mean}`);
    }
  } finally {
    await browser.close();
  }
});

test("the panel by keyboard alone: a question, a row, its page at its section", async () => {
  const page = await installed.open("panel.html");
  await page.waitForFunction(() => document.activeElement.tagName === "KNARR-SEARCH");
  await page.keyboard.type("follow symbolic links");
  await page.locator(".row.section").first().waitFor();
  const isSection = () => page.locator(".row[aria-selected=true]").evaluate((row) => row.classList.contains("section"));
  for (let i = 0; i < 9 && !(await isSection()); i++) await page.keyboard.press("ArrowDown");
  const opening = installed.context.waitForEvent("page");
  await page.keyboard.press("Enter");
  const result = await opening;
  await result.waitForLoadState();
  const { pathname, hash } = new URL(result.url());
  assert.match(pathname, /^\/pages\/\w+\.html$/);
  assert.ok(hash !== "" && (await result.locator(`[id="${hash.slice(1)}"]`).count()) === 1, result.url());
  assert.ok(page.url().endsWith("panel.html"), "the panel stays");
  // The options are the next stop but those of the field.
  await page.bringToFront();
  for (let i = 0; i < 4 && (await page.evaluate(() => document.activeElement.id)) !== "options"; i++) await page.keyboard.press("Shift+Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "options");
});

test("the address bar: suggestions while typing, and Enter opens", async () => {
  await installed.wake(await installed.open("panel.html"));
  const { first, others } = await installed.type("byte ranges");
  assert.ok(first.length > 3 && others.length >= 2, `${first}, ${others.length}`);
  for (const { content, description } of others) {
    assert.ok(content.startsWith(installed.address("pages/")), content);
    assert.ok(!/[<>]/.test(description) && !/&(?!#\d+;)/.test(description), description);
  }
  // What looks like markup stays text: Chromium reads descriptions as XML.
  const marked = await installed.type("knarr-search element");
  assert.ok([marked.first, ...marked.others.map(({ description }) => description)].every((text) => !/<(?!\/?dim>)/.test(text)));

  const second = await installed.enter(others[0].content);
  assert.equal(second.url(), others[0].content);
  const top = await installed.enter("byte ranges");
  assert.match(top.url(), /\/pages\/\w+\.html/);
  assert.notEqual(top.url(), others[0].content);
  const none = await installed.enter("xqzvw");
  assert.equal(none.url(), installed.address("panel.html?q=xqzvw"));
  assert.equal(await field(none).inputValue(), "xqzvw");
});

test("a service worker that was ended opens the bundle again", async () => {
  const page = await installed.open("panel.html");
  const find = () => page.evaluate(() => chrome.runtime.sendMessage({ find: "byte ranges", options: { limit: 1 } }));
  const before = await find();
  assert.equal(before.found.resources.length, 1);
  const born = () => installed.worker.evaluate(() => performance.timeOrigin);
  const first = await born();
  await installed.kill(page);
  const after = await find();
  assert.deepEqual(after.found.resources[0].uri, before.found.resources[0].uri);
  assert.ok((await born()) > first, "another worker answers");
  assert.ok((await installed.type("byte ranges")).first.length > 3);
  // What is wrong with a question is told by its code.
  const wrong = await page.evaluate(() => chrome.runtime.sendMessage({ find: "x", options: { limit: -1 } }));
  assert.equal(wrong.error.code, "INVALID_ARGUMENT");
});

test("offline the shipped bundle is searched, and its pages open", async () => {
  await installed.context.setOffline(true);
  try {
    const page = await installed.open("panel.html?q=vectors");
    await rows(page).first().waitFor();
    const opening = installed.context.waitForEvent("page");
    await page.keyboard.press("Enter");
    const result = await opening;
    assert.match(await result.locator("h1").first().textContent(), /\w/);
    await installed.kill(page);
    assert.equal((await page.evaluate(() => chrome.runtime.sendMessage({ find: "vectors" }))).found.total > 0, true);
  } finally {
    await installed.context.setOffline(false);
  }
});

test("an index at an address: asked for, allowed, searched, and given back", async () => {
  const options = await installed.open("options.html", { width: 900 });
  const may = (origin) => options.evaluate((origin) => chrome.permissions.contains({ origins: [origin] }), origin);
  await use(options, `${server.origin}/tide`);
  // Nobody answers the prompt, and nothing changes until somebody does.
  await told(options).getByText(/^The browser asks whether this extension may read 127\.0\.0\.1/).waitFor();
  assert.equal(await options.evaluate(() => chrome.storage.local.get("bundle").then(({ bundle }) => bundle)), undefined);

  await installed.allow("http://127.0.0.1/*");
  await options.reload();
  assert.equal(await may("http://127.0.0.1/*"), false);
  await use(options, `${server.origin}/tide`);
  await told(options).getByText(/is searched now: \d+ pages/).waitFor();
  assert.match(await told(options).textContent(), /\/tide\/knarr\/search\/\.$/);
  assert.equal(await may("http://127.0.0.1/*"), true);
  await options.reload();
  assert.equal(await options.getByLabel("Address of the site").inputValue(), `${server.origin}/tide`);

  const panel = await installed.open("panel.html?q=timeoutMs");
  await rows(panel).first().waitFor();
  const opening = installed.context.waitForEvent("page");
  await rows(panel).first().click();
  const result = await opening;
  await result.waitForLoadState();
  assert.match(result.url(), new RegExp(`^${server.origin}/tide/guide/settings/`));
  // The site's tab in front is taken for the next result of the site.
  const before = installed.context.pages().length;
  await result.bringToFront();
  await panel.evaluate(() => document.querySelector("knarr-search").shadowRoot.querySelector(".row.page").click());
  await result.waitForURL("**/guide/settings/**");
  assert.equal(installed.context.pages().length, before);
  assert.ok((await installed.type("timeoutMs")).first.includes("Settings"));

  // The browser's settings can take the permission back.
  await options.evaluate(() => chrome.permissions.remove({ origins: ["http://127.0.0.1/*"] }));
  await panel.getByText(/This extension may not read 127\.0\.0\.1/).waitFor();
  assert.match((await installed.type("timeoutMs")).first, /may not read 127\.0\.0\.1/);
  await use(options, `${server.origin}/tide`);
  await panel.locator("#refused").waitFor({ state: "hidden" });

  await options.getByLabel("Knarr's documentation").check();
  await options.getByRole("button", { name: "Use it" }).click();
  await told(options).getByText("Knarr's documentation is searched now.").waitFor();
  assert.equal(await may("http://127.0.0.1/*"), false, "what is not needed is given back");
  assert.equal(await panel.locator("#name").textContent(), "Knarr's documentation");
});

test("what cannot be used is said, and nothing changes", async (t) => {
  await installed.allow("http://127.0.0.1/*");
  await installed.allow("http://localhost/*");
  const options = await installed.open("options.html", { width: 900 });
  const gone = await serve({ "/": SITE });
  await gone.close();
  // A host that answers an address that it does not know with its page.
  const folder = mkdtempSync(join(tmpdir(), "knarr-app-"));
  writeFileSync(join(folder, "index.knarr"), "<!doctype html><title>App</title>");
  const app = await serve({ "/": folder });
  t.after(async () => {
    await app.close(); // A server left open keeps a failed run from ending.
    rmSync(folder, { recursive: true });
  });
  for (const [address, message] of [
    ["", /^This is not the address of a site/],
    ["not a site", /^This is not the address of a site/],
    ["not%20a%20site", /^This is not the address of a site/],
    ["javascript:alert(1)", /^This is not the address of a site/],
    ["http://me:secret@127.0.0.1/", /^This is not the address of a site/],
    [gone.origin, /^127\.0\.0\.1:\d+ could not be reached/],
    [`${server.origin}/nowhere/`, /^There is no Knarr index at http:.*\/nowhere\/, nor in knarr\/search\/ or search\/ below it/],
    [`${app.origin}/`, /^There is no Knarr index at http:[^ ]*\/, nor in knarr/],
    [`${server.origin}/harbour/index.knarr`, /^There is no Knarr index at http:.*index\.knarr\. /],
  ]) {
    await use(options, address);
    await options.locator("#told.failed").getByText(message).waitFor();
    assert.equal(await options.getByLabel("Address of the site").getAttribute("aria-invalid"), "true");
    assert.equal(await options.evaluate(() => chrome.storage.local.get("bundle").then(({ bundle }) => bundle)), undefined);
    assert.equal(await options.evaluate(() => chrome.permissions.contains({ origins: ["http://127.0.0.1/*"] })), false);
    await options.getByLabel("Address of the site").fill("x");
  }
  // The browser answers for somebody who said no.
  await options.evaluate(() => (chrome.permissions.request = async () => false));
  await use(options, "docs.example.org");
  await options.getByText("Without the permission to read docs.example.org its index cannot be opened. Nothing has changed.").waitFor();

  // By keyboard alone, and the index's own folder.
  await options.reload();
  await options.locator("#use:enabled").waitFor();
  await options.keyboard.press("Tab");
  await options.keyboard.press("ArrowDown");
  await options.keyboard.press("Tab");
  await options.keyboard.type(`${server.origin}/harbour/search/`);
  await options.keyboard.press("Enter");
  await told(options).getByText(/is searched now/).waitFor();
  const { bundle } = await options.evaluate(() => chrome.storage.local.get("bundle"));
  assert.equal(bundle.base, `${server.origin}/harbour/`);
  // A host that is gone afterwards: the panel says so, in the reader's words.
  server.faults = { status: (path) => (path.includes("/search/") ? 503 : undefined) };
  const panel = await installed.open("panel.html?q=bowline");
  await panel.locator("[part~=error]").waitFor();
  await installed.kill(panel);
  await installed.wake(panel);
  assert.ok((await installed.type("bowline")).first.startsWith("<dim>"));
  server.reset();
  await panel.locator("[part=retry]").click();
  await rows(panel).first().waitFor();
  await options.getByLabel("Knarr's documentation").check();
  await options.getByRole("button", { name: "Use it" }).click();
  await told(options).getByText("Knarr's documentation is searched now.").waitFor();
});

test("nothing can be chosen before the options know what is searched", async () => {
  const options = await installed.open("options.html", { width: 900 });
  await options.addInitScript(() => {
    const { local } = chrome.storage;
    const get = local.get.bind(local);
    local.get = (key) => new Promise((resolve) => (globalThis.answer = () => resolve(get(key))));
  });
  await options.reload();
  await options.waitForFunction(() => globalThis.answer);
  assert.ok(await options.getByLabel("A site with a Knarr index").isDisabled());
  assert.ok(await options.getByRole("button", { name: "Use it" }).isDisabled());
  assert.ok(await options.getByLabel("Address of the site").isHidden());
  if (process.env.SCREENSHOTS && existsSync(process.env.SCREENSHOTS)) await options.screenshot({ path: join(process.env.SCREENSHOTS, "extension-options-waiting.png") });
  await options.evaluate(() => globalThis.answer());
  await options.getByLabel("A site with a Knarr index").check();
  await options.getByLabel("Address of the site").waitFor();
  assert.ok(await options.getByRole("button", { name: "Use it" }).isEnabled());
});

for (const colorScheme of ["light", "dark"]) {
  test(`the pages are readable in ${colorScheme}, for everyone`, async () => {
    for (const [path, ready] of [["panel.html?q=vectors", ".group .page"], ["options.html", "#use"], ["pages/speed.html", "h1"]]) {
      const page = await installed.open(path, { width: 420 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(ready).first().waitFor();
      const session = await installed.context.newCDPSession(page);
      await session.send("Page.setBypassCSP", { enabled: true });
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document));
      assert.deepEqual(violations.map(({ id, nodes }) => `${path} ${id}: ${nodes.map(({ target }) => target.join(" "))}`), []);
      if (process.env.SCREENSHOTS && existsSync(process.env.SCREENSHOTS)) {
        await page.screenshot({ path: join(process.env.SCREENSHOTS, `extension-${path.replace(/\W.*/, "")}-${colorScheme}.png`) });
      }
    }
  });
}

test("a page whose scripts a development server sends searches on its own thread", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "knarr-dev-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dev = await serve({ "/knarr/": DIST, "/search/": LARGE }, { policy: false, shared: true });
  t.after(() => dev.close());
  const policy = `script-src 'self' 'wasm-unsafe-eval' ${dev.origin}`;
  writeFileSync(join(folder, "worker.js"), "");
  writeFileSync(join(folder, "page.html"), `<!doctype html><title>Dev</title><script type="module" src="${dev.origin}/knarr/index.js"></script>`);
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({
    manifest_version: 3, name: "Dev", version: "1", background: { service_worker: "worker.js" },
    host_permissions: ["http://127.0.0.1/*"], content_security_policy: { extension_pages: policy },
  }));
  const browser = await Installed.start(folder);
  t.after(() => browser.stop());
  const page = await browser.open("page.html");
  const warnings = [];
  page.on("console", (message) => warnings.push(message.text()));
  const uris = await page.evaluate(async (origin) => {
    const { Knarr } = await import(`${origin}/knarr/index.js`);
    const { resources } = await (await Knarr.open(`${origin}/search/`)).find("when is the wind too strong?");
    return resources.map(({ uri }) => uri);
  }, dev.origin);
  assert.ok(uris.length > 0);
  assert.match(warnings.join("\n"), /searching on this thread/);
});

test("addresses of a bundle that begin with a slash are the host's, and of no other host", async () => {
  globalThis.chrome = { runtime: { getURL: (path) => `chrome-extension://x/${path}`, getManifest: () => ({}) } };
  try {
    const { linkOf } = await import(new URL("../../examples/extension/src/settings.js", import.meta.url).href);
    const links = ["//evil.example/x", "/docs/a", "a", "javascript:1"].map((url) => linkOf(url, { base: "https://x.org/docs/" }));
    assert.deepEqual(links, ["https://x.org/evil.example/x", "https://x.org/docs/a", "https://x.org/docs/a", undefined]);
  } finally {
    delete globalThis.chrome;
  }
});
