/** What the rows of `<knarr-search>` look like: marks, names too long for a line, titles of directories. */

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { crumbsOf, namedRow, ownersWords, titleRanges, wordsToMark } from "../../pkg/src/element-view.js";
import { DIST, LARGE } from "./bundles.mjs";
import { Bench } from "./element-page.mjs";
import { serve } from "./server.mjs";

let bench;

before(async () => (bench = await Bench.start()));
after(() => bench?.stop());
afterEach(() => bench.page && bench.end());

test("words of a title are marked, and the parts of a name in it", () => {
  const marked = (title, query) => titleRanges(title, query).map(([start, end]) => title.slice(start, end));
  assert.deepEqual(marked("flask.sessions.SessionInterface.get_cookie_name", "session cookie"), ["session", "Session", "cookie"]);
  assert.deepEqual(marked("SESSION_COOKIE_NAME", "session cookie"), ["SESSION", "COOKIE"]);
  assert.deepEqual(marked("flask.url_for", "url_for"), ["url_for"]);
  assert.deepEqual(marked("Redirects", "direct"), []);
  assert.deepEqual(marked("读取气压计", "读取"), ["读取"]);
});

test("the first page of a folder stands under the folder's name, where that says more than its title", () => {
  const of = (path, title, rest) => crumbsOf({ uri: `viking://resources/rust/${path}`, title, ...rest });
  assert.deepEqual(of("edition-guide/index.html", "Introduction"), ["Edition guide"]);
  assert.deepEqual(of("edition-guide/index.html", "The Edition Guide"), ["Edition guide"]);
  assert.deepEqual(of("edition-guide/index.html", "Edition Guide"), []);
  assert.deepEqual(of("guide/deep/README.md", "Overview", { crumbs: ["Guide"] }), ["Guide"]);
  assert.deepEqual(of("index.html", "Home"), []);
  assert.deepEqual(of("guide/start.html", "Start"), []);
  assert.deepEqual(of("de/index.html", "Anfang", { lang: "de" }), []);
  assert.deepEqual(of("docs/index.html", "Home"), []);
  // The slug of a post is its title in other words.
  assert.deepEqual(of("blog/2024/05/01/v4-released/index.html", "Version 4"), []);
  assert.deepEqual(of("2024/v4-released/index.html", "Version 4"), []);
  assert.deepEqual(of("2024/guide/deep/index.html", "Overview"), ["Deep"]);
});

