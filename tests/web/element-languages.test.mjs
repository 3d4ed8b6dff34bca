/** The languages that `<knarr-search>` speaks: their texts, when these are loaded, and what an open dialog keeps when they come. */

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { openPage } from "./browser.mjs";
import { DIST } from "./bundles.mjs";
import { Bench } from "./element-page.mjs";
import { FILTER_TEXTS } from "./filter-texts.mjs";

const SOURCE = fileURLToPath(new URL("../../pkg/src/", import.meta.url));
const PAGES = fileURLToPath(new URL("out/languages", import.meta.url));
const { counted, directionOf, loadStrings, stringsFor } = await import(pathToFileURL(`${SOURCE}element-strings.js`).href);
const ENGLISH = stringsFor("en");
await loadStrings("bn", false); // The table of more labels, which a page asks for.

/** Texts in English that are not in the element's script, since few pages show them, and come before the kinds. */
const { kinds: KINDS, ...SHOWN } = ENGLISH;
const ALL_ENGLISH = { ...SHOWN, ...FILTER_TEXTS, kinds: KINDS };

/** Texts by language, as their files have them. */
const TEXTS = {};
for (const [name, language] of readdirSync(SOURCE).map((name) => /^strings-(.+)\.js$/.exec(name)).filter((found) => found && found[1] !== "more")) {
  TEXTS[language] = (await import(pathToFileURL(SOURCE + name).href)).default;
}

/** The languages of a table: the file of each line. */
const tableOf = (name) => Array.from(readFileSync(SOURCE + name, "utf8").matchAll(/import\("\.\/strings-([\w-]+)\.js"\)/g), ([, language]) => language).filter((language) => language !== "more");
const MORE = tableOf("strings-more.js");

/** Texts that are the same as in English. */
const SAME = { af: ["filters"], nl: ["details", "filters"] };

