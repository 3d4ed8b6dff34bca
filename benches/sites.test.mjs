/** The columns of `sites.mjs`, on rows that are known. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isTitle, summary } from "./sites/figures.mjs";
import { table } from "./sites/report.mjs";

const AT = "http://127.0.0.1:1/docs/";
const page = (more) => ({ status: 200, hasTarget: true, lang: "en", headings: [], links: [], ...more });

test("a title is a heading, a part of one, or a path that ends with one", () => {
  const headings = ["Getting started", "classtidewater.Client(station)", "Install"];
  for (const title of ["Getting started", "tidewater.Client", "Getting started › Install", "getting  started"]) assert.ok(isTitle(title, headings), title);
  for (const title of ["Getting started¶", "Install #", "Getting started | My Site", "Install\u200b", "Deploy", "Getting started › Deploy"]) assert.ok(!isTitle(title, headings), title);
});

test("each column counts what it says", () => {
  const row = (path, title, text = "") => ({ title, text, href: AT + path });
  const asked = [
    { query: "a", relevant: ["guide/a"], rows: [row("guide/a/", "A"), row("guide/a/#b", "B¶"), row("404.html", "Not found", "Skip to content")], clicked: true },
    { query: "b", relevant: ["guide/b.html#x"], rows: [row("de/a", "A"), row("guide/b", "B", "npmpnpm install")], clicked: false },
    { query: "c", relevant: ["guide/c"], rows: [] },
    { query: "tags", isTemplate: true, rows: [row("tags/index.html", "Tags")] },
  ];
  const facts = new Map([
    [`${AT}guide/a/`, page({ headings: ["A"], links: ["/docs/guide/a/", "/docs/guide/b"] })],
    [`${AT}guide/a/#b`, page({ headings: ["B"], hasTarget: false })],
    [`${AT}404.html`, page({ headings: ["Not found"] })],
    [`${AT}de/a`, page({ headings: ["A"], lang: "de" })],
    [`${AT}guide/b`, page({ headings: ["B"] })],
    [`${AT}tags/index.html`, page({ headings: ["Tags"] })],
  ]);
  const figures = summary(asked, facts, { base: "/docs/" });
  const { questions, found, first, mrr, pages, clicks, landed, otherLanguage } = figures;
  assert.deepEqual({ questions, found, first, mrr, pages, clicks, landed, otherLanguage },
    { questions: 3, found: 2, first: 1, mrr: 0.5, pages: 4 / 3, clicks: 2, landed: 1, otherLanguage: 1 });
  assert.deepEqual(figures.wrongTitles.map(({ title }) => title), ["B¶"]);
  assert.deepEqual(figures.leaks.map(({ title }) => title), ["Not found", "B"]);
  assert.deepEqual(figures.broken, [`${AT}guide/a/#b`]);
  assert.deepEqual(figures.foreign, [`${AT}404.html`, `${AT}de/a`, `${AT}tags/index.html`]);
  assert.deepEqual(figures.noContent.map(({ title }) => title), ["Not found", "Tags"]);

  const one = { label: "Knarr", disk: { all: 2000, index: 1000 }, until: { bytes: 900, requests: 3 }, ...figures };
  const printed = table([{ name: "Site", isReal: true, searches: { knarr: one, own: { error: "no" } } }]);
  assert.match(printed, /^\| Site \| Knarr \| \*\*2\*\* of 3 \| \*\*1\*\* of 3 \| \.500 \|/m);
  assert.match(printed, /\| failed: no \|$/m);
});
