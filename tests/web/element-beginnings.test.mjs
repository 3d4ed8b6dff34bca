/** `<knarr-search>` over a bundle while somebody types: rows for beginnings, their texts, and what is fetched. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { beginningOf } from "../../pkg/src/element-keys.js";
import { Bench } from "./element-page.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.page && bench.end());

const QUERY = "bowline loop that never jams";

/** Opens the dialog and types a letter every 100 ms; answers once the texts of the rows are there. */
async function typed(delay) {
  const page = await bench.show();
  bench.server.faults.delay = delay;
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const seen = (globalThis.seen = []);
    new MutationObserver(() => {
      const [row] = search.shadowRoot.querySelectorAll(".group .page");
      if (row) seen.push({ typed: search.shadowRoot.querySelector("input").value, sections: search.shadowRoot.querySelectorAll(".section").length });
    }).observe(search.shadowRoot.querySelector("#results"), { childList: true });
  });
  await page.keyboard.press("/");
  await page.keyboard.type(QUERY, { delay: 100 });
  await page.locator(".section").first().waitFor();
  return page;
}

test("rows are there before the last letter, and their texts when typing stops", async () => {
  const page = await typed(50);
  const seen = await page.evaluate(() => globalThis.seen);
  const early = seen.filter(({ typed }) => typed !== QUERY);
  assert.ok(early.some(({ sections }) => sections === 0), JSON.stringify(seen));
  assert.ok(seen.at(-1).sections > 0);
});

test("a typed question asks for nothing twice, and cuts nothing off", async () => {
  await typed(50);
  const made = bench.server.requests;
  const names = made.map(({ path, range }) => `${path} ${range}`);
  assert.deepEqual(names.filter((name, at) => names.indexOf(name) !== at), []);
  assert.deepEqual(made.filter(({ aborted }) => aborted), []);
  const ranges = made.filter(({ path }) => path.endsWith(".pack")).length;
  assert.ok(ranges <= MOST_RANGES, `${ranges} ranges`);
});

/** Ranges of a question typed over the test site; pasted it asks for 7. */
const MOST_RANGES = 30;

/** Notes what the element asks of its bundle, which answers `wait` ms later, in `globalThis.asked`. */
const note = (page, wait) => page.evaluate((wait) => {
  const search = document.querySelector("knarr-search");
  const opened = search.bundle;
  globalThis.asked = [];
  search.bundle = async () => {
    const knarr = await opened.call(search);
    const find = async (query, options) => {
      globalThis.asked.push([query, options]);
      await new Promise((resolve) => setTimeout(resolve, wait));
      return knarr.find(query, options);
    };
    return { find };
  };
}, wait);

test("the words of a question are there before its last letter: its rows come a round earlier", async () => {
  const page = await bench.show();
  await note(page, 0);
  await page.keyboard.press("/");
  await page.keyboard.type("tide barometer ", { delay: 100 });
  await page.locator(".section").first().waitFor();
  const ahead = (await page.evaluate(() => globalThis.asked)).filter(([, { limit }]) => limit === 1);
  assert.ok(ahead.length > 3 && ahead.length < 14, JSON.stringify(ahead));
  assert.ok(!ahead.some(([query]) => /\bb(ar?)?$/.test(query)), "less than four letters complete to anything");
  assert.deepEqual(ahead.find(([query]) => query === "tide barometer")?.at(-1).prefix, true);
  assert.ok(ahead.filter(([query]) => query === "tide").every(([, { prefix }], at) => prefix === (at === 0)), JSON.stringify(ahead));
});

test("a short beginning has few rows, a longer one more, and the whole question all", async () => {
  const page = await bench.show();
  await note(page, 100); // A slow answer: a pause between two letters is no end.
  await page.keyboard.press("/");
  await page.keyboard.type(QUERY, { delay: 100 });
  await page.locator(".section").first().waitFor();
  const asked = (await page.evaluate(() => globalThis.asked)).filter(([, { limit }]) => limit > 1);
  const beginnings = asked.filter(([query, { limit }]) => query !== QUERY && limit < 8); // Of eight where the machine paused.
  assert.ok(beginnings.length > 1, JSON.stringify(asked));
  for (const [{ length }, { limit }] of beginnings) assert.equal(limit, 3 + Math.floor(length / 8));
  assert.deepEqual(asked.filter(([query]) => query === QUERY).map(([, { limit }]) => limit), [8, 8], "rows, and with their texts");
});

test("the panel does not shrink below the rows of one beginning at those of the next, and fits the whole question's", async () => {
  const page = await bench.show();
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const excerpt = { text: "", highlights: [] };
    const row = (at) => ({ uri: `viking://resources/x/${at}`, url: `${at}.html`, title: `Session ${at}`, score: 1, excerpt, sections: [], abstract: "", tags: [] });
    const find = async (query, { limit }) => {
      await new Promise((resolve) => setTimeout(resolve, 100)); // A pause between two letters is no end then.
      const resources = Array.from({ length: query.length < 8 ? limit : 1 }, (_, at) => row(at));
      return { resources, memories: [], skills: [], total: resources.length, corrections: [], skipped: [] };
    };
    search.bundle = async () => ({ find });
    globalThis.seen = [];
    const { list, panel } = { list: search.shadowRoot.querySelector(".list"), panel: search.shadowRoot.querySelector(".panel") };
    new MutationObserver(() => globalThis.seen.push([list.querySelectorAll(".row").length, panel.offsetHeight])).observe(list, { childList: true });
  });
  await page.keyboard.press("/");
  await page.keyboard.type("session of the tide over the harbour", { delay: 100 });
  await page.waitForTimeout(800);
  const seen = await page.evaluate(() => globalThis.seen);
  const first = seen.findIndex(([rows]) => rows === 3);
  const next = seen.findIndex(([rows], at) => at > first && rows === 1);
  assert.ok(first >= 0 && next > first, JSON.stringify(seen));
  assert.equal(seen[next][1], seen[first][1], "three rows, then one");
  assert.ok(seen.at(-1)[1] < seen[first][1], JSON.stringify(seen));
});

