/** The element is light or dark as its page is, by every convention that themes have for it. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

/** Marks and paint of themes as they are: the reader's system, the page's sheet, attributes of `html` and `body`. */
const THEMES = {
  "Furo, dark": ["light", "body[data-theme=dark] { background: #131416 }", {}, { "data-theme": "dark" }, "dark"],
  "Furo, light": ["dark", "body { background: #fff }", {}, { "data-theme": "light" }, "light"],
  "Furo, auto": ["dark", "@media (prefers-color-scheme: dark) { body { background: #131416 } }", {}, { "data-theme": "auto" }, "dark"],
  "rustdoc, dark": ["light", "html[data-theme=dark] body { background: #353535 }", { "data-theme": "dark" }, {}, "dark"],
  "rustdoc, ayu": ["light", "html[data-theme=ayu] body { background: #0f1419 }", { "data-theme": "ayu" }, {}, "dark"],
  "rustdoc, light": ["dark", "body { background: white }", { "data-theme": "light" }, {}, "light"],
  "Material, slate": ["light", "body { background: hsla(225, 15%, 14%, 1) }", {}, { "data-md-color-scheme": "slate" }, "dark"],
  "Material, default": ["dark", "body { background: #fff; color-scheme: light }", {}, { "data-md-color-scheme": "default" }, "light"],
  "Docusaurus, dark": ["light", "html[data-theme=dark] { color-scheme: dark; background: #1b1b1d }", { "data-theme": "dark" }, {}, "dark"],
  "Docusaurus, light": ["dark", "html { color-scheme: light; background: #fff }", { "data-theme": "light" }, {}, "light"],
  "VitePress, dark": ["light", ".dark { color-scheme: dark } body { background: #1b1b1f }", { class: "dark" }, {}, "dark"],
  "VitePress, light": ["dark", "body { background: #fff }", { class: "" }, {}, "light"],
  "Tailwind, dark class alone": ["light", "", { class: "a dark b" }, {}, "dark"],
  "Bootstrap, dark": ["light", "body { background: #212529 }", { "data-bs-theme": "dark" }, {}, "dark"],
  "paint alone, dark": ["light", "body { background: oklch(0.2 0.02 260) }", {}, {}, "dark"],
  "paint alone, on html": ["light", "html { background: #222 } body { background: rgb(255 255 255 / 5%) }", {}, {}, "dark"],
  "paint alone, light": ["dark", "body { background: color(display-p3 .9 .9 .8) }", {}, {}, "light"],
  "light text area on a dark body": ["dark", "body { background: #24292e } main { background: #fff }", {}, {}, "light"],
  "no paint at all": ["dark", "", {}, {}, "dark"],
  "color-scheme says more than marks": ["light", "html { color-scheme: light }", { class: "dark" }, {}, "light"],
  "the page's own word on the element": ["light", "knarr-search { color-scheme: dark } body { background: #fff }", {}, {}, "dark"],
};

const SURFACE = { light: "rgb(255, 255, 255)", dark: "rgb(28, 27, 26)" };
const TEXT = { light: "rgb(29, 27, 25)", dark: "rgb(240, 237, 234)" };

const put = (marks) => bench.page.evaluate(([html, body]) => {
  for (const [root, attributes] of [[document.documentElement, html], [document.body, body]]) {
    for (const [name, value] of Object.entries(attributes)) root.setAttribute(name, value);
  }
}, marks);

/** Surface and text of the panel, and of the button. */
const colors = () => bench.page.evaluate(() => {
  const { shadowRoot } = document.querySelector("knarr-search");
  const { backgroundColor, color } = getComputedStyle(shadowRoot.querySelector(".panel"));
  return [backgroundColor, color, getComputedStyle(shadowRoot.querySelector(".trigger")).backgroundColor];
});

for (const [what, [colorScheme, css, html, body, expected]] of Object.entries(THEMES)) {
  test(`${what}, on a ${colorScheme} system`, async () => {
    const page = await bench.show({ colorScheme, bypassCSP: true });
    // The marks come first here, and after the element is there in the next test.
    await page.addStyleTag({ content: css || " " });
    await put([html, body]);
    await page.keyboard.press("/");
    assert.deepEqual(await colors(), [SURFACE[expected], TEXT[expected], SURFACE[expected]]);
    await page.evaluate((theme) => document.querySelector("knarr-search").setAttribute("theme", theme), "light");
    assert.equal((await colors())[0], SURFACE.light, "the attribute has the last word");
    await page.evaluate((theme) => document.querySelector("knarr-search").setAttribute("theme", theme), "dark");
    assert.equal((await colors())[0], SURFACE.dark);
  });
}

test("a switch is followed while the dialog is open, by each mark and by a page that fades", async () => {
  const page = await bench.show({ colorScheme: "light", bypassCSP: true });
  await page.addStyleTag({ content: "body { background: #fff; transition: background-color 80ms } .night { background: #111 }" });
  await page.keyboard.press("/");
  const follows = (expected) => page.waitForFunction((color) => {
    const panel = document.querySelector("knarr-search").shadowRoot.querySelector(".panel");
    return getComputedStyle(panel).backgroundColor === color;
  }, SURFACE[expected]);
  for (const [on, off] of [
    [{ "data-theme": "dark" }, { "data-theme": "light" }],
    [{ "data-md-color-scheme": "slate" }, { "data-md-color-scheme": "default" }],
    [{ "data-bs-theme": "dark" }, { "data-bs-theme": "light" }],
    [{ class: "dark" }, { class: "" }],
    [{ style: "color-scheme: dark" }, { style: "" }],
  ]) {
    for (const [marks, expected] of [[on, "dark"], [off, "light"]]) {
      await put([marks, {}]);
      await follows(expected);
    }
  }
  await put([{ "data-theme": "auto", "data-md-color-scheme": "", "data-bs-theme": "" }, { class: "night" }]);
  await follows("dark");
  await page.emulateMedia({ colorScheme: "dark" });
  await put([{}, { class: "" }]);
  await follows("light");
});
