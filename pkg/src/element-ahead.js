/** What is fetched while somebody types: the words, which the whole question needs whatever comes behind them. */

import { optionsOf } from "./element-attributes.js";
import { beginningOf } from "./element-keys.js";

/** Options that read no more of a bundle than the words of the question: no vectors, and no page is good enough. */
const WORDS_ONLY = { limit: 1, alpha: 0, score_threshold: 1, excerpts: false, answer: undefined, group: undefined };

/** Letters of a word that goes on: shorter ones are the beginning of words in several parts. */
const LEAST_LETTERS = 4;

/** Elements that fetch words: one request follows the other, and the latest text is the next. */
const busy = new WeakSet();

/** The text of an element whose words were fetched last. */
const fetched = new WeakMap();

/**
 * Fetches the words of the text of `input` as it grows: the rows then come a round earlier. A word from its fourth letter on is
 * nearly always in the part that the whole word is in. What fails is told by the search of the whole.
 */
export async function fetchWords(element, input) {
  if (element.knarr || busy.has(element)) return; // What is given may be a server, where words are nothing to fetch.
  busy.add(element);
  try {
    const knarr = await element.bundle();
    for (let text; (text = beginningOf(input.value, LEAST_LETTERS)) !== "" && text !== fetched.get(element); ) {
      fetched.set(element, text);
      const prefix = !/\s$/u.test(input.value); // A word with a space behind it is whole.
      await knarr.find(text, { ...optionsOf(element), ...WORDS_ONLY, prefix });
    }
  } catch {
  } finally {
    busy.delete(element);
  }
}
