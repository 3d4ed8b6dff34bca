/** The measures against figures worked out by hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { generator, graded, halfOf, hash, interval, means, measure, quantile } from "./relevance/metrics.mjs";

const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

test("a relevant page at rank 2 of two relevant ones", () => {
  const measured = measure(["x", "a", "y"], new Set(["a", "b"]));
  near(measured.ndcg, 1 / Math.log2(3) / (1 + 1 / Math.log2(3)));
  near(measured.recall, 1 / 2);
  near(measured.mrr, 1 / 2);
  assert.equal(measured.success, 0);
  assert.equal(measured.zero, 0);
});

test("a perfect ranking of more relevant pages than are looked at", () => {
  const pages = Array.from({ length: 20 }, (_, i) => `p${i}`);
  const measured = measure(pages, new Set(pages));
  near(measured.ndcg, 1);
  near(measured.recall, 1 / 2);
  assert.equal(measured.success, 1);
});

test("rank 11 does not count, and an empty answer is told from one that was emptied by exclusions", () => {
  const pages = [..."abcdefghijk"];
  assert.equal(measure(pages, new Set(["k"])).ndcg, 0);
  assert.equal(measure([], new Set(["k"]), 0).zero, 1);
  assert.equal(measure([], new Set(["k"]), 3).zero, 0);
});

test("grades weigh 2^grade − 1, and the ideal is their order", () => {
  const grades = new Map([["a", 3], ["b", 2], ["c", 1]]);
  near(graded(["x", "b", "a"], grades), (3 / Math.log2(3) + 7 / 2) / (7 + 3 / Math.log2(3) + 1 / 2));
  near(graded(["a", "b", "c", "x"], grades), 1);
  // The places that are looked at bound the ideal, too.
  near(graded(["b", "a"], grades, 1), 3 / 7);
  assert.equal(graded([], grades), 0);
  assert.equal(graded(["a"], new Map()), 0);
});

test("means are per measure", () => {
  const rows = [measure(["a"], new Set(["a"])), measure([], new Set(["a"]))];
  assert.deepEqual(means(rows), { ndcg: 0.5, recall: 0.5, mrr: 0.5, success: 0.5, zero: 0.5 });
});

test("the interval of a coin holds its mean, has the width theory gives, and repeats", () => {
  const values = Array.from({ length: 400 }, (_, i) => i % 2);
  const [low, high] = interval(values);
  assert.ok(low < 0.5 && high > 0.5);
  // 1.96 standard errors to each side: 1.96 · 0.5 / √400.
  assert.ok(Math.abs(high - low - 2 * 1.96 * 0.025) < 0.012, `${low} to ${high}`);
  assert.deepEqual(interval(values), [low, high]);
  assert.deepEqual(interval([1, 1, 1]), [1, 1]);
});

test("hash and halves", () => {
  // Published FNV-1a test values.
  assert.equal(hash(""), 0x811c9dc5);
  assert.equal(hash("a"), 0xe40c292c);
  assert.equal(hash("foobar"), 0xbf9cf968);
  const random = generator(1);
  const halves = Array.from({ length: 2000 }, () => halfOf(`query ${Math.floor(random() * 1e9)}`));
  const a = halves.filter((half) => half === "a").length;
  assert.ok(a > 900 && a < 1100, `${a} of 2000 in half a`);
});

test("quantiles by nearest rank", () => {
  const sorted = Array.from({ length: 200 }, (_, i) => i + 1);
  assert.equal(quantile(sorted, 0.5), 100);
  assert.equal(quantile(sorted, 0.95), 190);
  assert.equal(quantile([7], 0.95), 7);
});
