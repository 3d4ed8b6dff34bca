/** The tables of docs/ELEMENT.md: they have what the element has, no more and no less. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { FILTER_TEXTS, SITE_NAMES } from "./filter-texts.mjs";
const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

const PAGE = read("docs/ELEMENT.md");
const SHEET = read("www/knarr-search.css") + read("www/knarr-search-results.css");
const DECLARATIONS = read("pkg/types/element.d.ts");

/** The rows below a heading of the page: their cells, without the marks of code. */
function table(heading) {
  const [section] = PAGE.split(`\n## ${heading}\n`)[1].split("\n## ");
  const rows = Array.from(section.matchAll(/^\| (`.*) \|$/gm), ([, row]) => row.split(/ ?(?<!\\)\| ?/));
  return rows.map((cells) => cells.map((cell) => cell.trim()));
}

/** The names in a cell. */
const names = (cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name);

const named = (heading) => table(heading).flatMap(([cell]) => names(cell)).toSorted();

/** The custom properties that the sheet asks for, with what it takes in their place. */
function tokens() {
  const found = {};
  for (const { 0: asked, index } of SHEET.matchAll(/var\((?=--knarr-)/g)) {
    let [end, depth] = [index + asked.length, 1];
    for (; depth > 0; end++) depth += { "(": 1, ")": -1 }[SHEET[end]] ?? 0;
    const [name, ...rest] = SHEET.slice(index + asked.length, end - 1).split(", ");
    found[name] = rest.join(", ").replaceAll("--_", "--knarr-");
  }
  return found;
}

test("the tokens, and their defaults", () => {
  const listed = table("Tokens").map(([name, value]) => [names(name)[0], names(value)[0]]);
  assert.deepEqual(Object.fromEntries(listed), tokens());
  for (const [name] of listed) assert.ok(read("pkg/README.md").includes(`\`${name}\``), `${name} is in the package's own page`);
});

test("the texts, and what they are in English", async () => {
  const { stringsFor } = await import(pathToFileURL(fileURLToPath(new URL("../../pkg/src/element-strings.js", import.meta.url))).href);
  const english = (value) => (typeof value === "string" ? value : Object.values(value).join(", ") || "none");
  const expected = Object.entries({ ...stringsFor("en"), ...FILTER_TEXTS, ...SITE_NAMES }).map(([name, value]) => [name, english(value)]);
  assert.deepEqual(Object.fromEntries(table("Texts").map(([name, text]) => [names(name)[0], text])), Object.fromEntries(expected));
});

test("the parts", () => {
  const scripts = readdirSync(fileURLToPath(new URL("../../pkg/src", import.meta.url))).filter((name) => name.startsWith("element-"));
  const code = [read("www/knarr-search.js"), ...scripts.map((name) => read(`pkg/src/${name}`))].join("\n");
  const written = Array.from(code.matchAll(/\bpart: ["`]([^"`]+)["`]/g), ([, value]) => value.split(" ")).flat();
  const kinds = Array.from(code.matchAll(/\bkind: "(\w+)"/g), ([, kind]) => kind);
  const parts = new Set(written.flatMap((part) => (part === "${kind}" ? kinds : [part])));
  assert.deepEqual(named("Parts"), Array.from(parts).toSorted());
});

test("the attributes and the events", () => {
  const typed = (name, line) => Array.from(new RegExp(`interface ${name} \\{(.*?)\n\\}`, "s").exec(DECLARATIONS)[1].matchAll(line), ([, found]) => found);
  const attributes = typed("KnarrSearchAttributes", /^ {2}"?([\w-]+)"?\?:/gm).filter((name) => name !== "knarr"); // A property.
  assert.deepEqual(named("Attributes"), attributes.toSorted());
  // What is observed acts at once; style sheets see `button`, and `hotkeys` is read when a key is pressed.
  const [, observed] = /observedAttributes = \[([^\]]+)\]/.exec(read("www/knarr-search.js"));
  const atOnce = table("Attributes").filter(([, , acts]) => acts === "at once").flatMap(([cell]) => names(cell));
  assert.deepEqual(atOnce.toSorted(), [...Array.from(observed.matchAll(/"([\w-]+)"/g), ([, name]) => name), "button", "hotkeys"].toSorted());
  assert.deepEqual(named("Events"), typed("KnarrSearchEventMap", /^ {2}"([\w-]+)":/gm).toSorted());
});
