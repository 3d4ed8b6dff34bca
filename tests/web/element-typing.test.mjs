/** `<knarr-search>` while somebody types: what is searched, what keys do, and what a screen reader hears. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

describe("an input method", () => {
  for (const [text, steps] of [
    ["threads", ["t", "th", "thr", "thre", "threa", "thread", "threads"]],
    ["스레드", ["ㅅ", "스", "스ㄹ", "스레", "스레ㄷ", "스레드"]],
    ["线程", ["xian", "xian'cheng", "线程"]],
  ]) {
    test(`finds while it composes: ${text}`, async () => {
      const page = await bench.show();
      await bench.standIn();
      await page.keyboard.press("/");
      const { input } = bench;
      const session = await page.context().newCDPSession(page);
      for (const step of steps) {
        await session.send("Input.imeSetComposition", { text: step, selectionStart: step.length, selectionEnd: step.length });
      }
      await page.getByRole("option", { name: `${text} 0` }).waitFor();
      assert.equal(await input.inputValue(), text);
      // Nothing was committed: Enter and arrows are the method's, and what it composes stays.
      const address = page.url();
      await page.keyboard.press("Enter");
      await input.dispatchEvent("keydown", { key: "Enter", isComposing: true });
      await input.dispatchEvent("keydown", { key: "ArrowDown", keyCode: 229 });
      assert.equal(page.url(), address);
      assert.equal(await input.getAttribute("aria-activedescendant"), "row-0");
      await session.send("Input.insertText", { text });
      await page.getByRole("option", { name: `${text} 0` }).waitFor();
      assert.equal(await input.inputValue(), text);
    });
  }
});

describe("an input method whose first letters are no question", () => {
  test("shows no emptiness while it composes, and what there is when it ends", async () => {
    const page = await bench.show();
    await page.evaluate(() => (document.documentElement.lang = "zh"));
    await bench.standIn({ none: ["xian'cheng"] });
    await page.keyboard.press("/");
    await page.keyboard.insertText("fog");
    await page.getByRole("option", { name: "fog 0" }).waitFor();
    await bench.input.selectText();
    const session = await page.context().newCDPSession(page);
    const compose = (text) => session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await compose("xian'cheng");
    await page.waitForTimeout(800);
    assert.equal(await page.getByRole("option", { name: "fog 0" }).count(), 1, "the rows of before");
    assert.equal(await page.locator("knarr-search .note").count(), 0);
    await session.send("Input.insertText", { text: "线程" });
    await page.getByRole("option", { name: "线程 0" }).waitFor();
  });
});

describe("Enter before the answer", () => {
  /** Where the page is after the last step, once an answer had the time to move it. */
  const opened = (query) => bench.page.waitForURL(`**/blank.html?${query}&0`);
  const open = async (setting) => {
    const page = await bench.show();
    await bench.standIn(setting);
    await page.keyboard.press("/");
    return page;
  };

  test("opens the first row when the answer comes: within the debounce", async () => {
    const page = await open();
    await page.keyboard.type("fog");
    await page.keyboard.press("Enter");
    await opened("fog");
  });

  test("opens it from a search that is on its way, without asking again", async () => {
    const page = await open({ held: true });
    await page.keyboard.type("fog");
    await page.waitForFunction(() => globalThis.asked.includes("fog"));
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => globalThis.asked.filter((query) => query === "fog").length), 1);
    await page.evaluate(() => globalThis.answer());
    await opened("fog");
  });

  test("opens another tab with Ctrl", async () => {
    const page = await open({ held: true });
    await page.keyboard.type("fog");
    await page.keyboard.press("Control+Enter");
    const [tab] = await Promise.all([page.context().waitForEvent("page"), page.evaluate(() => globalThis.answer())]);
    await tab.waitForURL("**/blank.html?fog&0");
    assert.ok(await page.getByRole("dialog").isVisible());
  });

  for (const [what, keys] of [
    ["typing on", ["s"]],
    ["clearing the field", ["Escape"]],
    ["closing the dialog", ["Control+k"]],
    ["changing one's mind and back", ["s", "Backspace"]],
  ]) {
    test(`is taken back by ${what}`, async () => {
      const page = await open({ held: true });
      await page.keyboard.type("fog");
      await page.keyboard.press("Enter");
      for (const key of keys) await page.keyboard.press(key);
      await page.evaluate(() => globalThis.answer());
      // Whatever the answer did, it did before this one is on the screen.
      if (await page.getByRole("dialog").isHidden()) await page.keyboard.press("/");
      await bench.ask("tide");
      assert.equal(page.url(), `${bench.server.origin}/element.html`);
    });
  }

  test("opens nothing when nothing was found", async () => {
    const page = await open({ pages: 0 });
    await page.evaluate(() => document.querySelector("knarr-search").setAttribute("suggestions", "one|two"));
    await page.keyboard.type("fog");
    await page.keyboard.press("Enter");
    await page.getByText("No results for “fog”").first().waitFor();
    await page.keyboard.press("Enter");
    assert.equal(await bench.input.inputValue(), "fog");
    assert.equal(await page.evaluate(() => globalThis.asked.at(-1)), "fog");
  });

  test("opens a row of the answer before, if an arrow chose it", async () => {
    const page = await open();
    await bench.ask("tide");
    await bench.standIn({ held: true });
    await page.keyboard.type("s");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/blank.html?tide&1");
  });
});

