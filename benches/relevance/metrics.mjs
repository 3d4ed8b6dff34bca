/**
 * Measures of a ranking against judgements, and their uncertainty.
 *
 * A judgement is a set of relevant documents; grades above zero all count as one, as in the published figures of the sets.
 * Only `graded` tells them apart.
 */

/** How deep a ranking is looked at, unless told otherwise. */
export const DEPTH = 10;

/** Resamplings of a bootstrap: enough that its ends move by less than the last printed digit. */
const RESAMPLES = 2000;

/**
 * The measures of one query, each in [0, 1]: nDCG, recall and reciprocal rank at `depth`, whether the first result is
 * relevant, and whether nothing was found.
 *
 * `ranking` holds distinct document ids, best first, the excluded ones already dropped. `found` is how many there were
 * before that: an empty answer is the engine's doing, not the exclusion's.
 */
export function measure(ranking, relevant, found = ranking.length, depth = DEPTH) {
  const top = ranking.slice(0, depth);
  const gains = top.map((id) => (relevant.has(id) ? 1 : 0));
  const hits = gains.reduce((sum, gain) => sum + gain, 0);
  const first = gains.indexOf(1);
  const ideal = Array(Math.min(relevant.size, depth)).fill(1);
  return {
    ndcg: relevant.size === 0 ? 0 : discounted(gains) / discounted(ideal),
    recall: relevant.size === 0 ? 0 : hits / relevant.size,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    success: gains[0] ?? 0,
    zero: found === 0 ? 1 : 0,
  };
}

/**
 * nDCG of one query with grades: `grades` is a map from a document's id to its grade, whose gain is 2^grade − 1; others have
 * none. `ranking` as in `measure`.
 */
export function graded(ranking, grades, depth = DEPTH) {
  const gain = (grade) => 2 ** grade - 1;
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, depth).map(gain);
  const best = discounted(ideal);
  return best === 0 ? 0 : discounted(ranking.slice(0, depth).map((id) => gain(grades.get(id) ?? 0))) / best;
}

function discounted(gains) {
  return gains.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
}

/** The mean of every measure over the queries, `{ ndcg, recall, … }`. */
export function means(measured) {
  const names = Object.keys(measured[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, mean(measured.map((row) => row[name]))]));
}

/** Arithmetic mean; 0 of nothing. */
export function mean(values) {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The 95 % confidence interval `[low, high]` of the mean, by the percentile bootstrap over queries.
 *
 * For a paired comparison give the differences, query by query: resampling queries then keeps the pairs together.
 * Repeats exactly: the generator has a fixed seed.
 */
export function interval(values, resamples = RESAMPLES) {
  const random = generator(0x6b6e6172);
  const drawn = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let sum = 0;
    for (let j = 0; j < values.length; j++) sum += values[Math.floor(random() * values.length)];
    drawn[i] = sum / Math.max(values.length, 1);
  }
  drawn.sort();
  return [drawn[Math.floor(resamples * 0.025)], drawn[Math.ceil(resamples * 0.975) - 1]];
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a over the UTF-8 bytes of a text, 32 bits. */
export function hash(text) {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text, "utf8")) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/**
 * Which half a query is in, "a" (to fit on) or "b" (to report on): decided by its text alone, so that it never changes
 * and a text that several sets share is in the same half of each.
 */
export function halfOf(text) {
  // The low bit of FNV-1a depends on the low bits of the bytes only; a higher bit mixes more.
  return ((hash(text) >>> 16) & 1) === 0 ? "a" : "b";
}

/** The value at a quantile of values sorted ascending, by the nearest rank. */
export function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))];
}
