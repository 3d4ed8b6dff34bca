/** `<knarr-search>` for narrow windows, forced colors, and pages with several of it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, afterEach, before, describe, test } from "node:test";
import { Bench } from "./element-page.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

test("several searches on a page are landmarks with names of their own", async () => {
  const page = await bench.show({ bypassCSP: true, reducedMotion: "reduce" }, "/many.html");
  await page.evaluate(AXE);
  for (const open of [false, true]) {
    if (open) {
      await page.keyboard.press("/");
      await page.locator("dialog input").fill("weather");
      await page.locator("dialog .group .page").first().waitFor();
    }
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" "))}`), []);
  }
  const names = await page.locator("[role=search]").evaluateAll((all) => all.map((search) => search.ariaLabel));
  assert.equal(new Set(names).size, 3);
});

describe("the button", () => {
  const SIZES = [
    [390, undefined, "icon"], [390, "field", "field"], [480, undefined, "icon"], [481, undefined, "field"],
    [1280, undefined, "field"], [1280, "icon", "icon"],
  ];
  for (const [width, button, form] of SIZES) {
    test(`${button ?? "by itself"} at ${width} px: ${form}`, async () => {
      const page = await bench.show({ viewport: { width, height: 700 } });
      await page.evaluate((form) => form && document.querySelector("knarr-search").setAttribute("button", form), button);
      const trigger = page.getByRole("button", { name: /^Search/ });
      const box = await trigger.boundingBox();
      assert.equal(box.height, 44);
      if (form === "icon") assert.equal(box.width, 44);
      else assert.ok(box.width >= 180);
      const clip = await page.locator(".trigger .label").evaluate((label) => getComputedStyle(label).clipPath);
    assert.equal(clip === "none", form === "field");
      await trigger.focus();
      await page.keyboard.press("Enter");
      await bench.ask("weather");
    });
  }
});

test("forced colors show where the focus is, in every state", async () => {
  const page = await bench.show({ forcedColors: "active" });
  const outlined = (selector) => page.locator(selector).evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2;
  });
  await page.keyboard.press("/");
  assert.ok(await outlined(".head"));
  await bench.ask("weather");
  assert.ok(await outlined(".head"));
  assert.ok(await outlined("[role=option][aria-selected=true]"));
  await page.keyboard.press("Tab");
  assert.ok(await outlined("button.clear"));
});

test("forced colors leave marks to be read, in light and dark", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await bench.show({ forcedColors: "active", colorScheme });
    await page.keyboard.press("/");
    await bench.ask("barometer");
    const [mark, behind] = await page.evaluate(() => {
      const root = document.querySelector("knarr-search").shadowRoot;
      return [getComputedStyle(root.querySelector("mark")).color, getComputedStyle(root.querySelector(".panel")).backgroundColor];
    });
    const light = (color) => color.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;
    assert.ok(Math.abs(light(mark) - light(behind)) > 0.5, `${colorScheme}: ${mark} on ${behind}`);
    if (colorScheme === "light") await bench.end();
  }
});

test("rows that are on their way are never too pale to read", async () => {
  const page = await bench.show({ reducedMotion: "reduce" });
  await page.keyboard.press("/");
  await bench.ask("weather");
  await bench.standIn({ held: true });
  await page.locator(".list[aria-busy=true]").waitFor();
  assert.equal(await page.locator(".list").evaluate((list) => getComputedStyle(list).opacity), "1");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.waitForTimeout(500);
  assert.ok(Number(await page.locator(".list").evaluate((list) => getComputedStyle(list).opacity)) >= 0.85);
});

test("where elements have no properties of ARIA (Firefox before 119), they have the attributes", async () => {
  const page = await bench.show({}, "/blank.html");
  await page.evaluate(async () => {
    for (const name of Object.keys(Element.prototype)) if (/^aria[A-Z]/.test(name)) delete Element.prototype[name];
    await import("/knarr/knarr-search.js");
    const search = document.createElement("knarr-search");
    search.setAttribute("base", "/site/");
    document.body.append(search);
  });
  await page.locator("button.trigger").waitFor();
  await page.keyboard.press("/");
  await bench.ask("weather");
  const attributes = (locator, ...names) => locator.evaluate((node, names) => names.map((name) => node.getAttribute(name)), names);
  assert.deepEqual(await attributes(bench.input, "aria-label", "aria-expanded", "aria-autocomplete"), ["Search", "true", "list"]);
  assert.deepEqual(await attributes(page.locator(".row").first(), "aria-selected"), ["true"]);
});
