/**
 * The list by words and the list by vector as one, scaled and weighed as the engine mixes them (`src/find/rank/mix.rs`).
 * Qdrant's own sum of reciprocal ranks answers worse than words alone (docs/QDRANT.md).
 */

import { badAnswer } from "./qdrant-server.js";

/** Rows of a page that an answer shows: the best, and sections beside it. */
const ROWS_OF_A_PAGE = 3;
/** Cosine from which a page counts as an answer to a question of which the site has no word, as in the engine. */
const ALONE_FROM = 0.25;

/**
 * The pages of an answer, best first, each with its best rows.
 *
 * @param {{ id: number, hits: { id: number, score: number, payload: { place: number } }[] }[]} words groups of the question by words
 * @param {object[]} vector groups of the question by vector
 * @param {number} alpha weight of the second, in [0, 1]
 * @returns {{ score: number, rows: { id: number, place: number, score: number }[] }[]}
 */
export function ranked(words, vector, alpha) {
  if (words.length === 0) return alone(vector, alpha < 1 ? ALONE_FROM : -1);
  const pages = new Map();
  const add = (groups, kind, least) => {
    const top = groups[0]?.hits[0].score ?? 1;
    for (const { id, hits } of groups) {
      if (!pages.has(id)) pages.set(id, new Map());
      for (const hit of hits) {
        const row = pages.get(id).get(hit.id) ?? { id: hit.id, place: hit.payload.place, words: 0, vector: 0 };
        row[kind] = top > least ? Math.max(0, (hit.score - least) / (top - least)) : 1;
        pages.get(id).set(hit.id, row);
      }
    }
  };
  add(words, "words", 0);
  add(vector, "vector", Math.min(...vector.map(({ hits }) => hits[0].score)));
  const weigh = (row) => (1 - alpha) * row.words + alpha * row.vector;
  return sorted([...pages.values()].map((found) => {
    const rows = [...found.values()];
    const most = (kind) => Math.max(...rows.map((row) => row[kind]));
    return { score: weigh({ words: most("words"), vector: most("vector") }), rows: best(rows.map((row) => ({ id: row.id, place: row.place, score: weigh(row) }))) };
  }));
}

/** The list by vector alone, by its cosines. */
function alone(groups, least) {
  const pages = groups.filter(({ hits: [first] }) => first.score >= least);
  return sorted(pages.map(({ hits }) => ({ score: cosine(hits[0]), rows: best(hits.map((hit) => ({ id: hit.id, place: hit.payload.place, score: cosine(hit) }))) })));
}

const cosine = ({ score }) => Math.min(1, Math.max(0, score));

const best = (rows) => sorted(rows).slice(0, ROWS_OF_A_PAGE);

/** Best first; rows alike by their number, so that an answer is the same each time. */
function sorted(list) {
  const number = (one) => one.id ?? one.rows[0].id;
  return list.sort((a, b) => b.score - a.score || number(a) - number(b));
}

/** Groups as the server sends them: pages by number, each with scored rows. */
export function checkedGroups({ groups }) {
  groups.forEach(({ id, hits }, i) => {
    const isHit = (hit) => Number.isSafeInteger(hit?.id) && Number.isFinite(hit.score) && Number.isInteger(hit.payload?.place);
    if (!Number.isSafeInteger(id)) badAnswer(`result.groups[${i}].id`, "is not the number of a page");
    if (!Array.isArray(hits) || hits.length === 0 || !hits.every(isHit)) badAnswer(`result.groups[${i}].hits`, "is not a list of points with score and place");
  });
  return groups;
}
