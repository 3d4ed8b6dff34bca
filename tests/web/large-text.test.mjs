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
    const [seen, whole] = await page.locator(".excerpt").first().evaluate(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight]);
    if (size < 64) assert.equal(seen, whole, "all of its lines are there");
    const list = await page.locator(".list").evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.equal(list[0], list[1]);
    const field = await bench.input.boundingBox();
    assert.ok(field.x >= 0 && field.width > (size < 64 ? 80 : 0), JSON.stringify(field));
  });
}
