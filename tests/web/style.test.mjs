/** The element's style sheet: in the script, for whatever page and policy it lands in. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch, openPage } from "./browser.mjs";
import { DIST, LARGE } from "./bundles.mjs";
import { KNARR_POLICY, serve } from "./server.mjs";

let browser;
let server;

before(async () => {
  const pages = fileURLToPath(new URL("pages", import.meta.url));
  // The policy names no style-src: a sheet that were fetched or written into the page would be refused.
  server = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE }, { policy: KNARR_POLICY });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** A property of the element's button, as it is shown. */
const shown = (page, property) =>
  page.evaluate((property) => {
    const trigger = document.querySelector("knarr-search").shadowRoot.querySelector(".trigger");
    return getComputedStyle(trigger)[property];
  }, property);

test("it is in the script: nothing is fetched, and no policy for styles is needed", async () => {
  server.reset();
  const page = await openPage(browser, `${server.origin}/element.html`);
  await page.locator("button.trigger").waitFor();
  assert.equal(await shown(page, "borderTopLeftRadius"), "12px");
  assert.deepEqual(server.requests.filter(({ path }) => path.endsWith(".css")), []);
  assert.equal(await page.evaluate(() => document.styleSheets.length + document.adoptedStyleSheets.length), 0);
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("it goes with the element into another document", async () => {
  const page = await openPage(browser, `${server.origin}/element.html`);
  await page.locator("button.trigger").waitFor();
  const radius = await page.evaluate(() => {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const element = document.querySelector("knarr-search");
    frame.contentDocument.body.append(element);
    return frame.contentWindow.getComputedStyle(element.shadowRoot.querySelector(".trigger")).borderTopLeftRadius;
  });
  assert.equal(radius, "12px");
  assert.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a page's own sheet takes its place", async () => {
  const page = await openPage(browser, `${server.origin}/element.html`, { bypassCSP: true });
  await page.evaluate(() => {
    const element = document.createElement("knarr-search");
    element.setAttribute("stylesheet", "data:text/css,.trigger{border-radius:3px}");
    document.querySelector("knarr-search").replaceWith(element);
  });
  await page.locator("button.trigger").waitFor();
  assert.equal(await shown(page, "borderTopLeftRadius"), "3px");
  await page.context().close();
});

test("it is not printed, neither the button nor an open dialog, also where the page gives it a display", async () => {
  const page = await openPage(browser, `${server.origin}/element.html`, { bypassCSP: true });
  await page.addStyleTag({ content: "knarr-search{display:block;position:fixed}" });
  const trigger = page.locator("button.trigger");
  await trigger.click();
  const panel = page.locator("dialog .panel");
  for (const part of [trigger, panel]) assert.equal(await part.isVisible(), true);
  await page.emulateMedia({ media: "print" });
  for (const part of [trigger, panel]) assert.equal(await part.isVisible(), false);
  await page.emulateMedia({ media: "screen" });
  for (const part of [trigger, panel]) assert.equal(await part.isVisible(), true);
  await page.context().close();
});

test("the attribute from names the bundle as src does", async () => {
  const page = await openPage(browser, `${server.origin}/blank.html`);
  const files = await page.evaluate(async () => {
    await import("/knarr/knarr-search.js");
    const element = document.createElement("knarr-search");
    element.setAttribute("from", "/search/");
    element.setAttribute("src", "/elsewhere/");
    document.body.append(element);
    return (await (await element.bundle()).inspect()).files;
  });
  assert.ok(files > 300);
  await page.context().close();
});

/** Computed styles of ten elements of the page. */
const styles = (page) =>
  page.evaluate((names) => names.map((name) => {
    const computed = getComputedStyle(document.querySelector(`main ${name}`));
    return Object.fromEntries(Array.from(computed, (property) => [property, computed.getPropertyValue(property)]));
  }), ["h1", "p", "a", "code", "button", "input", "pre", "li", "blockquote", "td"]);

/** How the element's own parts look, in what no page may decide. */
const looks = (page) =>
  page.evaluate(() => {
    const { shadowRoot } = document.querySelector("knarr-search");
    const properties = [
      "display", "position", "float", "borderTopLeftRadius", "paddingInlineStart", "backgroundColor", "boxSizing", "textTransform",
      "letterSpacing", "wordSpacing", "whiteSpace", "fontWeight", "fontStyle", "textIndent", "textShadow", "fontSize",
    ];
    return ["button.trigger", "dialog .panel", ".head", "input", "[role=option]", "[role=option] svg"].map((part) => {
      const computed = getComputedStyle(shadowRoot.querySelector(part));
      return [part, ...properties.map((property) => computed[property])].join(" ");
    });
  });

test("a page looks the same with the element, and the element the same on every page", async () => {
  // Written after the sheets of sites whose builds `cargo xtask test sites` opens; their own style is in the page.
  const pages = fileURLToPath(new URL("pages/hosts", import.meta.url));
  const hosts = await serve({ "/": pages, "/knarr/": DIST, "/search/": LARGE }, { policy: false });
  const seen = {};
  try {
    for (const host of ["docusaurus", "vitepress", "preflight"]) {
      const page = await openPage(browser, `${hosts.origin}/${host}.html`, { colorScheme: "light", reducedMotion: "reduce" });
      const before = await styles(page);
      await page.evaluate(async () => {
        await import("/knarr/knarr-search.js");
        const element = document.createElement("knarr-search");
        element.setAttribute("theme", "light");
        document.body.append(element);
        element.show("bowline");
      });
      await page.getByRole("option").first().waitFor();
      seen[host] = await looks(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.evaluate(() => document.querySelector("knarr-search").blur());
      const after = await styles(page);
      for (const [i, style] of before.entries()) assert.deepEqual(after[i], style, `${host}: element ${i}`);
      assert.deepEqual(page.complaints, []);
      await page.context().close();
    }
  } finally {
    await hosts.close();
  }
  assert.deepEqual(seen.vitepress, seen.docusaurus);
  assert.deepEqual(seen.preflight, seen.docusaurus);
});
