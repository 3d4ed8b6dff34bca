/**
 * Plain BM25 (Lucene's variant, k1 1.2, b 0.75) over title and text as one field, every word optional: a yardstick, no
 * product. Porter's stemmer and the English stop words are Lunr's; Chinese, Japanese and Korean are pairs of characters.
 */

import lunr from "lunr";
import { needsSegmenter } from "../words.mjs";

const K1 = 1.2;
const B = 0.75;

export function open(documents, { language, progress }) {
  const words = needsSegmenter(language) ? pairs : stems;
  const postings = new Map();
  const lengths = documents.map(({ title, text }, document) => {
    progress(`${document} of ${documents.length} documents`);
    const found = words(`${title} ${text}`);
    for (const word of found) {
      let list = postings.get(word);
      if (list === undefined) postings.set(word, (list = new Map()));
      list.set(document, (list.get(document) ?? 0) + 1);
    }
    return found.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query, limit) => {
    const scores = new Map();
    for (const word of words(query)) {
      const list = postings.get(word);
      if (list === undefined) continue;
      const rarity = Math.log(1 + (documents.length - list.size + 0.5) / (list.size + 0.5));
      for (const [document, count] of list) {
        const norm = K1 * (1 - B + (B * lengths[document]) / average);
        scores.set(document, (scores.get(document) ?? 0) + (rarity * count) / (count + norm));
      }
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, limit);
    return best.map(([document]) => documents[document].id);
  };
}

function stems(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((word) => lunr.stopWordFilter(word) !== undefined).map((word) => lunr.stemmer(new lunr.Token(word, {})).toString());
}

/** Pairs of neighbouring characters of each run without spaces; other words as they are. */
function pairs(text) {
  const runs = text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[\p{L}\p{N}_]+/gu) ?? [];
  return runs.flatMap((run) => {
    const characters = [...run];
    if (characters.length < 2 || !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(run)) return [run];
    return characters.slice(1).map((character, at) => characters[at] + character);
  });
}
