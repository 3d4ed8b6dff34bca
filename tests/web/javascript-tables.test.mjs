/** The tables of docs/JAVASCRIPT.md: the options of `Knarr.open`, and what the small engine has and refuses. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const read = (path) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

const PAGE = read("docs/JAVASCRIPT.md");

/** The rows below a heading of the page: the names in each of their cells. */
function table(heading) {
  const [section] = PAGE.split(`\n## ${heading}\n`)[1].split("\n## ");
  const rows = Array.from(section.matchAll(/^\| (.*) \|$/gm), ([, row]) => row.split(" | "));
  return rows.slice(1).map((cells) => cells.map((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name)));
}

test("the options of open", () => {
  const [, fields] = /interface OpenOptions extends CallOptions \{(.*?)\n\}/s.exec(read("pkg/types/index.d.ts"));
  const typed = Array.from(fields.matchAll(/^ {2}(\w+)\?:/gm), ([, name]) => name);
  assert.deepEqual(table("Opening").map(([[name]]) => name).toSorted(), [...typed, "signal"].toSorted());
});

test("the small engine has the options that the table of options says, and the methods that its script says", () => {
  const rows = table("The small engine");
  for (const [call, heading] of [["find", "`find`"], ["grep", "`grep`"], ["read", "`read`"], ["ls", "`ls` and `tree`"]]) {
    const [section] = read("docs/OPTIONS.md").split(`\n## ${heading}\n`)[1].split("\n## ");
    const options = Array.from(section.matchAll(/^\| `(\w+)`( \*)? \|/gm), ([, name, star]) => [name, star === undefined]);
    const [, has, lacks] = rows.find(([names]) => names[0] === call);
    const own = options.filter(([, isInCore]) => isInCore).map(([name]) => name);
    assert.deepEqual(has.filter((name) => !["~", "onProgress"].includes(name)).toSorted(), own.toSorted(), call);
    for (const name of lacks) assert.ok(options.some(([option, isInCore]) => option === name && !isInCore), `${call}: ${name}`);
  }
  const [, refused] = /\[([^\]]+)\]\.includes\(method\)/.exec(read("pkg/src/core-engine.js"));
  const names = Array.from(refused.matchAll(/"(\w+)"/g), ([, name]) => name);
  assert.deepEqual(rows.at(-1)[2].toSorted(), names.toSorted());
});
