/** `<knarr-search>` under a finger: rows that come while it is on its way, strokes, taps and what a keyboard leaves of the window. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { Bench } from "./element-page.mjs";

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.end());

/** A page on a phone, and what tells of touches. */
async function phone(options = {}) {
  const page = await bench.show({ ...PHONE, ...options });
  bench.touch = await page.context().newCDPSession(page);
  return page;
}

const touch = (type, ...points) => bench.touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });

const middleOf = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
};

/** A finger that goes up from a row in the middle of the screen. */
async function stroke(from = 500, to = 250) {
  await touch("touchStart", { x: 190, y: from });
  for (let step = 1; step <= 10; step++) {
    await touch("touchMove", { x: 190, y: from + ((to - from) * step) / 10 });
    await bench.page.waitForTimeout(12);
  }
  await touch("touchEnd");
}

/** Eight pages, whose texts with two sections each come when `texts()` is called in the page. `picked` has what was chosen. */
async function twoSteps() {
  await bench.page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const come = new Promise((resolve) => (globalThis.texts = resolve));
    const find = async (query, { excerpts = true }) => {
      if (excerpts) await come;
      const excerpt = { text: excerpts ? "Words of the page, as it has them." : "", highlights: [] };
      const resources = Array.from({ length: 8 }, (_, at) => {
        const hit = { uri: `viking://resources/x/${at}`, url: `blank.html?${at}`, title: `${query} ${at}`, score: 1 - at / 100, excerpt, abstract: "Words of the page.", tags: [] };
        const section = (anchor) => ({ ...hit, url: `blank.html?${at}#${anchor}`, anchor, title: `Section ${anchor}` });
        return { ...hit, sections: excerpts ? [section("a"), section("b")] : [] };
      });
      return { resources, memories: [], skills: [], total: 8, corrections: [], skipped: [] };
    };
    search.bundle = async () => ({ find });
    globalThis.picked = [];
    search.addEventListener("knarr-select", (event) => {
      event.preventDefault();
      globalThis.picked.push(event.detail.hit.title);
    });
  });
  await bench.page.locator("button.trigger").tap();
  await bench.page.keyboard.type("fog");
  await bench.page.getByRole("option", { name: "fog 7" }).waitFor();
}

const picked = () => bench.page.evaluate(() => globalThis.picked);

describe("rows that come while a finger is on its way", () => {
  const third = () => middleOf(bench.page.getByRole("option", { name: "fog 2" }));
  const isFull = () => bench.page.locator(".section").first().waitFor();

  test("stay while it is down, and the row below it is opened", async () => {
    const page = await phone();
    await twoSteps();
    const place = await third();
    await page.waitForTimeout(400);
    await touch("touchStart", place);
    await page.evaluate(() => globalThis.texts());
    await page.waitForTimeout(500);
    assert.equal(await page.locator(".section").count(), 0);
    await touch("touchEnd");
    await page.waitForFunction(() => globalThis.picked.length > 0);
    assert.deepEqual(await picked(), ["fog 2"]);
  });

  test("come when it was lifted from a stroke", async () => {
    const page = await phone();
    await twoSteps();
    await touch("touchStart", { x: 190, y: 500 });
    for (let y = 490; y > 400; y -= 10) await touch("touchMove", { x: 190, y });
    await page.evaluate(() => globalThis.texts());
    await page.waitForTimeout(500);
    assert.equal(await page.locator(".section").count(), 0);
    await touch("touchEnd");
    await isFull();
    assert.deepEqual(await picked(), []);
  });

  for (const [delay, opened] of [[0, "fog 2"], [150, "fog 2"], [600, "fog 1"]]) {
    test(`are what it means when they have been there for a moment: after ${delay} ms it opens “${opened}”`, async () => {
      const page = await phone();
      await twoSteps();
      const place = await third();
      await page.waitForTimeout(400);
      // The page's clock stands: on a busy machine a tap is late, however short the delay.
      await page.evaluate(() => {
        const began = performance.now();
        performance.now = () => began;
        globalThis.texts();
      });
      await isFull();
      await page.evaluate((delay) => {
        const now = performance.now() + delay;
        performance.now = () => now;
      }, delay);
      await page.touchscreen.tap(place.x, place.y);
      assert.deepEqual(await picked(), [opened]);
    });
  }
});