const COUNTED = ["count", "count_best"];
const forms = (text) => (typeof text === "string" ? [text] : Object.values(text));
const marks = (text) => [...new Set(forms(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].toSorted();

describe("the texts", () => {
  test("forty-eight languages with English, two of them in two scripts, each in the script's table or in the other", () => {
    const table = tableOf("element-strings.js");
    for (const sorted of [table, MORE]) assert.deepEqual(sorted, sorted.toSorted());
    assert.deepEqual([...table, ...MORE].toSorted(), Object.keys(TEXTS).toSorted());
    assert.equal(1 + table.length + MORE.length - 2, 48);
  });

  test("the script's list of languages has those of the other table, and no others", () => {
    const [, list] = /const MORE = \/\^\(([^)]+)\)\$\/;/.exec(readFileSync(`${SOURCE}element-strings.js`, "utf8"));
    assert.deepEqual(list.split("|"), [...new Set(MORE.map((language) => language.split("-")[0]))]);
  });

  test("a file is 1.3 kB at most, as a host sends it", () => {
    for (const name of readdirSync(DIST).filter((name) => name.startsWith("strings-"))) {
      assert.ok(brotliCompressSync(readFileSync(join(DIST, name))).length <= 1300, name);
    }
  });

  test("a language is found by every tag of it, also one that is written wrong", () => {
    const named = (...tags) => tags.map((tag) => stringsFor(tag).label);
    assert.deepEqual(new Set(named("nb", "nn-NO", "no", "NO")), new Set(["Søk"]));
    assert.deepEqual(named("zh", "zh-CN", "zh-Hans-HK", "zh-TW", "zh_HK", "zh-Hant"), ["搜索", "搜索", "搜索", "搜尋", "搜尋", "搜尋"]);
    assert.deepEqual(named("sr", "sr-RS", "sr-Cyrl-ME", "sr-Latn", "sr_Latn_RS", "sh"), ["Претрага", "Претрага", "Претрага", "Pretraga", "Pretraga", "Pretraga"]);
    assert.deepEqual(named("fil", "tl", "tl-PH"), ["Maghanap", "Maghanap", "Maghanap"]);
    assert.deepEqual(named("pt_BR", "de_DE.UTF-8", "zh-cmn-Hans", "fr-"), ["Pesquisar", "Suchen", "搜索", "Rechercher"]);
    assert.deepEqual(new Set(named("", "x", "-", "i-klingon", "xx", "constructor", "__proto__", "später")), new Set(["Search"]));
  });

  test("the direction is that of a language's letters, with texts or without", () => {
    const of = (direction, tags) => tags.filter((tag) => directionOf(tag) !== direction);
    assert.deepEqual(of("rtl", ["ar", "ar-EG", "fa", "he", "iw", "ur", "ur-PK", "ur_IN", "ckb", "dv", "ks", "ps", "sd", "syr", "ug", "yi", "pa-PK", "AR"]), []);
    assert.deepEqual(of("ltr", ["en", "bn", "sr", "ta", "tr", "ku", "pa", "xx", "", "arn"]), []);
  });

  test("numbers are written as the page's language and region have them, and are English's until the texts are there", async () => {
    const said = (tag, count) => counted(stringsFor(tag), "count", count);
    assert.equal(said("hu", 1234), "1,234 results");
    await Promise.all(["hu", "pt-PT", "bn", "sr-Latn"].map((tag) => loadStrings(tag, true)));
    assert.deepEqual([said("hu", 12345), said("pt-PT", 0), said("pt-BR", 0), said("bn", 12), said("sr-Latn", 22)], ["12\u00a0345 találat", "0 resultados", "0 resultado", "১২টি ফলাফল", "22 rezultata"]);
  });

  for (const [language, texts] of Object.entries(TEXTS)) {
    test(`${language}: English's names and marks, its own plural forms, and nothing left in English`, () => {
      const { label } = stringsFor(language);
      assert.notEqual(label, ENGLISH.label);
      assert.deepEqual(Object.keys({ label, ...texts }), Object.keys(ALL_ENGLISH), "in English's order");
      for (const [name, text] of Object.entries(texts)) {
        if (name === "kinds") continue;
        assert.deepEqual(marks(text), marks(ALL_ENGLISH[name]), name);
        for (const form of forms(text)) assert.equal(form, form.trim(), name);
        if (!SAME[language]?.includes(name)) assert.notDeepEqual(text, ALL_ENGLISH[name], name);
      }
      const rules = new Intl.PluralRules(language);
      assert.ok(language.startsWith(rules.resolvedOptions().locale), "Intl knows the language");
      const categories = new Set([...Array(1001).keys(), 1e6].map((count) => rules.select(count)).concat("other"));
      for (const name of COUNTED) assert.deepEqual(Object.keys(texts[name]).toSorted(), [...categories].toSorted(), name);
      assert.deepEqual(Object.keys(texts.kinds), Object.keys(TEXTS.de.kinds));
      for (const [kind, name] of Object.entries(texts.kinds)) assert.ok(name.trim() === name && name.length > 0 && name.length < 32, kind);
    });
  }
});

const page = (language, elements = '<knarr-search src="/search/" base="/site/"></knarr-search>') => `<!doctype html>
  <html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Harbour</title>
  <script type="module" src="/knarr/knarr-search.js"></script></head><body><main>${elements}</main></body></html>`;
const INLINE = '<knarr-search src="/search/" base="/site/" inline></knarr-search>';

let bench;
let warned;

before(async () => {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(PAGES, { recursive: true });
  for (const language of ["en", "fr", "zh-TW", "zh-Hans-HK", "pt-BR", "nb", "ar", "xx", "bn", "tl", "sr-Latn", "ur"]) writeFileSync(`${PAGES}/${language}.html`, page(language));
  writeFileSync(`${PAGES}/fr-inline.html`, page("fr", INLINE));
  writeFileSync(`${PAGES}/en-inline.html`, page("en", INLINE));
  writeFileSync(`${PAGES}/bn-inline.html`, page("bn", INLINE));
  writeFileSync(`${PAGES}/fr-two.html`, page("fr", INLINE + INLINE));
  bench = await Bench.start({ "/languages/": PAGES });
});
after(() => bench?.stop());

/** Opens a page in a language; what the console warns of is in `warned`. */
const show = async (name, { clock = false } = {}) => {
  bench.page = await openPage(bench.browser, "about:blank");
  if (clock) await bench.page.clock.install();
  warned = [];
  bench.page.on("console", (message) => message.type() === "warning" && warned.push(message.text()));
  await bench.page.goto(`${bench.server.origin}/languages/${name}.html`);
  await bench.page.locator("knarr-search [part=panel], knarr-search [part=trigger]").first().waitFor({ state: "attached" });
  return bench.page;
};
const asked = () => bench.server.requests.map(({ path }) => path).filter((path) => path.includes("/strings-")).map((path) => path.slice("/knarr/".length));
const TABLE = "strings-more.js";
const isText = (path) => path.includes("/strings-");
/** Opens the dialog, and says how much of what stands below the field is seen: read in the page, since here a second may have gone. */
const shownAtOnce = () => bench.page.evaluate(() => {
  const search = document.querySelector("knarr-search");
  search.show();
  return getComputedStyle(search.shadowRoot.querySelector(".below")).opacity;
});
const trigger = () => bench.page.locator("button.trigger");
const start = () => bench.page.locator(".note.quiet p").first();
const said = (text) => bench.page.getByText(text, { exact: true }).first().waitFor();
const hinted = (text) => bench.page.locator(".hint", { hasText: text }).first().waitFor();

describe("in a page", () => {
  afterEach(() => bench.end());

  for (const [language, file, label, placeholder] of [
    ["fr", "strings-fr.js", "Rechercher", "Rechercher dans la documentation"],
    ["zh-TW", "strings-zh-hant.js", "搜尋", "搜尋文件"],
    ["zh-Hans-HK", "strings-zh.js", "搜索", "搜索文档"],
    ["pt-BR", "strings-pt.js", "Pesquisar", "Pesquisar na documentação"],
    ["nb", "strings-no.js", "Søk", "Søk i dokumentasjonen"],
    ["ar", "strings-ar.js", "بحث", "البحث في الوثائق"],
  ]) {
    test(`${language}: the button at once, the rest when it is used`, async () => {
      const page = await show(language);
      assert.equal(await trigger().locator(".label").textContent(), label);
      await page.waitForLoadState("networkidle");
      assert.deepEqual(asked(), []);
      await page.keyboard.press("/");
      await said(TEXTS[file.slice(8, -3)].start);
      assert.equal(await bench.input.getAttribute("placeholder"), placeholder);
      assert.deepEqual(asked(), [file]);
      const direction = await bench.input.evaluate((input) => getComputedStyle(input).direction);
      assert.equal(direction, language === "ar" ? "rtl" : "ltr");
    });
  }

  for (const [language, file, label, placeholder] of [
    ["bn", "strings-bn.js", "খুঁজুন", "ডকুমেন্টেশনে খুঁজুন"],
    ["tl", "strings-fil.js", "Maghanap", "Maghanap sa dokumentasyon"],
    ["sr-Latn", "strings-sr-latn.js", "Pretraga", "Pretraga dokumentacije"],
    ["ur", "strings-ur.js", "تلاش کریں", "دستاویزات میں تلاش کریں"],
  ]) {
    test(`${language}: the button as soon as the table with its label is there, the rest when it is used`, async () => {
      const page = await show(language);
      await trigger().locator(".label", { hasText: label }).waitFor();
      await page.waitForLoadState("networkidle");
      assert.deepEqual(asked(), [TABLE]);
      await page.keyboard.press("/");
      await said(TEXTS[file.slice(8, -3)].start);
      assert.equal(await bench.input.getAttribute("placeholder"), placeholder);
      assert.deepEqual(asked(), [TABLE, file]);
      await page.waitForFunction(() => document.querySelector("knarr-search").shadowRoot.querySelector(".shell").className === "shell");
      assert.equal(await bench.input.evaluate((input) => getComputedStyle(input).direction), language === "ur" ? "rtl" : "ltr");
    });
  }

  test("a label that is on its way is not shown in English for a second, though it is the button's name", async () => {
    bench.server.faults.stall = (path) => path.endsWith(TABLE);
    const page = (bench.page = await openPage(bench.browser, "about:blank"));
    // Read in the page: here the second may be over.
    await page.addInitScript(() => customElements.whenDefined("knarr-search").then(() => requestAnimationFrame(() => {
      const { shadowRoot } = document.querySelector("knarr-search");
      globalThis.first = [".label", ".icon"].map((selector) => getComputedStyle(shadowRoot.querySelector(`.trigger ${selector}`)).opacity);
    })));
    await page.goto(`${bench.server.origin}/languages/bn.html`);
    await page.getByRole("button", { name: "Search" }).waitFor();
    assert.deepEqual(await page.evaluate(() => globalThis.first), ["0", "1"]);
    await page.waitForTimeout(1100);
    assert.equal(await trigger().locator(".label").evaluate((label) => getComputedStyle(label).opacity), "1");
  });

  test("the button has its size from the start, whatever its label will be", async () => {
    bench.server.faults.delay = (path) => (path.endsWith(TABLE) ? 1500 : 0);
    await show("ur");
    const { width, height } = await trigger().boundingBox();
    await trigger().locator(".label", { hasText: "تلاش کریں" }).waitFor();
    const box = await trigger().boundingBox();
    assert.deepEqual([box.width, box.height], [width, height]);
    assert.equal(await bench.page.locator(".late, .mute").count(), 0);
  });

  test("a label of the script's own table is shown while the texts come", async () => {
    bench.server.faults.stall = isText;
    await show("fr");
    await trigger().hover();
    await bench.page.locator(".mute").waitFor({ state: "attached" });
    assert.equal(await trigger().locator(".label").evaluate((label) => getComputedStyle(label).opacity), "1");
  });

  test("a dialog that is opened before the label is there has both files one after the other, and no English in between", async () => {
    bench.server.faults.delay = (path) => (isText(path) ? 400 : 0);
    await show("bn");
    assert.equal(await shownAtOnce(), "0");
    await said(TEXTS.bn.start);
    assert.deepEqual(asked(), [TABLE, "strings-bn.js"]);
    assert.equal(await trigger().locator(".label").textContent(), "খুঁজুন");
  });

  test("a panel of the page asks for both at once, and two tables are never asked for", async () => {
    await show("bn-inline");
    await said(TEXTS.bn.start);
    assert.deepEqual(asked(), [TABLE, "strings-bn.js"]);
    await bench.page.evaluate(() => (document.querySelector("knarr-search").lang = "ur"));
    await said(TEXTS.ur.start);
    assert.deepEqual(asked(), [TABLE, "strings-bn.js", "strings-ur.js"]);
  });

  test("a closed dialog that is given another language has its label at once, and its texts when it is used", async () => {
    await show("en");
    await bench.page.evaluate(() => (document.querySelector("knarr-search").lang = "ka"));
    await trigger().locator(".label", { hasText: "ძიება" }).waitFor();
    await bench.page.evaluate(() => (document.querySelector("knarr-search").lang = "sv"));
    assert.equal(await trigger().locator(".label").textContent(), "Sök");
    assert.deepEqual(asked(), [TABLE]);
  });

  test("a table that is missing leaves English, and only the console says so; a later use asks again", async () => {
    bench.server.faults.status = (path) => (isText(path) ? 404 : undefined);
    const page = await show("bn", { clock: true });
    await trigger().click();
    await said(ENGLISH.start);
    await bench.ask("bowline");
    await page.locator(".end", { hasText: /result/ }).waitFor();
    assert.ok(warned.length > 0 && warned.every((text) => text.includes("the texts in “bn” did not come")), `${warned}`);
    assert.deepEqual(asked(), [TABLE]);
    assert.deepEqual([await trigger().locator(".label").textContent(), await page.locator(".late, .mute").count()], ["Search", 0]);
    bench.server.faults.status = undefined;
    await page.clock.fastForward(10_000);
    await page.evaluate(() => document.querySelector("knarr-search").show());
    await hinted(TEXTS.bn.navigate);
    assert.equal(await trigger().locator(".label").textContent(), "খুঁজুন");
  });

  for (const language of ["en", "xx"]) {
    test(`${language}: English, and nothing is asked for`, async () => {
      const page = await show(language);
      await trigger().click();
      await bench.ask("bowline");
      await page.locator(".end", { hasText: /result/ }).waitFor();
      assert.deepEqual([asked(), warned], [[], []]);
    });
  }

  test("an English panel of the page asks for nothing, a French one for its texts at once", async () => {
    await show("en-inline");
    await said(ENGLISH.start);
    assert.deepEqual(asked(), []);
    await bench.end();
    await show("fr-inline");
    await said(TEXTS.fr.start);
    assert.deepEqual(asked(), ["strings-fr.js"]);
  });

  test("two elements share a file", async () => {
    const page = await show("fr-two");
    await page.waitForFunction((text) => Array.from(document.querySelectorAll("knarr-search"), (one) => one.shadowRoot.querySelector("input").placeholder).every((told) => told === text), TEXTS.fr.placeholder);
    assert.deepEqual(asked(), ["strings-fr.js"]);
    const names = await page.getByRole("search").evaluateAll((all) => all.map((one) => one.ariaLabel));
    assert.deepEqual(names, [TEXTS.fr.placeholder, `${TEXTS.fr.placeholder} 2`]);
  });

  test("a file that is missing leaves English, and only the console says so; a later use asks again", async () => {
    bench.server.faults.status = (path) => (isText(path) ? 404 : undefined);
    const page = await show("fr", { clock: true });
    await trigger().click();
    await said(ENGLISH.start);
    await bench.ask("bowline");
    await page.locator(".end", { hasText: /result/ }).waitFor();
    assert.ok(warned.length > 0 && warned.every((text) => text.includes("the texts in “fr” did not come")), `${warned}`);
    assert.equal(asked().length, 1);
    bench.server.faults.status = undefined;
    await page.clock.fastForward(10_000);
    await page.evaluate(() => document.querySelector("knarr-search").show());
    await hinted(TEXTS.fr.navigate);
  });

  test("a slow file closes, moves and forgets nothing", async () => {
    bench.server.faults.delay = (path) => (isText(path) ? 1500 : 0);
    const page = await show("fr");
    await bench.standIn();
    await page.keyboard.press("/");
    await bench.ask("mooring boat");
    await page.keyboard.press("ArrowDown");
    await bench.input.evaluate((input) => input.setSelectionRange(3, 5));
    const state = () => bench.input.evaluate((input) => [
      input.getRootNode().activeElement === input, input.value, input.selectionStart, input.selectionEnd,
      input.getAttribute("aria-activedescendant"), input.getRootNode().querySelectorAll("[role=option]")[1].ariaSelected,
    ]);
    const before = await state();
    await page.evaluate(() => (globalThis.row = document.querySelector("knarr-search").shadowRoot.querySelector("[role=option]")));
    assert.deepEqual(before, [true, "mooring boat", 3, 5, "row-1", "true"]);
    await page.locator(".end", { hasText: "3 results" }).waitFor({ state: "attached" });
    await said("3 résultats");
    assert.deepEqual(await state(), before);
    assert.ok(await page.getByRole("dialog", { name: "Rechercher" }).isVisible());
    assert.ok(await page.evaluate(() => globalThis.row.isConnected), "the rows are the same nodes");
    assert.equal(await page.locator(".mute").count(), 0);
  });

  test("a slow file does not take the focus from a button, or the text of who types into a panel", async () => {
    bench.server.faults.delay = (path) => (isText(path) ? 8000 : 0);
    bench.server.faults.status = (path) => (path.startsWith("/search/") ? 404 : undefined);
    const page = await show("fr-inline");
    await bench.input.pressSequentially("mooring ");
    const retry = page.getByRole("button", { name: ENGLISH.retry });
    await retry.focus();
    await said(TEXTS.fr.error);
    assert.ok(await page.getByRole("button", { name: TEXTS.fr.retry }).evaluate((button) => button.getRootNode().activeElement === button));
    assert.equal(await bench.input.inputValue(), "mooring ");
  });

  test("until its texts are there, nothing stands in their place, and after a second English", async () => {
    bench.server.faults.stall = isText;
    const page = await show("fr");
    const opacity = () => page.locator(".below").evaluate((below) => getComputedStyle(below).opacity);
    assert.equal(await shownAtOnce(), "0");
    assert.equal(await start().textContent(), ENGLISH.start);
    await page.waitForTimeout(1100);
    assert.equal(await opacity(), "1");
  });

  test("another language and other words keep the dialog, and the site's own words are on top", async () => {
    const page = await show("en");
    await page.keyboard.press("/");
    await page.evaluate(() => (document.querySelector("knarr-search").strings = { start: "Ahoy!" }));
    await said("Ahoy!");
    await page.evaluate(() => (document.querySelector("knarr-search").lang = "ja"));
    await hinted(TEXTS.ja.navigate);
    assert.equal(await start().textContent(), "Ahoy!");
    assert.ok(await page.getByRole("dialog", { name: "検索" }).isVisible());
    assert.ok(await bench.input.evaluate((input) => input.getRootNode().activeElement === input));
    await page.evaluate(() => (document.querySelector("knarr-search").strings = {}));
    assert.equal(await start().textContent(), TEXTS.ja.start);
    assert.deepEqual(asked(), ["strings-ja.js"]);
  });

  test("kinds and languages of pages are in the element's language, kinds of programs as programs have them", async () => {
    const page = await show("fr");
    await bench.standIn();
    await page.evaluate(() => {
      const search = document.querySelector("knarr-search");
      const { find } = search.knarr;
      const tags = ["kind=release-notes", "kind=struct", "kind=logbook"];
      search.knarr = {
        find: async (query) => {
          const answer = await find(query);
          for (const [at, tag] of tags.entries()) Object.assign(answer.resources[at], { lang: "fr", tags: [tag], also: [{ lang: "de" }, { lang: "ja" }] });
          return answer;
        },
      };
      search.strings = { kinds: { logbook: "journal de bord" } };
    });
    await page.keyboard.press("/");
    await bench.ask("mooring");
    await said("notes de version");
    assert.deepEqual(await page.locator(".kind").allTextContents(), ["notes de version", "struct", "journal de bord"]);
    assert.equal(await page.locator(".text [part=also]").first().textContent(), "Aussi en allemand et japonais");
  });

  test("a panel in Arabic runs from right to left, also in a page that says nothing of it, and what is typed has its own direction", async () => {
    const page = await show("ar");
    await page.keyboard.press("/");
    await said(TEXTS.ar.start);
    await bench.ask("bowline");
    const directions = await page.evaluate(() => {
      const { shadowRoot } = document.querySelector("knarr-search");
      const of = (selector) => getComputedStyle(shadowRoot.querySelector(selector)).direction;
      const side = (selector) => shadowRoot.querySelector(selector).getBoundingClientRect().left;
      return [of("dialog"), of("input"), of(".row"), side(".row > .icon") > side(".row .title")];
    });
    assert.deepEqual(directions, ["rtl", "ltr", "rtl", true]);
    assert.ok(asked().length === 1);
    await page.evaluate(() => (document.querySelector("knarr-search").lang = "en"));
    await hinted(ENGLISH.navigate);
    assert.equal(await page.locator("dialog").evaluate((dialog) => getComputedStyle(dialog).direction), "ltr");
  });
});
