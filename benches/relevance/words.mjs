/** Words of a text for peers that leave the cutting to their user. */

const SPACELESS = new Set(["zh", "ja", "ko"]);

/** Whether a language is written without spaces between all words, so that a peer's own cutting at spaces finds none. */
export function needsSegmenter(language) {
  return SPACELESS.has(language);
}

/** A function from a text to its words, by the segmenter that browsers have too. */
export function segmenter(language) {
  const cutter = new Intl.Segmenter(language, { granularity: "word" });
  return (text) => Array.from(cutter.segment(text)).filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** The first of each document's hits: `hits` are ids of sections `document#number`, best first. */
export function collapse(hits, limit) {
  return [...new Set(hits.map((hit) => hit.slice(0, hit.lastIndexOf("#"))))].slice(0, limit);
}