test("Enter opens the section with the name that was asked for, and a page with it before its sections", async () => {
  const api = { title: "API" };
  const row = (title, result = api) => ({ knarrHit: { hit: { title }, result } });
  const rows = [row("API"), row("flask.Flask.url_for"), row("Rebuilding urls"), row("url_for", { title: "Another page" })];
  const at = (query) => namedRow(query, rows);
  assert.deepEqual(["url_for", "URL_for()", "flask::url_for", "urls", "url", "api", "for", "?", "rebuilding urls"].map(at), [1, 1, 1, 2, 0, 0, 0, 0, 2]);
  const type = { title: "Vec" };
  const vec = ["Vec", "push", "retain", "&&"].map((title) => row(title, type));
  assert.deepEqual(["Vec::retain", "std::vec::Vec::retain", "vec retain", "retain", "Vec", "String::retain", "||", "&&"].map((query) => namedRow(query, vec)), [2, 2, 2, 2, 0, 0, 0, 3]);
  assert.equal(namedRow("vec retian", vec, [["retian", "retain"]]), 2, "what was typed wrong names what it was read as");
  const page = await bench.show();
  await page.keyboard.press("/");
  await page.keyboard.type("calculateBerthFee");
  const chosen = page.getByRole("option", { selected: true });
  await chosen.filter({ hasText: "calculateBerthFee" }).waitFor();
  assert.match(await chosen.getAttribute("href"), /\/api\/fees\.html#calculateBerthFee$/);
});

test("an owner is told what is missing: the index, or one of its files", () => {
  const told = (message) => ownersWords({ code: "BUNDLE_MISSING", message }, "https://a.test/search/");
  assert.match(told("search/index.knarr is not there"), /No index was found at https:\/\/a\.test\/search\/: build the site once, if a plugin .*npx knarr build/);
  assert.match(told("search/30db9dbdea4d.pack is not there"), /is there, and not all of its files: upload its whole folder/);
});

test("a policy that forbids WebAssembly is named, and is no matter of the connection", async () => {
  const server = await serve({ "/": fileURLToPath(new URL("pages", import.meta.url)), "/knarr/": DIST, "/search/": LARGE }, { policy: "default-src 'self'" });
  try {
    const page = await (await bench.browser.newContext()).newPage();
    await page.goto(`${server.origin}/blank.html`);
    await page.evaluate(async () => {
      await import("/knarr/knarr-search.js");
      const search = document.createElement("knarr-search");
      document.body.append(search);
      search.show("tide");
    });
    const note = page.locator(".note.error");
    await note.waitFor();
    assert.match(await note.textContent(), /^Search is not working.*Content-Security-Policy needs 'wasm-unsafe-eval' in script-src/);
    await page.context().close();
  } finally {
    await server.close();
  }
});

test("of a sentence titles mark no short words, unless an excerpt marks them", () => {
  const result = (text, ...highlights) => ({ excerpt: { text, highlights }, sections: [] });
  const bare = [result("The host.")];
  assert.equal(wordsToMark("how do I host the index", bare, []), "index");
  assert.equal(wordsToMark("how do I host the index", [result("The host sees", [4, 8])], []), "host index");
  assert.equal(wordsToMark("sharing data", [result("Shared state", [0, 6])], []), "sharing data shared");
  assert.equal(wordsToMark("css modules", bare, []), "css modules");
  assert.equal(wordsToMark("how to mokc a module", bare, [["mokc", "mock"]]), "module mock");
});

test("of the last word nothing is said while it is typed", async () => {
  const page = await bench.show();
  const told = (query, corrections, isBare, weak = false) => page.evaluate(async ([query, corrections, isBare, weak]) => {
    const { linesAbove } = await import("/knarr/element-view.js");
    return linesAbove({ weak: "Nothing", corrected: "For" }, query, { weak, corrections }, isBare).map(({ textContent }) => textContent.trim());
  }, [query, corrections, isBare, weak]);
  assert.deepEqual(await told("sesion cooki", [["sesion", "session"]], true), ["For session cooki"]);
  assert.deepEqual(await told("sesion", [["sesion", "session"]], true, true), []);
  assert.deepEqual(await told("sesion", [["sesion", "session"]], false, true), ["For session", "Nothing"]);
  assert.deepEqual(await told("sesion ", [["sesion", "session"]], true), ["For session"]);
  assert.deepEqual(await told("Sesion über", [["Sesion", "Session"]], false), ["For Session über"]);
  assert.deepEqual(await told("use-effct", [["use-effct", "useEffect"]], false), ["For use-effct → useEffect"]);
});

test("a page that says the only word of a question is about it", async () => {
  const page = await bench.show();
  const isToldWeak = (query, highlights, inSection = false) => page.evaluate(async ([query, highlights, inSection]) => {
    const { linesAbove } = await import("/knarr/element-view.js");
    const excerpts = [[], highlights].map((highlights) => ({ text: "It has a bowline.", highlights }));
    const resources = [{ excerpt: excerpts[inSection ? 0 : 1], sections: inSection ? [{ excerpt: excerpts[1] }] : [] }];
    return linesAbove({ weak: "Nothing" }, query, { weak: true, corrections: [], resources }).length > 0;
  }, [query, highlights, inSection]);
  assert.equal(await isToldWeak("bowline", [[9, 16]]), false);
  assert.equal(await isToldWeak(" bowline ", [[9, 16]], true), false);
  assert.equal(await isToldWeak("bowline", []), true);
  assert.equal(await isToldWeak("treaty bowline", [[9, 16]]), true, "one of several words is little");
  assert.equal(await isToldWeak("吉他的和弦", [[9, 16]]), true, "several words without a space");
});

/** Shows rows with these titles, and directories with those of theirs. */
async function show(page, titles, directories = {}) {
  await page.evaluate(({ titles, directories }) => {
    const uri = (title) => `viking://resources/${title}`;
    const resources = titles.map((title, at) => ({
      uri: uri(title), title, url: "a.html", score: 1 - at / 100, tags: [], abstract: "", sections: [], excerpt: { text: "", highlights: [] },
    }));
    const groups = Object.entries(directories).map(([title, inside]) => ({ uri: uri(title), title, abstract: "", results: inside.map(uri) }));
    const search = document.querySelector("knarr-search");
    search.setAttribute("group", "directory");
    search.knarr = { find: async () => ({ resources, groups, memories: [], skills: [], corrections: [], skipped: [], total: titles.length }) };
    search.show("cookie");
  }, { titles, directories });
  await bench.rows.first().waitFor();
}

test("a name that is too long for a line is broken between its parts, and stays the same text", async () => {
  const page = await bench.show({ viewport: { width: 340, height: 600 } });
  const name = "flask.sessions.SessionInterface.get_cookie_domain_name";
  await show(page, [name, "std::collections::HashMap::get_or_insert_with"]);
  const lines = await page.locator(".title").evaluateAll((titles) => titles.map((title) => {
    const lines = new Map();
    const range = document.createRange();
    const walk = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode()); ) {
      for (let at = 0; at < node.data.length; at++) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const { bottom } = range.getBoundingClientRect();
        lines.set(Math.round(bottom), (lines.get(Math.round(bottom)) ?? "") + node.data[at]);
      }
    }
    return [...lines.values()];
  }));
  assert.equal(await page.locator(".title").first().textContent(), name);
  for (const parts of lines) {
    assert.ok(parts.length > 1, parts.join());
    for (const part of parts.slice(0, -1)) assert.match(part, /[._:]$/, parts.join(" | "));
  }
});

test("a title that is a paragraph takes three lines, and a question as long, which is quoted, too", async () => {
  const page = await bench.show();
  const paragraph = "The keeper reads the gauge at dawn and writes the level of the harbour into the book. ".repeat(12);
  await show(page, [paragraph]);
  const lines = (text) => text.evaluate((text) => {
    const { fontSize } = getComputedStyle(text);
    return Math.round(text.getBoundingClientRect().height / (1.45 * parseFloat(fontSize)));
  });
  assert.equal(await lines(page.locator(".title")), 3);
  await bench.standIn({ pages: 0 });
  await bench.input.fill(paragraph);
  const quoted = page.locator(".note .strong", { hasText: "keeper" });
  await quoted.waitFor();
  assert.equal(await lines(quoted), 3);
});

test("a directory that is a page alone has no title over the same title", async () => {
  const page = await bench.show();
  await show(page, ["Settings", "Guide", "Knots", "Ropes", "Weather", "Index"], { Settings: ["Settings"], Mooring: ["Knots", "Ropes"], Weather: ["Weather"], Guide: ["Guide", "Index"] });
  const list = await page.locator(".list > :not(.end)").evaluateAll((all) => all.map((one) => (one.className === "group" ? one.ariaLabel : `${one.className} ${one.textContent}`.trim())));
  assert.deepEqual(list, ["Settings", "heading Mooring", "Knots", "Ropes", "rule", "Weather", "heading Guide", "Guide", "Index"]);
});
