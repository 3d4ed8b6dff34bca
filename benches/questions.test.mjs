/** The sites and questions of `questions.mjs`, and its tables on figures that are known. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { SITES } from "./debian/labelled.mjs";
import { halfOfNames, table } from "./debian/report.mjs";
import { chosen, globs, pageOf } from "./debian/sites.mjs";
import { readLines } from "./relevance/lines.mjs";

const QUESTIONS = fileURLToPath(new URL("queries/questions/", import.meta.url));

test("every site has forty questions, and every question a page that answers it", () => {
  assert.deepEqual(readdirSync(QUESTIONS).sort(), Object.keys(SITES).map((name) => `${name}.jsonl`).sort());
  for (const name of Object.keys(SITES)) {
    const questions = readLines(`${QUESTIONS}${name}.jsonl`);
    const count = (kind) => questions.filter((question) => question.kind === kind).length;
    assert.deepEqual(["question", "short", "task", "error"].map(count), [20, 10, 5, 5], name);
    assert.equal(new Set(questions.map(({ query }) => query)).size, 40, name);
    for (const { query, relevant } of questions) {
      const grades = Object.values(relevant);
      assert.ok(grades.every((grade) => [1, 2, 3].includes(grade)) && grades.some((grade) => grade >= 2), `${name}: ${query}`);
      // Two names of one page would be one page with the last one's grade.
      assert.equal(new Set(Object.keys(relevant).map(pageOf)).size, grades.length, `${name}: ${query}`);
    }
  }
});

test("a page is the same however a host spells its address", () => {
  for (const address of ["guide/start.html", "guide/start", "/guide/start/", "guide/start/index.html#first"]) assert.equal(pageOf(address), "/guide/start");
});

test("sites are chosen by name, and cut to the part that is searched", () => {
  assert.deepEqual(chosen({ a: {}, b: {} }, "b"), ["b"]);
  assert.deepEqual(chosen({ a: {}, b: {} }, undefined), ["a", "b"]);
  assert.throws(() => chosen({ a: {}, b: {} }, "a,toString"), /no such site: toString; there are a, b/);
  assert.deepEqual(globs({ include: ["a/**", "b/**"], exclude: ["/c"] }), ["--include", "a/**", "--include", "b/**", "--exclude", "/c"]);
  assert.deepEqual(globs({}), []);
});

test("halves are every other site in alphabetical order", () => {
  assert.deepEqual(halfOfNames(["c", "a", "b"], "a"), ["a", "c"]);
  assert.deepEqual(halfOfNames(["c", "a", "b"], "b"), ["b"]);
  assert.deepEqual(halfOfNames(["c", "a", "b"], undefined), ["a", "b", "c"]);
});

test("a table has means by kind and site, and of all questions", () => {
  const rows = (...values) => values.map((mrr, at) => ({ kind: at === 0 ? "short" : "task", mrr }));
  assert.equal(table("MRR@8", "mrr", ["short", "task"], [["a", rows(1, 0.5, 0)], ["b", rows(0.5)]]), [
    "| MRR@8 | short | task | all |",
    "|---|--:|--:|--:|",
    "| a | 1.000 | .250 | .500 |",
    "| b | .500 | .000 | .500 |",
    "| all | .750 | .250 | .500 |",
  ].join("\n"));
});