describe("keys", () => {
  test("Home and End move the caret until a row is chosen", async () => {
    const page = await bench.show();
    await bench.standIn();
    await page.keyboard.press("/");
    await bench.ask("fog");
    const active = () => bench.input.getAttribute("aria-activedescendant");
    const caret = () => bench.input.evaluate((input) => input.selectionStart);
    await page.keyboard.press("Home");
    assert.deepEqual([await caret(), await active()], [0, "row-0"]);
    await page.keyboard.press("End");
    assert.deepEqual([await caret(), await active()], [3, "row-0"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    assert.equal(await active(), "row-2");
    await page.keyboard.press("Home");
    assert.deepEqual([await caret(), await active()], [3, "row-0"]);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Home");
    assert.deepEqual([await caret(), await active()], [0, "row-0"]);
  });

  test("Tab stops only where keys do something, and letters find the field from everywhere", async () => {
    const page = await bench.show({ viewport: { width: 800, height: 360 } });
    await bench.standIn({ pages: 20 });
    await page.keyboard.press("/");
    await bench.ask("fog");
    const focused = () => page.evaluate(() => {
      const { activeElement } = document.querySelector("knarr-search").shadowRoot;
      return activeElement?.className || activeElement?.tagName;
    });
    assert.equal(await focused(), "INPUT");
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "tool clear");
    await page.keyboard.press("Tab");
    assert.notEqual(await focused(), "list");
    await page.locator("[role=listbox]").focus();
    await page.keyboard.type("gy");
    assert.equal(await focused(), "INPUT");
    assert.match(await bench.input.inputValue(), /gy/);
    await page.locator("button.clear").focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(), "INPUT");
    await page.locator("button.clear").focus();
    await page.keyboard.press("Enter");
    assert.equal(await bench.input.inputValue(), "");
  });
});

describe("what is said", () => {
  const spoken = (text) => bench.live.filter({ hasText: text }).waitFor({ state: "attached" });

  for (const [limit, told] of [[8, "3 results"], [4, "3 results"], [3, "The 3 best results"]]) {
    test(`of ${limit} that were asked for: ${told}`, async () => {
      const page = await bench.show();
      await bench.standIn({ pages: 3 });
      await page.evaluate((limit) => document.querySelector("knarr-search").setAttribute("limit", limit), limit);
      await page.keyboard.press("/");
      await bench.ask("fog");
      assert.equal(await page.locator(".end").textContent(), told);
      await spoken(told);
    });
  }

  test("a correction, before the count", async () => {
    const page = await bench.show();
    await page.keyboard.press("/");
    await bench.ask("baromter");
    await spoken(/^Showing results for\s+barometer\. (The )?\d+/);
  });

  test("that nothing was found, in sentences", async () => {
    const page = await bench.show();
    await bench.standIn({ pages: 0 });
    await page.keyboard.press("/");
    await bench.input.fill("qqxzv");
    await spoken(/^No results for “qqxzv”\. Check the spelling/);
  });
});

describe("what the first rows of a page cost", () => {
  test("is paid before the first letter: rows were made and laid out, and nothing is left of them", async () => {
    const page = await bench.show();
    await bench.standIn();
    await page.locator("knarr-search").evaluate((element) => {
      const seen = (window.seen = { rows: 0, links: 0 });
      new MutationObserver((records) => {
        for (const row of records.flatMap(({ addedNodes }) => [...addedNodes]).flatMap((node) => [...(node.querySelectorAll?.("[role=option]") ?? [])])) {
          seen.rows += 1;
          if (row.hasAttribute("href")) seen.links += 1; // Browsers fetch ahead what links lead to.
        }
      }).observe(element.shadowRoot, { childList: true, subtree: true });
    });
    await page.keyboard.press("/");
    await page.waitForFunction(() => window.seen.rows > 0);
    assert.equal(await page.evaluate(() => window.seen.links), 0);
    assert.equal(await bench.rows.count(), 0);
  });
});
