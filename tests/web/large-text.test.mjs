/** `<knarr-search>` in large letters, and in the size that the reader has set. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

for (const [width, size] of [[320, 24], [320, 32], [360, 36], [320, 64]]) {
  test(`excerpts stay several words, and nothing is wider than the window: ${size} px in ${width}`, async () => {
    const page = await bench.show({ viewport: { width, height: 640 } });
    await page.evaluate((size) => document.documentElement.style.setProperty("--knarr-font-size", `${size}px`), size);
    await page.keyboard.press("/");
    await bench.ask("bowline knot");
    assert.equal(await page.locator(".error").count(), 0);
    const excerpts = await page.locator(".excerpt").allTextContents();
    assert.ok(excerpts.length > 0 && excerpts.some((text) => text.length > 40), JSON.stringify(excerpts));
    const list = await page.locator(".list").evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.equal(list[0], list[1]);
    if (size < 64) assert.ok((await bench.input.boundingBox()).width > 60);
  });
}

const sizeOf = (selector) => bench.page.locator(selector).first().evaluate((element) => parseFloat(getComputedStyle(element).fontSize));

for (const [what, standard, root, token, expected, font = ""] of [
  ["the reader's", 32, "", "", 32],
  ["16 px where the reader's is smaller", 12, "", "", 16],
  ["16 px where the page is in a typewriter's letters, which are smaller", 16, "", "", 16, "monospace"],
  ["16 px where the page's root has 10", 16, "62.5%", "", 16],
  ["16 px where the page's root has 20, as Material's", 16, "125%", "", 16],
  ["the site's, where it sets one", 32, "", "14px", 14],
  ["the site's in the root's measure", 32, "", "1rem", 32],
]) {
  test(`the size of texts is ${what}`, async () => {
    const page = await bench.show({ viewport: { width: 390, height: 780 } });
    const session = await page.context().newCDPSession(page);
    await session.send("Page.enable");
    await session.send("Page.setFontSizes", { fontSizes: { standard, fixed: 13 } });
    await page.evaluate(([root, token, font]) => {
      const { style } = document.documentElement;
      style.fontSize = root;
      if (token) style.setProperty("--knarr-font-size", token);
      document.body.style.fontFamily = font;
    }, [root, token, font]);
    await page.keyboard.press("/");
    await bench.ask("bowline");
    assert.equal(await sizeOf(".title"), expected);
    assert.equal(await sizeOf("[part=input]"), Math.max(16, 1.06 * expected));
  });
}