test("that half a word is nowhere is not said", async () => {
  const page = await bench.show();
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const excerpt = { text: "", highlights: [] };
    const row = { uri: "viking://resources/x/a", url: "blank.html", title: "Sessions", score: 1, excerpt, sections: [], abstract: "", tags: [] };
    const find = async (query) => {
      const resources = query === "sesio" || query === "sesionx" ? [] : [row];
      return { resources, memories: [], skills: [], total: resources.length, corrections: [], skipped: [] };
    };
    search.bundle = async () => ({ find });
    globalThis.told = [];
    const { above, list } = { above: search.shadowRoot.querySelector(".above"), list: search.shadowRoot.querySelector(".list") };
    const seen = () => globalThis.told.push([search.shadowRoot.querySelector("input").value, above.textContent, list.querySelectorAll(".page").length]);
    new MutationObserver(seen).observe(above, { childList: true });
  });
  await page.keyboard.press("/");
  for (const letter of "sesion") {
    await page.keyboard.type(letter);
    await page.waitForTimeout(100);
  }
  await page.locator(".group .page").first().waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.told.filter(([, text]) => text !== "")), []);
  await page.keyboard.type("x");
  await page.getByText("No results for “sesionx”").first().waitFor();
});

test("a word that is nowhere, typed slowly, leaves the dialog as high as its grey rows until that is said", async () => {
  const page = await bench.show();
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const find = async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { resources: [], memories: [], skills: [], total: 0, corrections: [], skipped: [] };
    };
    search.bundle = async () => ({ find });
    const places = Array.from(search.shadowRoot.querySelectorAll(".above, .list, .below"));
    globalThis.seen = [];
    const see = () => globalThis.seen.push(places.map(({ textContent, childElementCount }) => textContent.slice(0, 10) || childElementCount));
    for (const place of places) new MutationObserver(see).observe(place, { childList: true });
  });
  await page.keyboard.press("/");
  for (const letter of "zxqvkjw") {
    await page.keyboard.type(letter);
    await page.waitForTimeout(250);
  }
  await page.getByText("No results for “zxqvkjw”").first().waitFor();
  const seen = await page.evaluate(() => globalThis.seen);
  assert.ok(seen.length > 1, "grey rows came");
  assert.deepEqual(seen.filter((places) => places.every((place) => place === 0)), []);
});

test("what an earlier word was read as is told with the rows of the beginning, too: the line stays", async () => {
  const page = await bench.show();
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const excerpt = { text: "", highlights: [] };
    const row = { uri: "viking://resources/x/a", url: "blank.html", title: "Sessions", score: 1, excerpt, sections: [], abstract: "", tags: [] };
    const find = async () => ({ resources: [row], memories: [], skills: [], total: 1, corrections: [["sesion", "session"]], skipped: [] });
    search.bundle = async () => ({ find });
    const above = search.shadowRoot.querySelector(".above");
    globalThis.told = [];
    new MutationObserver(() => globalThis.told.push([search.shadowRoot.querySelector("input").value, above.textContent])).observe(above, { childList: true });
  });
  await page.keyboard.press("/");
  await page.keyboard.type("sesion cookies of guests", { delay: 120 });
  await page.getByText("Showing results for").first().waitFor();
  await page.waitForTimeout(600);
  const told = (await page.evaluate(() => globalThis.told)).filter(([typed]) => /^sesion cook/.test(typed));
  assert.ok(told.length > 1 && told.every(([, text]) => text.startsWith("Showing results for session")), JSON.stringify(told));
});

test("a chosen row stays chosen when the texts come", async () => {
  const page = await bench.show();
  await page.keyboard.press("/");
  await page.evaluate(() => {
    const search = document.querySelector("knarr-search");
    const opened = search.bundle;
    const texts = new Promise((resolve) => (globalThis.release = resolve));
    search.bundle = async () => {
      const knarr = await opened.call(search);
      return {
        async find(query, options) {
          const answer = await knarr.find(query, options);
          if (options.excerpts !== false) await texts;
          return answer;
        },
      };
    };
  });
  await page.keyboard.type("entry of the harbour master");
  // Only the whole question's rows are announced.
  await bench.live.filter({ hasText: /\d/ }).waitFor({ state: "attached" });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const chosen = () => page.evaluate(() => document.querySelector("knarr-search").shadowRoot.querySelector("[aria-selected=true]")?.href);
  const before = await chosen();
  await page.evaluate(() => globalThis.release());
  await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelector("[role=listbox]").ariaBusy !== "true");
  assert.equal(await chosen(), before);
});

test("a last word of one or two letters is not asked yet", () => {
  for (const [text, beginning] of [
    ["t", ""], ["thr", "thr"], ["how t", "how"], ["how to ", "how to"], ["C++", "C++"], ["线", "线"], ["스레", "스레"], ["", ""],
  ]) {
    assert.equal(beginningOf(text), beginning, text);
  }
  assert.deepEqual(["how thr", "how thre", "how thread", "how do "].map((text) => beginningOf(text, 4)), ["how", "how thre", "how thread", "how do"]);
});