describe("a phone's keyboard", () => {
  const field = () => bench.input.evaluate((input) => input.getRootNode().activeElement === input);

  test("corrects nothing, and its key is named for what it does", async () => {
    await phone();
    const names = ["enterkeyhint", "autocorrect", "autocapitalize", "spellcheck", "autocomplete"];
    const told = await bench.page.locator("knarr-search input").evaluate((input, names) => names.map((name) => input.getAttribute(name)), names);
    assert.deepEqual(told, ["go", "off", "none", "false", "off"]);
  });

  test("opens the first row, also after a stroke over the others", async () => {
    const page = await phone();
    await bench.standIn({ pages: 20 });
    await page.locator("button.trigger").tap();
    await bench.ask("fog");
    await stroke();
    await page.waitForTimeout(300);
    assert.equal(await page.locator("[aria-selected=true] .title").textContent(), "fog 0");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/blank.html?fog&0");
  });

  test("is put away by Enter before the rows, which opens nothing that nobody saw; Enter again does", async () => {
    const page = await phone();
    await bench.standIn({ held: true });
    await page.locator("button.trigger").tap();
    await page.keyboard.type("fog");
    await page.keyboard.press("Enter");
    assert.equal(await field(), false);
    await page.evaluate(() => globalThis.answer());
    await bench.rows.first().waitFor();
    await page.waitForTimeout(300);
    assert.equal(page.url(), `${bench.server.origin}/element.html`);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/blank.html?fog&0");
  });
});

describe("what a keyboard leaves of the window", () => {
  /** A part of the page is seen, as with a keyboard: where it begins and ends, with the ends of the panel and of the last row. */
  const seen = () => bench.page.locator("knarr-search").evaluate(({ shadowRoot }) => {
    const { offsetTop, height } = visualViewport;
    const { top, bottom } = shadowRoot.querySelector(".panel").getBoundingClientRect();
    const last = Array.from(shadowRoot.querySelectorAll("[role=option]")).at(-1).getBoundingClientRect().bottom;
    return { from: Math.round(offsetTop), to: Math.round(offsetTop + height), top: Math.round(top), bottom: Math.round(bottom), last: Math.round(last) };
  });

  test("has all rows", async () => {
    const page = await phone();
    await bench.standIn({ pages: 20 });
    await page.locator("button.trigger").tap();
    await bench.ask("fog");
    await bench.touch.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1.7 });
    await page.waitForTimeout(300);
    const before = await seen();
    assert.ok(before.to - before.from < 480, JSON.stringify(before));
    assert.deepEqual([before.top, before.bottom], [before.from, before.to]);
    for (let at = 0; at < 6; at++) {
      await stroke(400, 100);
      await page.waitForTimeout(200);
    }
    const { last, to } = await seen();
    assert.ok(last <= to, JSON.stringify({ last, to }));
  });

  test("is more when the rows are touched: the keyboard goes, and letters go on in the field", async () => {
    const page = await phone();
    await bench.standIn({ pages: 20 });
    await page.locator("button.trigger").tap();
    await bench.ask("fog");
    const isIn = () => bench.input.evaluate((input) => input.matches(":focus"));
    assert.equal(await isIn(), true);
    await stroke();
    assert.equal(await isIn(), false);
    await page.keyboard.type("s");
    assert.equal(await isIn(), true);
    assert.equal(await bench.input.inputValue(), "fogs");
  });

  test("is the whole window where nothing covers it", async () => {
    for (const viewport of [{ width: 390, height: 780 }, { width: 1000, height: 760 }]) {
      const page = await phone({ viewport });
      await bench.standIn({ pages: 20 });
      await page.locator("button.trigger").tap();
      await bench.ask("fog");
      await page.waitForTimeout(300);
      const { top, bottom } = await seen();
      assert.deepEqual([top, bottom], viewport.width < 500 ? [0, 780] : [76, 716]);
      if (viewport.width < 500) await bench.end();
    }
  });
});

describe("the button", () => {
  for (const gap of [80, 250, 400]) {
    test(`opens the dialog when it is tapped twice, ${gap} ms apart, and Cancel comes below the finger`, async () => {
      const page = await phone();
      await page.evaluate(() => Object.assign(document.querySelector("knarr-search").style, { position: "fixed", inset: "6px 6px auto auto" }));
      const { x, y } = await middleOf(page.locator("button.trigger"));
      await page.evaluate(() => {
        globalThis.taps = [];
        addEventListener("pointerdown", ({ timeStamp }) => globalThis.taps.push(timeStamp), { capture: true });
      });
      for (let tries = 30; ; tries -= 1) {
        await page.touchscreen.tap(x, y);
        await page.waitForTimeout(gap);
        await page.touchscreen.tap(x, y);
        await page.waitForTimeout(250);
        const passed = await page.evaluate(() => globalThis.taps.at(-1) - globalThis.taps.at(-2));
        if (passed < gap + 60) break;
        assert.ok(tries > 0, `the machine is too busy for two taps ${gap} ms apart: ${passed}`);
        await page.evaluate(() => document.querySelector("knarr-search").close());
        await page.waitForTimeout(600);
      }
      assert.equal(await page.evaluate(() => document.querySelector("knarr-search").open), true);
      await page.waitForTimeout(400);
      await page.locator(".cancel").tap();
      assert.equal(await page.evaluate(() => document.querySelector("knarr-search").open), false);
    });
  }
});

