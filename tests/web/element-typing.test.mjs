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
