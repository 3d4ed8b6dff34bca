// A larger site out of a real one: its Markdown pages, and copies of them that speak of other things.
//
//   node benches/copies.mjs FOLDER INTO [COPIES]
//
// In each copy half of the words are others: those of a like frequency, always the same for the same word, so that a copy
// reads as one site and no copy answers a question better than its original. The 200 most frequent words stay.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [from, into, copies = "9"] = process.argv.slice(2);
const KEPT = 200;
const BLOCK = 64;
const WORD = /[A-Za-z]{3,}/g;

const files = readdirSync(from, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
const texts = new Map(files.map((file) => [file.slice(from.length), readFileSync(file, "utf8")]));

const counts = new Map();
for (const text of texts.values())
  for (const [word] of text.matchAll(WORD)) {
    const folded = word.toLowerCase();
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
const words = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word);

/** A number that depends on nothing but its arguments (FNV-1a). */
const hash = (text, seed) => {
  let value = 2166136261 ^ seed;
  for (const char of text) value = Math.imul(value ^ char.charCodeAt(0), 16777619);
  return (value ^ (value >>> 15)) >>> 0;
};

/** The words of a copy: half of each block changes places. */
const others = (copy) => {
  const map = new Map();
  for (let start = KEPT; start < words.length; start += BLOCK) {
    const moved = words.slice(start, start + BLOCK).filter((word) => hash(word, copy) % 2);
    moved.forEach((word, place) => map.set(word, moved[(place + copy) % moved.length]));
  }
  return map;
};

const asWritten = (word, other) =>
  word === word.toUpperCase() && word.length > 1 ? other.toUpperCase()
  : word[0] === word[0].toUpperCase() ? other[0].toUpperCase() + other.slice(1)
  : other;

for (let copy = 0; copy <= Number(copies); copy++) {
  const map = copy ? others(copy) : new Map();
  for (const [path, text] of texts) {
    // The facts at the top of a page keep their names.
    const end = text.startsWith("---") ? Math.max(0, text.indexOf("\n---", 3)) : 0;
    const changed = (part) => part.replace(WORD, (word) => {
      const other = map.get(word.toLowerCase());
      return other ? asWritten(word, other) : word;
    });
    const head = text.slice(0, end).replace(/^(\w[\w.-]*:)(.*)$/gm, (_, name, value) => name + changed(value));
    const target = join(into, copy ? `copy${copy}` : "", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, copy ? head + changed(text.slice(end)) : text);
  }
}
console.log(`${(Number(copies) + 1) * texts.size} pages`);