test("what is announced has one full stop between its sentences", async () => {
  const page = await phone();
  await page.evaluate(() => {
    const excerpt = { text: "", highlights: [] };
    const hit = { uri: "viking://resources/x/a", url: "blank.html", title: "Sessions", score: 1, excerpt, sections: [], abstract: "", tags: [] };
    const answer = { resources: [hit], memories: [], skills: [], total: 1, corrections: [], skipped: [], weak: true };
    document.querySelector("knarr-search").knarr = { find: async () => answer };
  });
  await page.locator("button.trigger").tap();
  await bench.input.fill("how to boil eggs");
  await bench.live.filter({ hasText: "Nothing here seems to be about “how to boil eggs”. The nearest. 1 result" }).waitFor({ state: "attached" });
});

describe("the ways out", () => {
  for (const [device, width, height] of [["a phone", 390, 780], ["a phone on its side", 863, 360], ["a tablet", 768, 1024], ["a wide tablet", 1180, 820]]) {
    test(`are there on ${device}, and large enough for a finger`, async () => {
      const page = await phone({ viewport: { width, height } });
      await bench.standIn();
      await page.locator("button.trigger").tap();
      await bench.ask("fog");
      for (const name of ["Clear", "Cancel"]) {
        const box = await page.getByRole("button", { name, exact: true }).boundingBox();
        assert.ok(box.width >= 44 && box.height >= 44, JSON.stringify([name, box]));
      }
      await page.waitForTimeout(500);
      await page.getByRole("button", { name: "Cancel" }).tap();
      assert.equal(await page.evaluate(() => document.querySelector("knarr-search").open), false);
    });
  }

  test("a wide window with a mouse needs none", async () => {
    const page = await bench.show();
    await page.keyboard.press("/");
    assert.equal(await page.locator(".cancel").isVisible(), false);
  });

  test("a request to close, such as Android's gesture, closes, and the question stays", async () => {
    const page = await phone();
    await bench.standIn();
    await page.locator("button.trigger").tap();
    await bench.ask("fog");
    await page.locator("dialog").evaluate((dialog) => dialog.requestClose());
    assert.equal(await page.evaluate(() => document.querySelector("knarr-search").open), false);
    assert.equal(await page.locator("[part=input]").inputValue(), "fog");
  });
});

describe("low windows", () => {
  test("scroll as a whole to what stands over or below the rows", async () => {
    const page = await phone({ viewport: { width: 740, height: 220 } });
    await page.evaluate(() => (document.querySelector("knarr-search").knarr = { find: () => Promise.reject(new Error("It fails.")) }));
    await page.locator("button.trigger").tap();
    await bench.input.fill("fog");
    const retry = page.getByRole("button", { name: "Try again" });
    await retry.waitFor();
    assert.ok((await retry.boundingBox()).y > 220);
    await stroke(200, 20);
    await page.waitForTimeout(300);
    const { y } = await retry.boundingBox();
    assert.ok(y > 57 && y < 176, String(y));
  });

  test("leave a finger on a panel's rows the page", async () => {
    const page = await phone({ viewport: { width: 863, height: 360 } });
    await page.evaluate(() => {
      document.querySelector("knarr-search").setAttribute("inline", "");
      document.body.append(Object.assign(document.createElement("div"), { textContent: "End" }));
      document.body.lastChild.style.marginBlockStart = "1500px";
    });
    await bench.standIn({ pages: 20 });
    await bench.ask("fog");
    assert.ok((await page.locator(".list").boundingBox()).height <= 216);
    for (let at = 0; at < 12; at++) {
      await stroke(250, 100);
      await page.waitForTimeout(100);
    }
    assert.ok((await page.evaluate(() => scrollY)) > 200);
  });

  test("keep the notch free where the page goes below it", async () => {
    const page = await phone({ viewport: { width: 750, height: 342 } });
    await bench.touch.send("Emulation.setSafeAreaInsetsOverride", { insets: { top: 20, bottom: 21, left: 47, right: 46 } });
    await bench.standIn();
    await page.locator("button.trigger").tap();
    await bench.ask("fog");
    const [icon, cancel] = [await page.locator(".head > .icon").boundingBox(), await page.locator(".cancel").boundingBox()];
    assert.ok(icon.x >= 47 && icon.y >= 20, JSON.stringify(icon));
    assert.ok(cancel.x + cancel.width <= 704, JSON.stringify(cancel));
  });
});
